import { expect, test } from 'vitest';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planJsonFaults } from './report-formats.ts';
import { fleetOf } from '../../resolve-text.ts';
import { app, clusters, planOf, template } from '../plan/states.ts';

const eventful = {
  text: `${app
    .replace('"warn"', '"debug"')
    .replace(
      'registration: []',
      'registration: [{ type: KubeClient, kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: reader } }] } }]',
    )
    .replace(
      'kind: Placement\nmetadata: { name: stage,',
      'kind: Placement\nmetadata: { name: staging,',
    )}${template('t2', '{}')}`,
  fleet: fleetOf({ ...clusters, c7: { env: 'prod' } }),
};

test.each([
  ['nothing', {}],
  ['much', eventful],
])('a plan in which %s happens follows the schema', (_name, head) => {
  const { plan, findings } = planOf({}, head, ['env']);
  const text = planJson({ plan, base: 'main', head: 'HEAD', findings });
  expect(planJsonFaults(text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    format: 'fleetwright.dev/plan/v1',
    base: 'main',
    head: 'HEAD',
    hash: plan.hash,
  });
});

test('the same states produce the same bytes', () => {
  const once = (): string => planJson({ ...planOf({}, eventful, ['env']), base: 'main', head: 'HEAD' });
  expect(once()).toBe(once());
});

test('integers beyond doubles keep their digits', () => {
  const { plan } = planOf({}, { text: app.replace('"warn"', '"debug"') });
  const [addOn] = plan.addOns;
  const [group] = addOn?.groups ?? [];
  if (addOn === undefined || group === undefined) throw new Error('an add-on changes');
  const value = { object: 'ConfigMap a', path: 'data.n', after: 9007199254740993n, side: 'head' as const };
  const changed = { ...plan, addOns: [{ ...addOn, groups: [{ ...group, values: [value] }] }] };
  expect(planJson({ plan: changed, base: 'main', head: 'HEAD', findings: [] })).toContain(
    '"after": "9007199254740993"',
  );
});
