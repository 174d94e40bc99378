import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { app, clusters, config } from '../compiler/plan/states.ts';
import { GitRepository } from './repository.ts';

let repository: GitRepository;

beforeAll(() => {
  repository = new GitRepository();
  repository.write({
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleetOf(clusters),
    'only-default.yaml':
      app.replace('value: "info"', 'value: "info"\n  - name: ZONE\n    value: east') + config('spare', 'x'),
  });
});

afterAll(() => {
  repository.remove();
});

test('explain finds the app that has the add-on', async () => {
  const { code, out, err } = await repository.fleetwright(['explain', 'c1', 'hello', 'customizedVariables']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatchInlineSnapshot(`
    ""c1" has "hello", configured through Placement "default/prod"
    an installation configures it in wave 1 of 1

    configuration
      addondeploymentconfigs.addon.open-cluster-management.io
        uses default/prod, from placement default/prod (apps/hello/hub.yaml:20)
        not default/base, from default: replaced by placement (apps/hello/hub.yaml:9)
      addontemplates.addon.open-cluster-management.io
        uses t1, from default (apps/hello/hub.yaml:8)

    values
      spec.customizedVariables[LEVEL].value: "warn"
        from AddOnDeploymentConfig default/prod, placement default/prod (apps/hello/hub.yaml:60)
        not "info" by default/base, default: replaced by placement (apps/hello/hub.yaml:50)
    "
  `);
});

test('explain takes the name of a variable for its value', async () => {
  const { code, out } = await repository.fleetwright(['explain', 'c1', 'hello', 'LEVEL']);
  expect(code).toBe(0);
  expect(out).toContain('\nvalues\n  spec.customizedVariables[LEVEL].value: "warn"\n');
});

test('explain reports that nothing sets a field, if the field exists', async () => {
  const { code, out } = await repository.fleetwright(['explain', 'c1', 'hello', 'proxyConfig.httpProxy']);
  expect(code).toBe(0);
  expect(out).toMatch(/\nvalues\n  nothing sets proxyConfig.httpProxy\n$/);
});

test.each([
  [
    'customisedVariables',
    'no configuration of "hello" on "c1" has a field or value "customisedVariables"\n  did you mean "customizedVariables"?\n',
  ],
  ['LEVL', 'no configuration of "hello" on "c1" has a field or value "LEVL"\n  did you mean "LEVEL"?\n'],
  [
    'customizedVariables[LEVL]',
    'no configuration of "hello" on "c1" has a field or value "customizedVariables[LEVL]"\n  did you mean "customizedVariables[LEVEL]"?\n',
  ],
  [
    'level',
    `no configuration of "hello" on "c1" has a field or value "level"\n  did you mean 'ConfigMap/agent .data.level'?\n`,
  ],
  [
    'zone',
    'no configuration of "hello" on "c1" has a field or value "zone"\n  its configurations set "agentInstallNamespace" and "customizedVariables[LEVEL]"\n',
  ],
  [
    'ConfigMap/agnt .data',
    '"hello" delivers no manifest "ConfigMap/agnt" to "c1"\n  did you mean "ConfigMap/agent"?\n',
  ],
  [
    'Deployment/none',
    '"hello" delivers no manifest "Deployment/none" to "c1"\n  its manifests are "ConfigMap/agent"\n',
  ],
  [
    'ConfigMap/agent .data.levle',
    'ConfigMap/agent has no value "data.levle" on "c1"\n  did you mean "data.level"?\n',
  ],
])('explain answers a question for %s that it does not understand with an error', async (field, error) => {
  expect(await repository.fleetwright(['explain', 'c1', 'hello', field])).toEqual({
    code: 2,
    out: '',
    err: `fleetwright: ${error}`,
  });
});

test('explain shows the values that only an unused configuration has', async () => {
  const { code, out } = await repository.fleetwright([
    'explain',
    'c1',
    'hello',
    'ZONE',
    '--path',
    'only-default.yaml',
    '--fleet',
    'apps/hello/fleet.yaml',
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\nvalues\n  nothing sets ZONE\n    not "east" by default\/base, default: replaced by placement at spec.customizedVariables\[ZONE\].value \(only-default.yaml:\d+\)\n$/,
  );
});

test('explain with only a cluster prints an overview of all add-ons', async () => {
  const { code, out, err } = await repository.fleetwright(['explain', 'c1']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatchInlineSnapshot(`
    "c1 is available
      labels: env=prod, region=eu, cluster.open-cluster-management.io/clusterset=default
      cluster sets: default, global

    hello
      "c1" has "hello", configured through Placement "default/prod"
      an installation configures it in wave 1 of 1
      the hub delivers what its template renders to
      uses addondeploymentconfigs.addon.open-cluster-management.io default/prod, from placement default/prod (apps/hello/hub.yaml:20)
      uses addontemplates.addon.open-cluster-management.io t1, from default (apps/hello/hub.yaml:8)
    "
  `);
  const { out: json } = await repository.fleetwright(['explain', 'c6', '-o', 'json']);
  expect(JSON.parse(json)).toMatchObject({
    results: [{ app: 'hello', cluster: 'c6', addOns: [{ addOn: 'hello', installed: false, kinds: [] }] }],
  });
});

test('explain with a code prints the page of a diagnostic', async () => {
  const { code, out } = await repository.fleetwright(['explain', 'fw7001']);
  expect(code).toBe(0);
  expect(out).toMatch(/^# FW7001: Placement without a bound cluster set\n/);
  expect(await repository.fleetwright(['explain', 'FW7999'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^fleetwright: unknown diagnostic FW7999\n  did you mean /) as string,
  });
});

test('explain prints its answer as JSON, and reads other paths', async () => {
  const { out } = await repository.fleetwright([
    'explain',
    'c6',
    'hello',
    '--path',
    'apps/hello',
    '-o',
    'json',
  ]);
  expect(JSON.parse(out)).toMatchObject({
    results: [{ app: '', addOn: 'hello', cluster: 'c6', installed: false, values: [] }],
  });
});

test('explain reports an unknown add-on, app or folder', async () => {
  const errorOf = async (...parameters: string[]): Promise<string> => {
    const { code, err } = await repository.fleetwright(['explain', 'c1', ...parameters]);
    expect(code).toBe(2);
    return err;
  };
  expect(await errorOf('other')).toBe('fleetwright: there is no add-on other\n  the add-ons are "hello"\n');
  expect(await errorOf('helo')).toBe('fleetwright: there is no add-on helo\n  did you mean "hello"?\n');
  expect((await repository.fleetwright(['explain', 'c9', 'hello'])).err).toBe(
    'fleetwright: the fleet has no cluster c9\n  the clusters are "c1", "c2", "c3", "c4", "c5" and 1 more\n',
  );
  expect((await repository.fleetwright(['explain', 'cluster1'])).code).toBe(2);
  expect(await errorOf('hello', '--app', 'no')).toBe(
    'fleetwright: unknown app no in apps\n  the apps are "hello"\n',
  );
  expect(await errorOf('hello', '--apps', 'no')).toBe(
    'fleetwright: no folder no\n  run the command in a workspace, or set the folder with --apps; fleetwright init creates a workspace\n',
  );
});

test('who-uses prints the clusters of objects and of files', async () => {
  const { out } = await repository.fleetwright(['who-uses', 'default/prod']);
  expect(out).toBe(
    'addondeploymentconfigs default/prod\n  hello, from placement default/prod: 3 clusters: c1, c2, c3\nplacements default/prod\n  hello, from install strategy: 3 clusters: c1, c2, c3\n',
  );
  const { out: files } = await repository.fleetwright(['who-uses', './apps/hello/hub.yaml']);
  expect(files).toContain('Placement default/stage');
  expect(files).toContain('hello: 5 clusters: c1, c2, c3, c4, c5\n');
  const { out: folder } = await repository.fleetwright(['who-uses', 'apps/hello']);
  expect(folder).toContain('hello: 5 clusters: c1, c2, c3, c4, c5\n14 objects: ');
});

test.each([
  [
    'prod',
    'addondeploymentconfigs default/prod\n  hello, from placement default/prod: 3 clusters: c1, c2, c3\nplacements default/prod\n  hello, from install strategy: 3 clusters: c1, c2, c3\n',
  ],
  ['placement/prod', 'placements default/prod\n  hello, from install strategy: 3 clusters: c1, c2, c3\n'],
  [
    'AddOnDeploymentConfig/default/base',
    'addondeploymentconfigs default/base\n  hello, from default: 2 clusters: c4, c5\n',
  ],
])('who-uses understands %s', async (question, answer) => {
  expect(await repository.fleetwright(['who-uses', question])).toEqual({ code: 0, out: answer, err: '' });
});

test('who-uses answers for an object that nothing uses', async () => {
  const { code, out } = await repository.fleetwright(['who-uses', 'spare', '--path', 'only-default.yaml']);
  expect({ code, out }).toEqual({
    code: 0,
    out: 'addondeploymentconfigs default/spare\n  no add-on uses it\n',
  });
});

test('who-uses reports names that do not exist', async () => {
  expect(await repository.fleetwright(['who-uses', 'default/prd'])).toEqual({
    code: 2,
    out: '',
    err: 'fleetwright: there is no configuration, Placement or file default/prd\n  did you mean "default/prod"?\n',
  });
  expect(await repository.fleetwright(['who-uses', 'apps/hello/hubs.yaml'])).toEqual({
    code: 2,
    out: '',
    err: 'fleetwright: apps/hello/hubs.yaml: no such file or folder\n  did you mean "apps/hello/hub.yaml"?\n',
  });
});

test('who-uses answers for objects and files of one command line, and not for a name that is both', async () => {
  const { code, out } = await repository.fleetwright([
    'who-uses',
    'placement/prod',
    'apps/hello/hub.yaml',
    '-o',
    'json',
  ]);
  const { results } = JSON.parse(out) as { readonly results: readonly Readonly<Record<string, unknown>>[] };
  expect({ code, results: results.map((result) => Object.keys(result)) }).toEqual({
    code: 0,
    results: [
      ['app', 'objects'],
      ['app', 'objects', 'addOns', 'placed', 'unknown'],
    ],
  });
  repository.write({ 'default/stage/note.txt': '' });
  expect(await repository.fleetwright(['who-uses', 'default/stage'])).toEqual({
    code: 2,
    out: '',
    err: 'fleetwright: default/stage is a file or folder, and the name of a configuration or Placement\n  use ./default/stage for the file, or put the kind in front of the name: placement/default/stage\n',
  });
  expect((await repository.fleetwright(['who-uses', './default/stage'])).out).toContain(
    'no object is written in default/stage\n',
  );
  expect((await repository.fleetwright(['who-uses', 'placement/default/stage'])).code).toBe(0);
});

test('render reports clusters and add-ons that do not exist', async () => {
  expect((await repository.fleetwright(['render', 'c9', 'hello'])).err).toBe(
    'fleetwright: the fleet has no cluster c9\n  the clusters are "c1", "c2", "c3", "c4", "c5" and 1 more\n',
  );
  expect((await repository.fleetwright(['render', 'c1', 'helo', '--diff', 'HEAD'])).code).toBe(2);
  expect(await repository.fleetwright(['render', 'c1', 'helo'])).toEqual({
    code: 2,
    out: '',
    err: 'fleetwright: there is no add-on helo\n  did you mean "hello"?\n',
  });
});
