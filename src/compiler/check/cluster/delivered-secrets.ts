import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { containerLists, podSpecOf } from '../../../ocm/clusters/secret-references.ts';
import { objectKey } from '../../model/inventory.ts';
import { agentCredentials } from './agent-credentials.ts';
import type { DeliveredManifest, Delivery } from './deliveries.ts';

/** The Secret that OCM's operator copies into namespaces with this label. As AddonPullImageSecretController. */
export const copiedPullSecret = {
  name: 'open-cluster-management-image-pull-credentials',
  label: 'addon.open-cluster-management.io/namespace',
} as const;

/** The Secrets that manifests, registrations and programs among the manifests create on clusters. */
export class DeliveredSecrets {
  readonly #deliveries: readonly Delivery[];
  readonly #hub: HubVersion;
  /** The clusters that get an object, by `Namespace name` or `Secret namespace/name`. */
  #created: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The clusters with an object that can create a Secret of the name. */
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(deliveries: readonly Delivery[], hub: HubVersion) {
    this.#deliveries = deliveries;
    this.#hub = hub;
  }

  /**
   * Returns the clusters of a delivery that lack a Secret in a namespace of manifests. What exists in other namespaces is not known, and an
   * object that names the Secret is assumed to create it.
   */
  lackingOn({ clusters }: Delivery, namespace: string, name: string): readonly string[] {
    const created = (this.#created ??= this.#createdObjects());
    const [home, there] = [
      created.get(`Namespace ${namespace}`),
      created.get(`Secret ${objectKey(namespace, name)}`),
    ];
    const without = clusters.filter((cluster) => home?.has(cluster) === true && there?.has(cluster) !== true);
    if (without.length === 0) return without;
    const named = getOrInsertComputed(this.#named, name, () => this.#clustersNaming(name));
    return without.filter((cluster) => !named.has(cluster));
  }

  /** Whether manifests for a cluster create the Secret. */
  has(cluster: string, namespace: string, name: string): boolean {
    const created = (this.#created ??= this.#createdObjects());
    return created.get(`Secret ${objectKey(namespace, name)}`)?.has(cluster) === true;
  }

  #createdObjects(): Map<string, Set<string>> {
    const created = new Map<string, Set<string>>();
    const add = (key: string, clusters: readonly string[]): void => {
      const on = getOrInsertComputed(created, key, () => new Set<string>());
      for (const cluster of clusters) on.add(cluster);
    };
    for (const delivery of this.#deliveries) {
      for (const key of createdBy(delivery)) add(key, delivery.clusters);
      const credentials = agentCredentials(delivery, this.#hub);
      if (credentials?.isHere === true)
        for (const name of credentials.names)
          add(`Secret ${objectKey(credentials.namespace, name)}`, delivery.clusters);
    }
    return created;
  }

  /** The classes of one template name the same Secrets, so the first one represents the others. */
  #clustersNaming(name: string): ReadonlySet<string> {
    const byHolder = new Map<object, boolean>();
    const clusters = new Set<string>();
    for (const { holder, objects, clusters: on } of this.#deliveries) {
      const names = getOrInsertComputed(byHolder, holder, () =>
        objects.some((manifest) => canCreate(manifest, name)),
      );
      if (names) for (const cluster of on) clusters.add(cluster);
    }
    return clusters;
  }
}

/** Returns the Secrets and Namespaces of manifests, and the Secrets that OCM's operator copies into labeled namespaces. */
function* createdBy({ objects, options }: Delivery): Iterable<string> {
  for (const { kindKey, object, resource } of objects) {
    const { namespace, name } = resource;
    if (kindKey !== '/Secret' && kindKey !== '/Namespace') continue;
    if (updateStrategyOf(options, resource) === 'ReadOnly') continue;
    if (kindKey === '/Secret') {
      yield `Secret ${objectKey(namespace, name)}`;
      continue;
    }
    yield `Namespace ${name}`;
    const { labels } = object['metadata'] as JsonMap;
    if (isJsonMap(labels) && labels[copiedPullSecret.label] === 'true')
      yield `Secret ${objectKey(name, copiedPullSecret.name)}`;
  }
}

/**
 * Whether an object names a Secret where its creator would: in any field of a custom resource, such as a Certificate or an ExternalSecret,
 * and in annotations, arguments and variables of containers, and the names of a role.
 */
function canCreate({ kindKey, kind, object }: DeliveredManifest, name: string): boolean {
  const isBuiltIn = kubernetesKinds().byVersion.get(String(object['apiVersion']))?.has(kind) === true;
  if (!isBuiltIn) return textsOf(object).some((text) => hasWord(text, name));
  const { annotations } = object['metadata'] as JsonMap;
  const { rules } = object;
  const pod = podSpecOf(kindKey, object);
  const containers = pod === undefined ? [] : containerLists.flatMap((list) => mapsOf(pod.spec[list]));
  const parts = [
    annotations,
    ...mapsOf(rules).map((rule) => rule['resourceNames']),
    ...containers.flatMap(({ command, args, env }) => [command, args, mapsOf(env).map(({ value }) => value)]),
  ];
  return parts.flatMap(textsOf).some((text) => hasWord(text, name));
}

function mapsOf(value: unknown): readonly JsonMap[] {
  return Array.isArray(value) ? value.filter(isJsonMap) : [];
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonMap(value) ? Object.values(value).flatMap(textsOf) : [];
}

function hasWord(text: string, name: string): boolean {
  return text.includes(name) && text.split(/[^A-Za-z0-9.-]+/).includes(name);
}
