import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/workspace/version.ts';
import { fleetOf } from '../resolve-text.ts';
import { linkDependencies, root } from '../linked-repository.ts';
import { folderWith, runIn, spawnIn } from './terminal.ts';

const config = (name: string, level: string): string => `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: ${name}
  namespace: default
spec:
  customizedVariables:
  - name: LEVEL
    value: "${level}"
`;
const addOn = `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: hello
spec:
  supportedConfigs:
  - group: addon.open-cluster-management.io
    resource: addondeploymentconfigs
    defaultConfig:
      name: basic
      namespace: default
  installStrategy:
    type: Placements
    placements:
    - name: everywhere
      namespace: default
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: everywhere
  namespace: default
spec:
  tolerations:
  - key: cluster.open-cluster-management.io/unreachable
    operator: Exists
  - key: cluster.open-cluster-management.io/unavailable
    operator: Exists
`;
const yamlApp = {
  'apps/hello/add-on.yaml': addOn,
  'apps/hello/configs/basic.yaml': config('basic', '1'),
  'apps/hello/basic.yaml': config('basic', '1'),
  'apps/hello/fleet.yaml': fleetOf({ c1: {}, c2: {} }),
};
// Only the files of the app's folder itself are the app's.
const { 'apps/hello/configs/basic.yaml': _below, ...app } = yamlApp;

describe('synth', () => {
  test('writes a folder for every app, prints its content, and changes nothing in a second run', async () => {
    const folder = await folderWith(app);
    expect(await runIn(folder, ['synth'])).toEqual({
      code: 0,
      out: 'hello: 3 objects, 1 add-on, installed 2 times -> dist/hello\n',
      err: '',
    });
    expect((await readdir(path.join(folder, 'dist/hello'))).sort()).toEqual([
      '.fleetwright.json',
      'addondeploymentconfig_default_basic.yaml',
      'clustermanagementaddon_hello.yaml',
      'kustomization.yaml',
      'placement_default_everywhere.yaml',
      'resolution.yaml',
    ]);
    expect(await readFile(path.join(folder, 'dist/hello/resolution.yaml'), 'utf8')).toMatchInlineSnapshot(`
      "addOns:
      - name: hello
        clusters: 2
        groups:
        - configs:
          - name: default/basic
            from: default
            hash: "405ec88e7d461737789c8ad038b538328bd8f6d29819ad514c9d9dfb3a48c2f0"
            resource: addondeploymentconfigs.addon.open-cluster-management.io
          placements:
          - default/everywhere
          usedBy:
          - c1
          - c2
      "
    `);
    expect((await runIn(folder, ['synth'])).out).toBe(
      'hello: 3 objects, 1 add-on, installed 2 times -> dist/hello (unchanged)\n',
    );
    expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
  });

  test('--check prints outdated files, exits with 1 and writes nothing', async () => {
    const folder = await folderWith(app);
    await runIn(folder, ['synth']);
    await writeFile(
      path.join(folder, 'apps/hello/basic.yaml'),
      config('basic', '2') + '---\n' + config('more', '3'),
    );
    await rm(path.join(folder, 'dist/hello/placement_default_everywhere.yaml'));
    expect(await runIn(folder, ['synth', '--check'])).toEqual({
      code: 1,
      out: `hello: dist/hello is not what the app produces
  missing  addondeploymentconfig_default_more.yaml
  missing  placement_default_everywhere.yaml
  changed  .fleetwright.json
  changed  addondeploymentconfig_default_basic.yaml
  changed  kustomization.yaml
  changed  resolution.yaml
`,
      err: expect.stringMatching(
        /^warning FW7135: [^]*\n1 warning\nrun synth and commit its output\n$/,
      ) as string,
    });
    expect(await readdir(path.join(folder, 'dist/hello'))).not.toContain('placement_default_everywhere.yaml');
  });

  test('an error in one app leaves every folder as it was', async () => {
    const folder = await folderWith({
      ...app,
      'apps/other/app.yaml': addOn.replace('name: basic', 'name: missing'),
    });
    const { code, out, err } = await runIn(folder, ['synth']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      'error FW4001: addondeploymentconfigs.addon.open-cluster-management.io "default/missing"',
    );
    expect(await readdir(folder)).toEqual(['apps']);
  });

  test('the folder of a removed app is deleted', async () => {
    const folder = await folderWith({ ...app, 'apps/gone/config.yaml': config('gone', '1') });
    await runIn(folder, ['synth']);
    await rm(path.join(folder, 'apps/gone'), { recursive: true });
    expect(await runIn(folder, ['synth', '--check'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('gone: the app no longer exists, but there is dist/gone\n'),
    });
    expect((await runIn(folder, ['synth'])).out).toContain(
      'gone: the app no longer exists, removed dist/gone\n',
    );
    expect((await readdir(path.join(folder, 'dist'))).sort()).toEqual([
      '.fleetwright.json',
      'hello',
      'kustomization.yaml',
    ]);
  });

  test('--api-version emits the add-on kinds in v1beta1', async () => {
    const folder = await folderWith(app);
    await runIn(folder, ['synth', '--api-version', 'v1beta1']);
    const written = await readFile(path.join(folder, 'dist/hello/clustermanagementaddon_hello.yaml'), 'utf8');
    expect(written).toContain('apiVersion: addon.open-cluster-management.io/v1beta1\n');
    expect(written).toContain('  defaultConfigs:\n  - name: basic\n');
  });

  test('runs apps in TypeScript', async () => {
    const folder = await folderWith({
      'apps/ts/app.ts': `import { AddOnDeploymentConfig, App, Chart } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'chart', { namespace: 'default' });
new AddOnDeploymentConfig(chart, 'typed', { customizedVariables: { LEVEL: '1' } });
export default app;
`,
    });
    linkDependencies(folder);
    expect((await runIn(folder, ['synth'])).err).toBe('');
    expect(await readdir(path.join(folder, 'dist/ts'))).toContain('addondeploymentconfig_default_typed.yaml');
  });
});

describe('apps with faults', () => {
  const files = (text: string): Record<string, string> => ({
    'package.json': '{ "type": "module" }',
    'apps/bad/app.ts': text,
  });
  const synth = async (text: string): Promise<{ code: number; err: string }> => {
    const folder = await folderWith(files(text));
    linkDependencies(folder);
    const { code, err } = await runIn(folder, ['synth']);
    return { code, err };
  };

  test('FW9001: an app that throws, at its own line', async () => {
    const folder = await folderWith(
      files(`const settings: { name?: string } = {};\n\nexport default settings.name.length;\n`),
    );
    expect(await spawnIn(folder, ['synth'])).toEqual({
      code: 1,
      out: '',
      err: `error FW9001: the app failed: Cannot read properties of undefined (reading 'length')
 --> apps/bad/app.ts:3:30
  |
3 | export default settings.name.length;
  |                              ^
  = hint: a prop may have the wrong type: tsc --noEmit checks the app

1 error
`,
    });
  });

  test('FW9001: two constructs with one id', async () => {
    const { code, err } = await synth(
      `import { App, Chart } from 'fleetwright';\nconst app = new App();\nnew Chart(app, 'prod');\nnew Chart(app, 'prod');\nexport default app;\n`,
    );
    expect(code).toBe(1);
    expect(err).toContain(
      "error FW9001: the app failed: There is already a Construct with name 'prod' in App\n",
    );
    expect(err).toContain(
      "= hint: ids are unique in a scope: give one of the constructs another id, and name: 'prod' if the object must keep its name\n",
    );
  });

  test('FW9001: an app that is not TypeScript', async () => {
    const { code, err } = await synth('const = 1;\n');
    expect(code).toBe(1);
    expect(err).toContain(`error FW9001: the app cannot be read: Expected identifier but found "="`);
    expect(err).toContain('apps/bad/app.ts:1:7');
  });

  test('FW9002: an app that exports no constructs', async () => {
    const { code, err } = await synth('export default { name: "no construct" };\n');
    expect(code).toBe(1);
    expect(err).toContain('error FW9002: the app exports no construct tree by default');
  });

  test('an app in a package of CommonJS, at its own lines', async () => {
    const folder = await folderWith({
      ...files(`import { AddOnDeploymentConfig, App, Chart } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'chart', { namespace: 'default' });
new AddOnDeploymentConfig(chart, 'config', { customizedVariables: { '1x': 'y' } });
export default app;
`),
      'package.json': '{}',
    });
    linkDependencies(folder);
    const { code, err } = await spawnIn(folder, ['validate', 'apps/bad']);
    expect(code).toBe(1);
    expect(err.split('\n', 2)).toEqual([
      expect.stringMatching(/^error FW2010: name "1x" /),
      ' --> chart/config (apps/bad/app.ts:4:1)',
    ]);
  });

  test('FW9003: a construct that rejects its input, with its path', async () => {
    const { code, err } =
      await synth(`import { App, Chart, ClusterManagementAddOn, Construct } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'chart');
chart.node.addValidation({ validate: () => ['no chart may be called chart'] });
new ClusterManagementAddOn(chart, 'hello', {});
export default app;
`);
    expect(code).toBe(1);
    expect(err).toContain('error FW9003: no chart may be called chart');
    expect(err).toContain('chart');
  });
});

describe('resolve', () => {
  test('prints a List of the objects that the hub will have, as JSON and as YAML', async () => {
    const folder = await folderWith(app);
    const { code, out, err } = await runIn(folder, ['resolve', 'apps/hello', '-o', 'json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const list = JSON.parse(out) as {
      kind: string;
      items: { kind: string; metadata: { name: string; namespace?: string } }[];
    };
    expect(list.kind).toBe('List');
    expect(
      list.items.map(({ kind, metadata }) =>
        [kind, metadata.namespace, metadata.name].filter(Boolean).join(' '),
      ),
    ).toEqual([
      'Placement default everywhere',
      'PlacementDecision default everywhere-decision-1',
      'ClusterManagementAddOn hello',
      'ManagedClusterAddOn c1 hello',
      'ManagedClusterAddOn c2 hello',
    ]);
    const yaml = await runIn(folder, ['resolve', 'apps/hello']);
    expect(yaml.out).toMatch(
      /^apiVersion: v1\nkind: List\nitems:\n- apiVersion: cluster.open-cluster-management.io\/v1beta1\n  kind: Placement\n/,
    );
    expect(parse(yaml.out)).toEqual(JSON.parse(out));
  });

  test('reads standard input and fleets from arguments', async () => {
    const folder = await folderWith({ 'fleet.yaml': fleetOf({ c1: {} }) });
    const { out } = await runIn(
      folder,
      ['resolve', '-', '--fleet', 'fleet.yaml', '-o', 'json'],
      addOn + '---\n' + config('basic', '1'),
    );
    expect(out).toContain('"name":"hello","namespace":"c1"');
  });

  test('prints nothing if the API server would reject an object', async () => {
    const folder = await folderWith(app);
    await writeFile(
      path.join(folder, 'apps/hello/basic.yaml'),
      config('basic', '1').replace('name: LEVEL', 'nam: LEVEL'),
    );
    const { code, out, err } = await runIn(folder, ['resolve', 'apps/hello']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('apps/hello/basic.yaml:8:5');
  });

  test("still prints the hub's behavior if only a rule is broken, and exits 1", async () => {
    const folder = await folderWith(app);
    await rm(path.join(folder, 'apps/hello/basic.yaml'));
    const { code, out, err } = await runIn(folder, ['resolve', 'apps/hello', '-o', 'json']);
    expect(code).toBe(1);
    expect(err).toContain('FW4001');
    expect(JSON.parse(out)).toHaveProperty('items');
  });
});

describe('render', () => {
  test('prints the manifests that a cluster receives', async () => {
    const { code, out, err } = await runIn(root, [
      'render',
      'cluster1',
      'helloworld-template',
      '--app',
      'helloworld-template',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const manifests = out
      .split('---\n')
      .map((text) => parse(text) as { kind: string; metadata: { namespace?: string } });
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'Namespace',
      'Role',
      'RoleBinding',
      'ServiceAccount',
    ]);
    // cluster1 has a separate deployment config, which installs elsewhere.
    expect(manifests.find(({ kind }) => kind === 'Deployment')?.metadata.namespace).toBe(
      'helloworld-cluster1',
    );
  });

  test('names the hosting cluster of manifests in hosted mode', async () => {
    const api = 'addon.open-cluster-management.io';
    const folder = await folderWith({
      'apps/hello/app.yaml': `
apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled, ${api}/lifecycle: self } }
spec:
  supportedConfigs: [{ group: ${api}, resource: addontemplates, defaultConfig: { name: hello } }]
---
apiVersion: ${api}/v1alpha1
kind: AddOnTemplate
metadata: { name: hello }
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: b } }
      - { apiVersion: v1, kind: Secret, metadata: { name: a, namespace: b, annotations: { ${api}/hosted-manifest-location: hosting } } }
---
apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1, annotations: { ${api}/hosting-cluster-name: c2 } }
spec: {}
`,
      'apps/hello/fleet.yaml': ['c1', 'c2']
        .map(
          (name) =>
            `apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: ${name} }\nspec: { hubAcceptsClient: true }\n`,
        )
        .join('---\n'),
    });
    const { out, err } = await runIn(folder, ['render', 'c1', 'hello']);
    expect(err).toContain(
      '1 of 2 manifests is for hosting cluster "c2", in work addon-hello-deploy-hosting-c1-0\n',
    );
    expect(out.split('---\n').map((text) => (parse(text) as { kind: string }).kind)).toEqual([
      'ConfigMap',
      'Secret',
    ]);
  });

  test('explains why there is nothing to print', async () => {
    const folder = await folderWith(app);
    expect(await runIn(folder, ['render', 'c1', 'hello'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: what the manager of hello renders for c1 is unknown: no ManagerProfile declares it\n  fleetwright explain c1 hello lists the configuration that the manager reads\n',
    });
    expect(await runIn(folder, ['render', 'c9', 'hello'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('the fleet has no cluster c9\n') as string,
    });
    expect(await runIn(folder, ['render', 'c1', 'hallo'])).toMatchObject({
      code: 2,
      err: 'fleetwright: there is no add-on hallo\n  did you mean "hello"?\n',
    });
  });
});

describe('validate', () => {
  test('-o json prints one result per document, in order', async () => {
    const folder = await folderWith({
      'all.yaml':
        config('good', '1') + '---\n' + config('bad', '1').replace('spec:', 'spec:\n  registries: none'),
    });
    const { code, out } = await runIn(folder, ['validate', 'all.yaml', '-o', 'json']);
    expect(code).toBe(1);
    const { results } = JSON.parse(out) as {
      results: { index: number; name: string; valid: boolean; diagnostics: { path: string }[] }[];
    };
    expect(
      results.map(({ index, name, valid, diagnostics }) => [
        index,
        name,
        valid,
        diagnostics.map(({ path }) => path),
      ]),
    ).toEqual([
      [0, 'good', true, []],
      [1, 'bad', false, ['spec.registries']],
    ]);
  });

  test('in text: the findings, then how many objects are valid', async () => {
    const folder = await folderWith({ 'one.yaml': config('good', '1') });
    expect(await runIn(folder, ['validate', 'one.yaml'])).toEqual({
      code: 0,
      out: '1 of 1 object is valid\n',
      err: '',
    });
  });

  test('an emitted folder is valid, and its resolution is not taken for a manifest', async () => {
    const folder = await folderWith(app);
    await runIn(folder, ['synth']);
    expect(await runIn(folder, ['validate', 'dist'])).toMatchObject({
      code: 0,
      out: '3 of 3 objects are valid\n',
    });
  });
});

describe('wrong use is reported in one sentence, with exit code 2', () => {
  test.each([
    [[], 'fleetwright: Name a command\n  fleetwright --help lists the commands and their options\n'],
    [['synt'], 'fleetwright: unknown command synt\n  did you mean synth?\n'],
    [['foo'], 'fleetwright: unknown command foo\n  fleetwright --help lists the commands\n'],
    [['version'], 'fleetwright: unknown command version\n  did you mean --version?\n'],
    [['list'], 'fleetwright: unknown command list\n  fleetwright --help lists the commands\n'],
    [['resolve'], 'fleetwright: missing path\n  a YAML file, a folder, an app, or - for standard input\n'],
    [['render', 'c1'], 'fleetwright: missing cluster or add-on\n  fleetwright render CLUSTER ADDON\n'],
    [
      ['explain'],
      'fleetwright: missing cluster or diagnostic\n  fleetwright explain CLUSTER [ADDON [FIELD]], or FW7001\n',
    ],
    [
      ['who-uses'],
      'fleetwright: missing configuration, Placement or file\n  fleetwright who-uses NAMESPACE/NAME, or a file such as apps/metrics/app.ts\n',
    ],
    [
      ['machine'],
      'fleetwright: Choose one: machine generate for Argo CD, machine function for kustomize and kpt, machine oci for Flux\n  fleetwright --help lists the commands and their options\n',
    ],
    [['diff', 'a'], 'fleetwright: missing hub\n  fleetwright diff HUB-A HUB-B\n'],
    [['revert'], 'fleetwright: missing commit\n  fleetwright revert COMMIT, or BASE..HEAD\n'],
    [['fleet'], 'fleetwright: missing subcommand\n  fleetwright fleet pull\n'],
    [['completion'], 'fleetwright: missing shell\n  bash, zsh or fish\n'],
    [['resolve', 'nowhere.yaml'], 'fleetwright: nowhere.yaml: no such file or folder\n'],
    [
      ['synth'],
      'fleetwright: no folder apps\n  run the command in a workspace, or set the folder with --apps; fleetwright init creates a workspace\n',
    ],
    [
      ['resolve', '-', '--now', 'yesterday'],
      'fleetwright: --now yesterday is not a valid time\n  use the form 2026-01-31T12:00:00Z\n',
    ],
    [['nothing'], 'fleetwright: unknown command nothing\n  fleetwright --help lists the commands\n'],
    [
      ['synth', '--stricter'],
      'fleetwright: unknown option --stricter\n  fleetwright synth --help lists its arguments and options\n',
    ],
    [
      ['explain', 'c1', 'hello', 'spec', 'more'],
      'fleetwright: more is an extra argument\n  fleetwright explain --help lists its arguments and options\n',
    ],
    [
      ['controller', 'hub', '--stricter'],
      'fleetwright: unknown option --stricter\n  fleetwright controller hub --help lists its arguments and options\n',
    ],
    [
      ['fleet', 'pull', 'more'],
      'fleetwright: more is an extra argument\n  fleetwright fleet pull --help lists its arguments and options\n',
    ],
    [['resolve', '-', '-o', 'toml'], 'fleetwright: output cannot be toml\n  one of: yaml, json\n'],
    [['plan', '--against'], 'fleetwright: --against needs a value\n  one of: hub\n'],
    [['resolve', '-', '--fleet'], 'fleetwright: --fleet needs a value\n'],
    [['resolve', '-', '--now'], 'fleetwright: --now needs a value\n'],
    [['plan', 'main', '--max-uninstalls'], 'fleetwright: --max-uninstalls needs a value\n'],
    [
      ['resolve', '-', '-o', 'json', '-o', 'yaml'],
      'fleetwright: --output is used several times\n  use it once\n',
    ],
    [
      ['validate', ''],
      'fleetwright: a path is empty\n  a shell variable may be unset; use . for the current folder\n',
    ],
    [
      ['resolve', '-', '--hub-version', '1.1', '--api-version', 'v1beta1'],
      'fleetwright: a hub of OCM 1.1 does not serve v1beta1 of the add-on kinds\n',
    ],
  ])('%j', async (commandLine, message) => {
    const folder = await folderWith({});
    expect(await runIn(folder, commandLine)).toEqual({ code: 2, out: '', err: message });
  });
});

test('--version and --help print to standard output', async () => {
  const folder = await folderWith({});
  expect(await runIn(folder, ['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  const { code, out } = await runIn(folder, ['synth', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('--check');
});
