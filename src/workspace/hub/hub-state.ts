import { type LoadedObject, objectKey } from '../../compiler/index.ts';
import { kindKey, groupOf } from '../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { Resource } from '../../client/resource.ts';
import type { HubReader } from './hub-reader.ts';
import { pull } from './pull.ts';
import { unlessForbidden } from './unless-forbidden.ts';
import {
  clusterAddOnKind,
  configurationKinds,
  fleetKinds,
  withoutServerParts,
  type SnapshotKind,
} from './snapshot-objects.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { resourceOf } from '../../ocm/resource.ts';

/** Keeps the whole spec, regardless of its writer: this copy is not stored. */
const wholeClusterAddOns: SnapshotKind = {
  ...clusterAddOnKind,
  keep: (object, now) => ({ ...clusterAddOnKind.keep(object, now), spec: object['spec'] ?? {} }),
};

/** Keeps the whole status too, and what is known of the life of the object. */
export const observedClusterAddOns: SnapshotKind = {
  ...clusterAddOnKind,
  keep: ({ metadata, spec, status }) => {
    const { name, namespace, labels, annotations, creationTimestamp, deletionTimestamp, finalizers } =
      metadata;
    const life = {
      ...(creationTimestamp !== undefined && { creationTimestamp }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(finalizers !== undefined && { finalizers }),
    };
    return {
      metadata: { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }), ...life },
      spec: spec ?? {},
      ...(status === undefined ? {} : { status }),
    };
  },
};

/** Keeps the status of add-ons too. */
export const observedAddOns: SnapshotKind = {
  ...resourceOf(ocmKinds.clusterManagementAddOn, 'v1alpha1'),
  required: true,
  keep: ({ metadata, spec, status }) => ({
    metadata: withoutServerParts({ apiVersion: '', kind: '', metadata }).metadata,
    spec: spec ?? {},
    ...(status === undefined ? {} : { status }),
  }),
};

const pulledKinds = new Set([...fleetKinds, clusterAddOnKind, ...configurationKinds].map(kindKey));

/** An object of a kind that is not OCM's, which a configuration references or an app contains. */
interface Wanted {
  readonly group: string;
  /** The plural, if a reference contains it. */
  readonly resource?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The parts of a hub to read. */
export interface HubReading {
  /** The part to keep of ManagedClusterAddOns. @default - what decides about the add-on */
  readonly clusterAddOns?: SnapshotKind;
  /** The part to keep of ClusterManagementAddOns. @default - what people wrote */
  readonly addOns?: SnapshotKind;
  /** Receives the kinds of configurations that the credentials do not allow to read. Their objects count as missing. */
  readonly unread?: Set<string>;
}

/**
 * Returns everything that decides on a hub: the fleet, the objects of OCM's kinds that people wrote, and the objects
 * of other kinds that add-ons reference as their configuration or that `objects` contains. Secrets are not read.
 *
 * @throws HubError as `pull`
 */
export async function readHub(
  hub: HubReader,
  objects: readonly KubernetesObject[],
  now: number,
  { clusterAddOns = wholeClusterAddOns, addOns, unread = new Set() }: HubReading = {},
): Promise<readonly LoadedObject[]> {
  const configurations = configurationKinds.map((each) =>
    addOns !== undefined && kindKey(each) === kindKey(addOns) ? addOns : each,
  );
  const pulled = await pull(hub, [...fleetKinds, clusterAddOns, ...configurations], now);
  const wanted = [...pulled.flatMap(referencesOf), ...objects.flatMap(identityOf)];
  const others = await readOthers(hub, wanted, unread);
  return [...pulled, ...others].map(asLoaded);
}

/** Returns an object of a hub as one of a snapshot. */
export function asLoaded(object: KubernetesObject): LoadedObject {
  const { name = '', namespace } = object.metadata;
  const location = { construct: `${object.kind} ${objectKey(namespace, name)} on the hub` };
  return { object, source: 'fleet', origin: { location, locate: () => location } };
}

/** Objects that may not be read count as missing: findings describe the effect. */
async function readOthers(
  hub: HubReader,
  wanted: readonly Wanted[],
  unread: Set<string>,
): Promise<readonly KubernetesObject[]> {
  const served = new Map<string, readonly Resource[]>();
  const objects = new Map<string, KubernetesObject>();
  for (const { group, resource, kind, namespace, name } of wanted) {
    if (resource === 'secrets' || kind === 'Secret') continue;
    const resources =
      served.get(group) ??
      (await unlessForbidden(hub.resourcesOf(group), () => unread.add(`the kinds of ${group}`))) ??
      [];
    served.set(group, resources);
    const match = resources.find((each) => each.plural === resource || each.kind === kind);
    const key = JSON.stringify([group, match?.kind, namespace, name]);
    if (match === undefined || objects.has(key)) continue;
    // As an API server: an object of a kind with namespaces is in one, any other is in none.
    if (match.namespaced !== (namespace !== undefined)) continue;
    if (unread.has(match.plural)) continue;
    const object = await unlessForbidden(
      hub.get(match, { name, ...(namespace !== undefined && { namespace }) }),
      () => unread.add(match.plural),
    );
    if (object !== undefined) objects.set(key, withoutServerParts(object));
  }
  return [...objects.values()];
}

function identityOf({ apiVersion, kind, metadata }: KubernetesObject): Wanted[] {
  const group = groupOf(apiVersion);
  const { name, namespace } = metadata;
  if (name === undefined || pulledKinds.has(kindKey({ apiVersion, kind }))) return [];
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

/**
 * Returns the configurations of other kinds that an add-on references; those of OCM's kinds have all been read
 * already.
 */
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
