import type { LeftOutObject, SnapshotScope } from '../../compiler/elsewhere.ts';
import { identityOfKey } from '../../compiler/inventory.ts';
import { isJsonMap } from '../../encoding/json-map.ts';
import { parseYaml } from '../bounded-yaml.ts';
import { takenAt } from './snapshot-file.ts';
import { coversAnnotation, writtenInGitAnnotation } from './snapshot-head.ts';

/** What `fleet pull` read before snapshots said which kinds they cover. */
const firstCovered = [
  'AddOnPlacementScore',
  'ManagedCluster',
  'ManagedClusterAddOn',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'PlacementDecision',
];

/**
 * What a snapshot says of itself in its head; undefined for a file that `fleet pull` did not write.
 *
 * @throws DiagnosedFailure where the head is nested too deeply; CommandError where it is not valid YAML.
 */
export function scopeOf(file: string, text: string): SnapshotScope | undefined {
  if (takenAt(text) === undefined) return undefined;
  const annotations = annotationsOf(headOf(file, text));
  const covers = annotations[coversAnnotation];
  return {
    covers: typeof covers === 'string' ? covers.split(' ') : firstCovered,
    leftOut: leftOutIn(annotations[writtenInGitAnnotation]),
  };
}

/** What stands before the items. */
function headOf(file: string, text: string): unknown {
  if (!text.startsWith('{')) {
    const [head = ''] = text.split(/^items:/m, 1);
    return parseYaml(file, head, { trouble: file }).toJS();
  }
  const [head = ''] = text.split(',"items":[', 1);
  try {
    return JSON.parse(`${head}}`);
  } catch {
    // Somebody wrote it in another way; loading it finds what is wrong with it.
    return undefined;
  }
}

function annotationsOf(head: unknown): Readonly<Record<string, unknown>> {
  const metadata = isJsonMap(head) ? head['metadata'] : undefined;
  const annotations = isJsonMap(metadata) ? metadata['annotations'] : undefined;
  return isJsonMap(annotations) ? annotations : {};
}

function leftOutIn(lines: unknown): LeftOutObject[] {
  if (typeof lines !== 'string') return [];
  return lines.split('\n').flatMap((line): LeftOutObject[] => {
    const [, kind = '', group = '', key = '', writer = ''] = /^(\w+)\.(\S+) (\S+) (\S+)$/.exec(line) ?? [];
    return kind === '' ? [] : [{ kind, group, ...identityOfKey(key), writer }];
  });
}
