import { objectKey, type Inventory } from '../compiler/model/inventory.ts';
import { addOnGroup } from '../../schemas/groups.ts';
import { noDefaultConfigName } from '../ocm/default-config.ts';

/** The sets that every hub has. */
const builtInSets: ReadonlySet<string> = new Set(['global', 'default']);

interface ConfigReference {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the missing objects that others name, as `Kind namespace/name`, sorted. */
export function missingReferences(inventory: Inventory): readonly string[] {
  const missing = new Set<string>();
  const expectObject = (
    objects: ReadonlyMap<string, unknown>,
    kind: string,
    namespace: string | undefined,
    name: string,
  ): void => {
    const key = objectKey(namespace, name);
    if (!objects.has(key)) missing.add(`${kind} ${key}`);
  };
  const expectSet = (set: string): void => {
    if (!builtInSets.has(set))
      expectObject(inventory.managedClusterSets, 'ManagedClusterSet', undefined, set);
  };
  const expectConfig = ({ group = '', resource, namespace, name }: ConfigReference): void => {
    if (group !== addOnGroup || name === noDefaultConfigName) return;
    if (resource === 'addontemplates')
      expectObject(inventory.addOnTemplates, 'AddOnTemplate', undefined, name);
    if (resource === 'addondeploymentconfigs')
      expectObject(inventory.addOnDeploymentConfigs, 'AddOnDeploymentConfig', namespace, name);
  };
  for (const { object } of inventory.clusterManagementAddOns.values()) {
    const { defaultConfigs = [], installStrategy } = object.spec;
    for (const config of defaultConfigs) expectConfig(config);
    for (const { namespace, name, configs = [] } of installStrategy?.placements ?? []) {
      expectObject(inventory.placements, 'Placement', namespace, name);
      for (const config of configs) expectConfig(config);
    }
  }
  for (const { object } of inventory.managedClusterAddOns.values()) {
    const { name = '' } = object.metadata;
    expectObject(inventory.clusterManagementAddOns, 'ClusterManagementAddOn', undefined, name);
    for (const config of object.spec?.configs ?? []) expectConfig(config);
  }
  const bound = new Set<string | undefined>();
  for (const { object } of inventory.managedClusterSetBindings.values()) {
    bound.add(object.metadata.namespace);
    expectSet(object.spec?.clusterSet ?? '');
  }
  for (const { object } of inventory.placements.values()) {
    const { namespace = '' } = object.metadata;
    for (const set of object.spec?.clusterSets ?? []) expectSet(set);
    if (!bound.has(namespace)) missing.add(`ManagedClusterSetBinding in namespace ${namespace}`);
  }
  return [...missing].sort();
}
