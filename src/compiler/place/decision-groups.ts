import type { PlacementV1beta1GroupStrategy } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { ClusterIndices } from './cluster-index.ts';
import type { Misconfiguration } from './fault.ts';
import { goQuote } from '../../base/go/quote.ts';
import type { SelectorFault } from './label-selector.ts';
import { keep, type Selectors } from './selectors.ts';

/** Clusters that belong together; the index of a group is its position. */
export interface Group {
  /** Empty for clusters that are in no named group. */
  readonly name: string;
  readonly clusters: ClusterIndices;
}

/** The groups of a decision. If there is a misconfiguration, the groups that the hub created before it. */
export interface Groups {
  readonly groups: readonly Group[];
  readonly misconfiguration?: Misconfiguration;
}

const strategyPath: FieldPath = ['spec', 'decisionStrategy', 'groupStrategy'];

/**
 * Divides the selected clusters, in the order of their names, into groups. Each named group gets the remaining clusters that its
 * selector matches; the last group gets the rest. Each is split into pieces of `clustersPerDecisionGroup`. A named group without
 * clusters is left out. As generateDecisionGroups of OCM's scheduling_controller.go.
 */
export function decisionGroups(
  strategy: PlacementV1beta1GroupStrategy | undefined,
  selected: ClusterIndices,
  selectors: Selectors,
): Groups {
  const length = groupLength(strategy?.clustersPerDecisionGroup ?? 0, selected.length);
  if (typeof length !== 'number') return { groups: [], misconfiguration: length };

  const groups: Group[] = [];
  let rest = selected;
  for (const [index, { groupName, groupClusterSelector }] of (strategy?.decisionGroups ?? []).entries()) {
    const path: FieldPath = [...strategyPath, 'decisionGroups', index, 'groupClusterSelector'];
    const labels = selectors.labels(groupClusterSelector.labelSelector);
    if ('error' in labels)
      return { groups, misconfiguration: misconfigured(labels, [...path, 'labelSelector']) };
    const { matchExpressions } = groupClusterSelector.claimSelector ?? {};
    const claims = selectors.claims(matchExpressions === undefined ? undefined : { matchExpressions });
    if ('error' in claims)
      return { groups, misconfiguration: misconfigured(claims, [...path, 'claimSelector']) };
    const isMember = (cluster: number): boolean => labels.matches(cluster) && claims.matches(cluster);
    addPieces(groupName, keep(rest, isMember), length, groups);
    rest = keep(rest, (cluster) => !isMember(cluster));
  }
  addPieces('', rest, length, groups);
  return { groups: groups.length === 0 ? [{ name: '', clusters: rest }] : groups };
}

/**
 * Returns the number of clusters per group. Percentages apply to all selected clusters and are rounded up, including float
 * errors.
 */
export function groupLength(size: number | string, total: number): number | Misconfiguration {
  const length = typeof size === 'string' ? percentageOf(size, total) : size;
  if (typeof length === 'object') return length;
  return length <= 0 || length > total ? total : length;
}

function percentageOf(size: string, total: number): number | Misconfiguration {
  const path: FieldPath = [...strategyPath, 'clustersPerDecisionGroup'];
  if (!size.endsWith('%')) {
    return { plugin: '', message: `${size} invalid type: string is not a percentage`, path };
  }
  const percentage = size.slice(0, -1);
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(percentage)) {
    return {
      plugin: '',
      message: `strconv.ParseFloat: parsing ${goQuote(percentage)}: invalid syntax`,
      path,
    };
  }
  return Math.ceil((Number(percentage) / 100) * total);
}

function addPieces(name: string, clusters: ClusterIndices, length: number, groups: Group[]): void {
  for (let start = 0; start < clusters.length; start += length) {
    groups.push({ name, clusters: clusters.subarray(start, start + length) });
  }
}

function misconfigured({ error, path }: SelectorFault, selector: FieldPath): Misconfiguration {
  return { plugin: '', message: error, path: [...selector, ...path] };
}
