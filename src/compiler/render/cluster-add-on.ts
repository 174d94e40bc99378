import type { AddOnTemplateV1alpha1, ManagedClusterV1, ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import type { GoJsonObject } from '../../base/json/go-json.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { hasTemplate } from '../configure/supported-kinds.ts';
import { discoveryPending, hostingClusterValidity } from '../../ocm/hosted-mode.ts';
import { hookFinalizers } from '../../ocm/hook-work.ts';
import { conditionOf, withCondition } from '../../base/objects/condition.ts';
import type { DecidedCondition } from '../place/decision.ts';
import { agentTokens } from './registration/agent-tokens.ts';
import { companionPermissions } from './registration/companion-permissions.ts';
import {
  deploy,
  noDeployment,
  type Deployment,
  type DeploymentInputs,
  type WorkLocation,
} from './deployment.ts';
import type { RenderFault } from './fault.ts';
import { reconcileRegistration, type RegistrationResult } from './registration/reconcile-registration.ts';
import type { AddOnStatus } from './render-result.ts';
import type { RoleBinding } from '../../ocm/role-binding.ts';

/** The inputs for rendering one add-on on one cluster. */
export interface ClusterInputs extends DeploymentInputs {
  /** Undefined if the fleet does not have the cluster. The hub then ignores the add-on. */
  readonly cluster: ManagedClusterV1 | undefined;
  readonly template: AddOnTemplateV1alpha1 | RenderFault;
  /** `status.namespace`, or the reason why the hub cannot determine it. */
  readonly namespace: string | RenderFault;
  /** The hub's bindings by `namespace/name`. Rendering adds those of the add-on on this cluster. */
  readonly bindings: Map<string, RoleBinding>;
}

/** One add-on on one cluster, with the faults that stopped the hub. */
export interface RenderedClusterAddOn {
  readonly status: AddOnStatus;
  readonly finalizers: readonly string[];
  readonly hooks?: string | undefined;
  readonly hostingHooks?: string | undefined;
  readonly emptyLocations?: readonly WorkLocation[];
  readonly works: readonly ManifestWorkV1[];
  readonly undelivered?: readonly GoJsonObject[];
  readonly tokenObjects: readonly KubernetesObject[];
  readonly faults: readonly RenderFault[];
}

/** Simulates the controllers that OCM runs for one add-on on one cluster. */
export function renderClusterAddOn(inputs: ClusterInputs): RenderedClusterAddOn {
  const rendered = registerAndDeploy(inputs);
  const { status, tokenObjects } = agentTokens(rendered.status, inputs);
  const isWritten = status !== rendered.status && inputs.hub.controllersApiVersion === 'v1beta1';
  const { undelivered = [] } = 'error' in inputs.manifests ? {} : inputs.manifests;
  return {
    ...rendered,
    status: isWritten ? { ...asConverted, ...status } : status,
    tokenObjects,
    ...(undelivered.length > 0 && { undelivered }),
  };
}

/** The types used for the conversion to v1beta1 leave an empty `healthCheck`, whose mode the schema then defaults. */
const asConverted = { healthCheck: { mode: 'Lease' } } as const;

/** Simulates the controllers of OCM's template manager: registration, then deployment. */
function registerAndDeploy(inputs: ClusterInputs): Omit<RenderedClusterAddOn, 'tokenObjects'> {
  const { resolved, clusterAddOn, statusConfiguration, cluster, hub, template, namespace } = inputs;
  const {
    configReferences: _,
    conditions: before = [],
    ...status
  } = clusterAddOn.managedClusterAddOn?.object.status ?? {};
  const { awaitsHosting } = clusterAddOn;
  const decided = [
    statusConfiguration.condition,
    awaitsHosting === undefined ? undefined : discoveryPending(awaitsHosting),
  ];
  const conditions = decided.reduce<readonly DecidedCondition[]>(
    (list, condition) => (condition === undefined ? list : withCondition(list, condition)),
    before,
  );
  const untouched: AddOnStatus = {
    ...(isConverted(inputs) ? asConverted : {}),
    ...status,
    conditions,
  };
  const isHandled = resolved.managed && resolved.template && hasTemplate(statusConfiguration.references);
  if (!isHandled || cluster === undefined)
    return { status: untouched, finalizers: [], works: [], faults: [] };

  const isCompiled = resolved.delivery === 'compiled';
  const registration = reconcileRegistration(
    {
      template,
      namespace,
      agent: {
        addOn: resolved.name,
        cluster: clusterAddOn.cluster,
        // The companion never registers agents in the group of all authenticated users, regardless of the hub's release.
        hub: isCompiled ? { ...hub, registersAuthenticatedGroup: false } : hub,
        isCompiled,
      },
      existing: status.registrations ?? [],
      ...(isCompiled ? { grant: companionPermissions } : {}),
    },
    inputs.bindings,
  );
  const { supportedConfigs } = resolved;
  const registered = withRegistration({ ...untouched, supportedConfigs }, registration);
  const faults = registration.fault === undefined ? [] : [registration.fault];
  if (registration.condition === undefined) return { status: registered, finalizers: [], works: [], faults };

  const deployment = isDeploying(inputs, conditions) ? deploy(inputs) : noDeployment;
  const { hosting } = inputs;
  const validity = hosting && hostingClusterValidity(hosting.name, hosting.state !== 'missing');
  return {
    status: {
      ...registered,
      healthCheck: { mode: resolved.health === 'lease' ? 'Lease' : 'Customized' },
      conditions: withDeployment(registered.conditions, {
        ...deployment,
        conditions: [...(validity === undefined ? [] : [validity]), ...deployment.conditions],
      }),
    },
    finalizers: deployment.finalizers,
    hooks: deployment.hooks,
    hostingHooks: deployment.hostingHooks,
    emptyLocations: deployment.emptyLocations,
    works: deployment.works,
    faults: [...faults, ...deployment.faults],
  };
}

/**
 * Returns whether the ManagedClusterAddOn, which is stored in v1alpha1, was ever written in v1beta1: by the user, by its manager, or by
 * OCM's healthcheck_controller, which writes to all add-ons of a cluster that is silent.
 */
function isConverted({
  resolved,
  clusterAddOn: { managedClusterAddOn },
  cluster,
  hub,
}: ClusterInputs): boolean {
  const isSilent =
    conditionOf(cluster?.status?.conditions, 'ManagedClusterConditionAvailable')?.status === 'Unknown';
  if ((resolved.managed || isSilent) && hub.controllersApiVersion === 'v1beta1') return true;
  return (
    hub.addOnApiVersions.includes('v1beta1') &&
    managedClusterAddOn !== undefined &&
    managedClusterAddOn.originalVersion === undefined
  );
}

function withDeployment(
  conditions: readonly DecidedCondition[],
  { conditions: decided, awaited }: Pick<Deployment, 'conditions' | 'awaited'>,
): readonly DecidedCondition[] {
  // As addon-framework applyWork: a fault is removed as soon as there is a work again.
  const isOutdated = ({ type, status }: DecidedCondition): boolean =>
    awaited.some((each) => each === type) && status === 'False';
  return decided.reduce<readonly DecidedCondition[]>(
    (list, condition) => withCondition(list, condition),
    conditions.filter((each) => !isOutdated(each)),
  );
}

function withRegistration(
  { registrations: _held, ...status }: AddOnStatus,
  { registrations, namespace, condition }: RegistrationResult,
): AddOnStatus {
  return {
    ...status,
    ...(registrations.length === 0 ? {} : { registrations }),
    ...(namespace === undefined ? {} : { namespace }),
    conditions: condition === undefined ? status.conditions : withCondition(status.conditions, condition),
  };
}

/** As addon-framework defaultSyncer and hostedSyncer: an object that is being deleted gets no new works, except for its hooks. */
function isDeploying(
  { clusterAddOn, cluster }: ClusterInputs,
  conditions: readonly DecidedCondition[],
): boolean {
  const { finalizers = [], deletionTimestamp } = clusterAddOn.managedClusterAddOn?.object.metadata ?? {};
  const isDeleted = deletionTimestamp !== undefined || cluster?.metadata.deletionTimestamp !== undefined;
  if (isDeleted && !finalizers.some((finalizer) => hookFinalizers.includes(finalizer))) return false;
  return conditions.some(({ type, status }) => type === 'Configured' && status === 'True');
}
