// The types of a resolution, of its objects and of their locations. Two entries of the package export them:
// `fleetwright/compiler` and `fleetwright/testing`.
export type * from '../../schemas/kinds.gen.ts';
export type { KubernetesObject, ObjectMeta, OwnerReference } from '../base/objects/object-meta.ts';
export type { AddOnApiVersion, HubVersion, HubVersionName } from '../ocm/hub-version.ts';
export type { ConfigKind, ReadPosition } from '../ocm/referent.ts';
export type { RoleBinding, RoleRef, RoleSubject } from '../ocm/role-binding.ts';
export type { Code, CodeDescription, Severity } from './model/codes.ts';
export type { AddOnClusters, AddOnClustersInput, ClusterClass } from './configure/add-on-clusters.ts';
export type * from './configure/resolved-add-on.ts';
export type { Selections, Selectors } from './configure/selections.ts';
export type { Delivery } from './configure/delivery.ts';
export type {
  Diagnostic,
  FindingReference,
  ObjectReference,
  Outcome,
  RelatedLocation,
} from './model/diagnostic.ts';
export type {
  ExternalObject,
  NamedHub,
  OmittedObject,
  ObjectIdentity,
  SnapshotScope,
  Surroundings,
} from './model/elsewhere.ts';
export type { FieldPath } from './model/field-path.ts';
export type { Admitted, ByKey, Inventory, LoadedObject, Source } from './model/inventory.ts';
export type { ConstructLocation, FileLocation, Location, Origin, OriginChange } from './model/origin.ts';
export type {
  DecidedCondition,
  DecidedStatus,
  Decision,
  DecisionGroup,
  Decisions,
} from './place/decision.ts';
export type { AddOnParameters } from './parameters/compile.ts';
export type {
  DeploymentField,
  LayerRank,
  Parameter,
  ParameterTarget,
  ParameterType,
  ParameterValues,
  ValueSource,
  ValueTrace,
} from './parameters/model.ts';
export type { Misconfiguration, Unscheduled } from './place/fault.ts';
export type { AddOnStatus, ClusterRendering, Rendering } from './render/render-result.ts';
export type { Resolution } from './resolve.ts';
export type {
  ClusterState,
  StatusReference,
  ProgressingCondition,
} from './rollout/simulation/cluster-state.ts';
export type { Progression, ProgressionCounts } from './rollout/progression.ts';
export type { Rollout, StartOrder } from './rollout/simulation/simulate-rollout.ts';
export type { AddOnState } from './rollout/simulation/add-on-state.ts';
export type { Rollouts } from './rollout/rollout.ts';
export type { EarlyCluster, Stop, StopReason } from './rollout/stop.ts';
export type { Cause as WaveCause, Wave, WaveGroup, WavePart } from './rollout/wave.ts';
export type { RepositoryFiles } from './model/repository-files.ts';
