import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { clusterSetLabel } from '../place/cluster-sets.ts';
import { unnamed } from './cluster-space.ts';
import type { Input } from './input.ts';
import type { EditedKind } from './invariant.ts';

/** One field of a cluster that an edit changes. */
export interface FieldEdit {
  readonly kind: EditedKind | 'version' | 'name' | 'annotations' | 'resources';
  /** The key of the label, claim, annotation or taint. Absent for sets, versions and names. */
  readonly key?: string;
  /** Absent: the cluster does not have it. For a taint, `value:effect`. */
  readonly from?: string;
  readonly to?: string;
}

/** Returns the kind and the key of the edits of an input. */
export function kindOf(input: Input): Pick<FieldEdit, 'kind' | 'key'> {
  switch (input.kind) {
    case 'label':
      return input.key === clusterSetLabel ? { kind: 'sets' } : { kind: 'labels', key: input.key };
    case 'claim':
      return { kind: 'claims', key: input.key };
    case 'other claim':
      return { kind: 'claims' };
    case 'annotation':
      return { kind: 'annotations', key: input.key };
    case 'other annotation':
      return { kind: 'annotations' };
    case 'capacity':
    case 'allocatable':
      return { kind: 'resources', key: `${input.kind} ${input.key}` };
    case 'other capacity':
    case 'other allocatable':
      return { kind: 'resources' };
    case 'version':
    case 'name':
      break;
  }
  return { kind: input.kind };
}

/**
 * Returns a cluster after edits.
 *
 * @param isNamed - whether a selector names a claim
 */
export function withEdits(
  cluster: ManagedClusterV1,
  edits: readonly FieldEdit[],
  isNamed: (claim: string) => boolean,
): ManagedClusterV1 {
  const labels = new Map(Object.entries(cluster.metadata.labels ?? {}));
  const claims = new Map(
    (cluster.status?.clusterClaims ?? []).map(({ name = '', value = '' }) => [name, value]),
  );
  let taints = cluster.spec?.taints ?? [];
  for (const { kind, key = '', to } of edits) {
    if (kind === 'labels') set(labels, key, to);
    else if (kind === 'sets') set(labels, clusterSetLabel, to);
    else if (kind === 'claims' && key === '' && to === undefined)
      for (const claim of [...claims.keys()].filter((each) => !isNamed(each))) claims.delete(claim);
    else if (kind === 'claims') set(claims, key === '' ? unnamed : key, to);
    else if (kind === 'taints') taints = withTaint(taints, key, to);
  }
  const clusterClaims = Array.from(claims, ([name, value]) => ({ name, value }));
  return {
    ...cluster,
    metadata: { ...cluster.metadata, labels: Object.fromEntries(labels) },
    spec: { ...cluster.spec, taints },
    status: { ...cluster.status, clusterClaims },
  };
}

function withTaint(
  taints: readonly ManagedClusterV1Taint[],
  key: string,
  to: string | undefined,
): readonly ManagedClusterV1Taint[] {
  if (to === undefined) return taints.filter((taint) => taint.key !== key);
  const colon = to.lastIndexOf(':');
  const effect = to.slice(colon + 1) === 'NoSelect' ? 'NoSelect' : 'NoSelectIfNew';
  const value = to.slice(0, colon);
  return [...taints, { key, ...(value !== '' && { value }), effect }];
}

function set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
