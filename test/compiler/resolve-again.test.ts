import { expect, test } from 'vitest';
import { load } from '../../src/compiler/load/load.ts';
import type { Decisions } from '../../src/compiler/place/decision.ts';
import { resolve, type Resolution } from '../../src/compiler/resolve.ts';
import { emptySharedContent, type SharedContent } from '../../src/compiler/shared-content.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';

const api = 'addon.open-cluster-management.io/v1alpha1';
const addOns = ['a', 'b', 'c'] as const;

const cluster = (name: string, env: string): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`;

/** What the edits of the tests change. */
interface Written {
  readonly level: string;
  readonly message: string;
  readonly env: string;
  readonly strategy: string;
  readonly override: string;
}

const written: Written = { level: 'info', message: 'hello', env: 'prod', strategy: '25%', override: 'trace' };

const definitions = (name: string, { level, message, strategy, override }: Written): string[] => [
  `apiVersion: ${api}
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: agents }
spec: { customizedVariables: [{ name: LEVEL, value: ${level} }] }
`,
  `apiVersion: ${api}
kind: AddOnDeploymentConfig
metadata: { name: ${name}-own, namespace: agents }
spec: { customizedVariables: [{ name: LEVEL, value: ${override} }] }
`,
  `apiVersion: ${api}
kind: AddOnTemplate
metadata: { name: ${name} }
spec:
  addonName: ${name}
  agentSpec:
    workload:
      manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default }, data: { text: '${message} {{LEVEL}}' } }]
`,
  `apiVersion: ${api}
kind: ClusterManagementAddOn
metadata: { name: ${name} }
spec:
  supportedConfigs:
    - { group: addon.open-cluster-management.io, resource: addontemplates, defaultConfig: { name: ${name} } }
    - { group: addon.open-cluster-management.io, resource: addondeploymentconfigs, defaultConfig: { name: ${name}, namespace: agents } }
  installStrategy:
    type: Placements
    placements:
      - { name: some, namespace: agents, rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: ${strategy} } } }
`,
  `apiVersion: ${api}
kind: ManagedClusterAddOn
metadata: { name: ${name}, namespace: c1 }
spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, name: ${name}-own, namespace: agents }] }
`,
];

/** Returns the app, of which the definitions of add-on `a` can differ. */
function appText(edited: Partial<Written>): string {
  const ofA = { ...written, ...edited };
  return [
    `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
`,
    `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: some, namespace: agents }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${ofA.env} } } } }] }
`,
    ...definitions('a', ofA),
    ...definitions('b', written),
    ...definitions('c', written),
  ].join('---\n');
}

const fleet = (...envs: readonly string[]): string =>
  envs.map((env, index) => cluster(`c${index + 1}`, env)).join('---\n');

function resolved(app: string, clusters: string, cache: SharedContent, earlier?: Decisions): Resolution {
  const { value: objects } = load(
    [
      { file: 'app.yaml', text: app, source: 'app' },
      { file: 'fleet.yaml', text: clusters, source: 'fleet' },
    ],
    cache,
  );
  const { value, diagnostics } = resolve(objects, {
    now: Date.parse('2026-02-01'),
    hub: hubVersion('1.3'),
    cache,
    ...(earlier && { earlier }),
  });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** Returns the parts of a resolution that are those of another one. */
function sameParts(one: Resolution, other: Resolution): object {
  const groupsOf = (resolution: Resolution, addOn: string): readonly object[] =>
    resolution.rendering.groups.filter((group) => group.addOn === addOn);
  const sameAddOns = (isSame: (name: string) => boolean): string => addOns.filter(isSame).join(' ');
  return {
    decisions: one.decisions === other.decisions,
    configuration: sameAddOns((name) => one.configuration.get(name) === other.configuration.get(name)),
    rollouts: sameAddOns((name) => one.rollouts.get(name) === other.rollouts.get(name)),
    rendering: sameAddOns((name) =>
      groupsOf(one, name).every((group, index) => group === groupsOf(other, name)[index]),
    ),
  };
}

const clusters = fleet('prod', 'prod', 'dev');

function afterEdit(edited: Partial<Written>): object {
  const cache = emptySharedContent();
  const before = resolved(appText({}), clusters, cache);
  return sameParts(before, resolved(appText(edited), clusters, cache));
}

const everything = { decisions: true, configuration: 'a b c', rollouts: 'a b c', rendering: 'a b c' };
const exceptA = { decisions: true, configuration: 'b c', rollouts: 'b c', rendering: 'b c' };

test('an unchanged state is that of before', () => {
  expect(afterEdit({})).toEqual(everything);
});

test('another value of a configuration changes what uses it, and nothing else', () => {
  expect(afterEdit({ level: 'debug' })).toEqual(exceptA);
});

test('another value for one cluster changes its add-on', () => {
  expect(afterEdit({ override: 'warn' })).toEqual(exceptA);
});

test('another template changes its add-on', () => {
  expect(afterEdit({ message: 'bye' })).toEqual(exceptA);
});

test('another rollout strategy changes its add-on', () => {
  expect(afterEdit({ strategy: '50%' })).toEqual(exceptA);
});

test('another selector changes the decisions, and the add-ons that follow them', () => {
  expect(afterEdit({ env: 'dev' })).toEqual({
    decisions: false,
    configuration: '',
    rollouts: '',
    rendering: '',
  });
});

test('another selector of one Placement leaves the add-ons of the others alone', () => {
  const other = `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: other, namespace: agents }
spec: {}
`;
  const text = (edited: Partial<Written>): string => {
    const parts = appText(edited).split('name: some, namespace: agents, rollout');
    const last = parts.pop() ?? '';
    return `${parts.join('name: some, namespace: agents, rollout')}name: other, namespace: agents, rollout${last}${other}`;
  };
  const cache = emptySharedContent();
  const before = resolved(text({}), clusters, cache);
  const after = resolved(text({ env: 'dev' }), clusters, cache);
  expect(sameParts(before, after)).toEqual({
    decisions: false,
    configuration: 'c',
    rollouts: 'c',
    rendering: 'c',
  });
  expect([...(after.configuration.get('c')?.clusters.keys() ?? [])]).toEqual(['c1', 'c2', 'c3']);
});

test('an edit of a Placement that selects the same clusters changes nothing that follows it', () => {
  const cache = emptySharedContent();
  const before = resolved(appText({}), clusters, cache);
  const limited = appText({}).replace('spec: { predicates', 'spec: { numberOfClusters: 9, predicates');
  expect(sameParts(before, resolved(limited, clusters, cache))).toEqual({ ...everything, decisions: false });
});

test('a state that was resolved is not resolved again', () => {
  const cache = emptySharedContent();
  const before = resolved(appText({}), clusters, cache);
  resolved(appText({ env: 'dev' }), clusters, cache);
  expect(resolved(appText({}), clusters, cache)).toBe(before);
});

test('another label of a cluster changes the decisions', () => {
  const cache = emptySharedContent();
  const before = resolved(appText({}), clusters, cache);
  const after = resolved(appText({}), fleet('prod', 'dev', 'dev'), cache);
  expect(sameParts(before, after)).toMatchObject({ decisions: false, configuration: '' });
  expect(after.decisions.byPlacement.get('agents/some')?.selected).toEqual(['c1']);
});

test('decisions before a state that lead to the same clusters change nothing that follows', () => {
  const cache = emptySharedContent();
  const before = resolved(appText({ level: 'debug' }), clusters, cache);
  const alone = resolved(appText({}), clusters, cache);
  const after = resolved(appText({}), clusters, cache, before.decisions);
  expect(sameParts(alone, after)).toEqual({ ...everything, decisions: false });
  expect(after.rendering).toBe(alone.rendering);
});

test('decisions before a state that lead to other clusters change what follows', () => {
  const cache = emptySharedContent();
  const one = (edited: Partial<Written>): string =>
    appText(edited).replace('spec: { predicates', 'spec: { numberOfClusters: 1, predicates');
  const before = resolved(one({}), fleet('dev', 'prod', 'dev'), cache);
  const alone = resolved(one({}), clusters, cache);
  const after = resolved(one({}), clusters, cache, before.decisions);
  const clustersOf = ({ configuration }: Resolution): readonly string[] => [
    ...(configuration.get('b')?.clusters.selections.byCluster.keys() ?? []),
  ];
  expect([alone, after].map(clustersOf)).toEqual([['c1'], ['c2']]);
});

test('a state that was undone is that of before', () => {
  const cache = emptySharedContent();
  const before = resolved(appText({}), clusters, cache);
  resolved(appText({ level: 'debug' }), clusters, cache);
  expect(sameParts(before, resolved(appText({}), clusters, cache))).toEqual(everything);
});

test('a configuration that disappears and comes back is found again', () => {
  const cache = emptySharedContent();
  resolved(appText({}), clusters, cache);
  const without = appText({}).replace(
    'metadata: { name: a, namespace: agents }',
    'metadata: { name: z, namespace: agents }',
  );
  const missing = resolved(without, clusters, cache);
  const hashOf = ({ configuration }: Resolution): readonly string[] =>
    [...(configuration.get('a')?.clusters.values() ?? [])].flatMap(({ effective }) =>
      effective.references.map(
        ({ resource, specHash }) => `${resource} ${specHash === '' ? 'missing' : 'found'}`,
      ),
    );
  expect(hashOf(missing)).toContain('addondeploymentconfigs missing');
  expect(hashOf(resolved(appText({}), clusters, cache))).not.toContain('addondeploymentconfigs missing');
});
