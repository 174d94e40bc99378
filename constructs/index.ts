import './guard-calls.ts';

export { Duration, JsonPatch, Size } from 'cdk8s';
export { Construct } from 'constructs';

export { App } from './app.ts';
export { Chart } from './chart.ts';
export { AddOnConfig } from './add-on-config.ts';
export type { IAddOnConfig, SupportedConfig } from './add-on-config.ts';
export { AddOnDeploymentConfig } from './add-on-deployment-config.ts';
export type {
  AddOnDeploymentConfigProps,
  ContainerID,
  ContainerResources,
  WorkloadID,
  WorkloadReplicas,
  NodePlacement,
} from './add-on-deployment-config.ts';
export { AddOnParameters } from './add-on-parameters.ts';
export type { AddOnParametersProps, ClusterCondition } from './add-on-parameters.ts';
export { AddOnTemplate } from './add-on-template.ts';
export type { AddOnTemplateProps } from './add-on-template.ts';
export type * from './api-types.ts';
export { ApiObject } from './api-object.ts';
export { ArgoCdAppProject } from './argo-cd-app-project.ts';
export type { ArgoCdAppProjectProps, ArgoCdGroupKind } from './argo-cd-app-project.ts';
export { ArgoCdApplicationSet } from './argo-cd-application-set.ts';
export type { ArgoCdApplicationSetProps, ArgoCdSyncStep } from './argo-cd-application-set.ts';
export { ArgoCdGenerator } from './argo-cd-generator.ts';
export type { ArgoCdClustersOptions, ArgoCdGitOptions, ClusterDecisionOptions } from './argo-cd-generator.ts';
export { ArgoCdPlacementAccess } from './argo-cd-placement-access.ts';
export type { ArgoCdPlacementAccessProps } from './argo-cd-placement-access.ts';
export { ArgoCdApplication } from './argo-cd-application.ts';
export type {
  ArgoCdApplicationProps,
  ArgoCdApplicationTemplate,
  ArgoCdDestination,
  ArgoCdIgnoredDifference,
} from './argo-cd-application.ts';
export { cel } from './cel.ts';
export type { CelValue } from './cel.ts';
export { ClusterManagementAddOn } from './cluster-management-add-on.ts';
export type {
  ClusterManagementAddOnProps,
  ForClusterProps,
  IClusterManagementAddOn,
  PlacementStrategy,
  RequiredAddOn,
} from './cluster-management-add-on.ts';
export { ClusterManager } from './cluster-manager.ts';
export type { ClusterManagerProps, HubConfigurations, HubInstallation } from './cluster-manager.ts';
export type { ClusterPredicate, ClusterSelector } from './cluster-predicate.ts';
export { AddOnAgent } from './add-on-agent.ts';
export type { AddOnAgentProps } from './add-on-agent.ts';
export { CompanionController } from './companion-controller.ts';
export type { CompanionControllerProps, CompanionSigner } from './companion-controller-props.ts';
export type { NetworkPeer, OperationNetworkProps } from './operation-network.ts';
export { StatusController } from './status-controller.ts';
export type { StatusControllerProps } from './status-controller-props.ts';
export type { CompanionGrant } from './companion-grants.ts';
export { collect } from './collect.ts';
export type { CollectedObject, Collection, ConstructFault } from './collect.ts';
export { DecisionGroup } from './decision-group.ts';
export { DeleteOption } from './delete-option.ts';
export type { DeleteOptions } from './delete-option.ts';
export { Fact } from './fact.ts';
export type { FactOptions } from './fact.ts';
export type { FeatureGates, WithFeatureGates } from './feature-gates.ts';
export { ocmHealthChecks } from './flux-health-checks.ts';
export type { FluxHealthCheck } from './flux-health-checks.ts';
export { FluxKustomization, FluxKustomizations } from './flux-kustomization.ts';
export type { FluxKustomizationProps, FluxKustomizationsProps } from './flux-kustomization.ts';
export { FluxGitRepository, FluxOciRepository } from './flux-source.ts';
export type {
  FluxGitRepositoryProps,
  FluxOciRepositoryProps,
  FluxSource,
  FluxSourceProps,
  FluxSourceReference,
  IFluxSource,
} from './flux-source.ts';
export { forEachHub } from './hub.ts';
export type { FactType, FactValue, Hub, HubCluster, HubDeclaration } from './hub.ts';
export { HubPermission } from './hub-permission.ts';
export type { HubRole } from './hub-permission.ts';
export { Klusterlet } from './klusterlet.ts';
export type { AgentConfigurations, AgentInstallation, KlusterletProps } from './klusterlet.ts';
export { Merge } from './layer-values.ts';
export type { LayerList, LayerObject, LayerValue, LayerValues, ParametersByName } from './layer-values.ts';
export { Parameter } from './parameter.ts';
export type {
  NumberProps,
  ParameterProps,
  ParameterSchema,
  TargetProps,
  TextProps,
  ValueOf,
} from './parameter.ts';
export { ManagedClusterAddOn } from './managed-cluster-add-on.ts';
export type { ManagedClusterAddOnProps } from './managed-cluster-add-on.ts';
export { ManagedClusterSetBinding } from './managed-cluster-set-binding.ts';
export type { ManagedClusterSetBindingProps } from './managed-cluster-set-binding.ts';
export { ManagedClusterSet } from './managed-cluster-set.ts';
export type { IManagedClusterSet, ManagedClusterSetProps } from './managed-cluster-set.ts';
export { ManagedCluster } from './managed-cluster.ts';
export type { ClusterReference, IManagedCluster, ManagedClusterProps } from './managed-cluster.ts';
export { GoTemplates, HelmChart } from './helm-chart.ts';
export type { GoTemplatesProps, HelmChartProps, ManagerChartProps, SourceProps } from './helm-chart.ts';
export { ValuesFunction } from './values-function.ts';
export type { RequiredState } from '../src/ocm/add-ons/requirements.ts';
export type { ConfigConversion, ImageOverride } from '../src/ocm/values-profile.ts';
export { ConditionRule, Feedback, ManifestConfig, UpdateStrategy } from './manifest-config.ts';
export type { ManifestConfigOptions, ServerSideApplyOptions } from './manifest-config.ts';
export { ManagerProfile } from './manager-profile.ts';
export type { ManagerProfileProps } from './manager-profile.ts';
export { ManifestWorkReplicaSet } from './manifest-work-replica-set.ts';
export type { ManifestWorkReplicaSetProps, WorkPlacement } from './manifest-work-replica-set.ts';
export { ManifestWork } from './manifest-work.ts';
export type { ManifestWorkProps } from './manifest-work.ts';
export type { GroupResource, NamedObject, NamedResource, ResourceReference } from './named-object.ts';
export { NamespacedObject, OcmObject } from './ocm-object.ts';
export type { NamespacedObjectProps, ObjectProps } from './ocm-object.ts';
export type { OverrideMode } from './override-mode.ts';
export { PlacementBinding } from './placement-binding.ts';
export type { BindingOverrides, PlacementBindingProps } from './placement-binding.ts';
export { Placement } from './placement.ts';
export type { IPlacement, PlacementProps, PlacementReference } from './placement.ts';
export type { IPolicy, IPolicySet, PolicyReference, RemediationAction } from './policy-api.ts';
export type {
  ConfigurationPolicyProps,
  NamespaceTarget,
  ObjectTemplate,
  PolicyTemplateOptions,
} from './configuration-policy.ts';
export { PolicyDependency } from './policy-dependency.ts';
export type { Compliance, CompliantObject } from './policy-dependency.ts';
export { PolicySet } from './policy-set.ts';
export type { PolicySetExclusion, PolicySetProps } from './policy-set.ts';
export { PolicyTemplate } from './policy-template.ts';
export type { PolicyObject } from './policy-template.ts';
export { Policy } from './policy.ts';
export type { PolicyProps } from './policy.ts';
export { Prioritizer } from './prioritizer.ts';
export type { Weight } from './prioritizer.ts';
export { Registration } from './registration.ts';
export type { CertificateSubject, CustomSignerOptions, KubeClientOptions } from './registration.ts';
export type { RevisionProps } from './revision.ts';
export { Rollout } from './rollout.ts';
export type {
  DecisionGroupReference,
  Percent,
  RolloutAllOptions,
  RolloutPerGroupOptions,
  RolloutProgressiveOptions,
} from './rollout.ts';
export type { PodResources } from './restricted-pod.ts';
export { Selector } from './selector.ts';
export type { SelectorLike } from './selector.ts';
export type { SourceLocation } from './source.ts';
export { Taint } from './taint.ts';
export { Toleration } from './toleration.ts';
export type { TaintEffect, TolerationOptions } from './toleration.ts';
export { Variable } from './variable.ts';
export type { WorkSpecProps } from './work-spec.ts';
export { Workload } from './workload.ts';
export type { WorkloadBuilder } from './workload.ts';
