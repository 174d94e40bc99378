import { objectKey, type LoadedObject } from '../../compiler/inventory.ts';
import { addOnGroup } from '../../compiler/api/referent.ts';
import { groupOf } from '../../compiler/api/resource-name.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';
import type { HubConnection } from './hub-connection.ts';
import { HubError } from './hub-error.ts';
import { getObject, resourcesOf, type Resource } from './list-objects.ts';
import { pull } from './pull.ts';
import {
  clusterAddOnKind,
  configurationKinds,
  fleetKinds,
  withoutServerParts,
  type SnapshotKind,
} from './snapshot-objects.ts';

/** With what the hub is to do, whoever wrote it: here nothing outlives it. */
const wholeClusterAddOns: SnapshotKind = {
  ...clusterAddOnKind,
  keep: (object, now) => ({ ...clusterAddOnKind.keep(object, now), spec: object['spec'] ?? {} }),
};

const hubKinds: readonly SnapshotKind[] = [...fleetKinds, wholeClusterAddOns, ...configurationKinds];
const pulledKinds = new Set(hubKinds.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`));

/** An object of a kind that is not OCM's, which a configuration names or an app has. */
interface Wanted {
  readonly group: string;
  /** The plural, where a reference names it. */
  readonly resource?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * All that decides on a hub: the fleet, what people wrote of OCM's kinds, and of other kinds what add-ons name as their
 * configuration or `written` has. Secrets are not read.
 *
 * @throws HubError as `pull`
 */
export async function readHub(
  connection: HubConnection,
  written: readonly KubernetesObject[],
  now: number,
): Promise<readonly LoadedObject[]> {
  const pulled = await pull(connection, hubKinds, now);
  const wanted = [...pulled.flatMap(referencesOf), ...written.flatMap(identityOf)];
  const others = await readOthers(connection, wanted);
  return [...pulled, ...others].map(asLoaded);
}

function asLoaded(object: KubernetesObject): LoadedObject {
  const { name = '', namespace } = object.metadata;
  const location = { construct: `${object.kind} ${objectKey(namespace, name)} on the hub` };
  return { object, source: 'fleet', origin: { location, locate: () => location } };
}

async function readOthers(
  connection: HubConnection,
  wanted: readonly Wanted[],
): Promise<readonly KubernetesObject[]> {
  const served = new Map<string, readonly Resource[]>();
  const objects = new Map<string, KubernetesObject>();
  for (const { group, resource, kind, namespace, name } of wanted) {
    if (resource === 'secrets' || kind === 'Secret') continue;
    const known = served.get(group) ?? (await unlessForbidden(resourcesOf(connection, group))) ?? [];
    served.set(group, known);
    const found = known.find((each) => each.plural === resource || each.kind === kind);
    const key = JSON.stringify([group, found?.kind, namespace, name]);
    if (found === undefined || objects.has(key)) continue;
    const object = await unlessForbidden(getObject(connection, found, name, namespace));
    if (object !== undefined) objects.set(key, withoutServerParts(object));
  }
  return [...objects.values()];
}

/** What may not be read counts as not there: findings say what its absence means. */
async function unlessForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HubError && error.diagnostic.code === 'FW9007') return undefined;
    throw error;
  }
}

function identityOf({ apiVersion, kind, metadata }: KubernetesObject): Wanted[] {
  const group = groupOf(apiVersion);
  const { name, namespace } = metadata;
  if (name === undefined || pulledKinds.has(`${group}/${kind}`)) return [];
  return [{ group, kind, name, ...(namespace === undefined ? {} : { namespace }) }];
}

interface Reference {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface Named {
  readonly configs?: readonly Reference[];
  readonly supportedConfigs?: readonly (Reference & { readonly defaultConfig?: Reference })[];
  readonly installStrategy?: {
    readonly placements?: readonly { readonly configs?: readonly Reference[] }[];
  };
}

/** The configurations of other kinds that an add-on names; those of OCM's kinds are all there already. */
function referencesOf({ kind, spec }: KubernetesObject): Wanted[] {
  if (kind !== 'ClusterManagementAddOn' && kind !== 'ManagedClusterAddOn') return [];
  // The API server has validated it.
  const { configs = [], supportedConfigs = [], installStrategy } = (spec ?? {}) as Named;
  const all = [
    ...configs,
    ...supportedConfigs.map(({ group, resource, defaultConfig }) => ({ group, resource, ...defaultConfig })),
    ...(installStrategy?.placements ?? []).flatMap((placement) => placement.configs ?? []),
  ];
  return all.flatMap(({ group = '', resource, namespace, name }) =>
    group === addOnGroup || resource === undefined || name === undefined
      ? []
      : [{ group, resource, name, ...(namespace === undefined || namespace === '' ? {} : { namespace }) }],
  );
}
