import { compareUtf8 } from '../../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { AddOnPlan } from '../../compare/add-on-plan.ts';
import type { ChangeGroup, Side } from '../../compare/change.ts';
import { withoutLocations } from '../../compare/without-locations.ts';
import type { PlacementChange } from '../../compare/placements/placements.ts';
import type { Pair } from '../../compare/resolution-pair.ts';
import type { PlannedStop } from '../../compare/placements/waves.ts';
import type { PromotedChange } from '../promoted-change.ts';
import { ContentDigests, type ContentOfCluster } from './content-digests.ts';
import {
  contentHash,
  type AddOnEffects,
  type ClusterEffect,
  type PlacementEffect,
  type PromotionEffect,
} from './plan-effects.ts';

/** Reduces the changes of one app to their effects. */
export class EffectsOfPair {
  readonly #digests: Readonly<Record<Side, ContentDigests>>;

  constructor(pair: Pair) {
    this.#digests = { base: new ContentDigests(pair, 'base'), head: new ContentDigests(pair, 'head') };
  }

  /** Returns undefined if the change has no effect, such as an edited strategy whose object is in the plan. */
  of(change: AddOnPlan): AddOnEffects | undefined {
    const { app, kind, addOn, groups, permissions, registrations, rollout, stalled } = change;
    const { waves, stops } = rollout;
    const isEmpty = [groups, permissions, registrations, waves, stops].every(({ length }) => length === 0);
    if (isEmpty && stalled === undefined) return undefined;
    const before = this.#digests.base.of(change);
    const after = this.#digests.head.of(change);
    return {
      app,
      ...(kind !== undefined && { kind }),
      addOn,
      clusters: clusterEffects(groups, before, after),
      permissions: permissions.map(({ permission, change: how, before: from, after: to }) => ({
        permission,
        change: how,
        before: from,
        after: to,
      })),
      registrations: registrations.map(
        ({ side: _side, location: _location, ...registration }) => registration,
      ),
      waves: waves.map(({ after: latest, earliest, clusters }) => ({ after: latest, earliest, clusters })),
      left: [...new Set(stops.flatMap(({ left }) => left))].sort(),
      ...earlyChanges(stops),
      ...(stalled !== undefined && { stalled: true }),
    };
  }
}

/** Returns the clusters that change if soaks end early, each at its earliest time. */
function earlyChanges(stops: readonly PlannedStop[]): Pick<AddOnEffects, 'early'> {
  const early = stops.flatMap((stop) => stop.early ?? []);
  return early.length === 0 ? {} : { early: early.sort((a, b) => compareUtf8(a.cluster, b.cluster)) };
}

/** Groups the clusters with one effect and one content, whatever the causes are. */
function clusterEffects(
  groups: readonly ChangeGroup[],
  before: ContentOfCluster,
  after: ContentOfCluster,
): ClusterEffect[] {
  const byEffect = new Map<string, ClusterEffect & { readonly clusters: string[] }>();
  for (const group of groups) {
    const { effect, clusters, answers, enforcement, applications, values } = group;
    const { waiting = [], rolledBack = [] } = group;
    const shared = {
      ...(answers !== undefined && { answers: answers.map(({ kind, object }) => ({ kind, object })) }),
      ...(enforcement !== undefined && { enforcement }),
      ...(applications !== undefined && {
        applications: contentHash(withoutLocations([applications, values])),
      }),
    };
    const [waits, isRolledBack] = [new Set(waiting), new Set(rolledBack)];
    for (const cluster of clusters) {
      const fate = waits.has(cluster) ? 'waits' : isRolledBack.has(cluster) ? 'rolled back' : undefined;
      const from = effect === 'uninstalled' ? undefined : before(cluster, effect);
      const to = effect === 'uninstalled' ? undefined : after(cluster, effect);
      const content: Omit<ClusterEffect, 'clusters'> = {
        effect,
        ...(from !== undefined && { before: from }),
        ...(to !== undefined && { after: to }),
        ...shared,
        ...(fate !== undefined && { fate }),
      };
      const alike = getOrInsertComputed(byEffect, JSON.stringify(content), () => ({
        ...content,
        clusters: [],
      }));
      alike.clusters.push(cluster);
    }
  }
  const sorted = Array.from(byEffect.values(), (each) => ({ ...each, clusters: each.clusters.sort() }));
  return sorted.sort((a, b) => ((a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1));
}

/** Returns the effect on a Placement of an app. */
export function placementEffect({
  app,
  placement,
  change,
  gained,
  lost,
}: PlacementChange & { readonly app: string }): PlacementEffect {
  return {
    app,
    placement,
    ...(change !== undefined && { change }),
    gained: gained.flatMap(({ clusters }) => clusters).sort(),
    lost: lost.flatMap(({ clusters }) => clusters).sort(),
  };
}

/** Returns what the promotions of apps make of the change; not those that make nothing of it. */
export function promotionEffects(promotions: readonly PromotedChange[]): PromotionEffect[] {
  return promotions.flatMap(({ app, next, started }) =>
    next === undefined && started.length === 0 ? [] : [{ app, ...(next !== undefined && { next }), started }],
  );
}
