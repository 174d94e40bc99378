import { describe, expect, test } from 'vitest';
import { checkGuardrails } from '../../../src/compiler/plan/guardrails.ts';
import { plan, type Plan } from '../../../src/compiler/plan/plan.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const clusterGroup = 'cluster.open-cluster-management.io';
const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'prod' }, c3: { env: 'dev' } });

const placement = (name: string, env: string): string => `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }]
`;

const policy = (
  name: string,
  action = 'inform',
  more = '',
): string => `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: { name: ${name}, namespace: default }
spec: { remediationAction: ${action}${more} }
`;

const binding = (
  name: string,
  placementName: string,
  subjects: string,
  more = '',
): string => `apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: { name: ${name}, namespace: default }
placementRef: { apiGroup: ${clusterGroup}, kind: Placement, name: ${placementName} }
subjects: [${subjects}]
${more}`;
const etcd = '{ apiGroup: policy.open-cluster-management.io, kind: Policy, name: etcd }';

const applicationSet = (
  placementName: string,
  path = 'guestbook',
): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: apps, namespace: default }
spec:
  generators:
  - clusterDecisionResource:
      configMapRef: ocm
      labelSelector: { matchLabels: { ${clusterGroup}/placement: ${placementName} } }
  template: { metadata: { name: '{{name}}-guestbook' }, spec: { project: default, source: { path: ${path} }, destination: { name: '{{name}}' } } }
`;

const others = (placementName: string): string[] => [
  `apiVersion: apps.open-cluster-management.io/v1beta1
kind: GitOpsCluster
metadata: { name: argo, namespace: default }
spec: { placementRef: { kind: Placement, name: ${placementName} } }
`,
  `apiVersion: apps.open-cluster-management.io/v1
kind: Subscription
metadata: { name: sub, namespace: default }
spec: { channel: a/b, placement: { placementRef: { kind: Placement, name: ${placementName} } } }
`,
];

const set = (
  placements: readonly string[],
  value = 'c',
): string => `apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: works, namespace: default }
spec:
  placementRefs: [${placements.map((name) => `{ name: ${name} }`).join(', ')}]
  manifestWorkTemplate: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: a }, data: { b: ${value} } }] } }
`;

function planned(base: readonly string[], head: readonly string[]): Plan {
  return comparison(base, head).value;
}

function comparison(base: readonly string[], head: readonly string[]): ReturnType<typeof plan> {
  const state = (objects: readonly string[]) => resolveText(objects.join('---\n'), { fleet }).resolution;
  return plan([{ app: 'a', base: state(base), head: state(head) }], {
    hub: hubVersion('1.3'),
    by: ['env'],
  });
}

const textOf = (value: Plan): string => planText(value, { paint: (_, text) => text, names: 10 });

const bound = [policy('etcd'), binding('b', 'prod', etcd)];

describe('a Placement that loses its clusters', () => {
  const value = planned(
    [placement('prod', 'prod'), ...bound, applicationSet('prod'), ...others('prod')],
    [placement('prod', 'nowhere'), ...bound, applicationSet('prod'), ...others('prod')],
  );

  test('removes its followers, and the summary reports so', () => {
    expect(textOf(value).replace(/[0-9a-f]{64}/, '…')).toMatchInlineSnapshot(`
      "ApplicationSet default/apps (app a)
        UNINSTALLED from 2 clusters (env=prod): c1, c2
          because the predicates of Placement "default/prod" were edited (app.yaml:6)
          2 Applications DELETED with what they deployed, on c1: c1-guestbook

      GitOpsCluster default/argo (app a)
        UNINSTALLED from 2 clusters (env=prod): c1, c2
          because the predicates of Placement "default/prod" were edited (app.yaml:6)

      Policy default/etcd (app a)
        UNINSTALLED from 2 clusters (env=prod): c1, c2
          because the predicates of Placement "default/prod" were edited (app.yaml:6)

      Subscription default/sub (app a)
        UNINSTALLED from 2 clusters (env=prod): c1, c2
          because the predicates of Placement "default/prod" were edited (app.yaml:6)

      placements
        default/prod: 0 clusters, before 2
          loses c1, c2: the predicates of Placement "default/prod" were edited

      reach
        cluster set default: 2 of 3 clusters (2 uninstalled)
        cluster set global: 2 of 3 clusters (2 uninstalled)
        env prod: 2 of 2 clusters (2 uninstalled)

      objects
        Placement default/prod was edited (app.yaml:6)
          spec.predicates[0].requiredClusterSelector.labelSelector.matchLabels.env: "prod" -> "nowhere"

      plan: 8 uninstalled, 0 unchanged; 2 Applications DELETED with what they deployed; 2 of 3 clusters reached
      hash: …
      "
    `);
  });

  test('counts for the guardrails', () => {
    const guardrails = {
      maxUninstalls: { value: 0 },
      atMost: [{ value: { label: 'env', value: 'prod', most: 1 } }],
      protect: [{ value: 'c1' }],
    };
    const { diagnostics, plan } = checkGuardrails(value, { ...guardrails, approved: [] });
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toMatchInlineSnapshot(`
      [
        "FW8004: the change uninstalls an ApplicationSet, a GitOpsCluster, a Policy or a Subscription from a cluster 8 times, but the guardrails allow at most 0",
        "FW8005: the change reaches 2 of 2 clusters with env=prod, but the guardrails allow at most 1",
        "FW8006: the change reaches the protected cluster "c1": ApplicationSet "default/apps" is uninstalled, GitOpsCluster "default/argo" is uninstalled, Policy "default/etcd" is uninstalled, Subscription "default/sub" is uninstalled",
      ]
    `);
    expect(checkGuardrails(value, { ...guardrails, approved: [plan.hash] })).toMatchObject({
      diagnostics: [],
      approved: true,
    });
  });
});

test('a follower that names another Placement moves, and is kept on clusters that both select', () => {
  const all = placement('all', 'prod').replace('matchLabels: { env: prod }', 'matchLabels: {}');
  const value = planned(
    [placement('prod', 'prod'), all, ...bound, applicationSet('prod')],
    [placement('prod', 'prod'), all, policy('etcd'), binding('b', 'all', etcd), applicationSet('all')],
  );
  expect(
    value.addOns.map(({ kind, groups }) => [
      kind,
      groups.map(({ effect, clusters, causes }) => [effect, clusters, causes.map(({ text }) => text)]),
    ]),
  ).toEqual([
    ['ApplicationSet', [['installed', ['c3'], ['it now names Placement "default/all"']]]],
    ['Policy', [['installed', ['c3'], ['it is now bound to Placement "default/all"']]]],
  ]);
  expect(value.objects.map(({ object, explained }) => [object, explained])).toEqual([
    ['ApplicationSet default/apps', true],
    ['PlacementBinding default/b', true],
  ]);
});

test('an edited, disabled or removed policy is reported for each of its clusters', () => {
  const base = [placement('prod', 'prod'), ...bound];
  const effects = (head: readonly string[]): unknown =>
    planned(base, [placement('prod', 'prod'), ...head]).addOns.map(({ addOn, change, groups }) => [
      addOn,
      change,
      groups.map(({ effect, clusters, causes }) => [effect, clusters.join(), causes.map(({ text }) => text)]),
    ]);
  expect(effects([policy('etcd', 'enforce'), binding('b', 'prod', etcd)])).toEqual([
    ['default/etcd', undefined, [['changed', 'c1,c2', ['Policy default/etcd was edited']]]],
  ]);
  expect(effects([policy('etcd', 'inform', ', disabled: true'), binding('b', 'prod', etcd)])).toMatchObject([
    ['default/etcd', undefined, [['uninstalled', 'c1,c2', ['it is disabled']]]],
  ]);
  expect(effects([])).toEqual([
    ['default/etcd', 'removed', [['uninstalled', 'c1,c2', ['PlacementBinding default/b no longer exists']]]],
  ]);
  const overrides = 'bindingOverrides: { remediationAction: enforce }\n';
  expect(effects([policy('etcd'), binding('b', 'prod', etcd, overrides)])).toEqual([
    ['default/etcd', undefined, [['changed', 'c1,c2', ['PlacementBinding default/b now enforces it']]]],
  ]);
});

test('policies that are bound in the same way are each explained by their own binding', () => {
  const kube = etcd.replace('name: etcd', 'name: kube');
  const state = (overrides: string): string[] => [
    placement('prod', 'prod'),
    policy('etcd'),
    policy('kube'),
    binding('b', 'prod', etcd, overrides),
    binding('d', 'prod', kube, overrides),
  ];
  const { addOns } = planned(state(''), state('bindingOverrides: { remediationAction: enforce }\n'));
  expect(
    addOns.map(({ addOn, groups }) => [
      addOn,
      groups.flatMap(({ causes }) => causes.map(({ text }) => text)),
    ]),
  ).toEqual([
    ['default/etcd', ['PlacementBinding default/b now enforces it']],
    ['default/kube', ['PlacementBinding default/d now enforces it']],
  ]);
});

test('unchanged objects are not a change, and count as unchanged', () => {
  const value = planned(
    [placement('prod', 'prod'), ...bound, applicationSet('prod')],
    [placement('prod', 'prod'), ...bound, applicationSet('prod')],
  );
  expect(value.addOns).toEqual([]);
  expect(value.summary.unchanged).toBe(4);
});

describe('a ManifestWorkReplicaSet', () => {
  test('FW6012: that is edited and loses clusters at the same time can leave works behind', () => {
    const codes = (head: readonly string[]): unknown =>
      comparison([placement('prod', 'prod'), set(['prod'])], head).diagnostics.map(({ code, message }) => [
        code,
        message,
      ]);
    expect(codes([placement('prod', 'nowhere'), set(['prod'], 'new')])).toMatchInlineSnapshot(`
      [
        [
          "FW6012",
          "the change edits the works of ManifestWorkReplicaSet "default/works" and removes them from 2 clusters: the hub can leave the earlier works there, and does not delete them later",
        ],
      ]
    `);
    expect(codes([placement('prod', 'nowhere'), set(['prod'])])).toEqual([]);
    expect(codes([placement('prod', 'prod'), set(['prod'], 'new')])).toEqual([]);
    expect(codes([set(['prod'], 'new')])).toEqual([]);
  });

  const both = [placement('prod', 'prod'), placement('dev', 'dev')];
  const works = (value: Plan): unknown =>
    value.addOns.map(({ groups }) => groups.map(({ effect, clusters }) => [effect, clusters.join()]));

  test('keeps the works of a Placement that is deleted, as they were', () => {
    expect(
      works(planned([...both, set(['prod', 'dev'])], [placement('dev', 'dev'), set(['prod', 'dev'], 'new')])),
    ).toEqual([]);
  });

  test('keeps those of the Placements before it as the change defines', () => {
    expect(
      works(planned([...both, set(['dev', 'prod'])], [placement('dev', 'dev'), set(['dev', 'prod'], 'new')])),
    ).toEqual([[['changed', 'c3']]]);
  });

  test('loses the works of a Placement that it no longer names', () => {
    expect(works(planned([...both, set(['dev', 'prod'])], [...both, set(['dev'])]))).toEqual([
      [['uninstalled', 'c1,c2']],
    ]);
  });
});
