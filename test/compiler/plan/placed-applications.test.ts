import { describe, expect, test } from 'vitest';
import { checkGuardrails } from '../../../src/compiler/plan/guardrails.ts';
import { plan, type Plan } from '../../../src/compiler/plan/plan.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import {
  applicationSet,
  decided,
  gitOpsCluster,
  placement,
  rings,
  setBinding,
  template,
} from '../application-sets/generated.ts';

type Fleet = Readonly<Record<string, Readonly<Record<string, string>>>>;

const fleet: Fleet = rings;

const base = [setBinding, placement('all', {}), placement('ring-1', { ring: '1' }), gitOpsCluster('all')];
const c7InRing2: Fleet = { ...rings, c7: { ring: '2' } };

function planned(
  from: readonly string[],
  to: readonly string[],
  { before = fleet, after = before }: { readonly before?: Fleet; readonly after?: Fleet } = {},
): Plan {
  const state = (objects: readonly string[], clusters: Fleet) =>
    resolveText(objects.join('\n---\n'), { fleet: fleetOf(clusters) }).resolution;
  return plan([{ app: 'a', base: state(from, before), head: state(to, after) }], {
    hub: hubVersion('1.3'),
    by: [],
  }).value;
}

/** One row per ApplicationSet and group. */
const rows = ({ addOns }: Plan): unknown =>
  addOns
    .filter(({ kind }) => kind === 'ApplicationSet')
    .flatMap(({ addOn, groups }) =>
      groups.map(({ effect, clusters, causes, applications = [], caveat }) =>
        [
          `${addOn}: ${effect} ${clusters.join()}`,
          ...applications.map(({ fate, count, names }) => `${fate} ${count} (${names.join()})`),
          ...causes.map(({ text }) => text),
          ...(caveat === undefined ? [] : [`but ${caveat}`]),
        ].join('; '),
      ),
    );

const shop = (more: object = {}, own: object = {}): string =>
  applicationSet({ generators: [decided('ring-1')], template: template('shop-{{name}}', own), ...more });

const text = (value: Plan): string => planText(value, { paint: (_, shown) => shown, names: 10 });

test('the label of a cluster deletes the Applications of its ring with what they deployed', () => {
  const value = planned([...base, shop()], [...base, shop()], { after: c7InRing2 });
  expect(text(value).replace(/[0-9a-f]{64}/, '…')).toMatchInlineSnapshot(`
    "ApplicationSet argocd/apps (app a)
      UNINSTALLED from 1 cluster: c7
        because label ring changed from "1" to "2" (fleet.yaml:29)
        1 Application DELETED with what it deployed: shop-c7

    placements
      argocd/ring-1: 1 cluster, before 2
        loses c7: label ring changed from "1" to "2"

    reach
      cluster set default: 1 of 3 clusters (1 uninstalled)
      cluster set global: 1 of 3 clusters (1 uninstalled)

    plan: 1 uninstalled, 4 unchanged; 1 Application DELETED with what it deployed; 1 of 3 clusters reached
    hash: …
    "
  `);
  const limited = (most: number | { readonly percent: number }): readonly string[] =>
    checkGuardrails(value, {
      maxDeletedApplications: { value: most },
      atMost: [],
      protect: [],
      approved: [],
    }).diagnostics.map(({ code, message }) => `${code}: ${message}`);
  expect(limited(1)).toEqual([]);
  expect(limited(0)).toEqual([
    'FW8065: the change deletes 1 Application with what it deployed, but the guardrails allow at most 0',
  ]);
  expect(limited({ percent: 50 })).toEqual([]);
  expect(limited({ percent: 10 })).toEqual([
    'FW8065: the change deletes 1 of 2 Applications with what they deployed, but the guardrails allow at most 10%',
  ]);
});

describe('a cluster that a Placement no longer selects', () => {
  const moved = (set: string): unknown => rows(planned([...base, set], [...base, set], { after: c7InRing2 }));
  const because = 'label ring changed from "1" to "2"';

  test('keeps what its Applications deployed if the ApplicationSet preserves it', () => {
    expect(moved(shop({ syncPolicy: { preserveResourcesOnDeletion: true } }))).toEqual([
      `argocd/apps: uninstalled c7; detached 1 (shop-c7); ${because}`,
    ]);
  });

  test('keeps its Applications if applicationsSync does not delete', () => {
    for (const applicationsSync of ['create-only', 'create-update'])
      expect(moved(shop({ syncPolicy: { applicationsSync } }))).toEqual([
        `argocd/apps: changed c7; kept 1 (shop-c7); ${because}`,
      ]);
    expect(moved(shop({ syncPolicy: { applicationsSync: 'create-delete' } }))).toEqual([
      `argocd/apps: uninstalled c7; deleted 1 (shop-c7); ${because}`,
    ]);
  });

  test('loses one of several Applications', () => {
    const generators = [
      decided('ring-1'),
      {
        clusters: {
          selector: { matchExpressions: [{ key: 'ring', operator: 'Exists' }] },
          values: { a: 'b' },
        },
      },
    ];
    const [first, second] = generators;
    const own = { metadata: { name: 'all-{{name}}' } };
    const both = applicationSet({
      generators: [first, { clusters: { ...(second as { clusters: object }).clusters, template: own } }],
      template: template('shop-{{name}}'),
    });
    expect(rows(planned([...base, both], [...base, both], { after: c7InRing2 }))).toEqual([
      `argocd/apps: changed c7; deleted 1 (shop-c7); ${because}`,
    ]);
  });

  test('may keep what was deployed if Argo CD forgets the cluster too', () => {
    const registered = [setBinding, placement('ring-1', { ring: '1' }), gitOpsCluster('ring-1'), shop()];
    expect(rows(planned(registered, registered, { after: c7InRing2 }))).toEqual([
      `argocd/apps: uninstalled c7; deleted 1 (shop-c7); ${because}; but Argo CD no longer knows the cluster: if it notices that before it deletes the Applications, what they deployed stays`,
    ]);
  });
});

test('an edit of the template changes the Applications, unless they are not updated', () => {
  const edited = (more: object = {}): unknown =>
    rows(planned([...base, shop(more)], [...base, shop(more, { project: 'other' })]));
  const why = 'ApplicationSet argocd/apps was edited';
  expect(edited()).toEqual([`argocd/apps: changed c1,c7; changed 1 (shop-c1); ${why}`]);
  expect(edited({ syncPolicy: { applicationsSync: 'create-only' } })).toEqual([
    `argocd/apps: changed c1,c7; stale 1 (shop-c1); ${why}`,
  ]);
});

test('an edit of a destination leaves what is deployed', () => {
  const to = (name: string): string => shop({}, { destination: { name } });
  const one = { ...rings, c7: { ring: '3' } };
  expect(rows(planned([...base, to('c1')], [...base, to('c2')], { before: one }))).toEqual([
    'argocd/apps: uninstalled c1; left 1 (shop-c1); ApplicationSet argocd/apps was edited',
    'argocd/apps: installed c2; created 1 (shop-c1); ApplicationSet argocd/apps was edited',
  ]);
});

test('a label that the template uses changes the rendered values', () => {
  const generators = [
    { clusters: { selector: { matchExpressions: [{ key: 'ring', operator: 'Exists' }] } } },
  ];
  const set = applicationSet({
    generators,
    template: template('shop-{{name}}', { project: 'ring-{{metadata.labels.ring}}' }),
  });
  const value = planned([...base, set], [...base, set], { after: c7InRing2 });
  expect(rows(value)).toEqual([
    'argocd/apps: changed c7; changed 1 (shop-c7); label ring changed from "1" to "2"',
  ]);
  expect(value.addOns[0]?.groups[0]?.values).toMatchObject([
    {
      object: 'Applications of ApplicationSet argocd/apps',
      path: 'spec.project',
      before: 'ring-1',
      after: 'ring-2',
    },
  ]);
});

test('an ApplicationSet that is new, removed or names another Placement', () => {
  expect(rows(planned(base, [...base, shop()]))).toEqual([
    'argocd/apps: installed c1,c7; created 1 (shop-c1); ApplicationSet argocd/apps is new',
  ]);
  expect(rows(planned([...base, shop()], base))).toEqual([
    'argocd/apps: uninstalled c1,c7; deleted 1 (shop-c1); ApplicationSet argocd/apps no longer exists',
  ]);
  const all = applicationSet({ generators: [decided('all')], template: template('shop-{{name}}') });
  expect(rows(planned([...base, shop()], [...base, all]))).toEqual([
    'argocd/apps: installed c2; created 1 (shop-c2); it now names Placement "argocd/all"',
  ]);
});

test('an error keeps all Applications', () => {
  const broken = shop(
    { goTemplate: true, goTemplateOptions: ['missingkey=error'] },
    { project: '{{ .missing }}' },
  );
  expect(rows(planned([...base, shop()], [...base, broken]))).toEqual([]);
});

test('an Application that the API server rejects keeps those that are no longer generated', () => {
  const rejected = shop(
    { generators: [decided('none'), { list: { elements: [{ name: 'A_1' }] } }] },
    { destination: { name: 'c2' } },
  );
  const none = placement('none', { ring: 'none' });
  expect(rows(planned([...base, none, shop()], [...base, none, rejected]))).toEqual([]);
});

test('an ApplicationSet that is not evaluated is compared by its Placements', () => {
  const git = { git: { repoURL: 'https://git.example.com/a.git', files: [{ path: '*.yaml' }] } };
  const set = shop({ generators: [{ matrix: { generators: [git, decided('ring-1')] } }] });
  expect(rows(planned([...base, set], [...base, set], { after: c7InRing2 }))).toEqual([
    'argocd/apps: uninstalled c7; label ring changed from "1" to "2"; but its Applications are not known, because the git generator is not evaluated',
  ]);
});

describe('a progressive sync', () => {
  const expression = (values: string[], operator = 'In'): object => ({
    matchExpressions: [{ key: 'ring', operator, values }],
  });
  const steps = [
    expression(['1']),
    { ...expression(['2']), maxUpdate: '50%' },
    expression(['1', '2'], 'NotIn'),
  ];
  const rolling = (own: object, labels: object, more: object = {}): string =>
    applicationSet({
      generators: [{ clusters: { selector: { matchExpressions: [{ key: 'ring', operator: 'Exists' }] } } }],
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: { ...template('shop-{{name}}', own), metadata: { name: 'shop-{{name}}', labels } },
      ...more,
    });
  const edit = (labels: object, more: object = {}): readonly string[] =>
    text(
      planned([...base, rolling({}, labels, more)], [...base, rolling({ project: 'other' }, labels, more)]),
    )
      .split('\n')
      .filter((line) => / Applications? /.test(line) && line.startsWith('    '))
      .map((line) => line.trim());

  test('shows the step of each changed Application', () => {
    expect(edit({ ring: '{{metadata.labels.ring}}' })).toEqual([
      '2 Applications changed, on c1: shop-c1; in step 1 of 3',
      '1 Application changed: shop-c2; in step 2 of 3',
    ]);
    expect(edit({ ring: 'x' })).toEqual(['3 Applications changed, on c1: shop-c1; in step 3 of 3']);
  });

  test('shows Applications in no step, which Argo CD does not sync', () => {
    const strategy = { type: 'RollingSync', rollingSync: { steps: [expression(['1'])] } };
    expect(edit({ ring: '{{metadata.labels.ring}}' }, { strategy })).toEqual([
      '2 Applications changed, on c1: shop-c1; in step 1 of 1',
      '1 Application changed: shop-c2; in no step, so that Argo CD does not sync it',
    ]);
  });

  test('shows the steps of created Applications, and none of deleted ones', () => {
    const set = rolling({}, { ring: '{{metadata.labels.ring}}' });
    const value = planned([...base, set], [...base, set], {
      before: { c1: { ring: '1' } },
      after: c7InRing2,
    });
    const shown = text(value);
    expect(shown).toContain('2 Applications created, on c2: shop-c2; in step 2 of 3');
    const gone = planned([...base, set], base);
    expect(text(gone)).not.toContain('step');
  });

  test('is absent without the type RollingSync', () => {
    const strategy = { type: 'AllAtOnce', rollingSync: { steps } };
    expect(edit({ ring: '1' }, { strategy })).toEqual(['3 Applications changed, on c1: shop-c1']);
  });
});
