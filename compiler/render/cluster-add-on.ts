import type {
  AddOnTemplateV1alpha1,
  AddOnTemplateV1alpha1ManifestConfigOption,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../schemas/types.gen.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { hasTemplate, isReadForTemplates } from '../configure/supported-kinds.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { withCondition } from '../../kubernetes/condition.ts';
import type { DecidedCondition } from '../place/decision.ts';
import { companionPermissions } from './companion-permissions.ts';
import type { RenderFault } from './fault.ts';
import type { StatusConfiguration } from '../rollout/status-configuration.ts';
import { preDeleteFinalizer } from './hooks.ts';
import { manifestConfigs } from './manifest-configs.ts';
import type { RenderedManifests } from './manifests.ts';
import { reconcileRegistration, type RegistrationResult } from './reconcile-registration.ts';
import type { AddOnStatus } from './render-result.ts';
import { buildWorks } from './works.ts';
import type { RoleBinding } from '../../ocm/role-binding.ts';

/** The inputs for rendering one add-on on one cluster. */
export interface ClusterInputs {
  readonly resolved: ResolvedAddOn;
  readonly clusterAddOn: ClusterAddOn;
  readonly statusConfiguration: StatusConfiguration;
  /** Undefined if the fleet does not have the cluster. The hub then ignores the add-on. */
  readonly cluster: ManagedClusterV1 | undefined;
  readonly template: AddOnTemplateV1alpha1 | RenderFault;
  /** `status.namespace`, or the reason why the hub cannot determine it. */
  readonly namespace: string | RenderFault;
  readonly manifests: RenderedManifests;
  /** The manifestConfigs of the add-on's default template. */
  readonly templateConfigs: readonly AddOnTemplateV1alpha1ManifestConfigOption[];
  readonly hub: HubVersion;
  /** The hub's bindings by `namespace/name`. Rendering adds those of the add-on on this cluster. */
  readonly bindings: Map<string, RoleBinding>;
}

/** One add-on on one cluster, with the faults that stopped the hub. */
export interface RenderedClusterAddOn {
  readonly status: AddOnStatus;
  readonly finalizers: readonly string[];
  readonly works: readonly ManifestWorkV1[];
  readonly faults: readonly RenderFault[];
}

/** Simulates the controllers that OCM's template manager runs for one add-on on one cluster: registration, then deployment. */
export function renderClusterAddOn(inputs: ClusterInputs): RenderedClusterAddOn {
  const { resolved, clusterAddOn, statusConfiguration, cluster, hub, template, namespace } = inputs;
  const {
    configReferences: _,
    conditions: before = [],
    ...status
  } = clusterAddOn.managedClusterAddOn?.object.status ?? {};
  const conditions =
    statusConfiguration.condition === undefined
      ? before
      : withCondition(before, statusConfiguration.condition);
  const untouched: AddOnStatus = {
    ...(isConverted(inputs) ? { healthCheck: { mode: 'Lease' } } : {}),
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

  const deployment = isDeploying(inputs, conditions) ? deploy(inputs) : nothing;
  // With compiled delivery no controller runs hooks, so nothing waits for them.
  const finalizers = isCompiled ? [] : deployment.finalizers;
  return {
    status: {
      ...registered,
      healthCheck: { mode: resolved.health === 'lease' ? 'Lease' : 'Customized' },
      conditions: withDeployment(registered.conditions, deployment),
    },
    finalizers,
    works: deployment.works,
    faults: [...faults, ...deployment.faults],
  };
}

/**
 * Returns whether the ManagedClusterAddOn was ever written in v1beta1, by the user or by the hub. It is stored in v1alpha1, and
 * the types used for the conversion leave an empty `healthCheck`, whose mode the schema then defaults.
 */
function isConverted({ resolved, clusterAddOn: { managedClusterAddOn }, hub }: ClusterInputs): boolean {
  if (resolved.managed && hub.controllersApiVersion === 'v1beta1') return true;
  return (
    hub.addOnApiVersions.includes('v1beta1') &&
    managedClusterAddOn !== undefined &&
    managedClusterAddOn.originalVersion === undefined
  );
}

function withDeployment(
  conditions: readonly DecidedCondition[],
  { condition, works }: Deployment,
): readonly DecidedCondition[] {
  if (condition !== undefined) return withCondition(conditions, condition);
  // As addon-framework applyWork: a fault is removed as soon as there is a work again.
  const isOutdated = ({ type, status }: DecidedCondition): boolean =>
    works.length > 0 && type === 'ManifestApplied' && status === 'False';
  return conditions.filter((each) => !isOutdated(each));
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

/** As addon-framework defaultSyncer: an object that is being deleted gets no new works, except for its hooks. */
function isDeploying(
  { clusterAddOn, cluster }: ClusterInputs,
  conditions: readonly DecidedCondition[],
): boolean {
  const { finalizers = [], deletionTimestamp } = clusterAddOn.managedClusterAddOn?.object.metadata ?? {};
  const isDeleted = deletionTimestamp !== undefined || cluster?.metadata.deletionTimestamp !== undefined;
  if (isDeleted && !finalizers.includes(preDeleteFinalizer)) return false;
  return conditions.some(({ type, status }) => type === 'Configured' && status === 'True');
}

interface Deployment {
  /** The condition `ManifestApplied`, if the hub sets it without a report from the cluster. */
  readonly condition?: DecidedCondition;
  readonly finalizers: readonly string[];
  readonly works: readonly ManifestWorkV1[];
  readonly faults: readonly RenderFault[];
}

const nothing: Deployment = { finalizers: [], works: [], faults: [] };

/** As addon-framework buildDeployManifestWorksFunc. */
export function deploy({
  resolved,
  clusterAddOn,
  statusConfiguration,
  manifests,
  templateConfigs,
  hub,
}: Pick<
  ClusterInputs,
  'resolved' | 'clusterAddOn' | 'statusConfiguration' | 'manifests' | 'templateConfigs' | 'hub'
>): Deployment {
  if ('error' in manifests) {
    const fault = failed('failed to get manifest from agent interface', manifests);
    // addon-manager exits before it can write a condition.
    return manifests.code === 'FW6002' ? { ...nothing, faults: fault.faults } : fault;
  }
  const deployed = manifests.objects.filter(({ isHook }) => !isHook).map(({ object }) => object);
  const finalizers = deployed.length < manifests.objects.length ? [preDeleteFinalizer] : [];
  if (deployed.length === 0) return { ...nothing, finalizers, condition: nothingToApply };

  const built = buildWorks(deployed, {
    addOn: resolved.name,
    cluster: clusterAddOn.cluster,
    ownersApiVersion: hub.controllersApiVersion,
    // References of other kinds change no work. The companion passes them to the hub's agents only in the status.
    references:
      resolved.delivery === 'compiled'
        ? statusConfiguration.references.filter(isReadForTemplates)
        : statusConfiguration.references,
    manifestConfigs: manifestConfigs(manifests.objects, templateConfigs),
  });
  if ('error' in built) return { ...failed('failed to build manifestwork', built), finalizers };
  const works: ManifestWorkV1[] = [];
  let refused = nothing;
  for (const result of built.works) {
    if ('error' in result) refused = failed('failed to apply manifestWork', result);
    else works.push(result.work);
  }
  return { ...refused, finalizers, works };
}

const nothingToApply: DecidedCondition = {
  type: 'ManifestApplied',
  status: 'True',
  reason: 'AddonManifestApplied',
  message: 'no manifest need to apply',
};

function failed(what: string, fault: RenderFault): Deployment {
  const message = `${what}: ${fault.error}`;
  return {
    ...nothing,
    condition: { type: 'ManifestApplied', status: 'False', reason: 'ManifestWorkApplyFailed', message },
    faults: [fault],
  };
}
