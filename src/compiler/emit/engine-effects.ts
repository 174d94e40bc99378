import { compareUtf8 } from '../../base/json/go-json.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { waveAnnotation } from '../../ocm/annotations.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { TargetHub } from '../admit/conversion/for-hub.ts';
import { objectsOfApp } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import type { Engine } from './engine.ts';
import { fileName } from './file-name.ts';
import { usedObjects } from './protection.ts';
import { keptObjects } from './removed-objects.ts';
import { positionOf, syncWaveOf } from './sync-order.ts';

/** What a GitOps engine does with some objects of a change, where it differs from what the hub does once all files are applied. */
export interface EngineEffect {
  readonly app: string;
  /**
   * - `left`: the output no longer has the objects, and no engine deletes them.
   * - `kept`: the app no longer has the objects, and the output keeps them for clusters that use them.
   * - `kept revision`: the same for earlier revisions of immutable objects.
   * - `reset`: a removed override, of which an object without configurations stays.
   * - `protected`: an annotation of the object forbids pruning.
   * - `waiting`: the engine applies the objects once placements have decided.
   * - `in waves`: compiled delivery, whose sync lasts as long as the rollout.
   * - `after waves`: the engine applies the objects after waves of compiled delivery in the same app.
   * - `app removed`: the app is not in the output any more.
   */
  readonly kind: EngineEffectKind;
  /** A phrase without a full stop, for example `never deletes`. */
  readonly text: string;
  /** `Placement agents/all`, sorted. With `in waves`, the wave follows: `ManagedClusterAddOn c1/agent (wave 2)`. */
  readonly objects: readonly string[];
}

/** The kind of an `EngineEffect`, which describes each. */
export type EngineEffectKind =
  | 'left'
  | 'kept'
  | 'kept revision'
  | 'reset'
  | 'protected'
  | 'waiting'
  | 'in waves'
  | 'after waves'
  | 'app removed';

/** The effects of the engine that applies the output. */
export interface EngineEffects {
  readonly engine: Exclude<Engine, 'none'>;
  /** By app, in the order of the apps. */
  readonly effects: readonly EngineEffect[];
}

/** The names of the engines in texts. */
export const engineNames: Readonly<Record<EngineEffects['engine'], string>> = {
  argocd: 'Argo CD',
  flux: 'Flux',
};

/** An app in two states. */
export interface ChangedApp {
  readonly app: string;
  readonly base: Resolution;
  readonly head: Resolution;
  readonly isRemoved: boolean;
  /** Whether the later state has a promotion of the app: its waves are commits then, and the engine has none. @default false */
  readonly isPromoted?: boolean;
  /** The objects that this change adds or edits. */
  readonly changed: readonly Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>[];
  /** The names of the add-ons that change on any cluster, with these clusters. */
  readonly reached: ReadonlyMap<string, readonly string[]>;
  /** The objects that the output of the base keeps and that of the head does not: those beyond the history limit. */
  readonly dropped: readonly KubernetesObject[];
}

/** Returns what the engine does differently with a change. Undefined if nothing differs. */
export function engineEffects(
  apps: readonly ChangedApp[],
  target: TargetHub,
  engine: Engine,
): EngineEffects | undefined {
  if (engine === 'none') return undefined;
  const present = new Set(apps.flatMap(({ head }) => objectsOf(head).map(fileName)));
  const effects = apps.flatMap((app) => [...effectsOf(app, { present, target, engine })]);
  return effects.length === 0 ? undefined : { engine, effects };
}

interface Context {
  /** The file names of the objects of all apps. */
  readonly present: ReadonlySet<string>;
  readonly target: TargetHub;
  readonly engine: EngineEffects['engine'];
}

function* effectsOf(changed: ChangedApp, context: Context): Iterable<EngineEffect> {
  const { app, base, head, isRemoved, dropped } = changed;
  const { present, target, engine } = context;
  const effect = (kind: EngineEffectKind, text: string, objects: readonly string[]): EngineEffect[] =>
    objects.length === 0 ? [] : [{ app, kind, text, objects: [...objects].sort(compareUtf8) }];
  const removed = objectsOf(base).filter((object) => !present.has(fileName(object)));
  const isUsed = usedObjects(objectsOf(base));
  if (isRemoved) {
    const stays = (object: KubernetesObject): boolean => engine === 'flux' && isUsed(object);
    const deleted = removed.filter((object) => !stays(object));
    yield* effect('app removed', removedWords[engine], deleted.map(objectWords));
    yield* effect('left', leftWords, removed.filter(stays).map(objectWords));
    return;
  }
  // Objects that add-ons use have the protection of synth, which the output keeps or leaves on the hub.
  const isGuarded = (object: KubernetesObject): boolean => isProtected(object, engine) && !isUsed(object);
  const guarded = removed.filter(isGuarded);
  const unguarded = removed.filter((object) => !isGuarded(object));
  const keepsRevisions = revisionKeepers(objectsOf(head));
  const isRevision = (object: KubernetesObject): boolean => keepsRevisions.has(revisedObject(object) ?? '');
  const revisions = unguarded.filter(isRevision);
  const others = unguarded.filter((object) => !isRevision(object));
  const kept = keptObjects(others, objectsOf(head), head, target);
  const keptFiles = new Set(kept.map(fileName));
  const reset = kept.filter(({ kind }) => kind === 'ManagedClusterAddOn');
  const stillUsed = kept.filter(({ kind }) => kind !== 'ManagedClusterAddOn');
  const left = [
    ...others.filter(
      (object) => object.kind !== 'ManagedClusterAddOn' && isUsed(object) && !keptFiles.has(fileName(object)),
    ),
    ...dropped.filter((object) => !present.has(fileName(object))),
  ];
  yield* effect('left', leftWords, left.map(objectWords));
  yield* effect('kept', 'keeps, because clusters may still use them', stillUsed.map(objectWords));
  yield* effect('reset', 'removes the configuration, and leaves to the hub', reset.map(objectWords));
  yield* effect('kept revision', 'keeps as an earlier revision', revisions.map(objectWords));
  yield* effect(
    'protected',
    `never deletes, because ${protections[engine].words} protects it`,
    guarded.map(objectWords),
  );
  yield* waitingEffects(changed, effect);
  if (changed.isPromoted === true) return;
  yield* waveEffects(changed, engine, effect);
  if (engine === 'argocd') yield* afterWavesEffects(changed, effect);
}

type MakeEffect = (kind: EngineEffectKind, text: string, objects: readonly string[]) => EngineEffect[];

const removedWords: Readonly<Record<EngineEffects['engine'], string>> = {
  argocd:
    'deletes if an ApplicationSet made the Application, and otherwise keeps until you delete the Application with its finalizer',
  flux: 'deletes, the add-ons first; Kustomizations of the app alone must be deleted by hand',
};

/** No commit knows whether the hub still uses an object: `status` compares with the hub. */
const leftWords = 'leaves on the hub: delete them there once nothing uses them';

/** The annotation by which the engine does not delete an object. */
const protections: Readonly<
  Record<
    EngineEffects['engine'],
    { readonly annotation: string; readonly value: string; readonly words: string }
  >
> = {
  argocd: {
    annotation: 'argocd.argoproj.io/sync-options',
    value: 'Prune=false',
    words: 'the sync option Prune=false',
  },
  flux: {
    annotation: 'kustomize.toolkit.fluxcd.io/prune',
    value: 'disabled',
    words: 'the annotation kustomize.toolkit.fluxcd.io/prune',
  },
};

function isProtected({ metadata }: KubernetesObject, engine: EngineEffects['engine']): boolean {
  const { annotation, value } = protections[engine];
  const options = (metadata.annotations?.[annotation] ?? '').split(',');
  return options.some((option) => option.trim() === value);
}

/** Returns the objects, by `revisedObject`, of which the output keeps earlier revisions. */
function revisionKeepers(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  return new Set(objects.flatMap((object) => revisedObject(object) ?? []));
}

/** Returns a text that is equal for all revisions of an immutable object; undefined for other objects. */
function revisedObject({ kind, metadata }: KubernetesObject): string | undefined {
  const revisionOf = metadata.annotations?.[revisionOfAnnotation];
  return revisionOf === undefined ? undefined : JSON.stringify([kind, metadata.namespace ?? '', revisionOf]);
}

/** The add-ons and overrides of a change wait for its placements, which the hub decides in its own time. */
function waitingEffects({ changed }: ChangedApp, effect: MakeEffect): EngineEffect[] {
  const inStage = (...stages: readonly string[]): readonly string[] =>
    changed.filter((object) => stages.includes(positionOf(object).stage)).map(objectWords);
  const placements = changed.filter(({ kind }) => kind === 'Placement').map(objectWords);
  if (placements.length === 0) return [];
  const [first = ''] = [...placements].sort(compareUtf8);
  const all = placements.length === 1 ? first : `${first} and ${placements.length - 1} more`;
  const have = placements.length === 1 ? 'has' : 'have';
  return effect('waiting', `applies once ${all} ${have} decided`, inStage('add-ons', 'clusters'));
}

/** The objects of compiled delivery on the clusters that change. */
function waveEffects(
  { head, reached }: ChangedApp,
  engine: EngineEffects['engine'],
  effect: MakeEffect,
): EngineEffect[] {
  return [...reached].flatMap(([addOn, clusters]) => {
    const resolved = head.configuration.get(addOn);
    if (resolved?.delivery !== 'compiled') return [];
    const turns = head.rollouts.get(addOn)?.waveNumbers;
    const waves = clusters
      .filter((cluster) => resolved.clusters.has(cluster))
      .map((cluster) => ({ cluster, wave: turns?.get(cluster) ?? 1 }));
    const last = Math.max(1, ...waves.map(({ wave }) => wave));
    if (last === 1) return [];
    const text =
      engine === 'argocd'
        ? `applies wave by wave, and holds the sync and later commits of the app until wave ${last} is applied`
        : `applies wave by wave, wave-1 to wave-${last}, and holds a later commit up to the timeout of a wave`;
    const words = waves.map(({ cluster, wave }) => `ManagedClusterAddOn ${cluster}/${addOn} (wave ${wave})`);
    return effect('in waves', text, words);
  });
}

/**
 * Objects whose health depends on managed clusters, beside compiled delivery in the same app. They have the last sync wave, so
 * they wait for the clusters of all earlier waves, even if these do not change. The stages of Flux do not wait for waves.
 */
function afterWavesEffects({ head, changed }: ChangedApp, effect: MakeEffect): EngineEffect[] {
  const last = compiledWaves(head);
  if (last < 2) return [];
  const files = new Set(changed.map(fileName));
  const waiting = objectsOf(head).filter(
    (object) =>
      files.has(fileName(object)) &&
      object.metadata.annotations?.[waveAnnotation] === undefined &&
      syncWaveOf(object, last) === last,
  );
  const text = `applies once wave ${last - 1} of compiled delivery is healthy`;
  return effect('after waves', text, waiting.map(objectWords));
}

/** Returns the number of waves of compiled delivery. 0 if the app has no compiled add-on on any cluster. */
function compiledWaves({ configuration, rollouts }: Resolution): number {
  let last = 0;
  for (const { name, delivery, clusters } of configuration.values()) {
    if (delivery !== 'compiled') continue;
    const turns = rollouts.get(name)?.waveNumbers;
    for (const cluster of clusters.keys()) last = Math.max(last, turns?.get(cluster) ?? 1);
  }
  return last;
}

function objectsOf({ inventory }: Resolution): readonly KubernetesObject[] {
  return objectsOfApp(inventory).map(({ object }) => object);
}

function objectWords({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  const { namespace, name = '' } = metadata;
  return namespace === undefined || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
