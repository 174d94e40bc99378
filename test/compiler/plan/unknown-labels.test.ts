import { expect, test } from 'vitest';
import { unknownLabels } from '../../../src/compiler/plan/unknown-labels.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters } from './states.ts';

function warningText(labels: readonly string[], base = clusters, head = clusters): string {
  const apps = [
    {
      base: resolveText(app, { fleet: fleetOf(base) }).resolution,
      head: resolveText(app, { fleet: fleetOf(head) }).resolution,
    },
  ];
  return diagnosticsAsText(unknownLabels(apps, labels), { textOf: () => undefined });
}

test('a label to count by that no cluster has is reported, with the similar one (FW8012)', () => {
  expect(warningText(['env', 'reigon']))
    .toBe(`info FW8012: no cluster has the label "reigon", so counting by it has no effect
  = hint: did you mean "region"?

1 info
`);
});

test('if none is similar, the existing labels are reported, those without a prefix first', () => {
  expect(
    warningText(['tier'], { c1: { 'a.example.com/site': 'x', env: 'prod', region: 'eu' } }, {}),
  ).toContain(
    '  = hint: the clusters have env, region, a.example.com/site, cluster.open-cluster-management.io/clusterset\n',
  );
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`l${i}`, '']));
  expect(warningText(['environment'], { c1: many })).toContain(
    'the clusters have env, l0, l1, l10, l11, l2, l3, l4, …',
  );
});

test('a label of one state is not missing: a change may add or remove it', () => {
  const without = { c1: { region: 'eu' } };
  expect(warningText(['env'], without)).toBe('');
  expect(warningText(['env'], clusters, without)).toBe('');
});

test('nothing is reported if no label is requested, or there are no clusters', () => {
  expect(warningText([])).toBe('');
  expect(warningText(['env'], {}, {})).toBe('');
});
