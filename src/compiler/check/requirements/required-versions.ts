import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { satisfies } from '../../../engines/charts/functions/version-constraint.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { listed, quote } from '../../model/words.ts';
import { templateOf } from '../../render/inputs.ts';
import { deliveriesOf } from '../cluster/deliveries.ts';
import type { RuleInput } from '../rule.ts';

/** What a constraint of a requirement is about. */
export type VersionKind = 'version' | 'chart';

/** The labels that name versions: recommended by Kubernetes and by Helm. */
const labels = { version: 'app.kubernetes.io/version', chart: 'helm.sh/chart' } as const;

/** The version of an add-on on a cluster, or why it is unknown. */
export type FoundVersion =
  { readonly version: string; readonly object: string } | { readonly unknown: string };

/**
 * Returns a function that returns the version of an add-on on a cluster: of the label on its template, or else the only one on its manifests.
 * Each configuration is read once.
 */
export function versionFinder(
  required: ResolvedAddOn,
  input: RuleInput,
): (onCluster: ClusterAddOn, kind: VersionKind) => FoundVersion {
  const cache = new Map<unknown, Map<VersionKind, FoundVersion>>();
  return (onCluster, kind) =>
    getOrInsertComputed(
      getOrInsertComputed(cache, onCluster.effective, () => new Map()),
      kind,
      () => findVersion(required, onCluster, kind, input),
    );
}

function findVersion(
  required: ResolvedAddOn,
  { cluster, effective }: ClusterAddOn,
  kind: VersionKind,
  input: RuleInput,
): FoundVersion {
  const template = templateOf(required, effective.references, input.inventory);
  const label = labels[kind];
  if (!('error' in template)) {
    const { labels: ofTemplate, name = '' } = template.object.metadata;
    const version = versionIn(ofTemplate?.[label], kind);
    if (version !== undefined) return { version, object: `AddOnTemplate ${quote(name)}` };
  }
  const versions = new Map<string, string>();
  for (const { addOn, clusters, objects } of deliveriesOf(input)) {
    if (addOn !== required.name || !clusters.includes(cluster)) continue;
    for (const { object, words } of objects) {
      const metadata = isJsonMap(object['metadata']) ? object['metadata'] : {};
      const version = versionIn(isJsonMap(metadata['labels']) ? metadata['labels'][label] : undefined, kind);
      if (version !== undefined && !versions.has(version)) versions.set(version, words);
    }
  }
  const [first] = versions;
  if (first === undefined)
    return { unknown: `neither its template nor its manifests have the label ${label}` };
  if (versions.size > 1)
    return { unknown: `the label ${label} of its manifests has the values ${listed([...versions.keys()])}` };
  return { version: first[0], object: first[1] };
}

/** Returns the version in a label. That of a chart is after its name, with `_` for `+`. */
function versionIn(label: unknown, kind: VersionKind): string | undefined {
  if (typeof label !== 'string' || label === '') return undefined;
  return kind === 'version' ? label : /-(v?\d+\.\d+.*)$/.exec(label)?.[1]?.replaceAll('_', '+');
}

/** Whether a version satisfies a constraint, or the message of why they cannot be compared. */
export function compareVersion(version: string, constraint: string): boolean | Error {
  try {
    return satisfies(version, constraint);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
