import type { LabelSelector } from '../../../schemas/types.gen.ts';
import type { ClusterIndex, ClusterIndices } from './cluster-index.ts';
import {
  compileLabelSelector,
  matchesLabels,
  type CompiledSelector,
  type SelectorFault,
} from './label-selector.ts';

/** Whether a cluster matches; the result is cached per cluster. */
export type ClusterTest = (index: number) => boolean;

/** A validated selector over one map of every cluster, with its cached results. */
export interface ClusterSelector {
  readonly selector: CompiledSelector;
  readonly matches: ClusterTest;
}

/** The selectors of all placements and sets. Equal ones are validated, and matched against a cluster, only once. */
export interface Selectors {
  /** Returns a selector over `metadata.labels`. */
  readonly labels: (source: LabelSelector | undefined) => ClusterSelector | SelectorFault;
  /** Returns a selector over the claims in `status.clusterClaims`. */
  readonly claims: (source: LabelSelector | undefined) => ClusterSelector | SelectorFault;
}

/** Selectors over the clusters of an index. */
export function clusterSelectors(index: ClusterIndex): Selectors {
  return {
    labels: interned(index.size, (cluster) => index.labels[cluster] ?? {}),
    claims: interned(index.size, (cluster) => index.claims(cluster)),
  };
}

function interned(
  size: number,
  valuesOf: (cluster: number) => Readonly<Record<string, string>>,
): Selectors['labels'] {
  const cache = new Map<string, ClusterSelector | SelectorFault>();
  return (source) => {
    const key = JSON.stringify(source ?? {});
    const selector = cache.get(key);
    if (selector !== undefined) return selector;
    const compiled = compileLabelSelector(source);
    const compiledSelector = 'error' in compiled ? compiled : clusterSelector(compiled);
    cache.set(key, compiledSelector);
    return compiledSelector;
  };

  function clusterSelector(selector: CompiledSelector): ClusterSelector {
    if (selector.requirements.length === 0) return { selector, matches: () => true };
    return { selector, matches: remembered(size, (cluster) => matchesLabels(selector, valuesOf(cluster))) };
  }
}

/** Returns a test that runs at most once per cluster. */
export function remembered(size: number, test: ClusterTest): ClusterTest {
  const answers = new Uint8Array(size);
  return (cluster) => {
    const cached = answers[cluster];
    if (cached === 1 || cached === 2) return cached === 1;
    const answer = test(cluster);
    answers[cluster] = answer ? 1 : 2;
    return answer;
  };
}

/** Whether a list of clusters contains one. */
export function contains(clusters: ClusterIndices, wanted: number): boolean {
  let low = 0;
  let high = clusters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((clusters[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return clusters[low] === wanted;
}

/** Returns the members of a list of clusters that pass a test, in order. */
export function keep(clusters: Int32Array, test: ClusterTest): Int32Array {
  const matching = new Int32Array(clusters.length);
  let count = 0;
  for (const cluster of clusters) {
    if (test(cluster)) matching[count++] = cluster;
  }
  return matching.slice(0, count);
}
