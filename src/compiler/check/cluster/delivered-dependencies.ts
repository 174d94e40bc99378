import { addToGroup } from '../../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import {
  containerLists,
  podDependencies,
  podSpecOf,
  type PodDependency,
} from '../../../ocm/clusters/pod-references.ts';
import { objectKey } from '../../model/inventory.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { isSecret } from '../../render/sources/cluster-secrets.ts';
import { sampleOf } from '../templates/rendered-sample.ts';
import { agentCredentials } from './agent-credentials.ts';
import { createdNamespaces } from './created-objects.ts';
import type { DeliveredManifest, Delivery } from './deliveries.ts';

/** The Secret that OCM's operator copies into namespaces with this label. As AddonPullImageSecretController. */
export const copiedPullSecret = {
  name: 'open-cluster-management-image-pull-credentials',
  label: 'addon.open-cluster-management.io/namespace',
} as const;

/** The objects that the control plane of every cluster writes into each namespace. */
const everywhere: ReadonlySet<string> = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);

/** The objects for pods that manifests, registrations and programs among the manifests create on clusters. */
export class DeliveredDependencies {
  readonly #deliveries: readonly Delivery[];
  readonly #hub: HubVersion;
  /** The deliveries that create an object, by `Namespace name` or `Kind namespace/name`. */
  #creating: ReadonlyMap<string, readonly Delivery[]> | undefined;
  /** The clusters that get an object, by the same keys. */
  readonly #created = new Map<string, ReadonlySet<string>>();
  /** The clusters with an object that can create one of the name. */
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(deliveries: readonly Delivery[], hub: HubVersion) {
    this.#deliveries = deliveries;
    this.#hub = hub;
  }

  /**
   * Returns the clusters of a delivery that lack an object in a namespace of manifests. What exists in other namespaces is not known, and an
   * object that names the missing one is assumed to create it.
   */
  lackingOn(delivery: Delivery, kind: PodDependency, namespace: string, name: string): readonly string[] {
    const key = `${kind} ${objectKey(namespace, name)}`;
    // the distribution of a cluster writes those of `openshift` into each namespace
    if (everywhere.has(`${kind} ${name}`) || name.startsWith('openshift-')) return [];
    if (createdBy(delivery).includes(key)) return [];
    const [home, there] = [this.#clustersWith(`Namespace ${namespace}`), this.#clustersWith(key)];
    const without = delivery.clusters.filter((cluster) => home.has(cluster) && !there.has(cluster));
    if (without.length === 0) return without;
    const named = getOrInsertComputed(this.#named, name, () => this.#clustersNaming(name));
    return without.filter((cluster) => !named.has(cluster));
  }

  /** Whether manifests for a cluster create the Secret. */
  hasSecret(cluster: string, namespace: string, name: string): boolean {
    return this.#clustersWith(`Secret ${objectKey(namespace, name)}`).has(cluster);
  }

  #clustersWith(key: string): ReadonlySet<string> {
    const creating = (this.#creating ??= this.#creatingDeliveries());
    return getOrInsertComputed(
      this.#created,
      key,
      () => new Set(creating.get(key)?.flatMap(({ clusters }) => clusters)),
    );
  }

  #creatingDeliveries(): ReadonlyMap<string, readonly Delivery[]> {
    const creating = new Map<string, Delivery[]>();
    for (const delivery of this.#deliveries) {
      for (const name of createdNamespaces(delivery)) addToGroup(creating, `Namespace ${name}`, delivery);
      for (const key of createdBy(delivery)) addToGroup(creating, key, delivery);
      const credentials = agentCredentials(delivery, this.#hub);
      if (credentials?.isHere !== true) continue;
      for (const name of credentials.names)
        addToGroup(creating, `Secret ${objectKey(credentials.namespace, name)}`, delivery);
    }
    return creating;
  }

  /** The classes of one template name the same objects, so the first one represents the others. */
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

const dependencyKinds: ReadonlySet<string> = new Set(podDependencies.map((kind) => `/${kind}`));

/**
 * Returns what pods need of the manifests, the Secrets of charts that the user creates, and those that OCM's operator copies into labeled
 * namespaces.
 */
const createdBy = oncePer(function* ({ objects, options, group }: Delivery): Iterable<string> {
  for (const secret of group === undefined ? [] : undeliveredBy(group))
    yield `Secret ${objectKey(namespaceOf(secret), nameOf(secret))}`;
  for (const { kindKey, kind, object, resource } of objects) {
    const isDependency = dependencyKinds.has(kindKey);
    if (!isDependency && kindKey !== '/Namespace') continue;
    if (updateStrategyOf(options, resource) === 'ReadOnly') continue;
    const { namespace, name } = resource;
    if (isDependency) {
      yield `${kind} ${objectKey(namespace, name)}`;
      continue;
    }
    const { labels } = object['metadata'] as JsonMap;
    if (isJsonMap(labels) && labels[copiedPullSecret.label] === 'true')
      yield `Secret ${objectKey(name, copiedPullSecret.name)}`;
  }
});

function undeliveredBy(group: RenderGroup): readonly GoJsonObject[] {
  const sample = sampleOf(group);
  return 'error' in sample ? [] : (sample.undelivered ?? []).filter(isSecret);
}

/**
 * Whether an object has a name where the creator of another object has it: in any field of a custom resource, such as a Certificate or an
 * ExternalSecret, and in annotations, arguments and variables of containers, and the names of a role.
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
