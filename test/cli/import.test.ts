import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { refusal, serve } from './api-server.ts';
import { folderWith, runIn } from './terminal.ts';
import { linkDependencies } from '../linked-repository.ts';

const placement = `# the shops
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: shops }
spec: {}
`;
const odd = `apiVersion: example.com/v1
kind: Policy
metadata: { name: limits, namespace: shops }
spec: { __proto__: 1 }
`;
const cluster = `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c1 }
spec: { hubAcceptsClient: true }
`;
const sets = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: shops }
spec: { clusterSet: global }
`;

describe('import', () => {
  test('writes an app that synth compiles', async () => {
    const folder = await folderWith({
      'old/placement.yaml': placement,
      'old/sets.yaml': sets,
      'old/more/policy.yaml': `${odd}---\n${cluster}`,
      'package.json': '{ "type": "module" }',
    });
    linkDependencies(folder);

    const imported = await runIn(folder, ['import', 'old', '--out', 'apps/shops']);

    expect(imported.out).toBe(`apps/shops: 4 objects in TypeScript, 1 object as YAML
  app.ts
  kept.yaml

Next steps:
  fleetwright synth shops
  fleetwright plan HEAD
`);
    expect(imported.err)
      .toBe(`warning FW9101: Policy limits stays YAML, in kept.yaml, because spec.__proto__ is not a key that a construct can render
 --> old/more/policy.yaml:4:9
  |
4 | spec: { __proto__: 1 }
  |         ^
  = object: Policy shops/limits
  = field: spec.__proto__

1 warning
`);
    expect(imported.code).toBe(0);
    expect(readdirSync(path.join(folder, 'apps/shops')).sort()).toEqual(['app.ts', 'kept.yaml']);
    expect(readFileSync(path.join(folder, 'apps/shops/app.ts'), 'utf8')).toContain(
      "// the shops\nnew Placement(hub, 'all');",
    );

    expect(await runIn(folder, ['synth'])).toEqual({
      code: 0,
      out: 'shops: 5 objects, 0 add-ons, installed 0 times -> dist/shops\n',
      err: '',
    });
    expect(
      readFileSync(path.join(folder, 'dist/shops/policy.example.com_shops_limits.yaml'), 'utf8'),
    ).toContain('__proto__: 1');
  });

  test('never overwrites, and writes all or nothing', async () => {
    const folder = await folderWith({
      'a.yaml': `${placement}---\n${cluster}status: {}\n`,
      'apps/shops/fleet.yaml': 'mine\n',
    });

    const first = await runIn(folder, ['import', 'a.yaml', '--out', 'apps/shops']);

    expect(first.code).toBe(2);
    expect(first.err).toContain(`fleetwright: apps/shops/fleet.yaml exists already; nothing was written
  use another folder with --out, or replace the files with --overwrite
`);
    expect(readdirSync(path.join(folder, 'apps/shops'))).toEqual(['fleet.yaml']);
    expect(readFileSync(path.join(folder, 'apps/shops/fleet.yaml'), 'utf8')).toBe('mine\n');

    const second = await runIn(folder, ['import', 'a.yaml', '--out', 'apps/shops', '--overwrite']);

    expect(second.code).toBe(0);
    expect(readdirSync(path.join(folder, 'apps/shops')).sort()).toEqual(['app.ts', 'fleet.yaml']);
    expect(readFileSync(path.join(folder, 'apps/shops/fleet.yaml'), 'utf8')).toContain('ManagedCluster');
  });

  test('with --overwrite, removes the output of an earlier import, and nothing else', async () => {
    const folder = await folderWith({
      'a.yaml': `${placement}---\n${odd}`,
      'b.yaml': placement,
      'apps/shops/notes.md': 'mine\n',
      'apps/shops/fleet.yaml': 'mine\n',
    });
    const files = async (name: string) => {
      const { code, out } = await runIn(folder, ['import', name, '--out', 'apps/shops', '--overwrite']);
      expect(code).toBe(0);
      return { out, names: readdirSync(path.join(folder, 'apps/shops')).sort() };
    };
    expect((await files('a.yaml')).names).toEqual(['app.ts', 'fleet.yaml', 'kept.yaml', 'notes.md']);

    const { out, names } = await files('b.yaml');

    expect(out).toContain('  app.ts\n  kept.yaml, removed: of an earlier import\n');
    expect(names).toEqual(['app.ts', 'fleet.yaml', 'notes.md']);
  });

  test.each([
    ['as it was written', '', ['app.ts']],
    ['that somebody edited', '// mine\n', ['app.ts', 'hub.ts', 'metrics.ts']],
  ])('removes the modules of an app.ts %s', async (_, edit, names) => {
    const folder = await folderWith({
      'b.yaml': placement,
      'apps/shops/app.ts': `${edit}import { addMetrics } from './metrics.ts';\nimport { app } from './hub.ts';\n\naddMetrics();\n\nexport default app;\n`,
      'apps/shops/hub.ts': '',
      'apps/shops/metrics.ts': '',
    });
    expect((await runIn(folder, ['import', 'b.yaml', '--out', 'apps/shops', '--overwrite'])).code).toBe(0);
    expect(readdirSync(path.join(folder, 'apps/shops')).sort()).toEqual(names);
  });

  test('writes nothing if a file blocks the folder', async () => {
    const folder = await folderWith({ 'a.yaml': placement, apps: 'a file' });

    const { code, err } = await runIn(folder, ['import', 'a.yaml']);

    expect(code).toBe(2);
    expect(err).toContain('fleetwright: apps/imported cannot be written: ');
    expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'apps']);
  });

  test('prints objects that the API server would reject, and writes nothing', async () => {
    const folder = await folderWith({
      'a.yaml': placement.replace('spec: {}', 'spec: { clusterSet: [] }'),
      'b.yaml': cluster,
    });

    const { code, out, err } = await runIn(folder, ['import', 'a.yaml', 'b.yaml']);

    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain('error FW2005');
    expect(err).toContain('--> a.yaml:5:9');
    expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'b.yaml']);
  });

  test('prints inputs that cannot be read, and writes nothing', async () => {
    const folder = await folderWith({ 'a.yaml': 'a: [', 'b.yaml': cluster });

    const { code, err } = await runIn(folder, ['import', 'a.yaml', 'b.yaml']);

    expect(code).toBe(1);
    expect(err).toContain('error FW1001');
    expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'b.yaml']);
  });

  test('ends with the missing references of the input and the next commands', async () => {
    const addOn = 'addon.open-cluster-management.io';
    const folder = await folderWith({
      'a.yaml': `${placement.replace('spec: {}', 'spec: { clusterSets: [retail, global] }')}---
apiVersion: ${addOn}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec:
  supportedConfigs:
    - { group: ${addOn}, resource: addontemplates, defaultConfig: { name: agent-1 } }
    - { group: ${addOn}, resource: addondeploymentconfigs }
  installStrategy:
    type: Placements
    placements:
      - { namespace: shops, name: all }
      - { namespace: elsewhere, name: global, configs: [{ group: ${addOn}, resource: addondeploymentconfigs, namespace: shops, name: base }] }
---
apiVersion: ${addOn}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: other, namespace: c1 }
spec: {}
`,
    });

    const { out } = await runIn(folder, ['import', 'a.yaml', '--out', 'moved/agent']);

    expect(out.slice(out.indexOf('\n\n') + 2)).toBe(`Referenced, but not in the input:
  AddOnDeploymentConfig shops/base
  AddOnTemplate agent-1
  ClusterManagementAddOn other
  ManagedClusterSet retail
  ManagedClusterSetBinding in namespace shops
  Placement elsewhere/global

Next steps:
  fleetwright init --existing
  npm install
  fleetwright fleet pull --out moved/agent/fleet.yaml
  fleetwright validate moved/agent
`);
  });

  test('wants objects', async () => {
    const folder = await folderWith({ 'a.yaml': '# nothing\n' });

    const { code, err } = await runIn(folder, ['import', 'a.yaml']);

    expect(code).toBe(2);
    expect(err).toBe('fleetwright: no objects to import\n');
  });

  test('shows how far it is on a terminal', async () => {
    const template = `---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: t }
spec:
  addonName: a
  agentSpec:
    workload:
      manifests:
        - { apiVersion: v1, kind: ServiceAccount, metadata: { name: one, namespace: a } }
        - { apiVersion: v1, kind: ServiceAccount, metadata: { name: two, namespace: a } }
`;
    const folder = await folderWith({ 'a.yaml': placement + template });
    const shown: string[] = [];

    await runIn(folder, ['import', 'a.yaml'], '', { progress: (text) => shown.push(text) });

    expect(shown.filter((text) => text !== '')).toEqual([
      'read …',
      'load …',
      'admit …',
      'create 25% …',
      'create 50% …',
      'create 75% …',
      'create 100% …',
      'print …',
    ]);
    expect(shown.at(-1)).toBe('');
  });

  test('reads standard input', async () => {
    const folder = await folderWith({});

    const { code, out } = await runIn(folder, ['import', '-'], placement);

    expect(code).toBe(0);
    expect(out).toBe(`apps/imported: 1 object in TypeScript
  app.ts

Referenced, but not in the input:
  ManagedClusterSetBinding in namespace shops

Next steps:
  fleetwright init --existing
  npm install
  fleetwright fleet pull
  fleetwright synth imported
  fleetwright plan HEAD
`);
  });
});

describe('import --from-hub', () => {
  const addOn = { metadata: { name: 'agent' } };
  const config = { group: 'example.com', resource: 'policies', namespace: 'shops', name: 'limits' };
  const clusterAddOn = (namespace: string, spec: object): object => ({
    metadata: { name: 'agent', namespace, ownerReferences: [{ name: 'agent' }] },
    spec,
    status: { conditions: [] },
  });
  const held: Readonly<Record<string, readonly object[]>> = {
    managedclusters: [{ metadata: { name: 'c1' } }, { metadata: { name: 'c2' } }],
    managedclustersetbindings: [
      { metadata: { name: 'retail', namespace: 'shops', uid: '1' }, spec: { clusterSet: 'retail' } },
    ],
    placements: [{ metadata: { name: 'all', namespace: 'shops', resourceVersion: '7' }, spec: {} }],
    clustermanagementaddons: [
      {
        ...addOn,
        spec: {
          installStrategy: {
            type: 'Placements',
            placements: [{ namespace: 'shops', name: 'all', configs: [config] }],
          },
        },
      },
    ],
    managedclusteraddons: [
      clusterAddOn('c1', { installNamespace: 'open-cluster-management-agent-addon' }),
      clusterAddOn('c2', { configs: [config] }),
    ],
  };
  const policies = { name: 'policies', kind: 'Policy', namespaced: true };
  const answer = (url: URL): { status: number; body: object } => {
    const plural = url.pathname.split('/').at(-1) ?? '';
    if (url.pathname === '/apis/example.com')
      return { status: 200, body: { preferredVersion: { groupVersion: 'example.com/v1' } } };
    if (url.pathname === '/apis/example.com/v1') return { status: 200, body: { resources: [policies] } };
    if (plural === 'limits') {
      const metadata = { name: 'limits', namespace: 'shops', uid: '2', resourceVersion: '1' };
      return {
        status: 200,
        body: { apiVersion: 'example.com/v1', kind: 'Policy', metadata, spec: { cpu: 1 } },
      };
    }
    return { status: 200, body: { kind: 'List', metadata: {}, items: held[plural] ?? [] } };
  };

  test("writes users' objects into the app, and the state of clusters and of the hub into the fleet", async () => {
    const { kubeconfig } = await serve(answer);
    const folder = await folderWith({ kubeconfig });

    const { code, out, err } = await runIn(folder, ['import', '--from-hub', '--kubeconfig', 'kubeconfig']);

    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toBe(
      `apps/imported: 5 objects in TypeScript, 4 objects of the fleet, which synth reads and does not emit
  app.ts
  fleet.yaml

Referenced, but not in the input:
  ManagedClusterSet retail

Next steps:
  fleetwright init --existing
  npm install
  fleetwright synth imported
  fleetwright plan HEAD
`,
    );
    expect(readFileSync(path.join(folder, 'apps/imported/app.ts'), 'utf8')).toContain(`
const limits = new ApiObject(hub, 'limits', {
  apiVersion: 'example.com/v1',
  kind: 'Policy',
  metadata: { name: 'limits' },
  spec: { cpu: 1 },
});

// --- Clusters ---

new ManagedClusterSetBinding(hub, 'retail', { clusterSet: ManagedClusterSet.reference('retail') });
const all = new Placement(hub, 'all');

// --- Add-ons ---

const agent = new ClusterManagementAddOn(hub, 'agent', {
  lifecycle: 'unset',
  placements: [{ placement: all, configs: [AddOnConfig.fromObject(limits, 'policies')] }],
});

agent.forCluster('c2', { configs: [AddOnConfig.fromObject(limits, 'policies')] });
`);
  });

  test('prints why a hub cannot be read, and writes nothing', async () => {
    const { kubeconfig } = await serve(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    const folder = await folderWith({ kubeconfig });

    const { code, err } = await runIn(folder, ['import', '--from-hub', '--kubeconfig', 'kubeconfig']);

    expect(code).toBe(2);
    expect(err).toContain('error FW9006');
    expect(readdirSync(folder)).toEqual(['kubeconfig']);
  });

  test('takes no paths beside', async () => {
    const folder = await folderWith({ 'a.yaml': placement });
    const both = await runIn(folder, ['import', 'a.yaml', '--from-hub']);
    const neither = await runIn(folder, ['import']);

    expect([both.code, neither.code]).toEqual([2, 2]);
    expect(neither.err).toBe(both.err);
    expect(both.err).toBe(`fleetwright: missing path to import
  YAML files or folders, - for standard input, or --from-hub
`);
  });
});

describe('import --as-template', () => {
  const files = {
    'deploy/web.yaml': `apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: web, namespace: web }
---
# The web server.
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      serviceAccountName: web
      containers: [{ name: web, image: 'quay.io/example/web:1.0.0', ports: [{ containerPort: 8080 }] }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web, namespace: web }
data: { motd: 'one # two: three' }
`,
    'deploy/rbac/role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: web }
rules: [{ apiGroups: [''], resources: [pods], verbs: [get, list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: web }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: web }
subjects: [{ kind: ServiceAccount, name: web, namespace: web }]
`,
  };

  /** Returns the manifests of a YAML stream by kind and name. */
  const manifestsOf = (text: string) =>
    new Map(
      parseAllDocuments(text).map((document) => {
        const object = document.toJS() as { kind: string; metadata: { name: string } };
        return [`${object.kind} ${object.metadata.name}`, object] as const;
      }),
    );

  test('writes an app whose works contain the same manifests', async () => {
    const folder = await folderWith({ ...files, 'fleet.yaml': `${cluster}---\n${sets.split('---')[0]}` });
    linkDependencies(folder);

    const imported = await runIn(folder, ['import', 'deploy', '--as-template', 'shop-web']);

    expect(imported).toEqual({
      code: 0,
      err: '',
      out: `apps/shop-web: 5 objects in TypeScript
  app.ts

Next steps:
  fleetwright synth shop-web
  fleetwright plan HEAD
`,
    });
    expect(await runIn(folder, ['synth'])).toEqual({
      code: 0,
      err: '',
      out: 'shop-web: 5 objects, 1 add-on, installed 1 time -> dist/shop-web\n',
    });
    const { code, out } = await runIn(folder, ['render', 'c1', 'shop-web']);
    expect(code).toBe(0);
    const written = manifestsOf(Object.values(files).join('---\n'));
    const rendered = manifestsOf(out);
    expect([...rendered.keys()].sort()).toEqual([...written.keys()].sort());
    // the hub adds defaults and the variables of the cluster, and changes nothing
    for (const [name, manifest] of written) expect(rendered.get(name)).toMatchObject(manifest);
  });

  test('reports an unsuitable workload, and writes nothing', async () => {
    const folder = await folderWith({
      'web.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: { name: web, namespace: default }\nstringData:\n  password: hunter2\n',
    });

    const { code, out, err } = await runIn(folder, ['import', 'web.yaml', '--as-template', 'web']);

    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `error FW9095: Secret "web" has values (password), which everyone who reads Git, the template or a work could read
 --> web.yaml:3:13
  |
3 | metadata: { name: web, namespace: default }
  |             ^
  = object: Secret default/web
  = field: metadata.name
  = hint: remove it from the input, and let each cluster fetch it, for example with External Secrets

1 error
`,
    );
    expect(readdirSync(folder)).toEqual(['web.yaml']);
  });

  test.each([
    [['web.yaml', '--placement', 'a/b'], '--placement needs --as-template'],
    [['web.yaml', '--as-template', 'web', '--placement', 'a'], '--placement cannot be "a"'],
    [['web.yaml', '--as-template', 'web', '--placement', 'a/b/c'], '--placement cannot be "a/b/c"'],
    [['--from-hub', '--as-template', 'web'], '--as-template needs files'],
  ])('with %j is wrong usage', async (words, message) => {
    const folder = await folderWith({ 'web.yaml': placement });
    const { code, err } = await runIn(folder, ['import', ...words]);
    expect(code).toBe(2);
    expect(err).toContain(`fleetwright: ${message}\n`);
  });
});
