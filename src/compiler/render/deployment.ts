import type {
  AddOnTemplateV1alpha1ManifestConfigOption,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { isReadForTemplates } from '../configure/supported-kinds.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { DecidedCondition } from '../place/decision.ts';
import type { StatusConfiguration } from '../rollout/status-configuration.ts';
import type { RenderFault } from './fault.ts';
import { hostingPreDeleteHook, preDeleteHook } from '../../ocm/hook-work.ts';
import { hooksAnnotation } from './works/hooks.ts';
import type { HostingCluster } from './hosting-cluster.ts';
import { manifestConfigs } from './works/manifest-configs.ts';
import { locateObjects } from './works/manifest-location.ts';
import type { RenderedManifests, RenderedObject } from './manifests.ts';
import { buildWorks } from './works/works.ts';

/** The inputs for the works of one add-on on one cluster. */
export interface DeploymentInputs {
  readonly resolved: ResolvedAddOn;
  readonly clusterAddOn: ClusterAddOn;
  readonly statusConfiguration: StatusConfiguration;
  readonly manifests: RenderedManifests;
  /** The manifestConfigs of the add-on's default template. */
  readonly templateConfigs: readonly AddOnTemplateV1alpha1ManifestConfigOption[];
  /** Undefined if the add-on is not in hosted mode, or if its manager ignores that mode. */
  readonly hosting?: HostingCluster | undefined;
  readonly hub: HubVersion;
}

/** The cluster that gets a work: the managed cluster of the add-on, or in hosted mode the one that hosts its agent. */
export type WorkLocation = 'managed' | 'hosting';

const appliedConditions = { managed: 'ManifestApplied', hosting: 'HostingManifestApplied' } as const;

/** The works of an add-on on one cluster, and the conditions about them. */
export interface Deployment {
  /** `ManifestApplied` and `HostingManifestApplied`, if the hub sets them without a report. */
  readonly conditions: readonly DecidedCondition[];
  /** Those that wait for a report. */
  readonly awaited: readonly (typeof appliedConditions)[WorkLocation][];
  /** The clusters to which there is nothing to deploy. */
  readonly emptyLocations: readonly WorkLocation[];
  readonly finalizers: readonly string[];
  /** With compiled delivery, the annotation with the hooks that the companion runs on the managed cluster. */
  readonly hooks?: string | undefined;
  /** The same for the hosting cluster. */
  readonly hostingHooks?: string | undefined;
  readonly works: readonly ManifestWorkV1[];
  readonly faults: readonly RenderFault[];
}

export const noDeployment: Deployment = {
  conditions: [],
  awaited: [],
  emptyLocations: [],
  finalizers: [],
  works: [],
  faults: [],
};

/**
 * Builds the works for the managed cluster, and those for the hosting cluster if the add-on is in hosted mode. As addon-framework
 * buildDeployManifestWorksFunc, for defaultSyncer and hostedSyncer. Only agents of compiled delivery support hosted mode: OCM's
 * templateagent does not enable it.
 */
export function deploy(inputs: DeploymentInputs): Deployment {
  const { manifests, resolved, hosting } = inputs;
  const locations: readonly WorkLocation[] =
    hosting?.state === 'ready' ? ['managed', 'hosting'] : ['managed'];
  if ('error' in manifests) {
    // addon-manager exits before it can write a condition.
    return manifests.code === 'FW6002'
      ? { ...noDeployment, faults: [manifests] }
      : failed(locations, 'failed to get manifest from agent interface', manifests);
  }
  const { objects } = manifests;
  const located =
    resolved.delivery === 'compiled'
      ? locateObjects(objects, hosting !== undefined)
      : { managed: objects, hosting: [] };
  if ('error' in located) return failed(locations, 'failed to build manifestwork', located);
  const managed = deployObjects(inputs, objects, located.managed, 'managed');
  if (hosting?.state !== 'ready') return managed;
  const hosted = deployObjects(inputs, objects, located.hosting, 'hosting');
  return {
    conditions: [...managed.conditions, ...hosted.conditions],
    awaited: [...managed.awaited, ...hosted.awaited],
    emptyLocations: [...managed.emptyLocations, ...hosted.emptyLocations],
    finalizers: [...managed.finalizers, ...hosted.finalizers],
    hooks: managed.hooks,
    hostingHooks: hosted.hostingHooks,
    works: [...managed.works, ...hosted.works],
    faults: [...managed.faults, ...hosted.faults],
  };
}

function deployObjects(
  { resolved, clusterAddOn, statusConfiguration, manifests, templateConfigs, hosting, hub }: DeploymentInputs,
  all: readonly RenderedObject[],
  objects: readonly RenderedObject[],
  location: WorkLocation,
): Deployment {
  const deployed = objects.filter(({ isHook }) => !isHook).map(({ object }) => object);
  const waiting = waitingFor(objects, location, resolved, deployed.length);
  if (deployed.length === 0)
    return {
      ...noDeployment,
      ...waiting,
      conditions: [nothingToApply(location)],
      emptyLocations: [location],
    };

  const built = buildWorks(deployed, {
    addOn: resolved.name,
    cluster: clusterAddOn.cluster,
    hostingCluster: location === 'hosting' ? hosting?.name : undefined,
    ownersApiVersion: hub.controllersApiVersion,
    // References of other kinds change no work. The companion passes them to the hub's agents only in the status.
    references:
      resolved.delivery === 'compiled'
        ? statusConfiguration.references.filter(isReadForTemplates)
        : statusConfiguration.references,
    isOrdered: !('error' in manifests) && manifests.isOrdered === true,
    // Those of all objects, wherever they are delivered.
    manifestConfigs: manifestConfigs(all, templateConfigs),
  });
  if ('error' in built) return { ...failed([location], 'failed to build manifestwork', built), ...waiting };
  const works: ManifestWorkV1[] = [];
  let refused: Deployment | undefined;
  for (const result of built.works) {
    if ('error' in result) refused = failed([location], 'failed to apply manifestWork', result);
    else works.push(result.work);
  }
  return { ...(refused ?? { ...noDeployment, awaited: [appliedConditions[location]] }), ...waiting, works };
}

/** Returns the hooks that delay the deletion, and the finalizer for them. */
function waitingFor(
  objects: readonly RenderedObject[],
  location: WorkLocation,
  { delivery, runsHooks }: ResolvedAddOn,
  deployed: number,
): Pick<Deployment, 'finalizers' | 'hooks' | 'hostingHooks'> {
  if (delivery !== 'compiled') return { finalizers: deployed < objects.length ? [preDeleteHook] : [] };
  // The hooks for the hosting cluster are in a work for it.
  const hooks = runsHooks === true && (location === 'managed' || deployed > 0) ? hooksOf(objects) : undefined;
  if (hooks === undefined) return { finalizers: [] };
  return location === 'managed'
    ? { finalizers: [preDeleteHook], hooks }
    : { finalizers: [hostingPreDeleteHook], hostingHooks: hooks };
}

function hooksOf(objects: readonly RenderedObject[]): string | undefined {
  return hooksAnnotation(objects.filter(({ isHook }) => isHook).map(({ object }) => object));
}

function nothingToApply(location: WorkLocation): DecidedCondition {
  const type = appliedConditions[location];
  return { type, status: 'True', reason: 'AddonManifestApplied', message: 'no manifest need to apply' };
}

function failed(locations: readonly WorkLocation[], what: string, fault: RenderFault): Deployment {
  const message = `${what}: ${fault.error}`;
  const conditions = locations.map(
    (location) =>
      ({
        type: appliedConditions[location],
        status: 'False',
        reason: 'ManifestWorkApplyFailed',
        message,
      }) as const,
  );
  return { ...noDeployment, conditions, faults: [fault] };
}
