import { ocmKinds } from '../../../schemas/kinds.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { kindKey } from '../../base/names/resource-name.ts';

/** The stages of an app, in the order in which they are applied. */
export const stages = ['foundation', 'placements', 'configs', 'add-ons', 'clusters'] as const;

/**
 * The folder beside the folders of the apps with one kustomization per stage, which lists this stage of every app. No app has this
 * name: the names of apps do not begin with a dot.
 */
export const stagesFolder = '.stages';

/** The objects that are applied together, after all objects of the earlier stages exist and are healthy. */
export type Stage = (typeof stages)[number];

/**
 * The stages that a stage waits for. Placements and configurations do not need each other. Flux checks dependencies only
 * periodically, so a commit reaches the add-ons sooner without a wait between these two.
 */
export const stagesBefore: Readonly<Record<Stage, readonly Stage[]>> = {
  foundation: [],
  placements: ['foundation'],
  configs: ['foundation'],
  'add-ons': ['placements', 'configs'],
  clusters: ['add-ons'],
};

/** The position of a kind in the order in which objects are applied. */
interface Position {
  readonly stage: Stage;
  /** The wave in which Argo CD applies it. 0 is the default wave. */
  readonly wave: number;
  /** The order within the stage. */
  readonly rank: number;
}

/** The wave of objects whose health depends on managed clusters. It has to be the last one, because Argo CD waits for all others. */
const lastWave = 0;

/**
 * The position of objects that follow Placements. Their health can depend on an add-on: Argo CD reports a Policy as Progressing
 * until a cluster reports compliance, which requires the policy add-ons. In a wave before the add-ons the sync would never end.
 */
const follower: Position = { stage: 'add-ons', wave: lastWave, rank: 10 };

/**
 * The order of dependencies: namespaces and definitions, sets and bindings before placements, configurations before the add-on
 * that names them, the add-on before its overrides for single clusters. A ManagedClusterAddOn comes after the placements have
 * decided: the hub deletes it from a cluster that no placement of the add-on selects, and creates it again, without its
 * configurations, once one does. It is in the wave of its add-on: in a later wave, Argo CD would delay it until the end of a
 * rollout, and until then the cluster would have the configuration of all others.
 */
const positions: Readonly<Record<string, Position>> = {
  '/Namespace': { stage: 'foundation', wave: -5, rank: 0 },
  'apiextensions.k8s.io/CustomResourceDefinition': { stage: 'foundation', wave: -5, rank: 1 },
  [ocmKinds.clusterManager.key]: { stage: 'foundation', wave: -5, rank: 2 },
  [ocmKinds.klusterlet.key]: { stage: 'foundation', wave: -5, rank: 2 },
  [ocmKinds.managedCluster.key]: { stage: 'placements', wave: -4, rank: 3 },
  [ocmKinds.managedClusterSet.key]: { stage: 'placements', wave: -4, rank: 4 },
  [ocmKinds.managedClusterSetBinding.key]: { stage: 'placements', wave: -4, rank: 5 },
  [ocmKinds.placement.key]: { stage: 'placements', wave: -3, rank: 6 },
  [ocmKinds.addOnTemplate.key]: { stage: 'configs', wave: -2, rank: 8 },
  [ocmKinds.clusterManagementAddOn.key]: { stage: 'add-ons', wave: lastWave, rank: 9 },
  'policy.open-cluster-management.io/Policy': follower,
  'policy.open-cluster-management.io/PolicySet': follower,
  'policy.open-cluster-management.io/PlacementBinding': follower,
  'apps.open-cluster-management.io/GitOpsCluster': follower,
  'apps.open-cluster-management.io/Subscription': follower,
  'argoproj.io/ApplicationSet': follower,
  [ocmKinds.managedClusterAddOn.key]: { stage: 'clusters', wave: lastWave, rank: 11 },
  [ocmKinds.manifestWork.key]: { stage: 'clusters', wave: lastWave, rank: 12 },
  [ocmKinds.manifestWorkReplicaSet.key]: { stage: 'clusters', wave: lastWave, rank: 12 },
};
/** The position of configurations, and of every other kind. */
const positionOfOthers: Position = { stage: 'configs', wave: -2, rank: 7 };

/** Returns the position of an object's kind in the order in which objects are applied. */
export function positionOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): Position {
  return positions[kindKey(object)] ?? positionOfOthers;
}

/**
 * Returns the sync wave of an object.
 *
 * @param compiledWaves - the number of waves of compiled delivery in the same tree. Objects whose health depends on managed
 *   clusters are in the last one: in an earlier wave, a Policy that is not compliant or a rollout would delay compiled delivery
 *   indefinitely. The ClusterManagementAddOns of compiled delivery are before these waves. Argo CD reports them as healthy immediately.
 */
export function syncWaveOf(object: KubernetesObject, compiledWaves: number): number {
  const { wave } = positionOf(object);
  const isCompiled = object.metadata.annotations?.[deliveryAnnotation] === 'compiled';
  return wave === lastWave && !isCompiled ? Math.max(wave, compiledWaves) : wave;
}
