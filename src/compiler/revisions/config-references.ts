import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { referentKey } from '../../ocm/referent.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import type { FieldPath } from '../model/field-path.ts';

/** A reference to a configuration in an object that has not been validated. */
export interface WrittenReference {
  /** As `referentKey`. */
  readonly key: string;
  /** The field with the name. */
  readonly path: FieldPath;
}

/**
 * Returns an object with other names in its references to configurations: the default configurations and placements of a
 * ClusterManagementAddOn, and the configurations of a ManagedClusterAddOn, in any version.
 *
 * @param rename - returns the new name of the configuration; undefined to keep it
 */
export function withConfigNames(
  object: KubernetesObject,
  rename: (reference: WrittenReference) => string | undefined,
): KubernetesObject {
  const { apiVersion, kind } = object;
  const spec: unknown = object['spec'];
  if (typeof apiVersion !== 'string' || groupOf(apiVersion) !== addOnGroup || !isJsonMap(spec)) return object;
  const changed = kind === 'ClusterManagementAddOn' ? addOnSpec(spec) : clusterSpec(spec);
  if (kind !== 'ClusterManagementAddOn' && kind !== 'ManagedClusterAddOn') return object;
  return changed === spec ? object : { ...object, spec: changed };

  function addOnSpec(given: JsonMap): JsonMap {
    const defaults = inList(given, 'defaultConfigs', [], (entry, path) => renamed(entry, entry, path));
    const supported = inList(defaults, 'supportedConfigs', [], (entry, path) =>
      inMap(entry, 'defaultConfig', (config) => renamed(config, entry, [...path, 'defaultConfig'])),
    );
    return inMap(supported, 'installStrategy', (strategy) =>
      inList(strategy, 'placements', ['installStrategy'], (placement, path) =>
        inList(placement, 'configs', path, (entry, at) => renamed(entry, entry, at)),
      ),
    );
  }

  function clusterSpec(given: JsonMap): JsonMap {
    return inList(given, 'configs', [], (entry, path) => renamed(entry, entry, path));
  }

  function renamed(config: JsonMap, { group = '', resource }: JsonMap, path: FieldPath): JsonMap {
    const { namespace = '', name } = config;
    if (typeof group !== 'string' || typeof resource !== 'string') return config;
    if (typeof namespace !== 'string' || typeof name !== 'string') return config;
    const key = referentKey({ group, resource, namespace, name });
    const other = rename({ key, path: ['spec', ...path, 'name'] });
    return other === undefined ? config : { ...config, name: other };
  }
}

function inMap(map: JsonMap, key: string, change: (value: JsonMap) => JsonMap): JsonMap {
  const value = map[key];
  if (!isJsonMap(value)) return map;
  const changed = change(value);
  return changed === value ? map : { ...map, [key]: changed };
}

function inList(
  map: JsonMap,
  key: string,
  path: FieldPath,
  change: (item: JsonMap, path: FieldPath) => JsonMap,
): JsonMap {
  const items = map[key];
  if (!isJsonList(items)) return map;
  const changed = items.map((item, index) => (isJsonMap(item) ? change(item, [...path, key, index]) : item));
  return changed.every((item, index) => item === items[index]) ? map : { ...map, [key]: changed };
}
