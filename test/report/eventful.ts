import type { PlanReport } from '../../compiler/report/plan-report.ts';
import { fleetOf } from '../resolve-text.ts';
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

/** A plan of many add-ons, each with a change of its own. */
export function largeReport(addOns: number): PlanReport {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  if (first === undefined) throw new Error('an add-on changes');
  const many = Array.from({ length: addOns }, (_, index) => ({ ...first, addOn: `add-on-${index}` }));
  return { ...report, plan: { ...report.plan, addOns: many } };
}
