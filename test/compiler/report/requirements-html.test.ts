import { expect, test } from 'vitest';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { requirementsHtml } from '../../../src/compiler/report/html/requirements-html.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { addOn, resolved } from '../requirements/required-states.ts';

const chain = (revision: string): object[] => [
  ...addOn('agent', { requires: 'issuer version>=1.2\ncrds installed', revision }),
  ...addOn('issuer', { requires: 'crds', labels: { 'app.kubernetes.io/version': '1.2.3' } }),
  ...addOn('crds'),
  ...addOn('alone'),
];

test('the page of a plan draws the add-ons that requirements connect with those that change', () => {
  const [base, head] = ['1', '2'].map((revision) => resolved(chain(revision)).resolution);
  if (base === undefined || head === undefined) throw new Error('both states resolve');
  const { value } = plan([{ app: 'app', base, head }], { hub: hubVersion('1.3'), by: [] });
  expect(value.requirements).toEqual([
    {
      addOn: 'agent',
      isChanged: true,
      requires: [
        { addOn: 'issuer', words: ['version>=1.2'] },
        { addOn: 'crds', words: ['installed'] },
      ],
    },
    { addOn: 'crds', isChanged: false, requires: [] },
    { addOn: 'issuer', isChanged: false, requires: [{ addOn: 'crds', words: [] }] },
  ]);
  const html = planHtml({ plan: value, base: 'a', head: 'b', findings: [] });
  expect(html).toContain('<h2>Requirements</h2>');
  expect(requirementsHtml(value.requirements ?? [])).toMatchInlineSnapshot(`
    "<section aria-label="requirements">
    <h2>Requirements</h2>
    <div class="table"><svg class="requirements" role="img" aria-label="Add-ons to the right of those that they require" width="840" height="44" viewBox="0 0 840 44">
    <path d="M501 16C531 16 531 16 561 16"/>
    <path d="M221 16C391 16 391 16 561 16"/>
    <path d="M221 16C251 16 251 16 281 16"/>
    <g class="changed"><title>agent</title><rect x="561" y="1" width="220" height="30" rx="6"/><text x="571" y="21">agent</text></g>
    <g><title>crds</title><rect x="1" y="1" width="220" height="30" rx="6"/><text x="11" y="21">crds</text></g>
    <g><title>issuer</title><rect x="281" y="1" width="220" height="30" rx="6"/><text x="291" y="21">issuer</text></g>
    </svg></div>
    <ul>
    <li><code>agent</code> requires <code>issuer</code> (version&gt;=1.2), <code>crds</code> (installed)</li>
    <li><code>issuer</code> requires <code>crds</code></li>
    </ul>
    </section>
    "
  `);
  expect(html).toContain(requirementsHtml(value.requirements ?? []));
  const same = plan([{ app: 'app', base, head: base }], { hub: hubVersion('1.3'), by: [] });
  expect(same.value.requirements).toBe(undefined);
});

test('names are text, cycles end, and large graphs are a list', () => {
  const hostile = { addOn: '<b>&', isChanged: false, requires: [{ addOn: 'x', words: ['A="<i>"'] }] };
  const cycle = { addOn: 'x', isChanged: true, requires: [{ addOn: '<b>&', words: [] }], hub: 'eu' };
  const html = requirementsHtml([{ ...hostile, hub: 'eu' }, cycle]);
  expect(html).not.toMatch(/<[bi]>/);
  expect(html).toContain('<h2>Requirements (hub eu)</h2>');
  const many = Array.from({ length: 61 }, (_, index) => ({ ...hostile, addOn: `a${index}` }));
  expect(requirementsHtml(many)).toContain('61 add-ons are too many for a drawing');
});
