import { describe, expect, test } from 'vitest';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { SensitiveValues } from '../../../src/compiler/masks/sensitive-values.ts';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { maskedPair } from '../../../src/compiler/masks/secrets.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import { manifestDiff } from '../../../src/compiler/report/manifest-diff.ts';
import { planGithub } from '../../../src/compiler/report/ci/plan-github.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planJunit } from '../../../src/compiler/report/ci/plan-junit.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import { planSarif } from '../../../src/compiler/report/ci/plan-sarif.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters, planOf, reported } from './states.ts';

const paint = (_tone: string, text: string): string => text;

/** Places in which a Secret can be, each with a value of it. */
const places: Readonly<Record<string, (value: string) => string>> = {
  'an object of the hub': (value) => `${app}
---
apiVersion: v1
kind: Secret
metadata: { name: creds, namespace: default }
stringData: { password: ${value}, user: admin }`,
  'a template': (value) =>
    app.replace(
      'manifests:',
      `manifests:
      - { apiVersion: v1, kind: Secret, metadata: { name: creds, namespace: agents }, stringData: { password: ${value} } }`,
    ),
  'a work': (value) => `${app}
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: creds, namespace: c1 }
spec:
  workload:
    manifests:
    - { apiVersion: v1, kind: Secret, metadata: { name: creds, namespace: agents }, data: { password: ${btoa(value)} } }`,
  'an annotation of kubectl': (value) => `${app}
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: creds, namespace: c1 }
spec:
  workload:
    manifests:
    - apiVersion: v1
      kind: ConfigMap
      metadata:
        name: creds
        annotations:
          kubectl.kubernetes.io/last-applied-configuration: '{"kind":"Secret","data":{"password":"${value}"}}'`,
  'a variable that a template inserts into one': (value) =>
    app
      .replace(
        'manifests:',
        `manifests:
      - { apiVersion: v1, kind: Secret, metadata: { name: creds, namespace: agents }, stringData: { password: "{{PASSWORD}}" } }`,
      )
      .replace('value: "warn"', `value: "warn"\n  - name: PASSWORD\n    value: ${value}`),
};

function formats(base: string, head: string): readonly string[] {
  const { plan, findings } = planOf({ text: base }, { text: head });
  const report = { plan, findings, base: 'main', head: 'HEAD' };
  return [
    planText(plan, { paint, names: 10 }),
    planMarkdown(report),
    planHtml(report),
    planJson(report),
    planSarif(report),
    planGithub(report),
    planJunit(report),
  ];
}

describe.each(Object.entries(places))('a secret in %s', (_name, place) => {
  const plain = place('hunter2').includes('hunter2') ? ['hunter2', 'swordfish'] : [];
  const secrets = [...plain, btoa('hunter2'), btoa('swordfish')];

  test('is in no report of a plan that changes it', () => {
    for (const text of formats(place('hunter2'), place('swordfish')))
      for (const secret of secrets) expect(text).not.toContain(secret);
    expect(reported({ text: place('hunter2') }, { text: place('swordfish') })).toContain('(secret, changed)');
  });

  test('is in no report of a plan that adds or removes it', () => {
    for (const text of [...formats(app, place('hunter2')), ...formats(place('hunter2'), app)])
      for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test('is part of the approved plan', () => {
    const hash = (head: string): string => planOf({ text: place('hunter2') }, { text: head }).plan.hash;
    expect(hash(place('swordfish'))).not.toBe(hash(place('correct-horse')));
    expect(hash(place('swordfish'))).not.toBe(hash(place('hunter2')));
  });

  test('is shown if requested', () => {
    const [base, head] = ['hunter2', 'swordfish'].map(
      (value) => resolveText(place(value), { fleet: fleetOf(clusters) }).resolution,
    );
    if (base === undefined || head === undefined) throw new Error('two states');
    const hub = hubVersion('1.3');
    const { value } = plan([{ app: 'hello', base, head }], { hub, by: [], showSecrets: true });
    const text = planText(value, { paint, names: 10 });
    expect(secrets.some((secret) => text.includes(secret))).toBe(true);
  });
});

test('keys of a Secret are not secret, and neither is its metadata', () => {
  const object = places['an object of the hub'];
  if (object === undefined) throw new Error('there is one');
  const text = object('hunter2');
  expect(reported({ text }, { text: text.replace('user: admin', 'token: abc') })).toMatchInlineSnapshot(`
    "objects
      Secret default/creds was edited (app.yaml:81)
        stringData.token: (secret) added
        stringData.user: (secret) removed

    plan: no add-on changes on 6 clusters; 1 object edited
    "
  `);
  expect(
    reported({ text }, { text: text.replace('name: creds,', 'name: creds, labels: { a: b },') }),
  ).toContain('metadata.labels.a: "b" added');
});

test('an explanation masks values of Secrets and of variables in them', () => {
  const variable = places['a variable that a template inserts into one'];
  const { resolution } = resolveText(variable?.('hunter2') ?? '', { fleet: fleetOf(clusters) });
  if (resolution === undefined) throw new Error('a state');
  for (const field of ['', 'customizedVariables', 'Secret/creds']) {
    const text = (showSecrets: boolean): string => {
      const explanation = explainAddOn(resolution, 'hello', 'c1', field, hubVersion('1.3'), { showSecrets });
      if (explanation === undefined) throw new Error('an add-on');
      return explanationText(explanation, { paint, names: 10 });
    };
    expect(text(true)).toContain('hunter2');
    const masked = text(false);
    expect(masked).not.toContain('hunter2');
    expect(masked).toContain('(secret)');
  }
});

test('a difference of manifests shows which values of a Secret changed', () => {
  const secret = (password: string): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'creds' },
    data: { password, user: 'admin' },
  });
  const masking = new SensitiveValues([]);
  const side = (label: string, password: string) => ({ label, manifests: [secret(password)] });
  expect(manifestDiff(side('a', 'hunter2'), side('b', 'swordfish'), paint, masking)).toMatchInlineSnapshot(`
    "--- Secret creds	a
    +++ Secret creds	b
    @@ -3,5 +3,5 @@
     metadata:
       name: creds
     data:
    -  password: "(secret)"
    +  password: "(secret, changed)"
       user: "(secret)"
    "
  `);
  expect(manifestDiff(side('a', 'x'), side('b', 'x'), paint, masking)).toBe('');
  expect(manifestDiff(side('a', 'x'), side('b', 'z'), paint, undefined)).toContain('password: z');
});

test('two states of a list are masked entry by entry', () => {
  const secret = (value: string): object => ({ kind: 'Secret', data: { value } });
  expect(maskedPair([secret('a')], [secret('a'), secret('b')])).toEqual([
    [{ kind: 'Secret', data: { value: '(secret)' } }],
    [
      { kind: 'Secret', data: { value: '(secret)' } },
      { kind: 'Secret', data: { value: '(secret)' } },
    ],
  ]);
});

test('a finding about content of a Secret does not show its line', () => {
  const text = 'stringData: { password: hunter2 }\n';
  const shown = (kind: string, path: string): string =>
    diagnosticsAsText(
      [
        {
          code: 'FW7121',
          severity: 'warning',
          message: 'm',
          object: { apiVersion: 'v1', kind, name: 'creds' },
          path,
          location: { file: 'a.yaml', line: 1, column: 1 },
        },
      ],
      { textOf: () => text },
    );
  expect(shown('Secret', 'stringData')).not.toContain('hunter2');
  expect(shown('AddOnTemplate', 'spec.agentSpec.workload.manifests[0].stringData')).not.toContain('hunter2');
  expect(shown('ConfigMap', 'stringData')).toContain('hunter2');
});
