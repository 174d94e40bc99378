import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  AddOnPlacementScoreV1alpha1,
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
  ManagedClusterV1,
  PlacementDecisionV1beta1,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import { findCandidates } from '../../../src/compiler/place/candidates.ts';
import { decisionGroups } from '../../../src/compiler/place/decision-groups.ts';
import { decisionObjects } from '../../../src/compiler/place/decision-objects.ts';
import { earlierDecisions } from '../../../src/compiler/place/earlier-decisions.ts';
import { schedulerIndex } from '../../../src/compiler/place/scheduler-index.ts';
import { best } from '../../../src/compiler/place/ranking.ts';
import { rankClusters, schedule } from '../../../src/compiler/place/schedule.ts';
import { placementStatus } from '../../../src/compiler/place/status.ts';

/** One run of OCM's own scheduler code, on objects as the controller sees them: neither defaulted nor validated. */
interface Vector {
  readonly id: string;
  readonly now: string;
  readonly placement: PlacementV1beta1;
  readonly managedClusters: ManagedClusterV1[] | null;
  readonly managedClusterSets: ManagedClusterSetV1beta2[] | null;
  readonly managedClusterSetBindings: ManagedClusterSetBindingV1beta2[] | null;
  readonly addOnPlacementScores: AddOnPlacementScoreV1alpha1[] | null;
  readonly previousPlacementDecisions: PlacementDecisionV1beta1[] | null;
  readonly expected: Expected;
}

interface Expected {
  readonly eligibleClusterSets: string[];
  readonly availableClusters: string[];
  /** The first stage sorted by name, the last in the order of scores. */
  readonly filterResults: { name: string; filteredClusters: string[] }[] | null;
  readonly prioritizeResults: { name: string; weight: number; scores: Record<string, number> }[] | null;
  readonly scoreSum: Record<string, number> | null;
  readonly selectedInScoreOrder: string[];
  readonly unscheduled: number;
  readonly placementDecisions: { name: string; labels: Record<string, string>; clusters: string[] }[];
  readonly status: object;
  readonly statusCode: string;
}

const file = path.resolve(import.meta.dirname, '../../conformance/placement-vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

describe.each(vectors)('$id', (vector) => {
  test("agrees with OCM's scheduler in every stage", () => {
    expect(answer(vector)).toEqual(vector.expected);
  });
});

function answer(vector: Vector): Expected {
  const { placement } = vector;
  const hub = schedulerIndex({
    managedClusters: vector.managedClusters ?? [],
    managedClusterSets: vector.managedClusterSets ?? [],
    managedClusterSetBindings: vector.managedClusterSetBindings ?? [],
    addOnPlacementScores: vector.addOnPlacementScores ?? [],
  });
  const candidates = findCandidates(placement, hub);
  if ('reason' in candidates) throw new Error(candidates.message);
  const context = {
    hub,
    earlier: earlierDecisions(hub.index, vector.previousPlacementDecisions ?? []),
    now: Date.parse(vector.now),
  };
  const scheduling = schedule(placement, candidates, context);
  const { tolerated, prioritizers, selected, unscheduled } = scheduling;
  const { groups, misconfiguration: groupFault } = decisionGroups(
    placement.spec.decisionStrategy?.groupStrategy,
    selected,
    hub.selectors,
  );
  const named = groups.map(({ name, clusters }) => ({ name, clusters: hub.index.namesOf(clusters) }));
  const objects = decisionObjects(placement, named);
  const misconfiguration = groupFault ?? scheduling.misconfiguration;
  const ranking = rankClusters(placement, scheduling, context);
  const order = hub.index.namesOf(best(ranking));

  const filterResults =
    scheduling.misconfiguration?.plugin === 'Predicate'
      ? []
      : [{ name: 'Predicate', filteredClusters: hub.index.namesOf(candidates.matching) }];
  if (tolerated !== undefined) {
    // the scheduler sorts this list by score in place, once it comes to that
    filterResults.push({
      name: 'Predicate,TaintToleration',
      filteredClusters: prioritizers === undefined ? hub.index.namesOf(tolerated) : order,
    });
  }
  const scored = ranking.prioritizers.map(({ prioritizer, scores }) => ({
    name: prioritizer.name,
    weight: prioritizer.weight,
    scores: byName(scores),
  }));
  return {
    eligibleClusterSets: [...candidates.eligible],
    availableClusters: hub.index.namesOf(candidates.available),
    filterResults: filterResults.length === 0 ? null : filterResults,
    prioritizeResults:
      prioritizers === undefined
        ? null
        : scored.sort((a, b) => compare(a.name, b.name) || a.weight - b.weight),
    scoreSum: prioritizers === undefined ? null : byName(ranking.totals),
    selectedInScoreOrder: order.slice(0, selected.length),
    unscheduled,
    placementDecisions: objects.map(({ metadata, status }) => ({
      name: metadata.name ?? '',
      labels: { ...metadata.labels },
      clusters: (status?.decisions ?? []).map(({ clusterName }) => clusterName),
    })),
    status: placementStatus(placement, scheduling, named, objects, misconfiguration),
    statusCode: statusCode(
      misconfiguration !== undefined,
      ranking.prioritizers.some(({ expired }) => expired.length > 0),
    ),
  };

  /** Scores by position as scores by name; what has no score is absent, and -0 is 0. */
  function byName(scores: Float64Array): Record<string, number> {
    const names = hub.index.namesOf(ranking.clusters);
    return Object.fromEntries(
      [...scores].flatMap((score, position) =>
        Number.isNaN(score) ? [] : [[names[position] ?? '', score + 0]],
      ),
    );
  }
}

function statusCode(misconfigured: boolean, expired: boolean): string {
  if (misconfigured) return 'Misconfigured';
  return expired ? 'Warning' : 'Success';
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
