import { goJson } from '../../base/json/go-json.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { Change } from '../cache/informer.ts';
import { keyOf, type ApiObject, type ObjectKey, type Stored } from '../../client/object.ts';
import { source, type Source } from '../queue/controller.ts';
import { addOnOfWork } from './add-on-of-work.ts';
import { configKey, type ConfigName } from './configuration/config-references.ts';
import { unreachable } from './health/available.ts';
import type { ControllerContext } from './controller-context.ts';
import type { TokenInformers } from './hub-informers.ts';
import { holderOf } from './registration/apply-permissions.ts';
import { tokenHolderOf } from './token-registration/token-objects.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/** Returns the sources of the ManagedClusterAddOns to reconcile when an object changes on the hub. */
export function addOnSources({ informers, tokenInformers, configs }: ControllerContext): readonly Source[] {
  const { clusterManagementAddOns, managedClusterAddOns, managedClusters, manifestWorks } = informers;
  const onAllClusters = (addOn: string): readonly ObjectKey[] =>
    managedClusterAddOns.store.by('addOn', addOn).map(keyOf);
  const using = (config: ConfigName): readonly ObjectKey[] => {
    const key = configKey(config);
    const referencing = managedClusterAddOns.store.by('config', key).map(keyOf);
    const byDefault = clusterManagementAddOns.store.by('config', key);
    return [...referencing, ...byDefault.flatMap(({ metadata }) => onAllClusters(metadata.name))];
  };
  const ofKind = (resource: string) =>
    function* ({ before, after }: { before?: Stored<ApiObject>; after?: Stored<ApiObject> | undefined }) {
      const { name = '', namespace = '' } = (after ?? before)?.metadata ?? {};
      yield* using({ group: addOnGroup, resource, namespace, name });
    };
  return [
    source(managedClusterAddOns, (change) => keysOf(change, keyOf)),
    source(clusterManagementAddOns, ({ before, after }) =>
      onAllClusters((after ?? before)?.metadata.name ?? ''),
    ),
    source(informers.addOnTemplates, ofKind('addontemplates')),
    source(informers.addOnDeploymentConfigs, ofKind('addondeploymentconfigs')),
    source(manifestWorks, (change) => keysOf(change, addOnOfWork)),
    source(informers.roleBindings, (change) => keysOf(change, holderOf)),
    ...(tokenInformers === undefined ? [] : tokenSources(tokenInformers)),
    source(managedClusters, ({ before, after }) => {
      if (before !== undefined && after !== undefined && goJson(seenOf(before)) === goJson(seenOf(after)))
        return [];
      const name = (after ?? before)?.metadata.name ?? '';
      return (['cluster', 'hosting'] as const).flatMap((index) =>
        managedClusterAddOns.store.by(index, name).map(keyOf),
      );
    }),
    { subscribe: (enqueue) => configs.onChange((config) => using(config).forEach(enqueue)) },
  ];
}

function tokenSources({ serviceAccounts, roles, roleBindings }: TokenInformers): readonly Source[] {
  return [
    source(serviceAccounts, (change) => keysOf(change, tokenHolderOf)),
    source(roles, (change) => keysOf(change, tokenHolderOf)),
    source(roleBindings, (change) => keysOf(change, tokenHolderOf)),
  ];
}

/** Returns the parts of a cluster that add-ons depend on: many other parts of its status change all the time. */
function seenOf(cluster: Stored<ManagedClusterV1>): unknown {
  return { accepted: cluster.spec?.hubAcceptsClient, unreachable: unreachable(cluster) };
}

/**
 * Returns the keys of the add-ons that an object belongs to and belonged to: the labels with the owner may have
 * changed.
 */
function keysOf<T extends ApiObject>(
  { before, after }: Change<T>,
  keyOf: (object: Stored<T>) => ObjectKey | undefined,
): Iterable<ObjectKey> {
  const keys = [before, after].flatMap((object) => (object === undefined ? [] : [keyOf(object)]));
  return new Set(keys.filter((key) => key !== undefined));
}
