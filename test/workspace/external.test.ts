import { describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn, type Ran } from '../cli/terminal.ts';

const addOnGroup = 'addon.open-cluster-management.io';

/** Refers to what other teams and products write: a Placement, a set, a configuration, an add-on. */
const app = `apiVersion: ${addOnGroup}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs:
  - { group: ${addOnGroup}, resource: addondeploymentconfigs, defaultConfig: { namespace: shared, name: proxy } }
  installStrategy:
    type: Placements
    placements:
    - { name: global, namespace: open-cluster-management-global-set }
    - { name: mine, namespace: default }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: mine, namespace: default }
spec:
  clusterSets: [global, payments]
  tolerations: [{ operator: Exists }]
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: theirs, namespace: team-a }
spec: {}
---
apiVersion: ${addOnGroup}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: search-collector, namespace: c1 }
spec: {}
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: { name: etcd, namespace: policies }
placementRef: { apiGroup: cluster.open-cluster-management.io, kind: Placement, name: prod }
subjects: [{ apiGroup: policy.open-cluster-management.io, kind: Policy, name: etcd }]
`;

async function synthWith(settings: string, ...files: readonly [string, string][]): Promise<Ran> {
  const cwd = await folderWith({
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleetOf({ c1: {} }),
    'fleetwright.yaml': settings,
    ...Object.fromEntries(files),
  });
  return await runIn(cwd, ['synth']);
}

const codesIn = ({ err }: Ran): string[] =>
  [...err.matchAll(/^(?:error|warning|info) (FW\d{4})/gm)].map(([, code = '']) => code).sort();

const everything = `external:
- { apiVersion: cluster.open-cluster-management.io/v1beta1, kind: Placement, namespace: open-cluster-management-global-set, name: global }
- { kind: Placement, namespace: policies, name: prod }
- { kind: ManagedClusterSetBinding, namespace: team-*, name: '*' }
- { kind: ManagedClusterSet, name: payments }
- { kind: AddOnDeploymentConfig, namespace: shared, name: pro?y }
- { kind: ClusterManagementAddOn, name: search-collector }
`;

describe('external in fleetwright.yaml', () => {
  test('names objects that exist outside Git, so that references to them cause no findings', async () => {
    expect(codesIn(await synthWith('external: []'))).toEqual([
      'FW4005',
      'FW7001',
      'FW7002',
      'FW7003',
      'FW7024',
    ]);
    const { code, out, err } = await synthWith(everything);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('hello: 5 objects, 1 add-on, installed 1 time');
  });

  test('names objects of clusters: namespaces of manifests, and executors of works', async () => {
    const work = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: shop, namespace: c1 }
spec:
  executor: { subject: { type: ServiceAccount, serviceAccount: { namespace: deploy, name: deployer } } }
  workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: shop } }] }
`;
    const file: [string, string] = ['apps/hello/work.yaml', work];
    expect(codesIn(await synthWith(everything, file))).toEqual(['FW8313', 'FW8323']);
    const listed = `- { kind: Namespace, name: shop }\n- { kind: ServiceAccount, namespace: deploy, name: deployer }\n`;
    expect(codesIn(await synthWith(everything + listed, file))).toEqual([]);
    expect(codesIn(await synthWith(everything + listed))).toEqual(['FW7027', 'FW7027']);
  });

  test('is read by every command that resolves', async () => {
    const cwd = await folderWith({
      'hub.yaml': app,
      'fleet.yaml': fleetOf({ c1: {} }),
      'fleetwright.yaml': everything,
    });
    for (const command of ['validate', 'resolve', 'rollout'])
      expect(await runIn(cwd, [command, '.'])).toMatchObject({ code: 0, err: '' });
    expect((await runIn(cwd, ['explain', 'c1', 'hello', '--path', '.'])).code).toBe(0);
  });

  test('names roles of hub permissions: FW7137', async () => {
    const template = `apiVersion: ${addOnGroup}/v1alpha1
kind: AddOnTemplate
metadata: { name: agent }
spec:
  addonName: agent
  agentSpec: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: a } }] } }
  registration:
  - type: KubeClient
    kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: agent-hub } }] }
---
apiVersion: ${addOnGroup}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec:
  supportedConfigs: [{ group: ${addOnGroup}, resource: addontemplates, defaultConfig: { name: agent } }]
  installStrategy: { type: Placements, placements: [{ name: all, namespace: default }] }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: agent-hubs }
rules: []
`;
    const run = async (settings: string): Promise<string[]> => {
      const cwd = await folderWith({
        'apps/agent/hub.yaml': template,
        'apps/agent/fleet.yaml': fleetOf({ c1: {} }),
        'fleetwright.yaml': settings,
      });
      return codesIn(await runIn(cwd, ['synth']));
    };
    expect(await run('external: []')).toContain('FW7137');
    const after = await run('external: [{ kind: ClusterRole, name: agent-hub }]');
    expect(after).not.toContain('FW7137');
    expect(after).not.toContain('FW7027');
  });

  test('a Secret that the pods of manifests need, in their namespace or a configured one', async () => {
    const pod = { imagePullSecrets: [{ name: 'quay' }], containers: [{ name: 'a', image: 'a' }] };
    const manifests = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop' }, spec: pod },
    ];
    const objects = [
      {
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'AddOnTemplate',
        metadata: { name: 'agent' },
        spec: { addonName: 'agent', agentSpec: { workload: { manifests } } },
      },
      {
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'ClusterManagementAddOn',
        metadata: { name: 'agent' },
        spec: {
          supportedConfigs: [
            { group: addOnGroup, resource: 'addontemplates', defaultConfig: { name: 'agent' } },
            { group: addOnGroup, resource: 'addondeploymentconfigs' },
          ],
        },
      },
      {
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'ManagedClusterAddOn',
        metadata: { name: 'agent', namespace: 'c1' },
        spec: {},
      },
      {
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'AddOnDeploymentConfig',
        metadata: { name: 'moving', namespace: 'default' },
        spec: { agentInstallNamespace: 'moved' },
      },
    ];
    const run = async (settings: string): Promise<string[]> => {
      const cwd = await folderWith({
        'apps/agent/hub.yaml': objects.map((object) => JSON.stringify(object)).join('\n---\n'),
        'apps/agent/fleet.yaml': fleetOf({ c1: {} }),
        'fleetwright.yaml': settings,
      });
      return codesIn(await runIn(cwd, ['synth']));
    };
    const entry = (namespace: string, name: string): string =>
      `external: [{ kind: Secret, namespace: ${namespace}, name: ${name} }]`;
    expect(await run('external: []')).toContain('FW8325');
    const listed = await run(entry('shop', 'quay'));
    expect(listed).not.toContain('FW8325');
    expect(listed).not.toContain('FW7027');
    expect(await run(entry('moved', 'quay'))).not.toContain('FW7027');
    expect(await run(entry('other', 'quay'))).toContain('FW7027');
    expect(await run(entry('shop', 'other'))).toContain('FW7027');
  });

  test('FW7027: an entry that nothing refers to', async () => {
    const { code, err } = await synthWith(
      `${everything}- { kind: Placement, namespace: policies, name: pord }\n`,
    );
    expect(code).toBe(0);
    expect(err).toMatchInlineSnapshot(`
      "warning FW7027: nothing refers to the external Placement "policies/pord"
       --> fleetwright.yaml:8:3
        |
      8 | - { kind: Placement, namespace: policies, name: pord }
        |   ^
        = hint: correct the kind, namespace or name of the entry, or remove it

      1 warning
      "
    `);
  });

  test('is the same for all apps: one that any of them needs is not reported', async () => {
    const other = `apiVersion: ${addOnGroup}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: from-a-chart, namespace: c1 }
spec: {}
`;
    const settings = `${everything}- { kind: ClusterManagementAddOn, name: from-a-chart }\n`;
    const files: [string, string][] = [
      ['apps/other/hub.yaml', other],
      ['apps/other/fleet.yaml', fleetOf({ c1: {} })],
    ];
    expect((await synthWith(settings, ...files)).err).toBe('');
    expect(codesIn(await synthWith(settings))).toEqual(['FW7027']);
  });

  test.each([
    ['external: 7', 'fleetwright.yaml:1: external is not a list\n'],
    ['external: [7]', 'fleetwright.yaml:1: external[0] is not a mapping\n'],
    ['external:\n- { name: x }', 'fleetwright.yaml:2: external[0] has no kind\n'],
    [
      'external:\n- { kind: Placement }',
      'fleetwright.yaml:2: external[0] has no name\n  write "*" for any name\n',
    ],
    ['external:\n- { kind: [], name: x }', 'fleetwright.yaml:2: external[0].kind is not a string\n'],
    [
      'external:\n- { kind: Placement, nmae: x }',
      'fleetwright.yaml:2: external[0].nmae is unknown: use one of apiVersion, kind, namespace, name\n  did you mean name?\n',
    ],
    [
      'externals: []',
      'fleetwright.yaml:1: externals is unknown: use one of apps, out, fleet, engine, hubVersion, apiVersion, revisionHistoryLimit, hubs, equal, kustomize, plan, guardrails, policies, invariants, findings, sensitive, external\n  did you mean external?\n',
    ],
  ])('is not read if it is invalid: %s', async (settings, message) => {
    expect(await synthWith(settings)).toEqual({ code: 2, out: '', err: `fleetwright: ${message}` });
  });
});

test('a binding that is expected outside of Git counts if it names one set', async () => {
  const cwd = await folderWith({
    'hub.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: theirs, namespace: team-a }
spec: {}
`,
    'fleet.yaml': fleetOf({ c1: {} }),
    'fleetwright.yaml': 'external: [{ kind: ManagedClusterSetBinding, namespace: team-a, name: global }]\n',
  });
  const { out } = await runIn(cwd, ['resolve', '.', '-o', 'json']);
  expect(out).toContain('"clusterName":"c1"');
});
