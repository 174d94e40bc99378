import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { inReportOrder } from '../../../src/compiler/report/order.ts';
import { resolveText, fleetOf } from '../../resolve-text.ts';

const order = (...diagnostics: readonly Diagnostic[]): string[] =>
  inReportOrder(diagnostics).map(({ code }) => code);

const placement = { apiVersion: 'v1', kind: 'Placement', namespace: 'ns', name: 'prod' };
const consequence: Diagnostic = {
  code: 'FW4003',
  severity: 'error',
  message: 'consequence',
  object: { apiVersion: 'v1', kind: 'ManagedClusterAddOn', namespace: 'c1', name: 'a' },
  causedBy: [placement],
};
const cause: Diagnostic = { code: 'FW7007', severity: 'warning', message: 'cause', object: placement };
const other: Diagnostic = { code: 'FW4001', severity: 'error', message: 'other' };

test('a cause comes before its consequence, though that is more severe', () => {
  expect(order(consequence, { ...cause, code: 'FW7021', severity: 'info' }, cause, other)).toEqual([
    'FW4001',
    'FW7007',
    'FW4003',
    'FW7021',
  ]);
  expect(order(consequence, { ...cause, object: { ...placement, name: 'dev' } })).toEqual([
    'FW4003',
    'FW7007',
  ]);
});

test('an error without a reported cause is in its usual place', () => {
  expect(order(consequence, other)).toEqual(['FW4001', 'FW4003']);
  const located = (line: number) => ({ location: { file: 'app.yaml', line, column: 1 } });
  expect(order({ ...other, ...located(2) }, { ...consequence, ...located(1) })).toEqual(['FW4003', 'FW4001']);
});

test('a misspelled label comes before the clusters that it loses', () => {
  const api = 'addon.open-cluster-management.io/v1beta1';
  const text = [
    {
      apiVersion: api,
      kind: 'ClusterManagementAddOn',
      metadata: { name: 'a' },
      spec: { installStrategy: { type: 'Placements', placements: [{ namespace: 'default', name: 'prod' }] } },
    },
    { apiVersion: api, kind: 'ManagedClusterAddOn', metadata: { name: 'a', namespace: 'c1' }, spec: {} },
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: { name: 'prod', namespace: 'default' },
      spec: {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: 'prdo' } } } }],
      },
    },
  ];
  const { diagnostics } = resolveText(text.map((object) => JSON.stringify(object)).join('\n---\n'), {
    fleet: fleetOf({ c1: { env: 'prod' } }),
  });
  expect(order(...diagnostics).filter((code) => code !== 'FW7008')).toEqual(['FW7007', 'FW7010', 'FW4003']);
});
