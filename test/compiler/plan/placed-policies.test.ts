import { describe, expect, test } from 'vitest';
import { checkGuardrails, type Guardrails } from '../../../src/compiler/plan/guardrails.ts';
import { plan, type Plan } from '../../../src/compiler/plan/plan.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const clusterGroup = 'cluster.open-cluster-management.io';
const policyGroup = 'policy.open-cluster-management.io';

const placement = (name: string, labels: string): string => `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: policies }
spec:
  clusterSets: [global]
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: ${labels} } } }]
`;
const setBinding = `apiVersion: ${clusterGroup}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: policies }
spec: { clusterSet: global }
`;
const policy = (
  name: string,
  spec = '{ remediationAction: inform }',
): string => `apiVersion: ${policyGroup}/v1
kind: Policy
metadata: { name: ${name}, namespace: policies }
spec: ${spec}
`;
const policySet = (policies: string, more = ''): string => `apiVersion: ${policyGroup}/v1beta1
kind: PolicySet
metadata: { name: baseline, namespace: policies }
spec: { policies: ${policies}${more} }
`;
const binding = (
  name: string,
  placementName: string,
  subject: string,
  more = '',
): string => `apiVersion: ${policyGroup}/v1
kind: PlacementBinding
metadata: { name: ${name}, namespace: policies }
placementRef: { apiGroup: ${clusterGroup}, kind: Placement, name: ${placementName} }
subjects: [{ apiGroup: ${policyGroup}, ${subject} }]
${more}`;
const enforce = 'bindingOverrides: { remediationAction: enforce }\n';
const restricted = `subFilter: restricted\n${enforce}`;

const rings = [setBinding, placement('all', '{}'), placement('ring-2', "{ ring: '2' }")];
const fleet = fleetOf({ c1: { ring: '1' }, c2: { ring: '2' }, c7: { ring: '1' } });

function planned(base: readonly string[], head: readonly string[], headFleet = fleet): Plan {
  const state = (objects: readonly string[], of: string) =>
    resolveText([...rings, ...objects].join('---\n'), { fleet: of }).resolution;
  return plan([{ app: 'a', base: state(base, fleet), head: state(head, headFleet) }], {
    hub: hubVersion('1.3'),
    by: [],
  }).value;
}

/** One row per Policy and group. */
const rows = ({ addOns }: Plan): unknown =>
  addOns.flatMap(({ kind, addOn, groups }) =>
    groups.map(({ effect, clusters, causes, enforcement }) =>
      [
        `${kind} ${addOn}: ${effect} ${clusters.join()}`,
        ...(enforcement === undefined ? [] : [`enforcement ${enforcement}`]),
        ...causes.map(({ text }) => text),
      ].join('; '),
    ),
  );

test('the label of a cluster begins the enforcement of the policies that a restricted binding overrides', () => {
  const objects = [
    policy('etcd'),
    policy('ns', '{ remediationAction: enforce }'),
    policy('off', '{ disabled: true }'),
    policySet('[etcd, ns, off]'),
    binding('baseline', 'all', 'kind: PolicySet, name: baseline'),
    binding('enforced', 'ring-2', 'kind: PolicySet, name: baseline', restricted),
  ];
  const value = planned(
    objects,
    objects,
    fleetOf({ c1: { ring: '1' }, c2: { ring: '2' }, c7: { ring: '2' } }),
  );
  const text = planText(value, { paint: (_, shown) => shown, names: 10 });
  expect(text.replace(/[0-9a-f]{64}/, '…')).toMatchInlineSnapshot(`
    "Policy policies/etcd (app a)
      changed on 1 cluster: c7
        because label ring changed from "1" to "2" (fleet.yaml:29)
        enforcement BEGINS
        Policy policies/etcd
          spec.remediationAction: "inform" -> "enforce"

    placements
      policies/ring-2: 2 clusters, before 1
        gains c7: label ring changed from "1" to "2"

    reach
      cluster set default: 1 of 3 clusters (1 changed)
      cluster set global: 1 of 3 clusters (1 changed)

    plan: 1 changed, 5 unchanged; enforcement of policies begins once; 1 of 3 clusters reached
    hash: …
    "
  `);
});

describe('the propagator', () => {
  const bound = binding('all', 'all', 'kind: Policy, name: etcd');

  test('places nothing through a restricted binding alone', () => {
    const head = [policy('etcd'), binding('r', 'ring-2', 'kind: Policy, name: etcd', restricted)];
    expect(rows(planned([], head))).toEqual([]);
  });

  test('lets any binding override what another one places, and never an enforced policy', () => {
    const overriding = binding('ring-2', 'ring-2', 'kind: Policy, name: etcd', enforce);
    expect(rows(planned([policy('etcd'), bound], [policy('etcd'), bound, overriding]))).toEqual([
      'Policy policies/etcd: changed c2; enforcement begins; PlacementBinding policies/ring-2 is new',
    ]);
    const enforced = policy('etcd', '{ remediationAction: Enforce }');
    expect(rows(planned([enforced, bound], [enforced, bound, overriding]))).toEqual([]);
  });

  test('ignores overrides other than enforce', () => {
    const inform = binding(
      'ring-2',
      'ring-2',
      'kind: Policy, name: etcd',
      'bindingOverrides: { remediationAction: inform }\n',
    );
    const enforced = policy('etcd', '{ remediationAction: enforce }');
    expect(rows(planned([enforced, bound], [enforced, bound, inform]))).toEqual([]);
  });

  test('ends the enforcement where a policy is disabled, or loses its binding or its place in the set', () => {
    const set = binding('set', 'all', 'kind: PolicySet, name: baseline');
    const enforced = policy('etcd', '{ remediationAction: enforce }');
    const base = [enforced, policySet('[etcd]'), set];
    const head = (...objects: readonly string[]): unknown => rows(planned(base, objects));
    const disabled = policy('etcd', '{ remediationAction: enforce, disabled: true }');
    expect(head(disabled, policySet('[etcd]'), set)).toEqual([
      'Policy policies/etcd: uninstalled c1,c2,c7; enforcement ends; it is disabled',
    ]);
    expect(head(enforced, policySet('[etcd]'))).toEqual([
      'Policy policies/etcd: uninstalled c1,c2,c7; enforcement ends; PlacementBinding policies/set no longer exists',
    ]);
    expect(head(enforced, policySet('[other]'), set)).toEqual([
      'Policy policies/etcd: uninstalled c1,c2,c7; enforcement ends; it is no longer bound to Placement "policies/all" through PolicySet policies/baseline',
      'Policy policies/other: installed c1,c2,c7; it is now bound to Placement "policies/all" through PolicySet policies/baseline',
    ]);
    const exclusions = ', exclusions: [{ policyName: etcd, clusterNames: [c1] }]';
    expect(head(enforced, policySet('[etcd]', exclusions), set)).toEqual([
      'Policy policies/etcd: uninstalled c1; enforcement ends; PolicySet policies/baseline excludes the cluster',
    ]);
  });

  test('keeps a policy that a set excludes where another binding places it', () => {
    const set = binding('set', 'all', 'kind: PolicySet, name: baseline');
    const exclusions = ', exclusions: [{ policyName: etcd, clusterNames: [c1] }]';
    const base = [policy('etcd'), policySet('[etcd]'), set, bound];
    expect(rows(planned(base, [policy('etcd'), policySet('[etcd]', exclusions), set, bound]))).toEqual([]);
  });
});

test('hub templates are named, unless an annotation disables them', () => {
  const templates =
    '{ policy-templates: [{ objectDefinition: { data: "{{hub .ManagedClusterName hub}}" } }] }';
  const bound = binding('all', 'all', 'kind: Policy, name: etcd');
  const caveats = (written: string): unknown =>
    planned([], [written, bound]).addOns.map(({ groups }) => groups.map(({ caveat }) => caveat));
  expect(caveats(policy('etcd', templates))).toEqual([
    ['its hub templates depend on the cluster and on objects of the hub: the plan does not evaluate them'],
  ]);
  const annotations = `annotations: { ${policyGroup}/disable-templates: 'true' }`;
  const disabled = policy('etcd', templates).replace('name: etcd', `name: etcd, ${annotations}`);
  expect(caveats(disabled)).toEqual([[undefined]]);
});

describe('the guardrail of policies that stop', () => {
  const enforced = policy('ns', '{ remediationAction: enforce }');
  const bound = [
    binding('etcd', 'all', 'kind: Policy, name: etcd'),
    binding('ns', 'ring-2', 'kind: Policy, name: ns'),
  ];
  const c2InRing1 = fleetOf({ c1: { ring: '1' }, c2: { ring: '1' }, c7: { ring: '1' } });
  const limited = (value: Plan, most: Guardrails['maxStoppedPolicies']): readonly string[] =>
    checkGuardrails(value, {
      ...(most && { maxStoppedPolicies: most }),
      atMost: [],
      protect: [],
      approved: [],
    }).diagnostics.map(({ code, message }) => `${code}: ${message}`);

  test('counts removals and ends of enforcement once per policy and cluster', () => {
    const restricting = binding('enforced', 'ring-2', 'kind: Policy, name: etcd', restricted);
    const objects = [policy('etcd'), enforced, ...bound, restricting];
    const value = planned(objects, objects, c2InRing1);
    expect(limited(value, { value: 2 })).toEqual([]);
    expect(limited(value, { value: 1 })).toEqual([
      'FW8066: the change stops a policy on a cluster 2 times (1 removed, 1 no longer enforced), but the guardrails allow at most 1',
    ]);
  });

  test('can be a share of the policies on clusters', () => {
    const objects = [policy('etcd'), enforced, ...bound];
    const value = planned(objects, objects, c2InRing1);
    expect(value.summary.placedBefore).toEqual({ policies: 4, applications: 0 });
    expect(limited(value, { value: { percent: 25 } })).toEqual([]);
    expect(limited(value, { value: { percent: 24.9 } })).toEqual([
      'FW8066: the change stops a policy on a cluster 1 of 4 times (1 removed), but the guardrails allow at most 24.9%',
    ]);
  });

  test('does not limit policies that begin', () => {
    const value = planned([], [policy('etcd'), enforced, ...bound]);
    expect(value.summary.placedBefore).toBeUndefined();
    expect(limited(value, { value: 0 })).toEqual([]);
  });
});
