import { objectKey, type LoadedObject } from '../../compiler/model/inventory.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/** The clusters for which a level of an add-on's configurations counts. */
export type LevelScope =
  | { readonly kind: 'default' }
  /** `namespace/name`. */
  | { readonly kind: 'placement'; readonly placement: string }
  | { readonly kind: 'cluster'; readonly cluster: string };

/** A level, with its references to AddOnDeploymentConfigs. A placement without one is a level too: it has the default. */
export interface ConfigLevel {
  readonly scope: LevelScope;
  /** The object with the references, and the path of their list. */
  readonly holder: LoadedObject;
  readonly path: FieldPath;
  readonly references: readonly { readonly key: string }[];
}

/** Returns the levels of an add-on: the default, the placements in their order, and the clusters that have a configuration. */
export function configReferences(
  addOn: LoadedObject,
  clusterAddOns: readonly LoadedObject[],
): readonly ConfigLevel[] {
  const spec = mapOf(addOn.object['spec']);
  // In v1alpha1, a default is below the supported kind. In v1beta1 the list has the references.
  const defaults = [
    ...listOf(spec['supportedConfigs']).flatMap((each) =>
      isDeploymentConfig(each) && isJsonMap(each['defaultConfig']) ? [each['defaultConfig']] : [],
    ),
    ...listOf(spec['defaultConfigs']).filter((each) => isDeploymentConfig(each) && isNamed(each)),
  ];
  const placements = listOf(mapOf(spec['installStrategy'])['placements']);
  return [
    {
      scope: { kind: 'default' },
      holder: addOn,
      path: ['spec'],
      references: defaults.map(reference),
    },
    ...placements.map((placement, index): ConfigLevel => ({
      scope: { kind: 'placement', placement: reference(placement).key },
      holder: addOn,
      path: ['spec', 'installStrategy', 'placements', index, 'configs'],
      references: listOf(placement['configs']).filter(isDeploymentConfig).map(reference),
    })),
    ...clusterAddOns.flatMap((holder): ConfigLevel[] => {
      const references = listOf(mapOf(holder.object['spec'])['configs'])
        .filter(isDeploymentConfig)
        .map(reference);
      const cluster = holder.object.metadata.namespace ?? '';
      return references.length === 0
        ? []
        : [{ scope: { kind: 'cluster', cluster }, holder, path: ['spec', 'configs'], references }];
    }),
  ];
}

/** Returns a ClusterManagementAddOn or ManagedClusterAddOn that names no AddOnDeploymentConfig. */
export function withoutReferences(holder: LoadedObject): LoadedObject {
  const spec = mapOf(holder.object['spec']);
  const strategy = mapOf(spec['installStrategy']);
  const changed: JsonMap = {
    ...spec,
    ...changedList(spec, 'configs', withoutConfigs),
    ...changedList(spec, 'defaultConfigs', (list) =>
      list.filter((each) => !isDeploymentConfig(each) || !isNamed(each)),
    ),
    ...changedList(spec, 'supportedConfigs', (list) => list.map(withoutDefault)),
    ...(isJsonList(strategy['placements']) && {
      installStrategy: {
        ...strategy,
        placements: listOf(strategy['placements']).map((placement) => ({
          ...placement,
          ...changedList(placement, 'configs', withoutConfigs),
        })),
      },
    }),
  };
  return { ...holder, object: { ...holder.object, spec: changed } };
}

function withoutConfigs(list: readonly JsonMap[]): readonly JsonMap[] {
  return list.filter((each) => !isDeploymentConfig(each));
}

function withoutDefault(supported: JsonMap): JsonMap {
  if (!isDeploymentConfig(supported)) return supported;
  const { defaultConfig: _default, ...rest } = supported;
  return rest;
}

function changedList(
  of: JsonMap,
  field: string,
  change: (list: readonly JsonMap[]) => readonly JsonMap[],
): JsonMap {
  return of[field] === undefined ? {} : { [field]: change(listOf(of[field])) };
}

function isDeploymentConfig({ group, resource }: JsonMap): boolean {
  return group === addOnGroup && resource === 'addondeploymentconfigs';
}

function isNamed({ name }: JsonMap): boolean {
  return typeof name === 'string' && name !== '' && !name.startsWith('__reserved');
}

function reference({ namespace, name }: JsonMap): { readonly key: string } {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { key: objectKey(textOf(namespace) || undefined, textOf(name)) };
}

function mapOf(value: unknown): JsonMap {
  return isJsonMap(value) ? value : {};
}

function listOf(value: unknown): readonly JsonMap[] {
  return isJsonList(value) ? value.filter(isJsonMap) : [];
}
