import { identityOfKey, type OmittedObject, type SnapshotScope } from '../../compiler/index.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { aliasesAreCounted, parseYaml } from '../inputs/bounded-yaml.ts';
import { takenAt } from './snapshot-file.ts';
import { coversAnnotation, writtenInGitAnnotation } from '../../ocm/fleetwright-annotations.ts';

/** The kinds that `fleet pull` read before snapshots recorded the kinds that they cover. */
const firstCovered = [
  'AddOnPlacementScore',
  'ManagedCluster',
  'ManagedClusterAddOn',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'PlacementDecision',
];

/**
 * Returns the scope that a snapshot records in its head; undefined for a file that `fleet pull` did not write.
 *
 * @throws DiagnosedError if the head is nested too deeply; UserError if it is not valid YAML.
 */
export function scopeOf(file: string, text: string): SnapshotScope | undefined {
  if (takenAt(text) === undefined) return undefined;
  const annotations = annotationsOf(headOf(file, text));
  const covers = annotations[coversAnnotation];
  return {
    covers: typeof covers === 'string' ? covers.split(' ') : firstCovered,
    omitted: omittedIn(annotations[writtenInGitAnnotation]),
  };
}

/** Returns the part before the items. */
function headOf(file: string, text: string): unknown {
  if (!text.startsWith('{')) {
    const [head = ''] = text.split(/^items:/m, 1);
    return parseYaml(file, head, { syntaxError: file }).toJS(aliasesAreCounted);
  }
  const [head = ''] = text.split(',"items":[', 1);
  try {
    return JSON.parse(`${head}}`);
  } catch {
    // The file was written in another way. The loader reports its errors.
    return undefined;
  }
}

function annotationsOf(head: unknown): Readonly<Record<string, unknown>> {
  const metadata = isJsonMap(head) ? head['metadata'] : undefined;
  const annotations = isJsonMap(metadata) ? metadata['annotations'] : undefined;
  return isJsonMap(annotations) ? annotations : {};
}

function omittedIn(lines: unknown): OmittedObject[] {
  if (typeof lines !== 'string') return [];
  return lines.split('\n').flatMap((line): OmittedObject[] => {
    const [, kind = '', group = '', key = '', writer = ''] = /^(\w+)\.(\S+) (\S+) (\S+)$/.exec(line) ?? [];
    return kind === '' ? [] : [{ kind, group, ...identityOfKey(key), writer }];
  });
}
