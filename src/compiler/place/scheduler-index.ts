import type {
  AddOnPlacementScoreV1alpha1,
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
  ManagedClusterV1,
} from '../../../schemas/types.gen.ts';
import { cel028, type CelBehaviour } from '../../engines/cel/behaviour.ts';
import { celSelectors, type CelSelectors } from './cel-selector.ts';
import { indexClusters, type ClusterIndex } from './cluster-index.ts';
import { clusterSets, type ClusterSets } from './cluster-sets.ts';
import { addOnScores, type AddOnScores } from './prioritizers/add-on.ts';
import { allocatableAmounts, type AllocatableAmounts } from './prioritizers/resource-allocatable.ts';
import { clusterSelectors, type Selectors } from './selectors.ts';

/**
 * The objects that the placement controller reads besides placements and decisions, as it sees them: they have no defaults here.
 */
export interface SchedulerInputs {
  readonly managedClusters: readonly ManagedClusterV1[];
  readonly managedClusterSets: readonly ManagedClusterSetV1beta2[];
  readonly managedClusterSetBindings: readonly ManagedClusterSetBindingV1beta2[];
  readonly addOnPlacementScores: readonly AddOnPlacementScoreV1alpha1[];
}

/** The same, prepared for many placements: results for one are reused for the next. */
export interface SchedulerIndex {
  readonly index: ClusterIndex;
  readonly sets: ClusterSets;
  readonly selectors: Selectors;
  readonly cel: CelSelectors;
  readonly scores: AddOnScores;
  readonly allocatable: AllocatableAmounts;
}

/** Prepares the objects of a hub. `behaviour` describes how its CEL differs from that of other releases. */
export function schedulerIndex(objects: SchedulerInputs, behaviour: CelBehaviour = cel028): SchedulerIndex {
  const index = indexClusters(objects.managedClusters);
  const selectors = clusterSelectors(index);
  const scores = addOnScores(index, objects.addOnPlacementScores);
  return {
    index,
    selectors,
    sets: clusterSets(index, objects.managedClusterSets, objects.managedClusterSetBindings, selectors),
    cel: celSelectors(index, scores, behaviour),
    scores,
    allocatable: allocatableAmounts(index),
  };
}
