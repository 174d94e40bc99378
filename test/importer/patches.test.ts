import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatted, lintFaults, typeFaults } from './checked.ts';
import { emittedFrom, importText, synthesized, writeApp } from './imported.ts';

// Beside build/, which other tests pack meanwhile.
const scratch = path.resolve(import.meta.dirname, '../../scratch');
let folder = '';
let count = 0;

beforeAll(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(path.join(scratch, 'patches-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Imports YAML, checks that synth emits the same again without a finding, and returns what the app creates. */
async function imported(text: string, expected = text): Promise<string> {
  const { app, diagnostics } = importText(text);
  if (app === undefined) throw new Error(JSON.stringify(diagnostics));
  const own = path.join(folder, String(count++));
  await writeApp(own, app);
  expect(app.files).toStrictEqual(await formatted(app.files));
  expect(Object.fromEntries(await synthesized(own, app))).toStrictEqual(
    Object.fromEntries(emittedFrom(expected)),
  );
  expect(diagnostics.filter(({ code }) => code.startsWith('FW91'))).toEqual([]);
  const code = app.files.get('app.ts') ?? '';
  const start = code.indexOf('\n\n', code.indexOf('new Chart(')) + 2;
  return code.slice(start, code.indexOf('\nexport default'));
}

const ocm = 'open-cluster-management.io';

function placement(spec: string): string {
  return `apiVersion: cluster.${ocm}/v1beta1
kind: Placement
metadata: { name: all, namespace: ns }
spec: ${spec}
`;
}

function template(...manifests: readonly string[]): string {
  return `apiVersion: addon.${ocm}/v1alpha1
kind: AddOnTemplate
metadata: { name: agent }
spec: { addonName: agent, agentSpec: { workload: { manifests: [${manifests.join(', ')}] } } }
`;
}

describe('a Placement remains a Placement', () => {
  test('whose tolerations have no value', async () => {
    const tolerations =
      '[{ key: a, operator: Equal }, { key: b }, { key: c, effect: NoSelect }, { key: d, value: "" }]';
    expect(await imported(placement(`{ tolerations: ${tolerations} }`))).toBe(`new Placement(hub, 'all', {
  tolerations: [
    Toleration.equal('a'),
    Toleration.equal('b'),
    Toleration.equal('c', { effect: 'NoSelect' }),
    Toleration.equal('d', ''),
  ],
});
`);
  });

  test('that names the default mode of its prioritizers', async () => {
    const code = "new Placement(hub, 'all', { prioritizerMode: 'Additive' });\n";
    expect(await imported(placement('{ prioritizerPolicy: { mode: Additive } }'))).toBe(code);
    expect(await imported(placement('{ prioritizerPolicy: {} }'))).toBe(code);
  });

  test('with an empty selector', async () => {
    const selector = '{ labelSelector: { matchLabels: { a: b } }, claimSelector: {} }';
    expect(await imported(placement(`{ predicates: [{ requiredClusterSelector: ${selector} }] }`))).toBe(
      "new Placement(hub, 'all', { predicates: [{ labels: { a: 'b' }, claims: {} }] });\n",
    );
  });

  test('with a selector of empty lists', async () => {
    const selector = '{ labelSelector: { matchExpressions: [] } }';
    expect(await imported(placement(`{ predicates: [{ requiredClusterSelector: ${selector} }] }`)))
      .toBe(`const all = new Placement(hub, 'all', { predicates: [{ labels: Selector.all() }] });
all.addJsonPatch(
  JsonPatch.add('/spec/predicates/0/requiredClusterSelector/labelSelector/matchExpressions', []),
);
`);
  });

  test('with empty fields and lists', async () => {
    const spec = `{ clusterSets: [], tolerations: [], spreadPolicy: {}, decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 0 } } }`;
    expect(await imported(placement(spec)))
      .toBe(`const all = new Placement(hub, 'all', { clustersPerDecisionGroup: 0 });
all.addJsonPatch(JsonPatch.add('/spec/clusterSets', []));
all.addJsonPatch(JsonPatch.add('/spec/tolerations', []));
all.addJsonPatch(JsonPatch.add('/spec/spreadPolicy', {}));
`);
  });

  test('if one item of a list has no expression, with the other lists', async () => {
    expect(
      await imported(placement('{ clusterSets: [a], tolerations: [{ operator: Exists }, { value: x }] }')),
    ).toBe(`const all = new Placement(hub, 'all', { clusterSets: [ManagedClusterSet.reference('a')] });
all.addJsonPatch(JsonPatch.add('/spec/tolerations', [{ operator: 'Exists' }, { value: 'x' }]));
`);
  });
});

describe('other kinds of OCM', () => {
  test('keep their constructs with empty fields and lists', async () => {
    expect(
      await imported(`apiVersion: addon.${ocm}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: c, namespace: ns }
spec: { customizedVariables: [], nodePlacement: {}, registries: [], resourceRequirements: [] }
`),
    ).toBe(`const c = new AddOnDeploymentConfig(hub, 'c', { registries: [] });
c.addJsonPatch(JsonPatch.add('/spec/customizedVariables', []));
c.addJsonPatch(JsonPatch.add('/spec/nodePlacement', {}));
c.addJsonPatch(JsonPatch.add('/spec/resourceRequirements', []));
`);
  });

  test('lose an addOnConfiguration that names nothing', async () => {
    const addOn = (spec: string): string => `apiVersion: addon.${ocm}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: a }
spec: ${spec}
`;
    expect(
      await imported(addOn('{ addOnConfiguration: { crdName: "" }, supportedConfigs: [] }'), addOn('{}')),
    ).toBe("new ClusterManagementAddOn(hub, 'a', { lifecycle: 'unset' });\n");
  });

  test('keep annotations whose values the props do not have', async () => {
    expect(
      await imported(`apiVersion: addon.${ocm}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: a, annotations: { addon.${ocm}/lifecycle: none } }
spec: {}
`),
    ).toBe(`new ClusterManagementAddOn(hub, 'a', {
  annotations: { 'addon.${ocm}/lifecycle': 'none' },
  lifecycle: 'unset',
});
`);
  });

  test('ignore nulls of metadata, as the API server does', async () => {
    const withNulls = placement('{}').replace(
      'namespace: ns',
      'namespace: ns, annotations: null, labels: null, creationTimestamp: null',
    );
    expect(await imported(withNulls)).toBe("new Placement(hub, 'all');\n");
  });
});

describe('nulls', () => {
  const deployment = `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: agent, namespace: agents, annotations: null }, spec: { selector: { matchLabels: { app: agent } }, template: { metadata: { annotations: null, labels: { app: agent } }, spec: { containers: [{ name: agent, image: null }], volumes: null } } }, status: {} }`;

  test('of a manifest are patched into the template, which remains typed', async () => {
    const code = await imported(template(deployment));

    expect(code).toContain("new kplus.k8s.KubeDeployment(scope, 'agent', {");
    expect(code.slice(code.indexOf('\nagent.'))).toBe(`
agent.addJsonPatch(
  JsonPatch.add('/spec/agentSpec/workload/manifests/0/spec/template/metadata/annotations', null),
);
agent.addJsonPatch(
  JsonPatch.add('/spec/agentSpec/workload/manifests/0/spec/template/spec/containers/0/image', null),
);
agent.addJsonPatch(JsonPatch.add('/spec/agentSpec/workload/manifests/0/spec/template/spec/volumes', null));
agent.addJsonPatch(JsonPatch.add('/spec/agentSpec/workload/manifests/0/status', {}));
`);
  });

  test('in lists and of other kinds are patched too', async () => {
    const odd =
      '{ apiVersion: example.com/v1, kind: Odd, metadata: { name: odd }, spec: { a: null, b: [1, null] } }';
    expect(await imported(`${template(odd)}---\n${odd}`))
      .toContain(`odd.addJsonPatch(JsonPatch.add('/spec/a', null));
odd.addJsonPatch(JsonPatch.add('/spec/b', [1, null]));
`);
  });

  test('of the hub’s own Kubernetes objects are dropped, as the API server does', async () => {
    const configMap = (data: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: ns }\n${data}`;
    expect(await imported(configMap('data: { a: b }\nbinaryData: null\n'), configMap('data: { a: b }\n')))
      .toBe(`new kplus.k8s.KubeConfigMap(hub, 'settings', { metadata: { name: 'settings' }, data: { a: 'b' } });
`);
  });
});

describe('objects of Kubernetes on the hub', () => {
  test('are typed, and refer to one another', async () => {
    const rbac = 'rbac.authorization.k8s.io';
    const code = await imported(`apiVersion: ${rbac}/v1
kind: ClusterRole
metadata: { name: agent, namespace: ns }
rules: [{ apiGroups: [''], resources: [configmaps], verbs: [get] }]
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: agent, namespace: ns }
---
apiVersion: ${rbac}/v1
kind: RoleBinding
metadata: { name: agent, namespace: ns }
roleRef: { apiGroup: ${rbac}, kind: ClusterRole, name: agent }
subjects: [{ kind: ServiceAccount, name: agent, namespace: ns }]
---
${template('{ apiVersion: v1, kind: Namespace, metadata: { name: agents } }').replace(
  '} } }',
  '} }, registration: [{ type: KubeClient, kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: agent } }] } }] }',
)}`);

    expect(code).toContain("const agent = new kplus.k8s.KubeClusterRole(hub, 'agent', {");
    expect(code).toContain(`new kplus.k8s.KubeRoleBinding(hub, 'agent-role-binding', {
  metadata: { name: 'agent' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: agent.name },
  subjects: [{ kind: 'ServiceAccount', name: agentServiceAccount.name, namespace: 'ns' }],
});`);
    expect(code).toContain('HubPermission.currentCluster(agent)');
  });
});

test('all of this passes the type check and the lint', async () => {
  expect(count).toBeGreaterThan(14);
  expect(await typeFaults(folder)).toBe('');
  expect(await lintFaults(folder)).toBe('');
}, 120_000);
