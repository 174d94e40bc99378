import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`;
const fleet = fleetOf(clusters);
const root = path.resolve(import.meta.dirname, '../..');

/** The lines of findings without their places. */
const findings = (err: string): string[] =>
  err.split('\n').filter((line) => /^(?:error|warning|info) FW/.test(line));

describe('an app that is plain YAML', () => {
  test('is read with its folders, whether it has a fleet or not', async () => {
    const cwd = await folderWith({ 'apps/one/hub/deep/hub.yaml': app });
    expect((await runIn(cwd, ['synth'])).out).toBe(
      'one: 6 objects, 1 add-on, installed 0 times -> dist/one\n',
    );
    await writeFile(path.join(cwd, 'apps/one/fleet.yaml'), fleet);
    expect((await runIn(cwd, ['synth'])).out).toBe(
      'one: 6 objects, 1 add-on, installed 5 times -> dist/one\n',
    );
  });

  test('has its clusters in the folder fleet, and emits none of them', async () => {
    const cwd = await folderWith({ 'apps/one/hub/hub.yaml': app, 'apps/one/fleet/clusters.yaml': fleet });
    expect((await runIn(cwd, ['synth'])).out).toBe(
      'one: 6 objects, 1 add-on, installed 5 times -> dist/one\n',
    );
  });

  test('is imported completely', async () => {
    const cwd = await folderWith({
      'in/hub/a.yaml': config('a'),
      'in/b.yaml': config('b'),
      'in/fleet.yaml': fleet,
    });
    expect((await runIn(cwd, ['import', 'in', '--out', 'apps/x'])).out).toContain('2 objects in TypeScript');
  });

  test('an app in it is named, and not read (FW9018)', async () => {
    const cwd = await folderWith({
      'apps/one/a.yaml': config('a'),
      'apps/one/two/b.yaml': config('b'),
      'apps/one/two/fleet.yaml': fleet,
    });
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'one: 1 object, 0 add-ons, installed 0 times -> dist/one\n',
    });
    expect(findings(err)).toEqual([
      'warning FW9018: apps/one/two is an app itself, so it was not read as part of the folder around it',
    ]);
  });

  test('files in it that are not manifests are named (FW9020)', async () => {
    const cwd = await folderWith({
      'apps/one/a.yaml': config('a'),
      'apps/one/chart/values.yaml': 'replicas: 1\n',
      'apps/one/.ci/b.yaml': 'x: 1\n',
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(findings(err)).toEqual(['warning FW9020: not manifests, and skipped: apps/one/chart/values.yaml']);
  });

  test('a file that is named is not skipped, nor is one with half a type', async () => {
    const cwd = await folderWith({
      'values.yaml': 'replicas: 1\n',
      'in/a.yaml': 'kind: ConfigMap\nmetadata: { name: a }\n',
    });
    expect((await runIn(cwd, ['resolve', 'values.yaml'])).err).toContain(
      'error FW2001: apiVersion is missing',
    );
    expect((await runIn(cwd, ['resolve', 'in'])).err).toContain('error FW2001: apiVersion is missing');
  });
});

describe('an app with code', () => {
  test('reports manifests in its folders that it does not have (FW9017)', async () => {
    const cwd = await folderWith({
      'apps/one/app.ts': `import { App, ApiObject, Chart } from 'cdk8s';
const app = new App();
new ApiObject(new Chart(app, 'c'), 'a', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} });
export default app;
`,
      'apps/one/in/a.yaml': config('a'),
      'apps/one/in/b.yaml': config('b'),
      'apps/one/in/values.yaml': 'replicas: 1\n',
      'apps/one/beside.yaml': config('c'),
    });
    await symlink(path.join(root, 'node_modules'), path.join(cwd, 'node_modules'));
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'one: 2 objects, 0 add-ons, installed 0 times -> dist/one\n',
    });
    expect(findings(err)).toEqual([
      'warning FW9017: manifests in folders of an app with code are not read: apps/one/in/b.yaml',
    ]);
  });
});

describe('kustomizations', () => {
  test('that list all files do no harm, and those of synth neither', async () => {
    const cwd = await folderWith({
      'apps/one/kustomization.yaml': 'resources: [a.yaml, more, none]\n',
      'apps/one/none/kustomization.yaml': 'resources: []\n',
      'apps/one/a.yaml': config('a'),
      'apps/one/more/kustomization.yaml': 'resources: [b.yaml]\n',
      'apps/one/more/b.yaml': config('b'),
    });
    expect(await runIn(cwd, ['synth'])).toEqual({
      code: 0,
      out: 'one: 2 objects, 0 add-ons, installed 0 times -> dist/one\n',
      err: '',
    });
    for (const folder of ['dist', 'dist/one'])
      expect(await runIn(cwd, ['resolve', folder])).toMatchObject({ code: 0, err: '' });
  });

  test('determine what is read: a file that they do not list is reported (FW9015)', async () => {
    const cwd = await folderWith({
      'apps/one/kustomization.yaml': 'resources: [a.yaml]\n',
      'apps/one/a.yaml': config('a'),
      'apps/one/b.yaml': config('b'),
    });
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'one: 1 object, 0 add-ons, installed 0 times -> dist/one\n',
    });
    expect(findings(err)).toEqual([
      'warning FW9015: apps/one/kustomization.yaml does not list these files, so they were not read: apps/one/b.yaml',
    ]);
  });
});

describe('Helm', () => {
  test('charts stop commands that print or write (FW9016)', async () => {
    const cwd = await folderWith({
      'apps/one/a.yaml': config('a'),
      'apps/one/chart/Chart.yaml': 'name: c\n',
      'apps/one/chart/templates/b.yaml': 'name: {{ .Values.x }}\n',
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(1);
    expect(findings(err)).toEqual([
      'error FW9016: apps/one/chart is a Helm chart, whose templates are not manifests',
    ]);
  });

  test('templates are called that, and variables of OCM are not', async () => {
    const cwd = await folderWith({
      'a.yaml': '{{- if .Values.on }}\nkind: A\n{{- end }}\n',
      'b.yaml': 'name: {{NAME}}\n',
    });
    expect(findings((await runIn(cwd, ['validate', 'a.yaml'])).err)).toEqual([
      'error FW1015: this is a Helm template, which is not YAML until Helm renders it',
    ]);
    expect(findings((await runIn(cwd, ['validate', 'b.yaml'])).err)).toEqual([
      'error FW1009: a mapping is used as a key',
    ]);
  });
});

describe('the output of apps in another folder (FW9035)', () => {
  const message =
    'error FW9035: dist/one, dist/two would be deleted, although their apps were in "apps" and this run looked in "other"';

  async function written(): Promise<string> {
    const cwd = await folderWith({
      'apps/one/a.yaml': config('a'),
      'apps/two/b.yaml': config('b'),
      'other/three/c.yaml': config('c'),
    });
    await runIn(cwd, ['synth']);
    return cwd;
  }

  test('is not deleted by synth with another folder of apps, unless that is confirmed', async () => {
    const cwd = await written();
    for (const commandLine of [['synth'], ['synth', '--check']]) {
      const { code, out, err } = await runIn(cwd, [...commandLine, '--apps', 'other']);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(findings(err)).toContain(message);
      expect(err).toContain('run synth with --apps apps');
    }
    expect((await readdir(path.join(cwd, 'dist'))).sort()).toContain('two');
    const moved = await runIn(cwd, ['synth', '--apps', 'other', '--allow-empty']);
    expect(moved.code).toBe(0);
    expect(moved.out).toContain('removed dist/two\n');
    // From now on the default is another folder.
    const { err } = await runIn(cwd, ['synth']);
    expect(findings(err)).toContain(
      'error FW9035: dist/three would be deleted, although its app was in "other" and this run looked in "apps"',
    );
  });

  test('is kept if only some apps are compiled, whose folder of apps is not stored', async () => {
    const cwd = await written();
    expect((await runIn(cwd, ['synth', 'three', '--apps', 'other'])).code).toBe(0);
    expect((await runIn(cwd, ['synth', '--apps', 'other'])).code).toBe(1);
    expect((await readdir(path.join(cwd, 'dist'))).sort()).toContain('two');
  });

  test('is removed with its app if the folder of the apps is the same', async () => {
    const cwd = await folderWith({ 'hubs/dev/one/a.yaml': config('a'), 'hubs/dev/two/b.yaml': config('b') });
    const commandLine = ['synth', '--apps', 'hubs/dev', '--out', 'dist/dev'];
    expect((await runIn(cwd, commandLine)).code).toBe(0);
    await rm(path.join(cwd, 'hubs/dev/two'), { recursive: true });
    expect((await runIn(cwd, [...commandLine, '--check'])).code).toBe(1);
    expect(await runIn(cwd, commandLine)).toMatchObject({ code: 0, err: '' });
    expect((await runIn(cwd, [...commandLine, '--check'])).code).toBe(0);
    expect(await readdir(path.join(cwd, 'dist/dev'))).not.toContain('two');
  });

  test('is remembered beside a kustomization that synth did not write', async () => {
    const cwd = await folderWith({
      'other/one/a.yaml': config('a'),
      'other/two/b.yaml': config('b'),
      'apps/one/a.yaml': config('a'),
      'dist/kustomization.yaml': 'resources: []\n',
    });
    expect((await runIn(cwd, ['synth', '--apps', 'other'])).code).toBe(0);
    expect((await runIn(cwd, ['synth', '--apps', 'other', '--check'])).code).toBe(0);
    expect((await runIn(cwd, ['synth'])).code).toBe(1);
  });
});

describe('an app that had objects and no longer has any (FW9019)', () => {
  const message =
    'error FW9019: app "one" had objects and has none, so all its objects would be deleted from the hub';

  test('stops synth and synth --check, which leave dist as it is, unless it is confirmed', async () => {
    const cwd = await folderWith({ 'apps/one/a.yaml': config('a'), 'apps/one/fleet.yaml': fleet });
    await runIn(cwd, ['synth']);
    await rm(path.join(cwd, 'apps/one/a.yaml'));
    for (const commandLine of [['synth'], ['synth', '--check']]) {
      const { code, out, err } = await runIn(cwd, commandLine);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(findings(err)).toEqual([message]);
    }
    expect(await readdir(path.join(cwd, 'dist/one'))).toContain('configmap_default_a.yaml');
    expect(await runIn(cwd, ['synth', '--allow-empty'])).toMatchObject({ code: 0, err: '' });
    expect((await runIn(cwd, ['synth', '--check'])).code).toBe(0);
  });

  test('is an error of plan; an app whose folder is gone is removed', async () => {
    const cwd = await folderWith({
      'old/apps/one/a.yaml': config('a'),
      'new/apps/one/fleet.yaml': fleet,
      'new/apps/two/b.yaml': config('b'),
    });
    const emptied = await runIn(cwd, ['plan', 'old', 'new']);
    expect(emptied.code).toBe(1);
    expect(findings(emptied.err)).toContain(message);
    await rm(path.join(cwd, 'new/apps/one'), { recursive: true });
    expect((await runIn(cwd, ['plan', 'old', 'new'])).code).toBe(0);
  });

  test('is not one that never had any', async () => {
    const cwd = await folderWith({ 'apps/two/b.yaml': config('b') });
    await mkdir(path.join(cwd, 'apps/one'));
    expect((await runIn(cwd, ['synth'])).code).toBe(0);
  });
});
