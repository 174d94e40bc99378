import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/**
 * The lists of Kubernetes' own kinds whose items the API server merges by keys, by field, as their `+listMapKey` say. All other lists
 * have one owner.
 */
const listKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  // those of a ServiceAccount have one owner
  'spec.imagePullSecrets': ['name'],
  secrets: ['name'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  resourceClaims: ['name'],
  'resources.claims': ['name'],
  schedulingGates: ['name'],
  webhooks: ['name'],
  matchConditions: ['name'],
  'spec.variables': ['name'],
  // those of a Service
  'spec.ports': ['port', 'protocol'],
};

const containerPorts = ['containerPort', 'protocol'];

/** The values of absent keys. */
const defaultKeys: JsonMap = { protocol: 'TCP' };

/**
 * Returns the fields by which the items of a list are merged. Undefined if the list has one owner.
 *
 * @param field - the name of the list, after that of the field around it: `spec.volumes`. In an item of another list, `.ports`
 */
export function mergeKeysOf(field: string, items: readonly unknown[]): readonly string[] | undefined {
  const name = field.split('.').at(-1) ?? '';
  if (name !== 'ports') return listKeys[field] ?? listKeys[name];
  // those of a NetworkPolicy have one owner, and those of containers are in items of a list as well
  const isContainer = field === '.ports' && items.some((item) => isJsonMap(item) && 'containerPort' in item);
  return isContainer ? containerPorts : listKeys[field];
}

/** Returns the keys of an item that are present or have a default. */
export function keyValues(item: JsonMap, keys: readonly string[]): readonly (readonly [string, unknown])[] {
  return keys.flatMap((key) => {
    const value = item[key] ?? defaultKeys[key];
    return value === undefined ? [] : [[key, value] as const];
  });
}
