import type { KubernetesObject } from '../../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../../../hub/client/api-client.ts';
import { namespaceKind, ocmKinds, type KindOf } from '../../../hub/client/kinds.ts';

/** What a hub has of some add-ons, and what of it is in use. */
export interface UsedObjects {
  /** The uid of each object of the kinds that are used. Objects that are about to be deleted are missing. */
  readonly live: ReadonlyMap<string, string>;
  /** The uid of each object in use. */
  readonly uids: ReadonlyMap<string, string>;
  /** The keys of configurations that a cluster uses and the hub does not have, or is about to delete. */
  readonly missing: readonly string[];
  /** The number of add-ons on clusters. */
  readonly installed: number;
  /** The number of these whose cluster does not use the configuration that it should: a rollout is under way. */
  readonly behind: number;
}

interface Reference {
  readonly name: string;
  readonly namespace?: string;
  readonly specHash?: string;
}

interface ManagedClusterAddOn extends KubernetesObject {
  readonly status?: {
    readonly configReferences?: readonly {
      readonly resource: string;
      readonly desiredConfig?: Reference;
      readonly lastAppliedConfig?: Reference;
      readonly lastKnownGoodConfig?: Reference;
    }[];
  };
}

interface ClusterManagementAddOn extends KubernetesObject {
  readonly spec: {
    readonly installStrategy?: { readonly placements?: readonly Required<Omit<Reference, 'specHash'>>[] };
  };
}

interface Binding extends KubernetesObject {
  readonly spec: { readonly clusterSet: string };
}

/** Reads what the clusters and the add-ons whose names begin with a prefix use. */
export async function usedObjects(client: ApiClient, prefix: string): Promise<UsedObjects> {
  const live = new Map<string, string>();
  const list = async ([apiVersion, kind]: KindOf): Promise<readonly KubernetesObject[]> => {
    const objects = await client.list(apiVersion, kind);
    for (const { metadata } of objects)
      if (metadata.deletionTimestamp === undefined) live.set(keyOf(kind, metadata), metadata.uid ?? '');
    return objects;
  };
  const ours = async (kind: KindOf): Promise<readonly KubernetesObject[]> =>
    (await list(kind)).filter(({ metadata: { name = '' } }) => name.startsWith(prefix));
  // The users first: what they use is then at least as new.
  const addOns = (await ours(ocmKinds.clusterManagementAddOn)) as readonly ClusterManagementAddOn[];
  const installed = (await ours(ocmKinds.managedClusterAddOn)) as readonly ManagedClusterAddOn[];
  const works = (await list(ocmKinds.manifestWork)).filter(({ metadata }) =>
    (metadata.labels?.['open-cluster-management.io/addon-name'] ?? '').startsWith(prefix),
  );
  const bindings = (await list(ocmKinds.managedClusterSetBinding)) as readonly Binding[];
  for (const kind of [
    ocmKinds.addOnDeploymentConfig,
    ocmKinds.addOnTemplate,
    ocmKinds.placement,
    ocmKinds.managedClusterSet,
    namespaceKind,
  ])
    await list(kind);

  const configs = installed.flatMap(configsOf);
  const placements = addOns.flatMap(({ spec }) => spec.installStrategy?.placements ?? []);
  const namespaces = new Set([...placements, ...configs].flatMap(({ namespace }) => namespace ?? []));
  const keys = new Set([
    ...configs.map(({ kind, ...metadata }) => keyOf(kind, metadata)),
    ...placements.map((placement) => keyOf('Placement', placement)),
    ...[...namespaces].map((name) => keyOf('Namespace', { name })),
    ...bindings
      .filter(({ metadata }) => namespaces.has(metadata.namespace ?? ''))
      .flatMap(({ metadata, spec }) => [
        keyOf('ManagedClusterSetBinding', metadata),
        keyOf('ManagedClusterSet', { name: spec.clusterSet }),
      ]),
    ...[...addOns, ...installed, ...works].map(({ kind, metadata }) => keyOf(kind, metadata)),
  ]);
  return {
    live,
    uids: new Map([...keys].flatMap((key) => (live.has(key) ? [[key, live.get(key) ?? '']] : []))),
    missing: [...keys].filter((key) => !live.has(key)),
    installed: installed.length,
    behind: installed.filter(isBehind).length,
  };
}

const configKinds: Readonly<Record<string, string>> = {
  addondeploymentconfigs: 'AddOnDeploymentConfig',
  addontemplates: 'AddOnTemplate',
};

/** The configurations of a cluster: the one that it should use, the one that it uses, and the one that it can go back to. */
function configsOf({ status }: ManagedClusterAddOn): readonly (Reference & { readonly kind: string })[] {
  return (status?.configReferences ?? []).flatMap(
    ({ resource, desiredConfig, lastAppliedConfig, lastKnownGoodConfig }) =>
      [desiredConfig, lastAppliedConfig, lastKnownGoodConfig].flatMap((config) =>
        config === undefined || config.name === ''
          ? []
          : [{ kind: configKinds[resource] ?? resource, ...config }],
      ),
  );
}

function isBehind({ status }: ManagedClusterAddOn): boolean {
  const references = status?.configReferences ?? [];
  if (references.length === 0) return true;
  return references.some(
    ({ desiredConfig, lastAppliedConfig }) =>
      desiredConfig?.name !== lastAppliedConfig?.name ||
      desiredConfig?.specHash !== lastAppliedConfig?.specHash,
  );
}

function keyOf(kind: string, { name = '', namespace = '' }: KubernetesObject['metadata']): string {
  return `${kind} ${namespace}/${name}`;
}
