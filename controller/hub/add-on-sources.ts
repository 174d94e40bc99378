import { goJson } from '../../encoding/go-json.ts';
import type { ManagedClusterV1 } from '../../schemas/types.gen.ts';
import { keyOf, type ApiObject, type ObjectKey, type Stored } from '../kube/object.ts';
import { source, type Source } from '../queue/controller.ts';
import { addOnOfWork } from './add-on-of-work.ts';
import { configKey, type ConfigName } from './configuration/config-references.ts';
import { unreachable } from './health/available.ts';
import type { HubContext } from './hub-context.ts';
import { addOnGroup } from './managed-add-ons.ts';
import { holderOf } from './registration/apply-permissions.ts';

/** Which ManagedClusterAddOns are to be looked at when something changes on the hub. */
export function addOnSources({ informers, configs }: HubContext): readonly Source[] {
  const { clusterManagementAddOns, managedClusterAddOns, managedClusters, manifestWorks } = informers;
  const onAllClusters = (addOn: string): readonly ObjectKey[] =>
    managedClusterAddOns.store.by('addOn', addOn).map(keyOf);
  const using = (config: ConfigName): readonly ObjectKey[] => {
    const key = configKey(config);
    const own = managedClusterAddOns.store.by('config', key).map(keyOf);
    const byDefault = clusterManagementAddOns.store.by('config', key);
    return [...own, ...byDefault.flatMap(({ metadata }) => onAllClusters(metadata.name))];
  };
  const ofKind = (resource: string) =>
    function* ({ before, after }: { before?: Stored<ApiObject>; after?: Stored<ApiObject> | undefined }) {
      const { name = '', namespace = '' } = (after ?? before)?.metadata ?? {};
      yield* using({ group: addOnGroup, resource, namespace, name });
    };
  return [
    source(managedClusterAddOns, ({ before, after }) => keysOf(after ?? before, keyOf)),
    source(clusterManagementAddOns, ({ before, after }) =>
      onAllClusters((after ?? before)?.metadata.name ?? ''),
    ),
    source(informers.addOnTemplates, ofKind('addontemplates')),
    source(informers.addOnDeploymentConfigs, ofKind('addondeploymentconfigs')),
    source(manifestWorks, ({ before, after }) => keysOf(after ?? before, addOnOfWork)),
    source(informers.roleBindings, ({ before, after }) => keysOf(after ?? before, holderOf)),
    source(managedClusters, ({ before, after }) =>
      before !== undefined && after !== undefined && goJson(seenOf(before)) === goJson(seenOf(after))
        ? []
        : managedClusterAddOns.store.by('cluster', (after ?? before)?.metadata.name ?? '').map(keyOf),
    ),
    { subscribe: (enqueue) => configs.onChange((config) => using(config).forEach(enqueue)) },
  ];
}

/** What add-ons depend on of a cluster: much else of its status changes all the time. */
function seenOf(cluster: Stored<ManagedClusterV1>): unknown {
  return { accepted: cluster.spec?.hubAcceptsClient, unreachable: unreachable(cluster) };
}

function keysOf<T>(object: T | undefined, keyOf: (object: T) => ObjectKey | undefined): readonly ObjectKey[] {
  const key = object === undefined ? undefined : keyOf(object);
  return key === undefined ? [] : [key];
}
