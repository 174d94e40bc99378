import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  AddOnPlacementScoreV1alpha1,
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
  ManagedClusterV1,
  PlacementDecisionV1beta1,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import type { ScheduledObjects } from '../../../src/compiler/verify/index.ts';

/** One run of OCM's own scheduler code. */
export interface Vector {
  readonly id: string;
  readonly now: string;
  readonly placement: PlacementV1beta1;
  readonly managedClusters: ManagedClusterV1[] | null;
  readonly managedClusterSets: ManagedClusterSetV1beta2[] | null;
  readonly managedClusterSetBindings: ManagedClusterSetBindingV1beta2[] | null;
  readonly addOnPlacementScores: AddOnPlacementScoreV1alpha1[] | null;
  readonly previousPlacementDecisions: PlacementDecisionV1beta1[] | null;
  readonly expected: {
    readonly filterResults: readonly { name: string; filteredClusters: string[] }[] | null;
    readonly prioritizeResults:
      readonly { name: string; weight: number; scores: Record<string, number> }[] | null;
    readonly scoreSum: Record<string, number> | null;
    readonly selectedInScoreOrder: readonly string[];
  };
}

const file = path.resolve(import.meta.dirname, '../../conformance/placement-vectors.json');
export const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

export function objectsOf(vector: Vector): ScheduledObjects {
  return {
    managedClusters: vector.managedClusters ?? [],
    managedClusterSets: vector.managedClusterSets ?? [],
    managedClusterSetBindings: vector.managedClusterSetBindings ?? [],
    addOnPlacementScores: vector.addOnPlacementScores ?? [],
    placementDecisions: vector.previousPlacementDecisions ?? [],
  };
}

/** The answer of the placement server of OCM 1.3 for the result of a run, in JSON. */
export function answerOfServer({ placement, expected }: Vector): unknown {
  const { filterResults, prioritizeResults, scoreSum } = expected;
  const sums = Object.entries(scoreSum ?? {}).map(([clusterName, score]) => ({ clusterName, score }));
  return JSON.parse(
    JSON.stringify({
      placement,
      // as `omitempty`
      filteredPipelineResults: filterResults ?? undefined,
      prioritizeResults: (prioritizeResults ?? []).length === 0 ? undefined : prioritizeResults,
      aggregatedScores: sums.length === 0 ? undefined : sums,
    }),
  );
}
