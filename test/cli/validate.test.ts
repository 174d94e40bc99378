import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`;
const addOn = `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec: { installStrategy: { type: Placements, placements: [{ name: nowhere, namespace: default }] } }
`;

describe('validate of a complete repository', () => {
  const files = {
    'apps/one/hub.yaml': app,
    'apps/one/fleet.yaml': fleetOf(clusters),
    'apps/two/hub.yaml': config('two'),
    'apps/two/fleet.yaml': fleetOf(clusters),
    '.github/workflow.yaml': 'on: push\n',
    '.gitignore': 'generated/\n*.local.yaml\n!kept.local.yaml\n',
    'generated/a.yaml': 'kind: 1\n',
    'my.local.yaml': 'kind: 1\n',
    'kept.local.yaml': config('kept'),
    'chart/Chart.yaml': 'name: c\n',
    'chart/templates/a.yaml': '{{- if .Values.x }}\n',
    'mkdocs.yml': 'site_name: x\n',
    'base/kustomization.yaml': 'resources: [a.yaml]\n',
    'base/a.yaml': config('a'),
    'prod/kustomization.yaml': 'resources: [../base, b.yaml]\npatches: [{ path: patch.yaml }]\n',
    'prod/patch.yaml': config('a'),
    'prod/b.yaml': config('b'),
    'test/kustomization.yaml': 'resources: [../base, b.yaml]\nnamePrefix: test-\n',
    'test/b.yaml': config('b'),
  };

  test('checks every app with its fleet, and lists what it skipped', async () => {
    const cwd = await folderWith(files);
    await mkdir(path.join(cwd, '.git'));
    const { code, out, err } = await runIn(cwd, ['validate', '.']);
    expect(out).toMatch(/^(\d+) of \1 objects are valid\n$/);
    expect(code).toBe(0);
    expect(err)
      .toContain(`warning FW9021: kustomizations below the named folders are not built, so objects were checked as they are written: prod, test
  = hint: name the folder: fleetwright validate prod
`);
    expect(err)
      .toContain(`warning FW9021: Helm charts are not rendered, so their manifests were not checked: chart
  = hint: helm template NAME chart | fleetwright validate -
`);
    expect(err).toContain(
      'skipped: 1 not manifests, 1 parts of kustomizations, 1 Helm charts, 2 ignored; --verbose lists them\n',
    );
    const { err: verbose } = await runIn(cwd, ['validate', '.', '--verbose']);
    expect(verbose).toContain('skipped mkdocs.yml: not manifests\n');
    expect(verbose).toContain('skipped prod/patch.yaml: parts of kustomizations\n');
    expect(verbose).toContain('skipped my.local.yaml: ignored\n');
    expect(verbose).toContain('skipped generated: ignored\n');
    expect(verbose).not.toContain('kept.local.yaml');
  });

  test('omits the paths of --exclude', async () => {
    const cwd = await folderWith({
      'in/a.yaml': config('a'),
      'in/old/b.yaml': 'kind: 1\n',
      'in/c.test.yaml': 'kind: 1\n',
    });
    expect(await runIn(cwd, ['validate', 'in', '--exclude', 'old/', '--exclude', '*.test.yaml'])).toEqual({
      code: 0,
      out: '1 of 1 object is valid\n',
      err: 'skipped: 2 ignored; --verbose lists them\n',
    });
  });

  test('reads a file that is named, whatever it is', async () => {
    const cwd = await folderWith({
      '.gitignore': '*.yaml\n',
      'a.yaml': config('a'),
      'values.yaml': 'a: 1\n',
    });
    await mkdir(path.join(cwd, '.git'));
    expect((await runIn(cwd, ['validate', 'a.yaml'])).out).toBe('1 of 1 object is valid\n');
    const { code, out } = await runIn(cwd, ['validate', 'values.yaml']);
    expect({ code, out }).toEqual({ code: 1, out: '2 errors; the API server accepts 0 of 1 object\n' });
  });

  test('what a PolicyGenerator reads is no object of the hub', async () => {
    const generator = (name: string): string => `apiVersion: policy.open-cluster-management.io/v1
kind: PolicyGenerator
metadata: { name: ${name} }
policyDefaults:
  namespace: policies
  placement: { placementPath: placement.yaml }
policies:
  - name: install
    description: '${'A text that is longer than the name of a file can be. '.repeat(8)}'
    manifests: [{ path: manifests/ }, { path: check.yaml }, { path: console.yaml }]
`;
    const cwd = await folderWith({
      'operators/kustomization.yaml': 'resources: [console.yaml]\ngenerators: [generator.yaml]\n',
      // Listed as well, so it is an object.
      'operators/console.yaml': config('console'),
      'operators/generator.yaml': generator('operators'),
      'operators/manifests/a.yaml': config('{{hub .ManagedClusterName hub}}'),
      'operators/check.yaml': 'apiVersion: v1\nkind: Pod\nstatus: { phase: Running }\n',
      'operators/placement.yaml': config('${NAMESPACE}'),
      // A folder with the name of the namespace is not what the generator reads.
      'operators/policies/a.yaml': config('a'),
    });
    const { code, out, err } = await runIn(cwd, ['validate', '.', '--verbose']);
    expect({ code, out }).toEqual({ code: 0, out: '2 of 2 objects are valid\n' });
    expect(err).toContain('skipped operators/manifests/a.yaml: parts of kustomizations\n');
  });

  test('FW9022: objects of one name in several folders', async () => {
    const cwd = await folderWith({ 'prod/a.yaml': config('a'), 'stage/a.yaml': config('a') });
    const { code, out, err } = await runIn(cwd, ['validate', '.']);
    expect({ code, out }).toEqual({ code: 0, out: '2 of 2 objects are valid\n' });
    expect(err).toContain(
      'warning FW9022: other folders have objects of these names too, so rules across objects follow the first of each:',
    );
    expect(err).toContain(' --> stage/a.yaml:1:1\n');
    const same = await folderWith({ 'prod/a.yaml': config('a'), 'prod/b.yaml': config('a') });
    expect((await runIn(same, ['validate', '.'])).err).toContain('error FW2025');
  });

  test('an app.js of another program is no app', async () => {
    const cwd = await folderWith({ 'web/app.js': "document.title = 'Shop';\n", 'web/a.yaml': config('a') });
    expect(await runIn(cwd, ['validate', '.'])).toEqual({
      code: 0,
      out: '1 of 1 object is valid\n',
      err: '',
    });
  });

  test('two objects of one name in one kustomization are still an error', async () => {
    const cwd = await folderWith({
      'one/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
      'one/a.yaml': config('a'),
      'one/b.yaml': config('a'),
      'two/kustomization.yaml': 'resources: [a.yaml]\n',
      'two/a.yaml': config('a'),
    });
    const { code, err } = await runIn(cwd, ['validate', '.']);
    expect(code).toBe(1);
    expect(err.match(/error FW2025/g)).toHaveLength(1);
    expect(err).toContain(' --> one/b.yaml:3:13\n');
  });
});

describe('validate', () => {
  test('without a path checks all apps of the workspace', async () => {
    const cwd = await folderWith({
      'apps/one/a.yaml': config('a'),
      'apps/two/b.yaml': config('b'),
      'else.yaml': 'kind: 1\n',
    });
    const all = { code: 0, out: '2 of 2 objects are valid\n', err: '' };
    expect(await runIn(cwd, ['validate'])).toEqual(all);
    expect(await runIn(path.join(cwd, 'apps/one'), ['validate'])).toEqual(all);
    expect(await runIn(await folderWith({}), ['validate'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: missing path\n  a YAML file, a folder, an app, or - for standard input\n',
    });
  });

  test('prints the number of errors of the rules if all objects are valid', async () => {
    const cwd = await folderWith({ 'hub.yaml': addOn, 'fleet.yaml': fleetOf({}) });
    const { code, out, err } = await runIn(cwd, ['validate', 'hub.yaml', '--fleet', 'fleet.yaml']);
    expect({ code, out }).toEqual({ code: 1, out: '1 error; the API server accepts 3 of 3 objects\n' });
    expect(err).toContain('error FW7003');
  });

  test('reports that rules were skipped if an object is invalid', async () => {
    const cwd = await folderWith({ 'hub.yaml': `${addOn}---\nkind: ConfigMap\nmetadata: { name: a }\n` });
    const { out, err } = await runIn(cwd, ['validate', 'hub.yaml']);
    expect(out).toBe('1 error; the API server accepts 1 of 2 objects\n');
    expect(err).toContain(
      'rules across objects were not checked where an object is invalid or a file cannot be read\n',
    );
  });

  test('does not report an object as missing because its file cannot be read', async () => {
    const cwd = await folderWith({ 'in/hub.yaml': addOn, 'in/nowhere.yaml': 'kind: Placement\nmeta\n' });
    const { code, out, err } = await runIn(cwd, ['validate', 'in']);
    expect({ code, out }).toEqual({ code: 1, out: '1 error; the API server accepts 1 of 1 object\n' });
    expect(err).toContain('error FW1001');
    expect(err).not.toContain('FW7003');
    expect(err).toContain(
      'rules across objects were not checked where an object is invalid or a file cannot be read\n',
    );
  });

  test('of a folder of overlays does not take a patch for an object', async () => {
    const cwd = await folderWith({
      'in/prod/kustomization.yaml': 'resources: [../base]\npatches: [{ path: patch.yaml }]\n',
      'in/prod/patch.yaml': config('a'),
    });
    const { code, out, err } = await runIn(cwd, ['validate', 'in']);
    expect({ code, out }).toEqual({ code: 0, out: '0 of 0 objects are valid\n' });
    expect(err).toContain('warning FW9021');
    expect(err).toContain('skipped: 1 parts of kustomizations; --verbose lists them\n');
  });

  test('-o json has one result per document, also of several apps', async () => {
    const cwd = await folderWith({ 'apps/one/a.yaml': config('a'), 'apps/two/b.yaml': config('a') });
    const { code, out } = await runIn(cwd, ['validate', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      results: [0, 1].map((index) => ({
        index,
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'a',
        valid: true,
        diagnostics: [],
      })),
    });
  });
});
