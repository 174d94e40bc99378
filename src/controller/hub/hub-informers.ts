import type { Clock } from '../../client/clock.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import { nameOfKey, type ApiObject, type ObjectKey, type Stored } from '../../client/object.ts';
import { defaultTemplateAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { EqualValues } from '../cache/equal-values.ts';
import { Informer, type InformerMetrics } from '../cache/informer.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Log } from '../operation/log.ts';
import { addOnOfWork } from './add-on-of-work.ts';
import { createRequestInformer, type RequestInformer } from './approval/certificate-requests.ts';
import type { Limits } from './approval/facts.ts';
import { configKey } from './configuration/config-references.ts';
import { cachedWork } from './health/workloads.ts';
import { cachedAddOn, cachedCluster } from './cached-objects.ts';
import { cachedHookWork, isHookWork } from './hooks/cached-hook-work.ts';
import { holderOf } from './registration/apply-permissions.ts';
import { cachedBinding, roleBindings, type RoleBinding } from './registration/role-binding.ts';
import { isServed, wholeHub, type Shard } from './shard.ts';
import {
  cachedAccount,
  roles,
  serviceAccounts,
  tokenSelector,
  type Role,
} from './token-registration/token-objects.ts';
import { managedClusterAddOns } from '../add-on/managed-cluster-add-ons.ts';
import {
  addOnDeploymentConfigs,
  addOnTemplates,
  clusterManagementAddOns,
  managedClusters,
  manifestWorks,
} from './resources.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { hostingClusterOf } from '../../ocm/hosted-mode.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';
import { companionName } from '../../ocm/companion-binding.ts';
import { managedByLabel } from '../../ocm/writer.ts';

/** The caches that the controllers of the hub share. */
export interface HubInformers {
  /** `by('config', configKey)`: those that have it as a default. */
  readonly clusterManagementAddOns: Informer<ClusterManagementAddOnV1alpha1, 'config'>;
  /** `by('addOn', name)`: the add-on on all clusters; `by('hosting', cluster)`: those hosted there; `by('config', configKey)`: those that reference it. */
  readonly managedClusterAddOns: Informer<
    ManagedClusterAddOnV1alpha1,
    'addOn' | 'cluster' | 'hosting' | 'config'
  >;
  readonly managedClusters: Informer<ManagedClusterV1>;
  readonly addOnTemplates: Informer<AddOnTemplateV1alpha1>;
  readonly addOnDeploymentConfigs: Informer<AddOnDeploymentConfigV1alpha1>;
  /** Works of add-ons, without the content of their manifests. `by('addOn', 'cluster/addOn')`. */
  readonly manifestWorks: Informer<ManifestWorkV1, 'addOn'>;
  /** The bindings that the companion created. `by('holder', 'cluster/addOn')`. */
  readonly roleBindings: Informer<RoleBinding, 'holder'>;
  readonly certificateRequests: RequestInformer;
}

/** The caches of the objects from which agents get tokens, of all writers. */
export interface TokenInformers {
  readonly serviceAccounts: Informer<ApiObject>;
  readonly roles: Informer<Role>;
  readonly roleBindings: Informer<RoleBinding>;
}

export interface HubInformerOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: InformerMetrics;
  readonly resync: number;
  /** The limits of certificate requests. */
  readonly limits: Limits;
  /**
   * The clusters whose objects are cached. ManagedClusters are cached of all, because they may host the agents of others.
   *
   * @default - all
   */
  readonly shard?: Shard;
}

export function createHubInformers({ shard = wholeHub, ...options }: HubInformerOptions): HubInformers {
  const isServedKey = (key: ObjectKey | undefined): boolean =>
    key === undefined || isServed(nameOfKey(key).namespace ?? '', shard);
  const equal = new EqualValues();
  return {
    clusterManagementAddOns: new Informer(clusterManagementAddOns, {
      ...options,
      indexes: { config: defaultConfigsOf },
    }),
    managedClusterAddOns: new Informer(managedClusterAddOns, {
      ...options,
      transform: (addOn) =>
        isServed(addOn.metadata.namespace ?? '', shard) ? cachedAddOn(addOn, equal) : undefined,
      indexes: {
        addOn: ({ metadata }) => [metadata.name],
        cluster: ({ metadata }) => [metadata.namespace ?? ''],
        hosting: (addOn) => asList(hostingClusterOf(addOn)),
        config: ({ spec }) =>
          (spec.configs ?? []).map(({ group = '', resource, namespace = '', name }) =>
            configKey({ group, resource, namespace, name }),
          ),
      },
    }),
    managedClusters: new Informer(managedClusters, {
      ...options,
      transform: (cluster) => cachedCluster(cluster, equal),
    }),
    addOnTemplates: new Informer(addOnTemplates, options),
    addOnDeploymentConfigs: new Informer(addOnDeploymentConfigs, options),
    manifestWorks: new Informer(manifestWorks, {
      ...options,
      labelSelector: addOnNameLabel,
      transform: (work) => {
        if (!isServedKey(addOnOfWork(work))) return undefined;
        return isHookWork(work) ? cachedHookWork(work) : cachedWork(work, equal);
      },
      // These objects are large.
      pageSize: 100,
      indexes: { addOn: (work) => asList(addOnOfWork(work)) },
    }),
    roleBindings: new Informer(roleBindings, {
      ...options,
      labelSelector: `${managedByLabel}=${companionName}`,
      transform: (binding) => (isServedKey(holderOf(binding)) ? cachedBinding(binding, equal) : undefined),
      indexes: { holder: (binding) => asList(holderOf(binding)) },
    }),
    certificateRequests: createRequestInformer({ ...options, shard }),
  };
}

export function createTokenInformers({
  shard = wholeHub,
  ...options
}: Omit<HubInformerOptions, 'limits'>): TokenInformers {
  const selection = { ...options, labelSelector: tokenSelector };
  const ofShard = <T extends ApiObject>(object: Stored<T>): Stored<T> | undefined =>
    isServed(object.metadata.namespace ?? '', shard) ? object : undefined;
  return {
    serviceAccounts: new Informer(serviceAccounts, {
      ...selection,
      transform: (account) => ofShard(cachedAccount(account)),
    }),
    roles: new Informer(roles, { ...selection, transform: ofShard<Role> }),
    roleBindings: new Informer(roleBindings, {
      ...selection,
      part: 'tokens',
      transform: ofShard<RoleBinding>,
    }),
  };
}

function defaultConfigsOf({ metadata, spec }: ClusterManagementAddOnV1alpha1): readonly string[] {
  const template = metadata.annotations?.[defaultTemplateAnnotation];
  const configs = (spec.supportedConfigs ?? []).flatMap(({ group = '', resource, defaultConfig }) =>
    defaultConfig === undefined
      ? []
      : [configKey({ group, resource, namespace: defaultConfig.namespace ?? '', name: defaultConfig.name })],
  );
  return template === undefined
    ? configs
    : [
        ...configs,
        configKey({ group: addOnGroup, resource: 'addontemplates', namespace: '', name: template }),
      ];
}

function asList(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
