import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { linkDependencies } from '../linked-repository.ts';
import { tarball } from '../engines/charts/chart-files.ts';
import { packedChart, registryWith, serve, sha256 } from '../workspace/charts/chart-server.ts';
import { folderWith, runIn } from './terminal.ts';

const fleet = `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c1 }
spec: { hubAcceptsClient: true }
status: { version: { kubernetes: v1.34.2 } }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
`;

/** Returns the files of a chart, in the folder charts/agent. */
function chartFolder(files: Readonly<Record<string, string>>): Record<string, string> {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.2.0\n', ...files };
  return Object.fromEntries(Object.entries(all).map(([name, text]) => [`charts/agent/${name}`, text]));
}

const settings = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: {{ .Release.Namespace }} }
data: { level: {{ .Values.level | default "info" }} }
`;

const companion =
  'install the companion on the hub, once: https://github.com/fleetwright/fleetwright/blob/main/docs/install-controller.md';

describe('import CHART', () => {
  const chart = chartFolder({
    'values.yaml': 'replicas: 2\n',
    'templates/agent.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: agent, namespace: {{ .Release.Namespace }} }
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      volumes: [{ name: hub, secret: { secretName: {{ .Values.hubKubeConfigSecret }} } }]
      containers: [{ name: agent, image: "example.com/agent:1" }]
    metadata: { labels: { app: agent } }
  selector: { matchLabels: { app: agent } }
`,
  });

  test('writes an app that synth renders', async () => {
    const folder = await folderWith({ ...chart, 'fleet.yaml': fleet });
    linkDependencies(folder);
    const { code, out } = await runIn(folder, ['import', 'charts/agent']);
    expect({ code, out }).toEqual({
      code: 0,
      out: `apps/agent: chart agent 1.2.0 as add-on "agent"
  app.ts
  chart/Chart.yaml
  chart/templates/agent.yaml
  chart/values.yaml

Rendered for 1 cluster: 1 object each

Assumed, check it in app.ts:
  the agent registers at the hub, because templates/agent.yaml:8 reads hubKubeConfigSecret
  the release is in the namespace open-cluster-management-agent-addon of each cluster

Next steps:
  fleetwright synth agent
  fleetwright plan HEAD
  ${companion}
`,
    });
    expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0 });
    const rendered = await runIn(folder, ['render', 'c1', 'agent']);
    expect(rendered).toMatchObject({ code: 0, err: '' });
    expect(parseAllDocuments(rendered.out).map((document) => document.toJS() as unknown)).toMatchObject([
      {
        kind: 'Deployment',
        metadata: { name: 'agent', namespace: 'open-cluster-management-agent-addon' },
        spec: {
          replicas: 2,
          template: { spec: { volumes: [{ secret: { secretName: 'agent-hub-kubeconfig' } }] } },
        },
      },
    ]);
    const explained = await runIn(folder, ['explain', 'c1', 'agent', 'Deployment/agent spec.replicas']);
    expect(explained.out).toContain(
      'written by templates/agent.yaml:5, which reads replicas from values.yaml of the chart (values.yaml:1)\n',
    );
  });

  test('with a random Secret leaves it out, and says how to create it on the clusters', async () => {
    const secret = `apiVersion: v1
kind: Secret
metadata: { name: admin }
stringData: { user: admin, password: {{ .Values.password | default (randAlphaNum 12) }} }
`;
    const files = {
      'values.yaml': 'password: ""\n',
      'templates/s.yaml': secret,
      'templates/c.yaml': settings,
    };
    const folder = await folderWith({ ...chartFolder(files), 'fleet.yaml': fleet });
    linkDependencies(folder);
    const imported = await runIn(folder, ['import', 'charts/agent']);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain(
      'warning FW6053: the chart of add-on "agent" on 1 cluster: an object is not delivered, because its values are random, and what is delivered is in Git: Secret agent/admin (password)',
    );
    expect(imported.err).toContain('or set password in `values` of the HelmChart');
    expect(imported.out).toContain(
      '  create the Secrets on each cluster that has the namespace: fleetwright render CLUSTER agent --secrets | kubectl create -f -\n',
    );
    expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0 });
    const delivered = await runIn(folder, ['render', 'c1', 'agent', '--show-secrets']);
    expect(delivered.out).not.toContain('kind: Secret');
    const [first, second] = [
      await runIn(folder, ['render', 'c1', 'agent', '--secrets']),
      await runIn(folder, ['render', 'c1', 'agent', '--secrets', '-o', 'json']),
    ];
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^ {2}user: admin$/m);
    const password = /^ {2}password: (\w{12})$/m.exec(first.out)?.[1] ?? '';
    expect(password).not.toBe('');
    expect(JSON.parse(second.out)).toMatchObject({
      items: [{ metadata: { name: 'admin', namespace: 'agent' } }],
    });
    expect(second.out).not.toContain(password);
    const app = path.join(folder, 'apps/agent/app.ts');
    const text = readFileSync(app, 'utf8').replace(/( +)(values: )/, "$1clusterSecrets: ['admin'],\n$1$2");
    writeFileSync(app, text);
    const validated = await runIn(folder, ['validate']);
    expect(validated.err + validated.out).not.toContain('FW6053');
    expect((await runIn(folder, ['render', 'c1', 'agent', '--secrets'])).out).toContain('user: admin');
  });

  test('of an archive keeps it, with another name and the Placement of another app', async () => {
    const folder = await folderWith({ 'fleet.yaml': fleet });
    const archive = packedChart('1.2.0');
    writeFileSync(path.join(folder, 'agent-1.2.0.tgz'), archive);
    linkDependencies(folder);
    const options = ['--as-template', 'shop-agent', '--placement', 'shops/edge'];
    const { code, out } = await runIn(folder, ['import', 'agent-1.2.0.tgz', ...options]);
    expect(code).toBe(0);
    expect(out).toContain(
      '  the agent does not register, because no template reads hubKubeConfigSecret\n  the release is in the namespace shop-agent of each cluster\n',
    );
    expect(readFileSync(path.join(folder, 'apps/shop-agent/chart.tgz'))).toEqual(Buffer.from(archive));
    expect(JSON.parse(readFileSync(path.join(folder, 'apps/shop-agent/chart.lock'), 'utf8'))).toEqual({
      lockVersion: 1,
      name: 'agent',
      version: '1.2.0',
      source: 'agent-1.2.0.tgz',
      digest: sha256(archive),
    });
    const app = readFileSync(path.join(folder, 'apps/shop-agent/app.ts'), 'utf8');
    expect(app).toContain("const clusters = Placement.reference('shops', 'edge');");
    expect(app).not.toContain('Registration');
    const { err } = await runIn(folder, ['synth']);
    expect(err).toContain('error FW7003: Placement "shops/edge" does not exist');
  });

  test.each([
    [
      'a library (FW6045)',
      { 'Chart.yaml': 'apiVersion: v2\nname: names\nversion: 1.0.0\ntype: library\n' },
      'error FW6045: chart "names" is a library, so it has no manifests\n --> charts/agent/Chart.yaml:1:1',
    ],
    [
      'a chart without a version',
      { 'Chart.yaml': 'apiVersion: v2\nname: other\n' },
      'error FW6021: validation: chart.metadata.version is required',
    ],
    [
      'a name that no add-on can have',
      { 'Chart.yaml': 'apiVersion: v2\nname: Other_chart\nversion: 1.0.0\n' },
      'error FW9098: the add-on cannot be named "Other_chart"',
    ],
  ])('reports %s, and writes nothing', async (_, files, message) => {
    const folder = await folderWith(chartFolder(files));
    const { code, out, err } = await runIn(folder, ['import', 'charts/agent']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(readdirSync(folder)).toEqual(['charts']);
  });

  test('names files in comments only as far as they are safe', async () => {
    const archive = tarball([
      { path: 'agent/Chart.yaml', text: 'apiVersion: v2\nname: agent\nversion: 1.2.0\n' },
      { path: 'agent/templates/a\nthrow new Error();//.yaml', text: '# hubKubeConfigSecret\n' },
    ]);
    const folder = await folderWith({});
    writeFileSync(path.join(folder, 'agent.tgz'), archive);
    expect((await runIn(folder, ['import', 'agent.tgz'])).code).toBe(0);
    expect(readFileSync(path.join(folder, 'apps/agent/app.ts'), 'utf8')).toContain(
      '// A guess: the agent registers at the hub, because a template reads hubKubeConfigSecret.\n',
    );
  });

  test('takes one chart, and nothing beside it', async () => {
    const folder = await folderWith(chart);
    expect(await runIn(folder, ['import', 'charts/agent', 'other.yaml'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: charts/agent is a Helm chart\n  import each chart alone: it becomes an app\n',
    });
    expect(await runIn(folder, ['import', 'missing.tgz'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: missing.tgz: no such file or folder\n',
    });
    expect(await runIn(folder, ['import', 'charts/agent', '--version', '1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--chart and --version choose a chart of a repository') as string,
    });
    expect(await runIn(folder, ['import', 'other.yaml', '--upgrade'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--upgrade is for Helm charts') as string,
    });
  });

  test('renders for an assumed cluster if the workspace has no fleet', async () => {
    const folder = await folderWith(chartFolder({ 'templates/settings.yaml': settings }));
    const { code, out } = await runIn(folder, ['import', 'charts/agent']);
    expect(code).toBe(0);
    expect(out).toContain(
      'Rendered for one assumed cluster with Kubernetes v1.34.2, because the workspace has no fleet: 2 objects each\n',
    );
  });

  test('updates first the clusters whose label names an early environment', async () => {
    const clusters = ['dev', 'prod'].map(
      (env) =>
        `apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: ${env}-1, labels: { env: ${env} } }\nspec: { hubAcceptsClient: true }\n---\n`,
    );
    const folder = await folderWith({
      ...chartFolder({ 'templates/settings.yaml': settings }),
      'fleet.yaml': `${clusters.join('')}${fleet}`,
    });
    linkDependencies(folder);
    expect((await runIn(folder, ['import', 'charts/agent'])).code).toBe(0);
    expect((await runIn(folder, ['synth'])).code).toBe(0);
    expect((await runIn(folder, ['rollout', 'apps/agent'])).out).toContain('wave 1: 1 cluster\n');
  });
});

describe('import CHART with values', () => {
  const required = chartFolder({
    'values.yaml': 'level: debug\n',
    'templates/settings.yaml': settings.replace(
      '.Values.level | default "info"',
      'required "set token" .Values.token',
    ),
  });

  test('reports what must be set before it writes, and writes it into app.ts', async () => {
    const folder = await folderWith({
      ...required,
      'fleet.yaml': fleet,
      'my.yaml': 'token: a\nnested: { on: true, "a-b": [1] }\n',
      'more.yaml': 'nested: { on: null, off: false }\n',
    });
    linkDependencies(folder);
    const missing = await runIn(folder, ['import', 'charts/agent']);
    expect({ code: missing.code, out: missing.out }).toEqual({ code: 1, out: '' });
    expect(missing.err).toContain('set token');
    expect(missing.err).toContain(
      'fleetwright: nothing was written\n  set what the findings name in a file, and import the chart with --values FILE\n',
    );
    expect(readdirSync(folder)).not.toContain('apps');
    const files = ['--values', 'my.yaml', '--values', 'more.yaml'];
    expect((await runIn(folder, ['import', 'charts/agent', ...files])).code).toBe(0);
    expect(readFileSync(path.join(folder, 'apps/agent/app.ts'), 'utf8')).toContain(
      "values: { token: 'a', nested: { on: null, 'a-b': [1], off: false } },",
    );
    expect((await runIn(folder, ['synth'])).code).toBe(0);
    expect((await runIn(folder, ['render', 'c1', 'agent'])).out).toContain('level: a\n');
  });

  test.each([
    ['- a\n', 'v.yaml is not a map of values'],
    ['a: [\n', 'v.yaml is not valid YAML'],
  ])('refuses the file %j', async (text, message) => {
    const folder = await folderWith({ ...required, 'v.yaml': text });
    const { code, err } = await runIn(folder, ['import', 'charts/agent', '--values', 'v.yaml']);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('import of a folder', () => {
  test('leaves out what .helmignore names, and packs a large chart', async () => {
    const folder = await folderWith({
      ...chartFolder({
        '.helmignore': 'docs/\n*.md\n',
        'docs/guide.txt': 'x',
        'README.md': 'x',
        'templates/settings.yaml': settings,
        'files/large.txt': 'x'.repeat(300_000),
      }),
      'fleet.yaml': fleet,
    });
    linkDependencies(folder);
    const { code, out } = await runIn(folder, ['import', 'charts/agent']);
    expect(code).toBe(0);
    expect(out).toContain('  app.ts\n  chart.tgz\n  chart.lock\n');
    expect(JSON.parse(readFileSync(path.join(folder, 'apps/agent/chart.lock'), 'utf8'))).toMatchObject({
      source: 'charts/agent',
    });
    expect(readFileSync(path.join(folder, 'apps/agent/chart.tgz')).length).toBeLessThan(2_000);
    expect((await runIn(folder, ['synth'])).code).toBe(0);
  });

  test('refuses a chart whose archive no object of the hub can contain (FW9193)', async () => {
    const folder = await folderWith(chartFolder({ 'templates/settings.yaml': settings }));
    mkdirSync(path.join(folder, 'charts/agent/files'));
    writeFileSync(path.join(folder, 'charts/agent/files/large.bin'), randomBytes(1_200_000));
    const { code, err } = await runIn(folder, ['import', 'charts/agent']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /error FW9193: the archive of charts\/agent has 1\d{6} bytes, and an AddOnTemplate cannot have more than 1125000: the hub stores objects of at most 1\.5 MiB/,
    );
    writeFileSync(path.join(folder, 'charts/agent/.helmignore'), 'files/\n');
    expect((await runIn(folder, ['import', 'charts/agent'])).code).toBe(0);
  });

  test('follows links inside of the repository, and no others (FW9193)', async () => {
    const { symlinkSync } = await import('node:fs');
    const folder = await folderWith({
      ...chartFolder({ 'templates/settings.yaml': settings }),
      'shared/more.yaml': settings.replace('name: settings', 'name: more'),
      '.git/HEAD': '',
    });
    symlinkSync('../../../shared/more.yaml', path.join(folder, 'charts/agent/templates/more.yaml'));
    expect((await runIn(folder, ['import', 'charts/agent'])).out).toContain('3 objects each');
    symlinkSync('/etc/hostname', path.join(folder, 'charts/agent/templates/host.yaml'));
    const { code, err } = await runIn(folder, ['import', 'charts/agent', '--out', 'apps/b']);
    expect(code).toBe(2);
    expect(err).toContain(
      'error FW9193: charts/agent/templates/host.yaml is a link that leads out of the repository of the chart',
    );
  });
});

describe('import of a folder whose charts are missing', () => {
  const templates = {
    'templates/all.yaml': `{{- range $name, $chart := .Subcharts }}
---
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ $name }}-{{ $chart.Chart.Version }} }
{{- end }}
`,
  };
  const required = (dependencies: readonly object[], files: Readonly<Record<string, string>> = {}) =>
    chartFolder({
      'Chart.yaml': `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies: ${JSON.stringify(dependencies)}\n`,
      ...templates,
      ...files,
    });

  test('downloads them in the versions of Chart.lock, or those that Chart.yaml allows', async () => {
    const archives = { '1.2.0': packedChart('1.2.0'), '1.4.0': packedChart('1.4.0') };
    const registry = await serve(registryWith(archives));
    const index = `entries:\n  agent:\n    - { version: 1.2.0, urls: [agent-1.2.0.tgz] }\n    - { version: 1.4.0, urls: [agent-1.4.0.tgz] }\n`;
    const repository = await serve(({ url }) => {
      if (url === '/charts/index.yaml') return { body: index };
      const [, version = ''] = /^\/charts\/agent-(.*)\.tgz$/.exec(url) ?? [];
      return version in archives ? { body: archives[version as keyof typeof archives] } : { status: 404 };
    });
    for (const [address, source] of [
      [`oci://${registry.host}/charts`, `oci://${registry.host}/charts/agent:`],
      [`http://${repository.host}/charts`, `http://${repository.host}/charts/agent-`],
    ] as const)
      for (const [lock, version] of [
        [{}, '1.4.0'],
        [
          {
            'Chart.lock': lockFile(address, `{"name":"agent","version":"^1.0","repository":"${address}"}`),
          },
          '1.2.0',
        ],
      ] as const) {
        const dependency = { name: 'agent', version: '^1.0', repository: address };
        const folder = await folderWith({ ...required([dependency], lock), 'fleet.yaml': fleet });
        linkDependencies(folder);
        const { code, out, err } = await runIn(folder, ['import', 'charts/agent', '--plain-http']);
        expect({ code, err }).toEqual({ code: 0, err: '' });
        expect(out).toContain('Added to the folder charts/, because Chart.yaml requires them:');
        expect(out).toContain(`  agent: ${source}${version}`);
        expect(readdirSync(path.join(folder, 'apps/parent/chart/charts'))).toEqual(['agent.tgz']);
      }
  });

  test('refuses a Chart.lock that was made for other dependencies, as `helm dependency build`', async () => {
    const address = 'https://charts.example.com';
    const dependency = { name: 'agent', version: '^2.0', repository: address };
    const lock = lockFile(address, `{"name":"agent","version":"^1.0","repository":"${address}"}`);
    const folder = await folderWith({
      ...required([dependency], { 'Chart.lock': lock }),
      'fleet.yaml': fleet,
    });
    const { code, out, err } = await runIn(folder, ['import', 'charts/agent']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'fleetwright: charts/agent/Chart.lock was made for other dependencies than those of Chart.yaml\n  run `helm dependency update` in the folder of the chart, or remove the file to have the newest versions that Chart.yaml allows\n',
    );
  });

  test('takes them from another folder of the repository, and from none outside of it', async () => {
    const other = {
      'charts/other/Chart.yaml': 'apiVersion: v2\nname: other\nversion: 0.1.0\n',
      'charts/other/values.yaml': 'a: 1\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
    };
    const dependency = { name: 'other', version: '0.1.0', repository: 'file://../other' };
    const folder = await folderWith({ ...required([dependency]), ...other, 'fleet.yaml': fleet });
    linkDependencies(folder);
    const { code, err } = await runIn(folder, ['import', 'charts/agent']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const files = readdirSync(path.join(folder, 'apps/parent/chart/charts/other'));
    expect(files).toEqual(['Chart.yaml', 'values.yaml']);
    const unnamed = await folderWith({ ...required([{ ...dependency, name: '../../other' }]), ...other });
    expect((await runIn(unnamed, ['import', 'charts/agent'])).err).toContain(
      'the chart charts/agent requires "../../other", which is not the name of a chart',
    );
    const outside = { ...dependency, repository: 'file:///etc' };
    const refused = await folderWith({ ...required([outside]), ...other });
    expect((await runIn(refused, ['import', 'charts/agent'])).err).toContain(
      'the chart charts/agent requires other, and its folder /etc is not in the repository of the chart',
    );
  });

  test('names those whose address only Helm knows, and writes nothing', async () => {
    const folder = await folderWith(required([{ name: 'db', version: '1', repository: '@stable' }]));
    const { code, err } = await runIn(folder, ['import', 'charts/agent']);
    expect({ code, err }).toEqual({
      code: 2,
      err: `fleetwright: the chart charts/agent requires db, which cannot be downloaded: its repository "@stable" is not an address
  run \`helm dependency build\` in its folder, and import it again
`,
    });
  });
});

describe('import of a chart in a registry', () => {
  test('keeps the archive with its digest, which synth verifies without the network', async () => {
    const archive = packedChart('1.2.0');
    const { host } = await serve(registryWith({ '1.2.0': archive }));
    const folder = await folderWith({ 'fleet.yaml': fleet });
    linkDependencies(folder);
    const { code, out } = await runIn(folder, ['import', `oci://${host}/charts/agent:1.2.0`]);
    expect(code).toBe(0);
    expect(out).toContain(
      'apps/agent: chart agent 1.2.0 as add-on "agent"\n  app.ts\n  chart.tgz\n  chart.lock\n',
    );
    const lock = JSON.parse(readFileSync(path.join(folder, 'apps/agent/chart.lock'), 'utf8')) as object;
    expect(lock).toMatchObject({ source: `oci://${host}/charts/agent:1.2.0`, digest: sha256(archive) });
    expect((await runIn(folder, ['synth'])).code).toBe(0);
    expect((await runIn(folder, ['render', 'c1', 'agent'])).out).toContain('version: "1.2.0"\n');

    writeFileSync(path.join(folder, 'apps/agent/chart.tgz'), packedChart('6.6.6'));
    const tampered = await runIn(folder, ['synth']);
    expect(tampered.code).not.toBe(0);
    expect(tampered.err).toContain(
      `error FW9192: apps/agent/chart.tgz has the digest ${sha256(packedChart('6.6.6'))}, and apps/agent/chart.lock expects ${sha256(archive)}\n`,
    );
    writeFileSync(path.join(folder, 'apps/agent/chart.lock'), '{}');
    expect((await runIn(folder, ['synth'])).err).toContain(
      'error FW9192: apps/agent/chart.lock is not the lock of a chart',
    );
  });

  test('is updated by --upgrade, which keeps app.ts', async () => {
    const { host } = await serve(
      registryWith({ '1.2.0': packedChart('1.2.0'), '1.3.0': packedChart('1.3.0') }),
    );
    const folder = await folderWith({ 'fleet.yaml': fleet });
    linkDependencies(folder);
    const address = `oci://${host}/charts/agent`;
    await runIn(folder, ['import', `${address}:1.2.0`]);
    const app = path.join(folder, 'apps/agent/app.ts');
    writeFileSync(app, readFileSync(app, 'utf8').replace('values: {}', "values: { level: 'debug' }"));
    expect(await runIn(folder, ['import', address, '--upgrade'])).toEqual({
      code: 0,
      err: '',
      out: 'apps/agent: chart agent 1.2.0 -> 1.3.0\n  chart.tgz\n  chart.lock\n\nNext steps:\n  fleetwright synth agent\n  fleetwright plan HEAD\n',
    });
    expect((await runIn(folder, ['synth'])).code).toBe(0);
    const { out } = await runIn(folder, ['render', 'c1', 'agent']);
    expect(out).toContain('level: debug\n');
    expect(out).toContain('version: "1.3.0"\n');
    const other = await runIn(folder, ['import', address, '--upgrade', '--out', 'apps/other']);
    expect(other.err).toContain('apps/other has no app.ts, so there is no app to upgrade');
  });

  test('is downloaded only by import', async () => {
    const { host, received } = await serve(registryWith({ '1.2.0': packedChart('1.2.0') }));
    const folder = await folderWith({ 'fleet.yaml': fleet });
    linkDependencies(folder);
    await runIn(folder, ['import', `oci://${host}/charts/agent:1.2.0`]);
    const count = received.length;
    await runIn(folder, ['synth']);
    expect(received).toHaveLength(count);
    expect(await runIn(folder, ['import', `oci://${host}/charts/agent:9.9.9`])).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: oci://${host}/charts/agent:9.9.9: the registry has no such chart or version\n`,
    });
  });
});

describe('import of a chart for the hub', () => {
  const hubFiles = chartFolder({
    'templates/add-on.yaml': `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec: { addOnMeta: { displayName: {{ .Values.title | default "Agent" }} } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: manager, namespace: {{ .Release.Namespace }} }
spec:
  selector: { matchLabels: { app: manager } }
  template:
    metadata: { labels: { app: manager } }
    spec:
      serviceAccountName: manager
      containers: [{ name: manager, image: 'quay.io/agent/manager:{{ .Chart.Version }}' }]
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: manager, namespace: {{ .Release.Namespace }} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: agent-manager }
rules:
  - apiGroups: [addon.open-cluster-management.io]
    resources: [managedclusteraddons]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: agent-manager }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: agent-manager }
subjects: [{ kind: ServiceAccount, name: manager, namespace: {{ .Release.Namespace }} }]
`,
  });

  test('makes its objects objects of the app, and delivers none of them (FW9109)', async () => {
    const folder = await folderWith({ ...hubFiles, 'fleet.yaml': fleet, 'v.yaml': 'title: Ours\n' });
    linkDependencies(folder);
    const imported = await runIn(folder, ['import', 'charts/agent', '--values', 'v.yaml']);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain(
      'info FW9109: chart "agent" is for the hub, because it has ClusterManagementAddOn, and Deployment "agent/manager" reads objects of the hub\n --> charts/agent:1:1',
    );
    expect(imported.out).toContain('describe what the manager renders with a ManagerProfile');
    expect(imported.out).not.toContain('companion');
    expect((await runIn(folder, ['synth'])).err).not.toContain('error');
    expect(readdirSync(path.join(folder, 'dist/agent')).filter((name) => name.endsWith('.yaml'))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/deployment/) as string,
        expect.stringMatching(/clustermanagementaddon/) as string,
      ]),
    );
    const { out } = await runIn(folder, ['render', 'c1', 'agent']);
    expect(out).not.toContain('Deployment');
  });

  test('also without objects of the hub, if it has a Deployment that reads them', async () => {
    const [file = '', text = ''] =
      Object.entries(hubFiles).find(([name]) => name.includes('templates')) ?? [];
    const folder = await folderWith({ ...hubFiles, [file]: text.split('---\n').slice(1).join('---\n') });
    const options = ['--namespace', 'open-cluster-management'];
    const { err } = await runIn(folder, ['import', 'charts/agent', ...options]);
    expect(err).toContain(
      'chart "agent" is for the hub, because Deployment "open-cluster-management/manager" reads objects of the hub',
    );
    const app = readFileSync(path.join(folder, 'apps/agent/app.ts'), 'utf8');
    expect(app).not.toMatch(/kind: 'Namespace'/);
  });
});

describe('new --chart', () => {
  test('writes an app with the chart of this name in a repository', async () => {
    const archive = packedChart('1.2.0');
    const index =
      'entries:\n  agent:\n  - version: 1.1.0\n    urls: [old.tgz]\n  - version: 1.2.0\n    urls: [agent.tgz]\n';
    const { host } = await serve(({ url }) => ({ body: url.endsWith('index.yaml') ? index : archive }));
    const folder = await folderWith({ 'fleet.yaml': fleet, 'fleetwright.yaml': '{}\n' });
    linkDependencies(folder);
    const address = `http://${host}/charts`;
    const { code, out } = await runIn(folder, ['new', 'agent', '--chart', address, '--version', '^1.2']);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^apps\/agent: chart agent 1\.2\.0 as add-on "agent"\n/) as string,
    });
    expect(readFileSync(path.join(folder, 'apps/agent/chart.lock'), 'utf8')).toContain(
      `${address}/agent.tgz`,
    );
    expect((await runIn(folder, ['synth'])).code).toBe(0);
  });

  test('takes a path from the folder of the command, and nothing that a chart cannot have', async () => {
    const folder = await folderWith({
      ...chartFolder({ 'templates/settings.yaml': settings }),
      'fleetwright.yaml': '{}\n',
    });
    const inner = path.join(folder, 'charts');
    expect((await runIn(inner, ['new', 'shop', '--chart', 'agent'])).out).toContain('as add-on "shop"\n');
    expect((await runIn(folder, ['new', 'x', '--chart', 'charts/agent', '--yaml'])).err).toContain(
      '--chart and --yaml exclude each other',
    );
    expect((await runIn(folder, ['new', 'x', '--version', '1'])).err).toContain(
      '--version is for Helm charts',
    );
  });
});

/** Returns the Chart.lock that has version 1.2.0 of the only dependency, which Chart.yaml has in the form that Go prints. */
function lockFile(address: string, dependency: string): string {
  const text = `[[${dependency}],[{"name":"agent","version":"1.2.0","repository":"${address}"}]]`;
  const digest = createHash('sha256').update(text).digest('hex');
  return `dependencies: [{ name: agent, version: 1.2.0, repository: "${address}" }]\ndigest: sha256:${digest}\n`;
}
