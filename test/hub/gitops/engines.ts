import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { stages } from '../../../src/compiler/emit/sync-order.ts';
import { trackingAnnotation } from '../apply/stored.ts';
import type { Hub } from '../client/hub.ts';
import type { Tree } from '../../../src/compiler/emit/emit.ts';
import { kustomizationFile } from '../../../src/compiler/emit/kustomization.ts';
import { parseObjects } from '../record/scenario.ts';

/** What applies an emitted tree to a hub, as far as order, ownership and pruning go. */
export interface GitOpsEngine {
  /** Applies one state of the tree, and prunes what the state before had. Returns when what is applied last is. */
  sync(tree: Tree): Promise<void>;
}

/** Waits until the hub has answered what was applied. */
export type Settle = () => Promise<void>;

const waveAnnotation = 'argocd.argoproj.io/sync-wave';

/**
 * Argo CD with server-side apply: wave by wave, with its note on every object. It prunes what has the note, is not in Git
 * and has no owner, as gitops-engine's GetManagedLiveObjs leaves out what has one.
 */
export class ArgoCd implements GitOpsEngine {
  readonly #hub: Hub;
  readonly #application: string;
  readonly #settle: Settle;
  #applied: readonly KubernetesObject[] = [];

  constructor(hub: Hub, application: string, settle: Settle) {
    this.#hub = hub;
    this.#application = application;
    this.#settle = settle;
  }

  async sync(tree: Tree): Promise<void> {
    const objects = objectsOf(tree);
    const waves = new Map<number, KubernetesObject[]>();
    for (const object of objects) {
      const wave = Number(object.metadata.annotations?.[waveAnnotation] ?? 0);
      waves.set(wave, [...(waves.get(wave) ?? []), object]);
    }
    for (const [, wave] of [...waves].sort(([a], [b]) => a - b)) {
      for (const object of wave) {
        const { metadata } = object;
        const annotations = { ...metadata.annotations, [trackingAnnotation]: this.#noteOn(object) };
        const noted = { ...object, metadata: { ...metadata, annotations } };
        await this.#hub.client.apply(noted, { fieldManager: 'argocd-controller' });
      }
      await this.#settle();
    }
    const known = new Set(objects.map(identify));
    const earlier = this.#applied;
    this.#applied = objects;
    for (const object of earlier) {
      if (known.has(identify(object))) continue;
      const live = await read(this.#hub, object);
      if (live?.metadata.annotations?.[trackingAnnotation] !== this.#noteOn(object)) continue;
      if ((live.metadata.ownerReferences ?? []).length > 0) continue;
      await this.#hub.client.delete(object);
    }
    await this.#settle();
  }

  #noteOn({ apiVersion, kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string {
    const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
    return `${this.#application}:${group}/${kind}:${namespace}/${name}`;
  }
}

/**
 * Flux with a Kustomization a stage, one after the other. Each prunes what it applied before and does not now, as
 * fluxcd/pkg/ssa's Delete: if it has the labels of the Kustomization still, and nothing says to leave it.
 */
export class Flux implements GitOpsEngine {
  readonly #hub: Hub;
  readonly #app: string;
  readonly #settle: Settle;
  readonly #inventories = new Map<string, readonly KubernetesObject[]>();

  constructor(hub: Hub, app: string, settle: Settle) {
    this.#hub = hub;
    this.#app = app;
    this.#settle = settle;
  }

  async sync(tree: Tree): Promise<void> {
    for (const stage of stages) {
      const objects = objectsOf(tree, stage);
      const labels = {
        'kustomize.toolkit.fluxcd.io/name': `${this.#app}-${stage}`,
        'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
      };
      for (const object of objects) {
        const { metadata } = object;
        const labelled = { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
        await this.#hub.client.apply(labelled, { fieldManager: 'kustomize-controller' });
      }
      const known = new Set(objects.map(identify));
      for (const object of this.#inventories.get(stage) ?? []) {
        if (!known.has(identify(object))) await this.#prune(object, labels);
      }
      this.#inventories.set(stage, objects);
      await this.#settle();
    }
  }

  async #prune(object: KubernetesObject, owner: Readonly<Record<string, string>>): Promise<void> {
    const { labels = {}, annotations = {} } = (await read(this.#hub, object))?.metadata ?? {};
    if (Object.entries(owner).some(([label, value]) => labels[label] !== value)) return;
    const pruneAnnotation = 'kustomize.toolkit.fluxcd.io/prune';
    if (labels[pruneAnnotation] === 'disabled' || annotations[pruneAnnotation] === 'disabled') return;
    await this.#hub.client.delete(object);
  }
}

/** The objects of a tree, or of one stage of it, in the order of the kustomizations. */
function objectsOf(tree: Tree, stage?: string): readonly KubernetesObject[] {
  const folder = stage === undefined ? '' : `${stage}/`;
  const text = tree.get(`${folder}${kustomizationFile}`);
  if (text === undefined) return [];
  const [kustomization] = parseObjects(text);
  const { resources } = kustomization as unknown as { readonly resources: readonly string[] };
  return resources.flatMap((file) => parseObjects(tree.get(`${folder}${file}`) ?? ''));
}

function identify({ kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string {
  return `${kind} ${namespace}/${name}`;
}

async function read(
  hub: Hub,
  { apiVersion, kind, metadata }: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  return hub.client.get(apiVersion, kind, metadata.name ?? '', metadata.namespace);
}
