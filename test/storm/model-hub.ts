import path from 'node:path';
import { appliedObjects, keyOf, type AppliedObject, type Repository } from './history.ts';
import { clusters, type StormHub } from './storm-hub.ts';

/**
 * A hub with clusters, and an engine that applies commits to it. The engine prunes what Git no longer has before it applies anything,
 * which is the worst order, and deletes neither what the live object protects nor what has an owner. A cluster uses the configuration
 * of its add-on until a rollout reaches it.
 */
export class ModelHub implements StormHub {
  readonly engine: 'argocd' | 'flux';
  readonly prefix = '';
  readonly #live = new Map<string, AppliedObject>();
  /** The keys of the configurations that an add-on uses on a cluster. */
  readonly #used = new Map<string, readonly string[]>();

  constructor(engine: 'argocd' | 'flux') {
    this.engine = engine;
  }

  sync(repository: Repository): Promise<readonly string[]> {
    const wanted = new Map(
      appliedObjects(path.join(repository.folder, 'dist')).map((object) => [keyOf(object), object]),
    );
    const wrong: string[] = [];
    const inUse = this.#inUse();
    for (const [key, object] of this.#live) {
      if (wanted.has(key) || this.#isProtected(object)) continue;
      if (inUse.has(key)) wrong.push(`${key} was deleted although the hub uses it`);
      this.#live.delete(key);
    }
    for (const [key, object] of wanted) this.#live.set(key, object);
    for (const object of this.#addOns())
      for (const cluster of clusters) {
        const name = `${cluster}/${object.metadata.name}`;
        if (!this.#used.has(name)) this.#used.set(name, this.#configsOf(object, cluster));
      }
    const names = new Set([...this.#addOns()].map(({ metadata }) => metadata.name));
    for (const name of this.#used.keys()) if (!names.has(name.split('/')[1] ?? '')) this.#used.delete(name);
    const missing = [...this.#used.values()].flat().filter((key) => !this.#live.has(key));
    return Promise.resolve([
      ...wrong,
      ...new Set(missing.map((key) => `${key} is missing although a cluster uses it`)),
    ]);
  }

  advance(cluster: string): Promise<void> {
    for (const addOn of this.#addOns())
      this.#used.set(`${cluster}/${addOn.metadata.name}`, this.#configsOf(addOn, cluster));
    return Promise.resolve();
  }

  /** The keys of the objects that the clusters and the add-ons use, with what these are in. */
  #inUse(): ReadonlySet<string> {
    const keys = new Set([...this.#used.values()].flat());
    for (const addOn of this.#addOns()) for (const key of placementsOf(addOn)) keys.add(key);
    for (const key of new Set(keys)) {
      const [kind = '', name = ''] = key.split(' ');
      const [namespace = ''] = name.split('/');
      if (namespace !== '') keys.add(`Namespace /${namespace}`);
      if (kind === 'Placement') keys.add(`ManagedClusterSetBinding ${namespace}/global`);
    }
    for (const cluster of clusters)
      for (const addOn of this.#addOns()) keys.add(`ManagedClusterAddOn ${cluster}/${addOn.metadata.name}`);
    return keys;
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
    if (this.engine === 'flux') return annotations['kustomize.toolkit.fluxcd.io/prune'] === 'disabled';
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
