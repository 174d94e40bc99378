import type { HeldCluster, PromotedChange, PromotedWave } from './promoted-change.ts';
import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { ChangeGroup } from '../compare/change.ts';
import { refusingClusters, type PlannedRollout, type PlannedStop } from '../compare/placements/waves.ts';
import { some } from '../rollout/stop.ts';
import type { PromotedSummary } from './plan.ts';
import { noEffects } from './reach.ts';

/** Marks in a change of an add-on what the promotion of the app holds back, and replaces the waves with those of the promotion. */
export function withPromotion(addOn: AddOnPlan, promotion: PromotedChange | undefined): AddOnPlan {
  if (promotion === undefined || addOn.kind !== undefined) return addOn;
  const held = new Map(
    promotion.held.flatMap((each) => (each.addOn === addOn.addOn ? [[each.cluster, each]] : [])),
  );
  if (held.size === 0) return addOn;
  const groups = addOn.groups.map((group) => heldGroup(group, held));
  const isHeld = groups.some(({ waiting = [], rolledBack = [] }) => waiting.length + rolledBack.length > 0);
  return isHeld ? { ...addOn, groups, rollout: promotedRollout(addOn, promotion) } : addOn;
}

/** The hub uninstalls immediately, and so does synth, except what other add-ons require. */
function heldGroup(group: ChangeGroup, held: ReadonlyMap<string, HeldCluster>): ChangeGroup {
  const { effect } = group;
  const isUninstall = effect === 'uninstalled';
  if (effect === 'moved') return group;
  const ofFate = (fate: HeldCluster['fate']): readonly string[] =>
    group.clusters.filter((cluster) => {
      const each = held.get(cluster);
      if (isUninstall && each?.isUninstall !== true) return false;
      return each?.fate === fate && !(effect === 'installed' && each.getsEarlier);
    });
  const [waiting, rolledBack] = [ofFate('waits'), ofFate('rolled back')];
  return {
    ...group,
    ...(waiting.length > 0 && { waiting }),
    ...(rolledBack.length > 0 && { rolledBack }),
  };
}

function promotedRollout({ addOn, groups }: AddOnPlan, { waves }: PromotedChange): PlannedRollout {
  const ofAddOn = waves.filter(({ clusters }) => clusters.has(addOn));
  const stop = stopAtRefusals(addOn, ofAddOn, refusingClusters(groups));
  const reached = stop === undefined ? ofAddOn : ofAddOn.slice(0, stop.waves);
  const last = reached.at(-1);
  const finishedAfter = last === undefined ? 0 : last.after + last.soak;
  return {
    // `promote` itself waits for soaks.
    waves: reached.map(({ after, clusters }) => ({
      after,
      earliest: after,
      clusters: clusters.get(addOn) ?? [],
    })),
    stops: stop === undefined ? [] : [{ message: stop.message, left: stop.left }],
    finishedAfter,
    finishedEarliest: finishedAfter,
    byPromotion: true,
  };
}

/**
 * Returns where a promotion stops because clusters refuse the content. Undefined if it reaches all of its waves. A release in progress
 * before the last one delivers other content.
 */
function stopAtRefusals(
  addOn: string,
  waves: readonly PromotedWave[],
  refusing: ReadonlySet<string>,
): (PlannedStop & { readonly waves: number }) | undefined {
  const culprits: string[] = [];
  const last = waves.at(-1)?.release;
  for (const [index, { release, clusters, tolerated }] of waves.entries()) {
    if (release !== last) continue;
    culprits.push(...(clusters.get(addOn) ?? []).filter((cluster) => refusing.has(cluster)));
    if (culprits.length <= tolerated) continue;
    const left = waves.slice(index + 1).flatMap((wave) => wave.clusters.get(addOn) ?? []);
    if (left.length === 0) return undefined;
    const verb = culprits.length === 1 ? 'refuses' : 'refuse';
    const message = `the promotion waits for ${some(culprits.sort())}, which ${verb} the change`;
    return { message, left: left.sort(), waves: index + 1 };
  }
  return undefined;
}

/** Counts what promotions hold back and start; undefined if they do neither. */
export function promotedSummary(
  addOns: readonly AddOnPlan[],
  promotions: readonly PromotedChange[],
): PromotedSummary | undefined {
  const [waiting, rolledBack] = [noEffects(), noEffects()];
  let held = 0;
  for (const group of addOns.flatMap(({ groups }) => groups)) {
    waiting[group.effect] += group.waiting?.length ?? 0;
    rolledBack[group.effect] += group.rolledBack?.length ?? 0;
    held += (group.waiting?.length ?? 0) + (group.rolledBack?.length ?? 0);
  }
  // A cluster that the change reaches as well counts once.
  const started = promotions.flatMap(({ app, started: ofApp }) =>
    ofApp.filter(
      ({ addOn, cluster }) =>
        !addOns.some(
          (each) =>
            each.app === app &&
            each.addOn === addOn &&
            each.groups.some(({ clusters }) => clusters.includes(cluster)),
        ),
    ),
  ).length;
  return held + started === 0 ? undefined : { waiting, rolledBack, started };
}
