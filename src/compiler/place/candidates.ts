import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { ClusterIndices } from './cluster-index.ts';
import type { Misconfiguration, Unscheduled } from './fault.ts';
import type { SchedulerIndex } from './scheduler-index.ts';
import {
  compilePredicates,
  firstUncertainty,
  passesPredicates,
  type CompiledPredicate,
} from './predicates.ts';
import { keep } from './selectors.ts';

/** The parts of a decision that do not depend on earlier decisions or on the time: sets and predicates. */
export interface Candidates {
  /** The sorted sets that are bound to the placement's namespace. */
  readonly bound: readonly string[];
  /** The sorted sets that remain after `spec.clusterSets` is applied. */
  readonly eligible: readonly string[];
  /** The members of the eligible sets. */
  readonly available: ClusterIndices;
  /** Empty if there are no predicates, or no cluster to apply them to. */
  readonly predicates: readonly CompiledPredicate[];
  /** The available clusters that pass the predicates. */
  readonly matching: ClusterIndices;
  /** Absent if there is no fault so far. */
  readonly misconfiguration?: Misconfiguration;
}

const nobody = new Int32Array(0);

/** As the first steps of OCM's syncPlacement: sets first, then the Predicate plugin. */
export function findCandidates(placement: PlacementV1beta1, hub: SchedulerIndex): Candidates | Unscheduled {
  const { sets } = hub;
  const bound = sets.bound(placement.metadata.namespace ?? '');
  const eligible = sets.eligible(placement);
  const available = sets.union(eligible);
  if ('error' in available) {
    return { reason: 'unreadable cluster set', message: available.error, path: ['spec', 'clusterSets'] };
  }
  return candidatesAmong(placement, { bound, eligible, available }, hub);
}

/** Returns the clusters that pass the predicates of a placement, of those that are available to it. */
export function candidatesAmong(
  placement: PlacementV1beta1,
  before: Pick<Candidates, 'bound' | 'eligible' | 'available'>,
  { selectors, cel }: SchedulerIndex,
): Candidates | Unscheduled {
  const { available } = before;
  // as predicate.Filter: without clusters to filter, the selectors are not read
  if (available.length === 0) return { ...before, predicates: [], matching: available };

  const predicates = compilePredicates(placement.spec.predicates ?? [], selectors, cel);
  if ('reason' in predicates) return predicates;
  if ('plugin' in predicates)
    return { ...before, predicates: [], matching: nobody, misconfiguration: predicates };
  const matching =
    predicates.length === 0 ? available : keep(available, (cluster) => passesPredicates(predicates, cluster));
  return firstUncertainty(predicates, available) ?? { ...before, predicates, matching };
}
