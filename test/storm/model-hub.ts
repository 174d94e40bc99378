import { keyOf, type AppliedObject } from './history.ts';

/**
 * A hub with clusters, and an engine that applies commits to it. The engine prunes what Git no longer has before it applies anything,
 * which is the worst order, and deletes neither what the live object protects nor what has an owner. A cluster uses the configuration
 * of its add-on until a rollout reaches it: `advance` moves one cluster.
 */
export class ModelHub {
  readonly #live = new Map<string, AppliedObject>();
  /** The keys of the configurations that an add-on uses on a cluster. */
  readonly #used = new Map<string, readonly string[]>();
  readonly #clusters: readonly string[];
  readonly #engine: 'argocd' | 'flux';

  constructor(clusters: readonly string[], engine: 'argocd' | 'flux') {
    this.#clusters = clusters;
    this.#engine = engine;
  }

  /** Applies a commit. @returns what the engine deleted although something on the hub used it */
  sync(objects: readonly AppliedObject[]): readonly string[] {
    const wanted = new Map(objects.map((object) => [keyOf(object), object]));
    const wrong: string[] = [];
    const inUse = this.inUse();
    for (const [key, object] of this.#live) {
      if (wanted.has(key) || this.#isProtected(object)) continue;
      if (inUse.has(key)) wrong.push(key);
      this.#live.delete(key);
    }
    for (const [key, object] of wanted) this.#live.set(key, object);
    for (const object of this.#addOns())
      for (const cluster of this.#clusters) {
        const name = `${cluster}/${object.metadata.name}`;
        if (!this.#used.has(name)) this.#used.set(name, this.#configsOf(object, cluster));
      }
    const names = new Set([...this.#addOns()].map(({ metadata }) => metadata.name));
    for (const name of this.#used.keys()) if (!names.has(name.split('/')[1] ?? '')) this.#used.delete(name);
    return wrong;
  }

  /** Lets one cluster take the configuration that its add-ons have now. */
  advance(index: number): void {
    const cluster = this.#clusters[index % this.#clusters.length] ?? '';
    for (const addOn of this.#addOns())
      this.#used.set(`${cluster}/${addOn.metadata.name}`, this.#configsOf(addOn, cluster));
  }

  /** The keys of the objects that the clusters and the add-ons use, with what these are in. */
  inUse(): ReadonlySet<string> {
    const keys = new Set([...this.#used.values()].flat());
    for (const addOn of this.#addOns()) for (const key of placementsOf(addOn)) keys.add(key);
    for (const key of new Set(keys)) {
      const [kind = '', name = ''] = key.split(' ');
      const [namespace = ''] = name.split('/');
      if (namespace !== '') keys.add(`Namespace /${namespace}`);
      if (kind === 'Placement') keys.add(`ManagedClusterSetBinding ${namespace}/global`);
    }
    for (const cluster of this.#clusters)
      for (const addOn of this.#addOns()) keys.add(`ManagedClusterAddOn ${cluster}/${addOn.metadata.name}`);
    return keys;
  }

  /** What the clusters use and the hub does not have. */
  missing(): readonly string[] {
    return [...new Set([...this.#used.values()].flat())].filter((key) => !this.#live.has(key));
  }

  *#addOns(): Iterable<AppliedObject> {
    for (const object of this.#live.values()) if (object.kind === 'ClusterManagementAddOn') yield object;
  }

  #configsOf(addOn: AppliedObject, cluster: string): readonly string[] {
    const own = this.#live.get(`ManagedClusterAddOn ${cluster}/${addOn.metadata.name}`);
    return [...configsIn(addOn.spec), ...configsIn(own?.spec)].filter((key) => this.#live.has(key));
  }

  #isProtected({ kind, metadata }: AppliedObject): boolean {
    const { annotations = {} } = metadata;
    if (this.#engine === 'flux') return annotations['kustomize.toolkit.fluxcd.io/prune'] === 'disabled';
    if (kind === 'ManagedClusterAddOn') return true;
    return annotations['argocd.argoproj.io/sync-options']?.split(',').includes('Prune=false') === true;
  }
}

const kinds: Readonly<Record<string, string>> = {
  addondeploymentconfigs: 'AddOnDeploymentConfig',
  addontemplates: 'AddOnTemplate',
};

function configsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(configsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { resource, name, namespace = '', defaultConfig } = value as Record<string, unknown>;
  if (typeof resource === 'string' && kinds[resource] !== undefined) {
    const reference = (defaultConfig ?? { name, namespace }) as Record<string, string>;
    if (reference['name'] !== undefined)
      return [`${kinds[resource]} ${reference['namespace'] ?? ''}/${reference['name']}`];
  }
  return Object.values(value).flatMap(configsIn);
}

function placementsOf({ spec }: AppliedObject): readonly string[] {
  const strategy = spec?.['installStrategy'] as
    { readonly placements?: readonly { readonly name: string; readonly namespace: string }[] } | undefined;
  return (strategy?.placements ?? []).map(({ name, namespace }) => `Placement ${namespace}/${name}`);
}
