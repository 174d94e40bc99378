import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importedModules } from '../../src/importer/code/modules.ts';
import { formatted, lintFaults, typeFaults } from './checked.ts';
import { emittedFrom, importText, synthesized, writeApp } from './imported.ts';

// Beside build/, which other tests pack meanwhile.
const scratch = path.resolve(import.meta.dirname, '../../scratch');
let folder = '';
let count = 0;

beforeAll(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(path.join(scratch, 'imported-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Imports YAML, and sees to it that synth emits the same again and that prettier has nothing to change. */
async function roundTrip(text: string) {
  const { app, diagnostics } = importText(text);
  if (app === undefined) throw new Error(JSON.stringify(diagnostics));
  const own = path.join(folder, String(count++));
  await writeApp(own, app);
  expect(app.files).toStrictEqual(await formatted(app.files));
  expect(Object.fromEntries(await synthesized(own, app))).toStrictEqual(
    Object.fromEntries(emittedFrom(text)),
  );
  return {
    app,
    codes: diagnostics.map(({ code }) => code),
    diagnostics,
    code: app.files.get('app.ts') ?? '',
  };
}

function config(name: string, spec: string, namespace = 'ns'): string {
  return `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: ${namespace} }
spec: ${spec}
`;
}

function addOn(name: string, spec: string, version = 'v1beta1'): string {
  return `apiVersion: addon.open-cluster-management.io/${version}
kind: ClusterManagementAddOn
metadata:
  name: ${name}
  annotations: { addon.open-cluster-management.io/lifecycle: addon-manager }
spec: ${spec}
`;
}

function uses(...configs: readonly string[]): string {
  const list = configs.map((config) => `{ resource: addondeploymentconfigs, ${config} }`);
  return `{ installStrategy: { type: Placements, placements: [{ namespace: ns, name: all, configs: [${list.map((entry) => entry.replace('{ ', '{ group: addon.open-cluster-management.io, ')).join(', ')}] }] } }`;
}

describe('variables', () => {
  test('are named after objects whatever their names', async () => {
    const names = ['default', 'class', '4ward', 'app', 'hub', 'a.b-c', 'a-b.c'];
    const { code } = await roundTrip(
      [
        ...names.map((name) => config(name, '{}')),
        addOn('default', uses(...names.map((name) => `namespace: ns, name: ${name}`))),
      ].join('---\n'),
    );

    expect(code).toContain(
      'configs: [defaultConfig, classConfig, config4ward, appConfig, hubConfig, aBC, aBCConfig]',
    );
  });

  test('distinguish objects of one name by kind and namespace', async () => {
    const { code } = await roundTrip(
      [
        config('agent', '{}', 'one'),
        config('agent', '{}', 'two'),
        config('agent', '{}', 'three'),
        addOn(
          'agent',
          uses('namespace: one, name: agent', 'namespace: two, name: agent', 'namespace: three, name: agent'),
        ),
      ].join('---\n'),
    );

    expect(code).toContain('configs: [agentConfig, twoAgent, threeAgent]');
  });

  test('are omitted if nothing uses them', async () => {
    const { code } = await roundTrip(config('alone', '{}'));

    expect(code).toBe(`import { AddOnDeploymentConfig, App, Chart } from 'fleetwright';

const app = new App();

const hub = new Chart(app, 'hub', { namespace: 'ns' });

new AddOnDeploymentConfig(hub, 'alone');

export default app;
`);
  });
});

describe('texts', () => {
  test.each([
    ['a backquote and ${braces}', 'a `b` ${c} {{d'],
    ['both quotes', `it's "both"`],
    ['a backslash', String.raw`C:\new\table`],
    ['what ends a line for JavaScript', 'a\u2028b\u2029c'],
    ['other scripts and pictures', 'Grüße 漢字 🚀 e\u0301'],
    ['what cannot be seen', 'a\u200bb\u0000c'],
    ['several lines', 'one\n  two ${x} `y` \\n\n\nthree\n'],
    ['Windows lines', 'one\r\ntwo\r\n'],
    ['the end of a comment', '*/ // -->'],
    ['a long one', `${'word '.repeat(40)}end`],
  ])('with %s are not changed', async (_, value) => {
    const variables = `{ customizedVariables: [{ name: A, value: ${JSON.stringify(value)} }] }`;
    const { app } = await roundTrip(
      `${config('text', variables)}---
apiVersion: example.com/v1
kind: Text
metadata: { name: text, namespace: ns }
${JSON.stringify(value.slice(0, 100))}: ${JSON.stringify(value)}
`,
    );

    expect(app.asYaml).toBe(0);
  });

  test('in templates have their variables by name', async () => {
    const { code } = await roundTrip(`apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: t }
spec:
  addonName: a
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: m, namespace: n }
          data: { a: 'x{{CLUSTER_NAME}}', b: '{{B}}', c: '{{ C }}', d: '\`{{D}}\${e}', '{{K}}': '{{1}}' }
`);

    expect(code).toContain(`      data: {
        a: \`x\${Variable.clusterName}\`,
        b: Variable.custom('B'),
        c: '{{ C }}',
        d: \`\\\`\${Variable.custom('D')}\\\${e}\`,
        '{{K}}': '{{1}}',
      },`);
  });
});

describe('objects of kinds that are not OCM’s', () => {
  test('are ApiObjects, passed on if an add-on is configured with them', async () => {
    const { code } = await roundTrip(`apiVersion: example.com/v1
kind: Policy
metadata: { name: limits, namespace: ns, labels: { a: b } }
spec: { cpu: 1, ratio: 1.5, huge: 1e300, negative: -0.5, empty: {}, none: [], list: [1, 2], on: 'yes' }
---
${addOn('a', '{ defaultConfigs: [{ group: example.com, resource: policies, namespace: ns, name: limits }] }')}`);

    expect(code).toContain("const limits = new ApiObject(hub, 'limits', {");
    expect(code).toContain("defaultConfigs: [AddOnConfig.fromObject(limits, 'policies')]");
  });

  test('without a namespace have none in a chart that has one', async () => {
    const { code } = await roundTrip(
      `${config('c', '{}')}---\napiVersion: example.com/v1\nkind: Global\nmetadata: { name: g }\n`,
    );

    expect(code).toContain("metadata: { name: 'g', namespace: '' }");
  });

  test('are kept as YAML if constructs would lose something', async () => {
    const { app, diagnostics } = await roundTrip(`# why it is there
apiVersion: example.com/v1
kind: Policy
metadata: { name: limits, namespace: ns }
spec: { limits: { __proto__: 1 } } # no limit
---
${addOn('a', '{ defaultConfigs: [{ group: example.com, resource: policies, namespace: ns, name: limits }] }')}`);

    expect(app.files.get('kept.yaml')).toBe(`# why it is there
apiVersion: example.com/v1
kind: Policy
metadata: { name: limits, namespace: ns }
spec: { limits: { __proto__: 1 } } # no limit
`);
    expect(diagnostics).toMatchObject([
      {
        code: 'FW9101',
        severity: 'warning',
        message:
          'Policy limits stays YAML, in kept.yaml, because spec.limits.__proto__ is not a key that a construct can render',
        path: 'spec.limits.__proto__',
        location: { file: 'input.yaml', line: 5, column: 19 },
      },
    ]);
    expect(app.files.get('app.ts')).toContain(
      "AddOnConfig.of({ group: 'example.com', resource: 'policies', name: 'limits', namespace: 'ns' })",
    );
  });

  test('of templates do not stop the import if they have no metadata', async () => {
    const { app, diagnostics } = await roundTrip(`apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: t }
spec:
  addonName: a
  agentSpec: { workload: { manifests: [{ apiVersion: v1, kind: Namespace }] } }
`);
    expect(app.files.get('app.ts')).toContain("kind: 'AddOnTemplate'");
    expect(diagnostics).toMatchObject([
      { code: 'FW9103', path: 'spec.agentSpec.workload.manifests[0].metadata' },
    ]);
  });

  test('keep integers that no double can represent', async () => {
    const { app } = await roundTrip(`apiVersion: example.com/v1
kind: Count
metadata: { name: c, namespace: ns }
spec: { count: 9007199254740993 }
`);
    const texts = [...app.files.values()].join('');
    expect(texts).toContain('9007199254740993');
  });
});

describe('the hub and its agents', () => {
  test('are constructs, with features by name and without fields that the API server fills in', async () => {
    const { code, codes } = await roundTrip(`apiVersion: operator.open-cluster-management.io/v1
kind: ClusterManager
metadata: { name: cluster-manager }
spec:
  registrationImagePullSpec: quay.io/open-cluster-management/registration:v1.3.1
  deployOption: { mode: Default }
  addOnManagerConfiguration:
    featureGates:
      # templates are on by default
      - { feature: AddonManagement, mode: Enable }
      - { feature: Other, mode: Disable }
---
apiVersion: operator.open-cluster-management.io/v1
kind: Klusterlet
metadata: { name: klusterlet, labels: { site: berlin } }
spec:
  clusterName: cluster1
  namespace: open-cluster-management-edge
  deployOption: { mode: Singleton }
  workConfiguration: { kubeAPIQPS: 5, featureGates: [{ feature: RawFeedbackJsonString, mode: Enable }] }
`);

    expect(codes).toEqual([]);
    expect(code).toContain(`new ClusterManager(hub, 'cluster-manager', {
  registrationImagePullSpec: 'quay.io/open-cluster-management/registration:v1.3.1',
  deployOption: { mode: 'Default' },
  addOnManagerConfiguration: {
    featureGates: {
      // templates are on by default
      AddonManagement: true,
      Other: false,
    },
  },
});`);
    expect(code).toContain(`new Klusterlet(hub, 'klusterlet', {
  labels: { site: 'berlin' },
  mode: 'Singleton',
  clusterName: 'cluster1',
  namespace: 'open-cluster-management-edge',
  workConfiguration: { featureGates: { RawFeedbackJsonString: true }, kubeAPIQPS: 5 },
});`);
  });

  test('are patched if a feature has no mode', async () => {
    const { code, codes } = await roundTrip(`apiVersion: operator.open-cluster-management.io/v1
kind: ClusterManager
metadata: { name: cluster-manager }
spec: { workConfiguration: { featureGates: [{ feature: A }, { feature: B, mode: Enable }] }, registrationConfiguration: null }
`);
    expect(codes).toEqual(['FW2032']);
    expect(code).toContain(`new ClusterManager(hub, 'cluster-manager', { workConfiguration: {} });
clusterManager.addJsonPatch(
  JsonPatch.add('/spec/workConfiguration/featureGates', [{ feature: 'A' }, { feature: 'B', mode: 'Enable' }]),
);`);
  });
});

describe('fields that the props of constructs do not have', () => {
  test('is patched in if it is a separate field', async () => {
    const { code, codes } =
      await roundTrip(`${config('c', '{ nodePlacement: { tolerations: [{ key: edge }] } }')}---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: ns, finalizers: [example.com/wait] }
spec: { sortBy: Score }
---
${addOn(
  'a',
  '{ installStrategy: { type: Placements, placements: [{ namespace: ns, name: all, rolloutStrategy: { type: Progressive, progressive: { minSuccessTime: 1h30m } } }] } }',
)}`);

    expect(code).toContain(
      "c.addJsonPatch(JsonPatch.add('/spec/nodePlacement', { tolerations: [{ key: 'edge' }] }));",
    );
    expect(code).toContain("all.addJsonPatch(JsonPatch.add('/spec/sortBy', 'Score'));");
    expect(code).toContain("all.metadata.addFinalizers('example.com/wait');");
    expect(code).toContain("JsonPatch.add('/spec/installStrategy/placements/0/rolloutStrategy', {");
    expect(codes).toEqual([]);
  });

  test('makes the object an ApiObject otherwise', async () => {
    const { diagnostics, code } = await roundTrip(
      `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: odd, namespace: ns }
spec: { clusterSet: global }
---
${addOn('a', '{ addOnMeta: {}, addOnConfiguration: { crdName: x } }', 'v1alpha1')}---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: a, namespace: c1 }
spec: {}
`,
    );

    expect(diagnostics).toMatchObject([
      { code: 'FW2027' },
      {
        code: 'FW9103',
        severity: 'info',
        message:
          'ManagedClusterSetBinding odd becomes an ApiObject, because spec.clusterSet is not the name of the binding',
        path: 'spec.clusterSet',
        location: { file: 'input.yaml', line: 4, column: 9 },
      },
      {
        code: 'FW9103',
        message:
          'ClusterManagementAddOn a becomes an ApiObject, because spec.addOnConfiguration is not in ' +
          'addon.open-cluster-management.io/v1beta1, in which the construct writes it',
        path: 'spec.addOnConfiguration',
      },
    ]);
    expect(code).toContain("addOn: ClusterManagementAddOn.reference('a')");
  });
});

describe('the rollout strategies of before 2023', () => {
  const strategy = (text: string): string =>
    addOn(
      'a',
      `{ installStrategy: { type: Placements, placements: [{ namespace: ns, name: all, rolloutStrategy: ${text} }] } }`,
    );

  test.each([
    ['{ type: UpdateAll }', "{ placement: Placement.reference('ns', 'all') }", 'UpdateAll', 'All'],
    [
      '{ type: RollingUpdate, rollingUpdate: { maxConcurrentlyUpdating: 10% } }',
      "Rollout.progressive({ maxConcurrency: '10%' })",
      'RollingUpdate',
      'Progressive with maxConcurrency 10%',
    ],
    [
      '{ type: RollingUpdate, rollingUpdate: { maxConcurrency: 3 } }',
      'Rollout.progressive({ maxConcurrency: 3 })',
      'RollingUpdate',
      'Progressive with maxConcurrency 3',
    ],
    [
      '{ type: RollingUpdate }',
      "Rollout.progressive({ maxConcurrency: '25%' })",
      'RollingUpdate',
      'Progressive with maxConcurrency 25%',
    ],
  ])('are translated: %s', (text, expected, then, today) => {
    const { app, diagnostics } = importText(strategy(text));
    expect(app?.files.get('app.ts')).toContain(expected);
    expect(diagnostics).toMatchObject([
      {
        code: 'FW9102',
        severity: 'warning',
        message: `the rollout strategy ${then} is no longer served; it becomes ${today}`,
        path: 'spec.installStrategy.placements[0].rolloutStrategy.type',
      },
    ]);
  });

  const withCanary = strategy(
    '{ type: RollingUpdateWithCanary, rollingUpdateWithCanary: { placement: { name: canaries, namespace: ns }, maxConcurrency: 5 } }',
  );
  const placement = (name: string, spec: string): string => `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: ns }
spec: ${spec}
`;

  test('make canaries the first decision group', () => {
    const { app, diagnostics } = importText(
      withCanary +
        placement(
          'canaries',
          '{ predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { canary: yes } } } }] }',
        ).replace('yes', "'yes'") +
        placement(
          'all',
          '{ decisionStrategy: { groupStrategy: { decisionGroups: [{ groupName: canaries, groupClusterSelector: { labelSelector: { matchLabels: { a: b } } } }] } } }',
        ),
    );

    const code = app?.files.get('app.ts');
    expect(code).toContain(
      "const canaries2 = DecisionGroup.named('canaries-2', { labels: { canary: 'yes' } });",
    );
    expect(code).toContain(
      "decisionGroups: [canaries2, DecisionGroup.named('canaries', { labels: { a: 'b' } })]",
    );
    expect(code).toContain('Rollout.progressive({ mandatoryGroups: [canaries2], maxConcurrency: 5 })');
    expect(diagnostics).toMatchObject([
      {
        code: 'FW9102',
        message:
          'the rollout strategy RollingUpdateWithCanary is no longer served; it becomes Progressive with maxConcurrency 5, ' +
          'and the canaries of placement canaries a decision group that goes first',
        hint: 'canaries that placement all does not select itself no longer go first',
      },
    ]);
  });

  test.each([
    ['', 'placement all is not imported with it'],
    [placement('all', '{}'), 'that placement is not imported with it'],
    [
      placement('all', '{}') + placement('canaries', '{ numberOfClusters: 2 }'),
      'that placement does not select by labels and claims alone',
    ],
  ])('report canaries that cannot be a decision group', (placements, reason) => {
    const { app, diagnostics } = importText(withCanary + placements);
    expect(app?.files.get('app.ts')).toContain('Rollout.progressive({ maxConcurrency: 5 })');
    expect(diagnostics.find(({ code }) => code === 'FW9102')?.hint).toBe(
      `the canaries of placement canaries no longer go first, as ${reason}: make them a decision group, and name it in mandatoryGroups`,
    );
  });
});

describe('files', () => {
  test('may be lists, have anchors, Windows line ends and both versions of the add-on API', async () => {
    const text = `apiVersion: v1
kind: List
items:
  - apiVersion: addon.open-cluster-management.io/v1beta1
    kind: AddOnDeploymentConfig
    metadata: { name: c, namespace: ns }
    spec: { customizedVariables: [&v { name: A, value: "1" }] }
  # the second one
  - apiVersion: addon.open-cluster-management.io/v1alpha1
    kind: AddOnDeploymentConfig
    metadata: { name: d, namespace: ns }
    spec: { customizedVariables: [*v] }
---
${addOn('new', '{ installStrategy: { type: Manual } }')}---
${addOn('old', '{ addOnConfiguration: { crdName: x }, supportedConfigs: [{ group: g.io, resource: things }] }', 'v1alpha1')}`;
    const { code, codes } = await roundTrip(text.replaceAll('\n', '\r\n'));

    expect(code).toContain(
      "// the second one\nnew AddOnDeploymentConfig(hub, 'd', { customizedVariables: { A: '1' } });",
    );
    expect(codes).toEqual(['FW2027', 'FW9103']);
  });

  test('keep the fleet, and the state of objects, in fleet.yaml', async () => {
    const { app, code } = await roundTrip(`# in the shop
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c1 }
status: { conditions: [] }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: ns, uid: 1f0d, resourceVersion: '7' }
spec: {}
status: { numberOfSelectedClusters: 1, conditions: [], decisionGroups: [] }
`);

    expect(app.fleet).toBe(2);
    expect(app.files.get('fleet.yaml')).toMatch(/^# in the shop\napiVersion/);
    expect(app.files.get('fleet.yaml')).toContain('numberOfSelectedClusters: 1');
    expect(code).toContain("new Placement(hub, 'all');");
  });

  test('of the fleet alone produce no app', () => {
    const { app } = importText(
      'apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: c1, uid: 1f0d }\n',
    );
    expect(app && [...app.files.keys()]).toEqual(['fleet.yaml']);
  });

  test.each([
    'metadata: { name: a }',
    'apiVersion: [v1]\nkind: Placement',
    'apiVersion: v1\nkind: Placement',
  ])('with an object that lacks a required field produce nothing: %j', (text) => {
    const { app, diagnostics } = importText(`${text}\n---\n${config('b', '{}')}`);
    expect(app).toBeUndefined();
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });

  test('that the API server rejects produce only its reasons', () => {
    const { app, diagnostics } = importText(config('c', '{ agentInstallNamespaces: x }'));
    expect(app).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW2005']);
  });
});

describe('objects that were exported from a hub', () => {
  const live = `  uid: 2f1c
  resourceVersion: '7'
  generation: 2
  creationTimestamp: '2026-01-01T00:00:00Z'
  managedFields: [{ manager: kubectl }]
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{}'
`;

  test('lose the metadata that belongs to that hub, which is reported once', () => {
    const { app, diagnostics } = importText(`apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata:
  name: agent
  namespace: c1
${live}    team: shops
  ownerReferences:
    - { apiVersion: addon.open-cluster-management.io/v1alpha1, kind: ClusterManagementAddOn, name: agent, uid: 9a0b }
spec: {}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: all
  namespace: ns
${live}spec: {}
`);

    expect(app?.files.get('app.ts')).toContain("new Placement(hub, 'all');");
    expect(app?.files.get('app.ts')).toContain(`new ManagedClusterAddOn(hub, 'agent-on-c1', {
  addOn: ClusterManagementAddOn.reference('agent'),
  cluster: 'c1',
  annotations: { team: 'shops' },
});`);
    expect(diagnostics).toMatchObject([
      {
        code: 'FW9104',
        severity: 'info',
        message:
          'import omits metadata that the hub or kubectl writes: creationTimestamp, generation, ' +
          'kubectl.kubernetes.io/last-applied-configuration, managedFields, ownerReferences, resourceVersion, uid',
        location: { file: 'input.yaml', line: 3 },
      },
    ]);
  });

  test('keep the deciding fields of clusters in the fleet', () => {
    const { app } = importText(`apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: c1
  finalizers: [example.com/wait]
  deletionTimestamp: '2026-02-01T00:00:00Z'
${live}spec: { hubAcceptsClient: true }
`);

    expect(app?.files.get('fleet.yaml')).toBe(`apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: c1
  creationTimestamp: "2026-01-01T00:00:00Z"
  deletionTimestamp: "2026-02-01T00:00:00Z"
  finalizers:
  - example.com/wait
spec:
  hubAcceptsClient: true
`);
  });
});

describe('charts', () => {
  test('for the namespaces of clusters have their names', async () => {
    const { code } = await roundTrip(`${config('c', '{}', 'cluster1')}---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: agent, namespace: cluster1 }
spec: {}
`);

    expect(code).toContain("const hub = new Chart(app, 'hub');");
    expect(code).toContain("const cluster1 = new Chart(app, 'cluster1', { namespace: 'cluster1' });");
    expect(code).toContain("new AddOnDeploymentConfig(cluster1, 'c');");
  });
});

describe('the file of an add-on', () => {
  test('has a name and a function that no other has', async () => {
    const texts = ['a.b', 'a-b', 'app'].map((name) =>
      addOn(name, `{ addOnMeta: { description: ${JSON.stringify('x'.repeat(20))} } }`),
    );
    const many = Array.from({ length: 150 }, (_, index) =>
      config(`c${index}`, `{ registries: [{ source: ${'x'.repeat(60)}, mirror: y }] }`),
    );
    const { app } = await roundTrip([...texts, ...many].join('---\n'));

    expect([...app.files.keys()]).toEqual(['app.ts', 'hub.ts', 'a.b.ts', 'a-b.ts', 'app-add-on.ts']);
    const text = app.files.get('app.ts') ?? '';
    expect(text).toContain('addAB();\naddAB2();\naddApp();\n');
    expect(importedModules(text).toSorted()).toEqual(['a-b.ts', 'a.b.ts', 'app-add-on.ts', 'hub.ts']);
  });
});

test('comments with a meaning for tools are written without that meaning', async () => {
  const { code } = await roundTrip(`# @ts-expect-error
# prettier-ignore
# oxlint-disable
${config('c', '{}')}`);

  expect(code).toContain('// # @ts-expect-error\n// # prettier-ignore\n// # oxlint-disable\n');
});

test('all of this passes the type check and the lint', async () => {
  expect(count).toBeGreaterThan(20);
  expect(await typeFaults(folder)).toBe('');
  expect(await lintFaults(folder)).toBe('');
}, 120_000);

describe('sets and clusters', () => {
  const set = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: retail, labels: { team: shops } }
spec:
  clusterSelector: { selectorType: LabelSelector, labelSelector: { matchLabels: { env: prod } } }
  managedNamespaces: [{ name: shops }]
`;
  const binding = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: retail, namespace: shops }
spec: { clusterSet: retail }
`;

  test('of the input are created by the app, and others refer to their variables', async () => {
    const { code, codes } = await roundTrip(`${set}---\n${binding}`);

    expect(code).toContain(`const retail = new ManagedClusterSet(hub, 'retail', {
  labels: { team: 'shops' },
  selector: { env: 'prod' },
  managedNamespaces: ['shops'],
});

new ManagedClusterSetBinding(hub, 'retail-binding', { clusterSet: retail });`);
    expect(codes).toEqual([]);
  });

  test('with an exclusive label, an empty selector and in an old version are the same after synth', async () => {
    const sets = [
      'spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }',
      'spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }',
      '',
    ].map(
      (spec, index) =>
        `apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSet\nmetadata: { name: s${index} }\n${spec}\n`,
    );
    const { codes } = await roundTrip(sets.join('---\n'));
    expect(codes).toEqual([]);
  });

  test('that Git creates belong to the app, and those of a hub to the fleet', async () => {
    const cluster = (name: string, more: string): string =>
      `apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: ${name}${more} }\nspec: { hubAcceptsClient: true }\n`;
    const { app, code, codes } = await roundTrip(
      `${cluster('created', '')}---\n${cluster('exported', ', uid: 1f0d')}`,
    );

    expect(code).toContain("name: 'created'");
    expect(code).not.toContain('exported');
    expect(app.files.get('fleet.yaml')).toContain('name: exported');
    expect(codes).toEqual(['FW9180', 'FW9104']);
  });

  test('are counted by kind if the app does not emit them, with all else that only a hub writes', () => {
    const score = (name: string): string => `apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScore
metadata: { name: ${name}, namespace: c1 }
status: { scores: [{ name: cpu, value: 1 }] }
`;
    const decision = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: PlacementDecision
metadata: { name: a-decision-1, namespace: ns, labels: { cluster.open-cluster-management.io/placement: a } }
status: { decisions: [] }
`;
    const cluster = `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c1, uid: 1f0d }
spec: { hubAcceptsClient: true }
`;
    const message = (...texts: readonly string[]): string | undefined =>
      importText(texts.join('---\n')).diagnostics.find(({ code }) => code === 'FW9180')?.message;
    const of = 'describe the fleet, and the app does not emit them';
    expect(message(score('a'))).toBe(
      'this AddOnPlacementScore describes the fleet, and the app does not emit it',
    );
    expect(message(score('a'), score('b'))).toBe(`2 AddOnPlacementScores ${of}`);
    expect(message(score('a'), cluster, decision, score('b'))).toBe(
      `4 objects ${of}: 2 AddOnPlacementScores, 1 ManagedCluster, 1 PlacementDecision`,
    );
  });

  test('of the workspace are not hidden by the state of the input', () => {
    const text = `${set}status: { conditions: [] }\n`;
    expect(importText(text).app?.files.has('fleet.yaml')).toBe(false);
    expect(importText(text).diagnostics).toMatchObject([
      {
        code: 'FW9181',
        message:
          'the app gets no fleet.yaml with the state of 1 object, because the input has no clusters with state',
      },
    ]);
  });
});

test('finalizers of the hub are omitted, and those of users stay', async () => {
  const { code } = await roundTrip(`apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: ns
  finalizers: [example.com/wait, foregroundDeletion, addon.open-cluster-management.io/addon-pre-delete]
`);
  expect(code).toContain("'example.com/wait'");
  expect(code).not.toContain('foregroundDeletion');
  expect(code).not.toContain('addon-pre-delete');
});
