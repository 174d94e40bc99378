import { goJson } from '../../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import {
  objectEffectKey,
  type AddOnEffects,
  type ClusterEffect,
  type ObjectEffect,
  type PlacementEffect,
  type PlanEffects,
  type PromotionEffect,
  type WaveEffect,
} from './plan-effects.ts';

/**
 * A difference between approved effects and those of now. `new`: nobody approved it. `gone`: it was approved, and the change no longer has
 * it. `other`: both have one, and they differ.
 */
export type EffectDifference =
  | ClusterDifference
  | PartDifference<'waves', AddOnEffects>
  | PartDifference<'access', AddOnEffects>
  | PartDifference<'placement', PlacementEffect>
  | PartDifference<'object', ObjectEffect>
  | PartDifference<'promotion', PromotionEffect>
  | PartDifference<'guardrail', string>;

/** Clusters on which an add-on has another effect. */
export interface ClusterDifference {
  readonly part: 'clusters';
  readonly state: 'new' | 'gone' | 'other';
  readonly addOn: AddOnEffects;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  readonly approved?: ClusterEffect;
  readonly now?: ClusterEffect;
}

/** Something else that differs. */
export interface PartDifference<P extends string, T> {
  readonly part: P;
  readonly state: 'new' | 'gone' | 'other';
  readonly approved?: T;
  readonly now?: T;
}

/** Returns the differences, in the order of the parts. Empty if the effects are equal. */
export function compareEffects(approved: PlanEffects, now: PlanEffects): EffectDifference[] {
  const nameOfAddOn = ({ hub = '', app, kind = '', addOn }: AddOnEffects): string =>
    [hub, app, kind, addOn].join('\n');
  const differences: EffectDifference[] = [];
  for (const [before, after] of pairs(approved.addOns, now.addOns, nameOfAddOn)) {
    differences.push(...clusterDifferences(before, after));
    const waves = waveDifference(before, after);
    if (waves !== undefined) differences.push(waves);
    const access = partDifference('access', before, after, accessOf);
    if (access !== undefined) differences.push(access);
  }
  const all = <P extends 'placement' | 'object' | 'promotion', T>(
    part: P,
    [before, after]: readonly [readonly T[], readonly T[]],
    keyOf: (effect: T) => string,
  ): PartDifference<P, T>[] =>
    pairs(before, after, keyOf).flatMap(
      ([from, to]) => partDifference(part, from, to, (effect) => effect) ?? [],
    );
  const owner = ({ hub = '', app }: { readonly hub?: string; readonly app: string }): string =>
    `${hub}\n${app}\n`;
  const placementKey = (effect: PlacementEffect): string => owner(effect) + effect.placement;
  const objectKey = (effect: ObjectEffect): string => owner(effect) + objectEffectKey(effect);
  return [
    ...differences,
    ...all('placement', [approved.placements, now.placements], placementKey),
    ...all('object', [approved.objects, now.objects], objectKey),
    ...all('promotion', [approved.promotions, now.promotions], owner),
    ...pairs(approved.exceeded, now.exceeded, goJson).flatMap(
      ([from, to]): PartDifference<'guardrail', string>[] => {
        if (from === undefined && to !== undefined)
          return [{ part: 'guardrail', state: 'new', now: to.guardrail }];
        return to === undefined && from !== undefined
          ? [{ part: 'guardrail', state: 'gone', approved: from.guardrail }]
          : [];
      },
    ),
  ];
}

/** Pairs the effects with equal keys: first those of now, in their order, then those that are gone. */
function pairs<T>(
  approved: readonly T[],
  now: readonly T[],
  keyOf: (effect: T) => string,
): (readonly [T | undefined, T | undefined])[] {
  const before = new Map(approved.map((effect) => [keyOf(effect), effect]));
  const after = new Map(now.map((effect) => [keyOf(effect), effect]));
  return [
    ...Array.from(after, ([key, effect]) => [before.get(key), effect] as const),
    ...Array.from(before).flatMap(([key, effect]) => (after.has(key) ? [] : [[effect, undefined] as const])),
  ];
}

function partDifference<P extends string, T>(
  part: P,
  approved: T | undefined,
  now: T | undefined,
  contentOf: (effect: T) => unknown,
): PartDifference<P, T> | undefined {
  const [from, to] = [approved, now].map((effect) => goJson((effect && contentOf(effect)) ?? null));
  if (from === to) return undefined;
  const state = approved === undefined ? 'new' : now === undefined ? 'gone' : 'other';
  return { part, state, ...(approved && { approved }), ...(now && { now }) };
}

/** What agents may do on the hub. Undefined if it does not change. */
function accessOf({ permissions, registrations }: AddOnEffects): unknown {
  return permissions.length + registrations.length === 0 ? undefined : { permissions, registrations };
}

function byCluster(addOn: AddOnEffects | undefined): ReadonlyMap<string, ClusterEffect> {
  return new Map(addOn?.clusters.flatMap((effect) => effect.clusters.map((cluster) => [cluster, effect])));
}

type Clusters = ClusterDifference & { readonly clusters: string[] };

function clusterDifferences(
  approved: AddOnEffects | undefined,
  now: AddOnEffects | undefined,
): ClusterDifference[] {
  const addOn = now ?? approved;
  if (addOn === undefined) return [];
  const [before, after] = [byCluster(approved), byCluster(now)];
  const differences = new Map<string, Clusters>();
  for (const cluster of [...new Set([...after.keys(), ...before.keys()])].sort()) {
    const [from, to] = [before.get(cluster), after.get(cluster)];
    const [fromText, toText] = [textOf(from), textOf(to)];
    if (fromText === toText) continue;
    const difference = getOrInsertComputed(differences, `${fromText}\n${toText}`, (): Clusters => ({
      part: 'clusters',
      state: from === undefined ? 'new' : to === undefined ? 'gone' : 'other',
      addOn,
      clusters: [],
      ...(from && { approved: from }),
      ...(to && { now: to }),
    }));
    difference.clusters.push(cluster);
  }
  return [...differences.values()];
}

function textOf(effect: ClusterEffect | undefined): string {
  if (effect === undefined) return '';
  const { clusters: _clusters, ...content } = effect;
  return goJson(content);
}

/** Other waves of the clusters that both have. Those of the others are reported as clusters. */
function waveDifference(
  approved: AddOnEffects | undefined,
  now: AddOnEffects | undefined,
): PartDifference<'waves', AddOnEffects> | undefined {
  if (approved === undefined || now === undefined) return undefined;
  const [inApproved, inNow] = [byCluster(approved), byCluster(now)];
  const isInBoth = (cluster: string): boolean => inApproved.has(cluster) && inNow.has(cluster);
  const isSame = inApproved.size === inNow.size && [...inNow.keys()].every(isInBoth);
  const of = ({ waves, left, early = [], stalled }: AddOnEffects): string =>
    isSame
      ? goJson([waves, left, early, stalled ?? false])
      : goJson([
          sharedWaves(waves, isInBoth),
          left.filter(isInBoth),
          early.filter(({ cluster }) => isInBoth(cluster)),
          stalled ?? false,
        ]);
  return of(approved) === of(now) ? undefined : { part: 'waves', state: 'other', approved, now };
}

function sharedWaves(
  waves: readonly WaveEffect[],
  isInBoth: (cluster: string) => boolean,
): readonly unknown[] {
  return waves.flatMap(({ clusters, ...times }) => {
    const shared = clusters.filter(isInBoth);
    return shared.length === 0 ? [] : [{ ...times, clusters: shared }];
  });
}
