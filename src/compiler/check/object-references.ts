import { groupOf } from '../../base/names/resource-name.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { ObjectIdentity } from '../model/elsewhere.ts';
import { identityOfKey, type Inventory } from '../model/inventory.ts';
import { installPlacements } from '../../ocm/install-strategy.ts';
import { placementFollowers } from '../api/placement-followers.ts';
import { type Referent } from '../../ocm/referent.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { permissionsOf } from '../../ocm/hub-permissions.ts';
import { writtenWorks, type WorkSpec } from './cluster/deliveries.ts';
import { executorOf } from './cluster/executors.ts';
import { isManifestSource } from '../model/source-kinds.ts';
import { podDependencies, podReferences } from '../../ocm/clusters/pod-references.ts';

/** A reference that names the plural of a kind, as configurations do. */
export type NamedObject = ObjectIdentity | (Omit<Referent, 'namespace'> & { readonly namespace?: string });

/** Returns the objects that the objects of an inventory refer to, including missing objects. */
export function* objectReferences(inventory: Inventory): Iterable<NamedObject> {
  for (const { object } of inventory.clusterManagementAddOns.values()) {
    for (const { namespace, name } of installPlacements(object))
      yield { group: clusterGroup, kind: 'Placement', namespace, name };
    yield* configurations(object.spec.defaultConfigs);
    for (const { configs } of installPlacements(object)) yield* configurations(configs);
  }
  for (const { object } of inventory.managedClusterAddOns.values()) {
    yield { group: addOnGroup, kind: 'ClusterManagementAddOn', name: object.metadata.name ?? '' };
    yield* configurations(object.spec.configs);
  }
  for (const { object } of inventory.managedClusterSetBindings.values())
    yield { group: clusterGroup, kind: 'ManagedClusterSet', name: object.metadata.name ?? '' };
  for (const { object } of inventory.placements.values()) {
    const { namespace = '' } = object.metadata;
    for (const name of object.spec.clusterSets ?? []) {
      yield { group: clusterGroup, kind: 'ManagedClusterSet', name };
      yield { group: clusterGroup, kind: 'ManagedClusterSetBinding', namespace, name };
    }
    // Without cluster sets, all bindings of the namespace count.
    if ((object.spec.clusterSets ?? []).length === 0)
      yield { group: clusterGroup, kind: 'ManagedClusterSetBinding', namespace };
  }
  for (const { object } of inventory.addOnTemplates.values()) {
    for (const { namespace, roleRef } of permissionsOf(object, '').permissions) {
      const { apiGroup: group, kind, name } = roleRef;
      yield kind === 'Role' ? { group, kind, namespace, name } : { group, kind, name };
    }
  }
  yield* clusterObjects(inventory);
  for (const { references } of placementFollowers(inventory))
    for (const { kind, key, holder } of references) {
      const group = kind === 'Placement' ? clusterGroup : groupOf(holder.object.apiVersion);
      yield { group, kind, ...identityOfKey(key) };
    }
}

/** Returns the objects of clusters that manifests need: their namespaces, what their pods need, and the executors of works. */
function* clusterObjects(inventory: Inventory): Iterable<NamedObject> {
  const configured = [...inventory.addOnDeploymentConfigs.values()].flatMap(
    ({ object }) => object.spec?.agentInstallNamespace ?? [],
  );
  const templates = [...inventory.addOnTemplates.values()].map(
    ({ object }) => object.spec.agentSpec as WorkSpec,
  );
  const works = [...writtenWorks(inventory)].map(({ spec }) => spec);
  for (const { workload, executor } of [...templates, ...works]) {
    for (const manifest of workload?.manifests ?? []) {
      yield* namespaces(manifest);
      yield* dependencies(manifest, configured);
    }
    const account = executorOf({ options: { executor } });
    if (account !== undefined) yield { group: '', kind: 'ServiceAccount', ...account };
  }
  for (const name of configured) yield { group: '', kind: 'Namespace', name };
}

/** Returns the objects that the pods of a manifest need, in its namespace and in those into which configurations move it. */
function* dependencies(manifest: unknown, configured: readonly string[]): Iterable<NamedObject> {
  if (!isJsonMap(manifest)) return;
  const { apiVersion, kind: ofManifest, metadata } = manifest;
  // the objects that a source renders are not known here
  const references = isManifestSource(manifest)
    ? podDependencies.map((kind) => ({ kind, name: undefined }))
    : podReferences(`${groupOf(String(apiVersion))}/${String(ofManifest)}`, manifest);
  const own = isJsonMap(metadata) ? metadata['namespace'] : undefined;
  const group = '';
  for (const { kind, name } of references) {
    if (name === undefined || name.includes('{{') || typeof own !== 'string' || own.includes('{{'))
      yield { group, kind };
    else for (const namespace of [own, ...configured]) yield { group, kind, namespace, name };
  }
}

function* namespaces(manifest: unknown): Iterable<NamedObject> {
  const metadata = isJsonMap(manifest) ? manifest['metadata'] : undefined;
  const name = isJsonMap(metadata) ? metadata['namespace'] : undefined;
  if (typeof name !== 'string' || name === '') return;
  // with a variable of a template, it can be any namespace
  yield { group: '', kind: 'Namespace', ...(!name.includes('{{') && { name }) };
}

interface ConfigReference {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

function* configurations(configs: readonly ConfigReference[] = []): Iterable<NamedObject> {
  for (const { group = '', resource, namespace, name } of configs)
    if (name !== undefined && name !== '')
      yield { group, resource, name, ...(namespace === undefined ? {} : { namespace }) };
}
