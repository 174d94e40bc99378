import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plan } from '../../src/compiler/plan/plan.ts';
import { planText } from '../../src/compiler/report/text/plan-text.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/application-sets.md'), 'utf8');

/** The code blocks of a section, without their fences. */
function blocksIn(heading: string): readonly string[] {
  const section = page.slice(page.indexOf(`## ${heading}`)).split('\n## ')[0] ?? '';
  return Array.from(section.matchAll(/```\w*\n(.*?)```/gs), ([, text = '']) => text);
}

test('the plan of one edited label is the one that the page shows', () => {
  const [objects = '', shown = ''] = blocksIn('One label');
  const bound = `---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: argocd }
spec: { clusterSet: global }
`;
  const state = (ring: string) =>
    resolveText(objects + bound, { fleet: fleetOf({ c1: { ring: '1' }, c2: { ring: '2' }, c7: { ring } }) })
      .resolution;
  const { value } = plan([{ app: 'rings', base: state('1'), head: state('2') }], {
    hub: hubVersion('1.3'),
    by: [],
  });
  const text = planText(value, { paint: (_, words) => words, names: 10 });
  expect(text.replace(/hash: .*\n/, '')).toBe(shown);
});
