import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** The clusters that pass a filter of the scheduler. */
export interface FilterAnswer {
  /** That of the plugin, such as TaintToleration. */
  readonly name: string;
  readonly clusters: readonly string[];
}

/** The scores of a prioritizer, before weighting. */
export interface PrioritizerAnswer {
  /** As the hub shows it: Balance, or AddOn/demo/cpu for a score of an add-on. */
  readonly name: string;
  readonly weight: number;
  /** By cluster. A cluster without a score is absent, and counts as 0. */
  readonly scores: ReadonlyMap<string, number>;
}

/** What the scheduler computes for a Placement. */
export interface PlacementAnswer {
  /** In the order of the scheduler. It stops at the filter that it cannot read. */
  readonly filters: readonly FilterAnswer[];
  readonly prioritizers: readonly PrioritizerAnswer[];
  /** The sum of the weighted scores, by cluster. Undefined if the hub does not answer it. */
  readonly totals: ReadonlyMap<string, number> | undefined;
  /** The selected clusters, in the order of their scores. Undefined if the Placement is misconfigured. */
  readonly choice: readonly string[] | undefined;
}

/** The answer of a placement server: the result, or the reason why it has none. */
export type ServerAnswer =
  { readonly answer: PlacementAnswer; readonly isSimulation: boolean } | { readonly error: string };

/** Maximum number of entries of a list in an answer: no hub has that many clusters. */
const mostEntries = 1_000_000;

/**
 * Reads the answer of a placement server. OCM before 1.3 spells a field differently, and answers neither the Placement nor the sums.
 * Undefined if it is no such answer.
 *
 * @param numberOfClusters - the number that the Placement asks for. @default - all
 */
export function readServerAnswer(
  value: unknown,
  numberOfClusters: number | undefined,
): ServerAnswer | undefined {
  if (!isJsonMap(value)) return undefined;
  const { error } = value;
  if (typeof error === 'string' && error !== '') return { error };
  const filters = listOf(value['filteredPipelineResults'] ?? value['filteredPiplieResults'], filterOf);
  const prioritizers = listOf(value['prioritizeResults'], prioritizerOf);
  const totals = totalsOf(value['aggregatedScores']);
  if (filters === undefined || prioritizers === undefined || totals === undefined) return undefined;
  const isSimulation = isJsonMap(value['placement']);
  const last = filters.at(-1)?.clusters ?? [];
  return {
    isSimulation,
    answer: {
      filters,
      prioritizers,
      // An empty map is left out of the answer.
      totals: isSimulation ? totals : undefined,
      choice: last.slice(0, numberOfClusters ?? last.length),
    },
  };
}

function listOf<T>(value: unknown, read: (item: JsonMap) => T | undefined): readonly T[] | undefined {
  if (value === undefined || value === null) return [];
  if (!isJsonList(value) || value.length > mostEntries) return undefined;
  const items: T[] = [];
  for (const item of value) {
    const one = isJsonMap(item) ? read(item) : undefined;
    if (one === undefined) return undefined;
    items.push(one);
  }
  return items;
}

/** The server names a filter together with those before it: "Predicate,TaintToleration". */
function filterOf({ name, filteredClusters }: JsonMap): FilterAnswer | undefined {
  if (typeof name !== 'string' || !isJsonList(filteredClusters)) return undefined;
  const clusters = filteredClusters.filter((each) => typeof each === 'string');
  if (clusters.length !== filteredClusters.length) return undefined;
  return { name: name.slice(name.lastIndexOf(',') + 1), clusters };
}

function prioritizerOf({ name, weight, scores }: JsonMap): PrioritizerAnswer | undefined {
  // A map without entries may be null.
  const entries = Object.entries(isJsonMap(scores) ? scores : {});
  if (typeof name !== 'string' || typeof weight !== 'number') return undefined;
  if (!entries.every((entry): entry is [string, number] => typeof entry[1] === 'number')) return undefined;
  return { name, weight, scores: new Map(entries) };
}

function totalsOf(value: unknown): ReadonlyMap<string, number> | undefined {
  const entries = listOf(value, ({ clusterName, score }) =>
    typeof clusterName === 'string' && typeof score === 'number'
      ? ([clusterName, score] as const)
      : undefined,
  );
  return entries && new Map(entries);
}
