import type { PlacementDecisionV1beta1, PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { CelBehaviour } from '../../engines/cel/behaviour.ts';
import type { Outcome } from '../model/diagnostic.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { objectKey, type ByKey, type Inventory } from '../model/inventory.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import { findCandidates } from './candidates.ts';
import { decidedByChance } from './chance.ts';
import { clusterOnHub } from './clusters.ts';
import type { Decision, Decisions } from './decision.ts';
import { setsOnHub } from './default-cluster-sets.ts';
import { earlierDecisions } from './earlier-decisions.ts';
import { checkDecision } from './decision-checks.ts';
import { schedulerIndex, type SchedulerInputs } from './scheduler-index.ts';
import { recordInputs } from './same-effect.ts';
import { decidedElsewhere, externalBindings, placementsByDecision } from './external-placements.ts';
import { newDecision } from './new-decision.ts';
import { rememberedDecisions } from './remembered-decisions.ts';
import { stabilize, type OpenPlacement, type StabilizeContext } from './stabilize.ts';
import { decisionsByPlacement, unchangedDecision, unscheduledBy } from './unchanged-decision.ts';

export interface PlaceOptions {
  /**
   * The time of the decision, in milliseconds since 1970. Tolerations with a time limit and scores that expire are compared with
   * it.
   */
  readonly now: number;
  /**
   * The CEL behavior of the hub.
   * @default that of OCM 1.3
   */
  readonly cel?: CelBehaviour;
  /**
   * The decisions of the state before this one. The hub starts from them where the inputs do not have newer ones.
   * @default - the hub starts from the decisions of the inputs
   */
  readonly earlier?: Decisions;
  /** The placements, by `namespace/name`, of which `earlier` does not count. @default - none */
  readonly forgetful?: ReadonlySet<string>;
  /** Keeps the decisions for later states with the same objects. @default - they are not kept */
  readonly results?: object | undefined;
}

const remembered = new Remembered<Outcome<Decisions>>();

/** What decisions depend on. */
type PlacedInventory = Pick<
  Inventory,
  | 'managedClusters'
  | 'managedClusterSets'
  | 'managedClusterSetBindings'
  | 'addOnPlacementScores'
  | 'placements'
  | 'placementDecisions'
  | 'elsewhere'
>;

/**
 * Decides all Placements, with the result of OCM's placement controller after the hub settles. Starts from the decisions in the
 * inventory, and from those of the state before. Placements are decided in the order of namespace and name; the hub's own order is random.
 */
export function place(inventory: Inventory, options: PlaceOptions): Outcome<Decisions> {
  const { now, cel, earlier, forgetful = new Set(), results } = options;
  const inputs = [
    inventory.managedClusters,
    inventory.managedClusterSets,
    inventory.managedClusterSetBindings,
    inventory.addOnPlacementScores,
    inventory.placements,
    inventory.placementDecisions,
    inventory.elsewhere,
    now,
    cel,
  ];
  return remembered.of(results, [...inputs, earlier, ...[...forgetful].sort()], () => {
    const outcome = decide(inventory, options);
    recordInputs(outcome.value, inputs);
    return outcome;
  });
}

function decide(
  inventory: PlacedInventory,
  { now, cel, earlier: before, forgetful = new Set() }: PlaceOptions,
): Outcome<Decisions> {
  const clusters = clustersOnHub(inventory.managedClusters, now);
  const objects: SchedulerInputs = {
    managedClusters: [...clusters.values()],
    managedClusterSets: setsOnHub(objectsOf(inventory.managedClusterSets)),
    managedClusterSetBindings: [
      ...objectsOf(inventory.managedClusterSetBindings),
      ...externalBindings(inventory.elsewhere),
    ],
    addOnPlacementScores: objectsOf(inventory.addOnPlacementScores),
  };
  const hub = schedulerIndex(objects, cel);
  const given = objectsOf(inventory.placementDecisions);
  const decided =
    before === undefined ? given : rememberedDecisions(given, inventory.placements, before, forgetful);
  const earlier = earlierDecisions(hub.index, decided);
  const standing = decisionsByPlacement(decided);
  const decisions = decideAll(inventory, standing, { hub, earlier: earlier.open(), now });
  const findings = Array.from(decisions.values(), (decision) => checkDecision(decision, hub));
  const [fresh, others] = [false, true].map((hasEarlier) =>
    [...decisions].filter(([key]) => standing.has(key) === hasEarlier).map(([, decision]) => decision),
  );
  const selectedBefore = ({ placement: { object } }: Decision): Int32Array =>
    earlier.of(objectKey(object.metadata.namespace, object.metadata.name ?? ''));
  const chances = decidedByChance(fresh ?? [], others ?? [], hub.index, selectedBefore);
  const diagnostics = [...findings, chances].flat();
  return {
    value: {
      clusters,
      byPlacement: decisions,
      scheduler: hub,
      given: decisionsByPlacement(given),
      earlier,
      now,
    },
    diagnostics,
  };
}

const rememberedClusters = new Remembered<Decisions['clusters']>();

/** Returns the clusters as placements see them: one map for all decisions on the same clusters. */
function clustersOnHub(clusters: Inventory['managedClusters'], now: number): Decisions['clusters'] {
  return rememberedClusters.of(
    clusters,
    [now],
    () => new Map(Array.from(clusters, ([name, { object }]) => [name, clusterOnHub(object, now)])),
  );
}

function decideAll(
  inventory: PlacedInventory,
  standing: ReadonlyMap<string, readonly PlacementDecisionV1beta1[]>,
  context: StabilizeContext,
): ReadonlyMap<string, Decision> {
  const byDecision = placementsByDecision(inventory);
  const sorted = [...inventory.placements, ...byDecision].sort(([, a], [, b]) =>
    compareNames(a.object, b.object),
  );
  const unchangedDecisions = new Map<string, Decision>();
  const open = new Map<string, OpenPlacement>();
  for (const [key, placement] of sorted) {
    const unscheduled = byDecision.has(key) ? decidedElsewhere : unscheduledBy(placement.object);
    const candidates = unscheduled ?? findCandidates(placement.object, context.hub);
    if ('reason' in candidates) {
      unchangedDecisions.set(key, unchangedDecision(placement, candidates, standing.get(key) ?? []));
    } else {
      open.set(key, { object: placement.object, candidates });
    }
  }
  const settled = stabilize(open, context);
  const decisions = new Map<string, Decision>();
  for (const [key, placement] of sorted) {
    const outcome = settled.get(key);
    const decision =
      outcome === undefined ? unchangedDecisions.get(key) : newDecision(placement, outcome, context);
    if (decision !== undefined) decisions.set(key, decision);
  }
  return decisions;
}

function objectsOf<T>(objects: ByKey<T>): T[] {
  return Array.from(objects.values(), ({ object }) => object);
}

function compareNames(a: PlacementV1beta1, b: PlacementV1beta1): number {
  const byNamespace = compareUtf8(a.metadata.namespace ?? '', b.metadata.namespace ?? '');
  return byNamespace === 0 ? compareUtf8(a.metadata.name ?? '', b.metadata.name ?? '') : byNamespace;
}
