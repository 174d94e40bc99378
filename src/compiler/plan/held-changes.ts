import type { HeldCluster, PromotedChange } from './promoted-change.ts';
import { PromotedRollouts } from './promoted-rollout.ts';
import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { ChangeGroup } from '../compare/change.ts';
import type { PromotedSummary } from './plan.ts';
import { noEffects } from './reach.ts';

/** Marks in the changes of an app what its promotion holds back, and replaces the waves with those of the promotion. */
export function withPromotion(
  addOns: readonly AddOnPlan[],
  promotion: PromotedChange | undefined,
): readonly AddOnPlan[] {
  if (promotion === undefined) return addOns;
  const rollouts = new PromotedRollouts(promotion, addOns);
  return addOns.map((addOn) => heldChange(addOn, promotion, rollouts));
}

function heldChange(addOn: AddOnPlan, { held: all }: PromotedChange, rollouts: PromotedRollouts): AddOnPlan {
  const held = new Map(all.flatMap((each) => (each.addOn === addOn.addOn ? [[each.cluster, each]] : [])));
  if (held.size === 0) return addOn;
  const groups = addOn.groups.map((group) => heldGroup(group, held));
  const isHeld = groups.some(({ waiting = [], rolledBack = [] }) => waiting.length + rolledBack.length > 0);
  return isHeld ? { ...addOn, groups, rollout: rollouts.of(addOn.addOn) } : addOn;
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
