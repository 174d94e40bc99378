import { effects } from '../../../src/compiler/compare/change.ts';
import { noEffects } from '../../../src/compiler/plan/reach.ts';
import type { PlanReport } from '../../../src/compiler/report/plan-report.ts';
import { fleetOf } from '../../resolve-text.ts';
import { app, clusters, planOf, template } from '../plan/states.ts';

const asking =
  'registration: [{ type: KubeClient, kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: reader } }] } }]';

/** A change in which much happens: placements renamed in one step, one of them narrower, a new permission, an edited value, a new cluster. */
export const eventful: { readonly text: string; readonly fleet: string } = {
  text: `${app
    .replace('"warn"', '"debug"')
    .replace('registration: []', asking)
    .replace('- name: stage\n', '- name: staging\n')
    .replace('kind: Placement\nmetadata: { name: stage,', 'kind: Placement\nmetadata: { name: staging,')
    .replace('- name: prod\n', '- name: production\n')
    .replace('kind: Placement\nmetadata: { name: prod,', 'kind: Placement\nmetadata: { name: production,')
    .replace('values: [prod, stage]', 'values: [prod]')}${template('t2', '{}')}`,
  fleet: fleetOf({ ...clusters, c7: { env: 'prod' } }),
};

export function eventfulReport(): PlanReport {
  const { plan, findings } = planOf({}, eventful, ['env']);
  return { plan, findings, base: 'main', head: 'feature/stage' };
}

export function emptyReport(): PlanReport {
  const { plan, findings } = planOf({}, {});
  return { plan, findings, base: 'main', head: 'HEAD' };
}

/** A plan of many add-ons, each with a different change. */
export function largeReport(addOns: number): PlanReport {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  if (first === undefined) throw new Error('an add-on changes');
  const many = Array.from({ length: addOns }, (_, index) => ({ ...first, addOn: `add-on-${index}` }));
  return { ...report, plan: { ...report.plan, addOns: many } };
}

/** A plan that does something on nearly every cluster to every add-on, in five waves: a page as large as they come. */
export function fleetReport(clusters: number, addOns: number): PlanReport {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  const changed = first?.groups.find(({ effect }) => effect === 'changed');
  if (first === undefined || changed === undefined) throw new Error('an add-on changes');
  const names = Array.from({ length: clusters }, (_, index) => `cluster-${String(index).padStart(5, '0')}`);
  const plans = Array.from({ length: addOns }, (_, number) => {
    const groups = effects.map((effect, rank) => ({
      ...changed,
      effect,
      clusters: names.filter((_name, index) => (index * 7 + number * 13 + (index >> 3)) % 6 === rank),
    }));
    const waves = Array.from({ length: 5 }, (_, wave) => ({
      after: wave < 2 ? 0 : wave * 60_000 * ((number % 3) + 1),
      earliest: 0,
      clusters: names.filter((_name, index) => index % 5 === wave),
    }));
    const counts = noEffects();
    for (const group of groups) counts[group.effect] = group.clusters.length;
    const rollout = { waves, stops: [], finishedAfter: 900_000, finishedEarliest: 300_000 };
    return { ...first, app: '', addOn: `add-on-${number}`, effects: counts, groups, rollout };
  });
  const total = noEffects();
  for (const { effects: counts } of plans) for (const effect of effects) total[effect] += counts[effect];
  const summary = { ...report.plan.summary, effects: total, clusters, waves: 5 };
  const fleet = { before: clusters, after: clusters, added: [], removed: [] };
  return { ...report, plan: { ...report.plan, fleet, summary, addOns: plans } };
}
