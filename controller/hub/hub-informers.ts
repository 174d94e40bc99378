import type { Clock } from '../clock.ts';
import type {
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  AddOnTemplateV1alpha1,
} from '../../schemas/types.gen.ts';
import { Informer, type InformerMetrics } from '../cache/informer.ts';
import type { ApiClient } from '../kube/api-client.ts';
import type { Log } from '../operation/log.ts';
import {
  addOnTemplates,
  clusterManagementAddOns,
  managedClusterAddOns,
  managedClusters,
} from './resources.ts';

/** The caches that the controllers of the hub share. */
export interface HubInformers {
  readonly clusterManagementAddOns: Informer<ClusterManagementAddOnV1alpha1>;
  /** `by('addOn', name)`: the add-on on all clusters. */
  readonly managedClusterAddOns: Informer<ManagedClusterAddOnV1alpha1, 'addOn' | 'cluster'>;
  readonly managedClusters: Informer<ManagedClusterV1>;
  readonly addOnTemplates: Informer<AddOnTemplateV1alpha1>;
}

export interface HubInformerOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: InformerMetrics;
  readonly resync: number;
}

export function createHubInformers(options: HubInformerOptions): HubInformers {
  return {
    clusterManagementAddOns: new Informer(clusterManagementAddOns, options),
    managedClusterAddOns: new Informer(managedClusterAddOns, {
      ...options,
      indexes: {
        addOn: ({ metadata }) => [metadata.name],
        cluster: ({ metadata }) => [metadata.namespace ?? ''],
      },
    }),
    managedClusters: new Informer(managedClusters, options),
    addOnTemplates: new Informer(addOnTemplates, options),
  };
}
