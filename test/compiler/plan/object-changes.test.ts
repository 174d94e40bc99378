import { describe, expect, test } from 'vitest';
import { planGithub } from '../../../src/compiler/report/ci/plan-github.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planJunit } from '../../../src/compiler/report/ci/plan-junit.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import type { PlanReport } from '../../../src/compiler/report/plan-report.ts';
import { planSarif } from '../../../src/compiler/report/ci/plan-sarif.ts';
import { fleetOf } from '../../resolve-text.ts';
import { app, clusters, planOf, reported } from './states.ts';

const objectsIn = (base: string, head: string, fleet = fleetOf(clusters), after = fleet): string =>
  reported({ text: base, fleet }, { text: head, fleet: after }).replace(/[^]*?(?=^objects$)/m, '');

const policy = (allowed: string): string => `${app}
---
apiVersion: policy.example.com/v1
kind: ImagePolicy
metadata: { name: images, namespace: default }
spec: { allowed: [${allowed}] }`;

describe('an edited object', () => {
  test('is not reported if the hub stores both in the same form', () => {
    const written = (lifecycle: string, soak: string): string =>
      app
        .replace(
          'metadata: { name: hello }',
          `metadata: { name: hello, annotations: { addon.open-cluster-management.io/lifecycle: "${lifecycle}" } }`,
        )
        .replace('{ type: All }', `{ type: All, all: { minSuccessTime: ${soak} } }`);
    const base = written('self', '5m');
    expect(objectsIn(base, written('', '5m0s'))).toBe('plan: nothing changes on 6 clusters\n');
    // Values are shown as they are written.
    expect(objectsIn(base, written('self', '6m'))).toContain('.all.minSuccessTime: "5m" -> "6m"\n');
  });

  test('is not reported if only its status differs, which synth does not emit', () => {
    const withStatus = `${policy('a')}\nstatus: { conditions: [], storedVersions: [] }`;
    expect(objectsIn(withStatus, policy('a'))).toBe('plan: nothing changes on 6 clusters\n');
  });

  test('is reported with its fields, whatever they do', () => {
    const described = app.replace(
      'installStrategy:',
      'addOnMeta: { displayName: Hello, description: Greets }\n  installStrategy:',
    );
    expect(objectsIn(described, described.replace('Greets', 'Greets all'))).toMatchInlineSnapshot(`
      "objects
        ClusterManagementAddOn hello was edited (app.yaml:10)
          spec.addOnMeta.description: "Greets" -> "Greets all"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
    expect(objectsIn(policy('a, b'), policy('a, c'))).toMatchInlineSnapshot(`
      "objects
        ImagePolicy default/images was edited (app.yaml:81)
          spec.allowed[1]: "b" -> "c"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
    expect(objectsIn(policy('a'), policy('a').replace('example.com/v1', 'example.com/v2')))
      .toMatchInlineSnapshot(`
        "objects
          ImagePolicy default/images was edited (app.yaml:78)
            apiVersion: "policy.example.com/v1" -> "policy.example.com/v2"

        plan: no add-on changes on 6 clusters; 1 object edited
        "
      `);
    const fleet = fleetOf(clusters);
    const labelled = fleet.replace('"region":"eu"', '"region":"eu","owner":"a"');
    expect(objectsIn(app, app, fleet, labelled)).toMatchInlineSnapshot(`
      "objects
        ManagedCluster c1 was edited (fleet.yaml:13)
          metadata.labels.owner: "a" added

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
    const bound = fleet.replace(
      'metadata: { name: global, namespace: default }',
      'metadata: { name: global, namespace: default, labels: { team: a } }',
    );
    expect(objectsIn(app, app, fleet, bound)).toMatchInlineSnapshot(`
      "objects
        ManagedClusterSetBinding default/global was edited (fleet.yaml:8)
          metadata.labels.team: "a" added

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
  });

  test('is reported if only the order of its entries differs', () => {
    const config = app.replace('value: "warn"', 'value: "warn"\n  - name: MORE\n    value: "1"');
    const swapped = app.replace(
      '- name: LEVEL\n    value: "warn"',
      '- name: MORE\n    value: "1"\n  - name: LEVEL\n    value: "warn"',
    );
    expect(reported({ text: config }, { text: swapped })).toContain(
      'spec.customizedVariables (order): ["LEVEL","MORE"] -> ["MORE","LEVEL"]',
    );
  });

  test('is one entry with the others that were edited in the same way', () => {
    const fleet = fleetOf(clusters);
    const owned = fleet.replaceAll('"region":', '"owner":"a","region":');
    expect(objectsIn(app, app, fleet, owned)).toMatchInlineSnapshot(`
      "objects
        ManagedCluster c1, c2, c3, c4, c5, c6 were edited (fleet.yaml:13)
          metadata.labels.owner: "a" added

      plan: no add-on changes on 6 clusters; 6 objects edited
      "
    `);
  });

  test('with many fields is cut, and the rest is counted', () => {
    const many = (value: string): string =>
      policy('a').replace(
        'allowed: [a]',
        Array.from({ length: 60 }, (_, index) => `f${index}: ${value}`).join(', '),
      );
    const { plan } = planOf({ text: many('1') }, { text: many('2') });
    expect(plan.objects.map(({ fields, moreFields }) => [fields.length, moreFields])).toEqual([[40, 20]]);
    expect(objectsIn(many('1'), many('2'))).toContain('f9: 1 -> 2\n    and 50 more fields\n');
  });

  test('is not reported for another version in which the same is written', () => {
    const own = (version: string): string => `${app}
---
apiVersion: addon.open-cluster-management.io/${version}
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec: {}`;
    expect(reported({ text: own('v1alpha1') }, { text: own('v1beta1') })).toBe(
      'plan: nothing changes on 6 clusters\n',
    );
  });

  test('is in every format, with its location if the format has locations', () => {
    const { plan, findings } = planOf({ text: policy('a') }, { text: policy('b') });
    const report: PlanReport = { plan, findings, base: 'main', head: 'HEAD' };
    const escaped = 'ImagePolicy default/images was edited: spec.allowed\\[0\\]: "a" -> "b"';
    const words = 'ImagePolicy default/images was edited: spec.allowed[0]: "a" -> "b"';
    expect(JSON.parse(planJson(report))).toMatchObject({
      summary: { objects: { added: 0, edited: 1, removed: 0 } },
      objects: [
        {
          kind: 'ImagePolicy',
          namespace: 'default',
          name: 'images',
          change: 'edited',
          source: 'app',
          explained: false,
          fields: [
            { path: 'spec.allowed[0]', before: 'a', after: 'b', location: { file: 'app.yaml', line: 81 } },
          ],
          moreFields: 0,
        },
      ],
    });
    expect(planMarkdown(report)).toContain(
      '### Objects\n\n**edited** ImagePolicy `default/images` (app.yaml:81)\n\n<details><summary>1 field</summary>\n\n```diff\n- spec.allowed[0]: "a"\n+ spec.allowed[0]: "b"\n```',
    );
    const [, objects = ''] = /<h2>Objects<\/h2>\n([^]*?)<\/main>/.exec(planHtml(report)) ?? [];
    expect(objects).toMatchInlineSnapshot(`
      "<details class="object" open><summary>ImagePolicy default/images was edited <span class="quiet">app.yaml:81</span></summary>
      <div class="path"><code>spec.allowed[0]</code> <span class="quiet">app.yaml:81</span></div>
      <pre tabindex="0" aria-label="difference of spec.allowed[0]"><del>- &quot;a&quot;
      </del><ins>+ &quot;b&quot;
      </ins></pre>
      </details>
      "
    `);
    expect(planGithub(report)).toContain(
      `::notice file=app.yaml,line=81,col=19,title=Object that changes (object-changed)::${words}\n`,
    );
    expect(JSON.parse(planSarif(report))).toMatchObject({
      runs: [{ results: [{ ruleId: 'object-changed', level: 'note', message: { text: escaped } }] }],
    });
    expect(planJunit(report)).toContain('name="hello: ImagePolicy default/images edited"');
    for (const text of [planMarkdown(report), planHtml(report), planGithub(report), planJunit(report)])
      expect(/nothing changes/i.test(text)).toBe(false);
  });
});

describe('the hash', () => {
  const hash = (base: string, head: string): string => planOf({ text: base }, { text: head }).plan.hash;

  test('covers every edited field, those too that the plan only counts', () => {
    expect(hash(policy('a'), policy('b'))).not.toBe(hash(policy('a'), policy('c')));
    expect(hash(policy('a'), policy('b'))).not.toBe(hash(app, app));
    const many = (last: string): string =>
      policy('a').replace(
        'allowed: [a]',
        Array.from({ length: 60 }, (_, index) => `f${index}: ${index === 59 ? last : 'x'}`).join(', '),
      );
    expect(hash(policy('a'), many('1'))).not.toBe(hash(policy('a'), many('2')));
  });

  test('covers the content of new objects', () => {
    expect(hash(app, policy('a'))).not.toBe(hash(app, policy('b')));
  });

  test('covers the whole content of an edited object, and nothing of the others', () => {
    const other = (text: string): string => text.replace('allowed:', 'mode: strict, allowed:');
    expect(hash(policy('a'), policy('b'))).not.toBe(hash(other(policy('a')), other(policy('b'))));
    const level = (text: string): string => text.replace('"warn"', '"debug"');
    expect(hash(level(policy('a')), level(policy('b')))).toBe(hash(policy('a'), policy('b')));
  });
});
