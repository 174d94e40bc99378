import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';
import { clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { quietHost } from '../../src/workspace/host.ts';
import { readInputs } from '../../src/workspace/inputs/inputs.ts';

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`;

const fleet = fleetOf(clusters);

/** The lines of findings without their places. */
const findings = (err: string): string[] =>
  err.split('\n').filter((line) => /^(?:error|warning|info) FW/.test(line));

const overlay = (name: string): Readonly<Record<string, string>> => ({
  [`apps/p/overlays/${name}/kustomization.yaml`]: `resources: [../../base, ${name}.yaml]\n`,
  [`apps/p/overlays/${name}/${name}.yaml`]: config(name),
});
const base = { 'apps/p/base/kustomization.yaml': 'resources: [a.yaml]\n', 'apps/p/base/a.yaml': config('a') };
const twoOverlays = { ...base, ...overlay('dev'), ...overlay('prod') };

/** The files that synth wrote for an app, except for its own lists. */
async function written(cwd: string, folder = 'dist/p'): Promise<string[]> {
  const names = await readdir(path.join(cwd, folder));
  return names.filter((name) => name.startsWith('configmap_')).sort();
}

describe('an app with several kustomizations that none of the others uses (FW9170)', () => {
  test('is an error of every command, which names them and the remedies', async () => {
    const settings = 'engine: argocd\n';
    const cwd = await folderWith({ ...twoOverlays, 'fleetwright.yaml': settings, 'fleet.yaml': fleet });
    for (const commandLine of [
      ['synth'],
      ['validate'],
      ['validate', 'apps/p'],
      ['resolve', 'p'],
      ['rollout', 'p'],
      ['import', 'apps/p', '--out', 'x'],
      ['explain', 'c1', '--path', 'apps/p', '--fleet', 'fleet.yaml'],
      ['render', 'c1', 'x', '--path', 'apps/p', '--fleet', 'fleet.yaml'],
    ]) {
      const { code, err } = await runIn(cwd, commandLine);
      expect({ commandLine, isClean: code === 0 }).toEqual({ commandLine, isClean: false });
      expect(findings(err)).toContain(
        'error FW9170: apps/p has several kustomizations that none of the others uses: apps/p/overlays/dev, apps/p/overlays/prod',
      );
      expect(err).toContain(
        'if each is for one hub, list the hubs dev and prod under hubs in fleetwright.yaml; to apply only one, set kustomize.apps.p in fleetwright.yaml, for example to overlays/dev\n',
      );
      expect(err).toContain('see: another one, apps/p/overlays/prod/kustomization.yaml:1:1');
    }
    expect(await readdir(cwd)).not.toContain('dist');
  });

  test('is read with the one that fleetwright.yaml chooses', async () => {
    const settings = 'kustomize: { apps: { p: overlays/prod } }\n';
    const cwd = await folderWith({ ...twoOverlays, 'fleetwright.yaml': settings });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(findings(err)).toEqual([
      'warning FW9015: apps/p/overlays/prod/kustomization.yaml does not list these files, so they were not read: apps/p/overlays/dev/kustomization.yaml',
    ]);
    expect(await written(cwd)).toEqual(['configmap_default_a.yaml', 'configmap_default_prod.yaml']);
    expect((await runIn(cwd, ['import', 'apps/p', '--out', 'x'])).out).toContain('2 objects in TypeScript');
  });

  test.each([
    [
      'overlays/prd',
      'fleetwright.yaml:1: apps/p/overlays/prd has no kustomization\n  did you mean "overlays/prod"?',
    ],
    ['../q', 'fleetwright.yaml:1: kustomize.apps.p leads outside of the workspace'],
  ])('is not read if fleetwright.yaml chooses %s', async (folder, message) => {
    const settings = `kustomize: { apps: { p: ${folder} } }\n`;
    const cwd = await folderWith({ ...twoOverlays, 'fleetwright.yaml': settings });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('is read per hub, without the files that no kustomization of a hub lists', async () => {
    const cwd = await folderWith({
      ...twoOverlays,
      'apps/p/base/risky.yaml': config('risky'),
      'fleetwright.yaml': 'hubs: { dev, prod }\n',
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(new Set(findings(err))).toEqual(
      new Set([
        'warning FW9015: apps/p/base/kustomization.yaml does not list these files, so they were not read: apps/p/base/risky.yaml',
      ]),
    );
    expect(await written(cwd, 'dist/dev/p')).toEqual([
      'configmap_default_a.yaml',
      'configmap_default_dev.yaml',
    ]);
    expect(await written(cwd, 'dist/prod/p')).toEqual([
      'configmap_default_a.yaml',
      'configmap_default_prod.yaml',
    ]);
  });

  test('of a folder that is not an app is reported with another remedy', async () => {
    const cwd = await folderWith({
      'in/one/kustomization.yaml': 'resources: [a.yaml]\n',
      'in/one/a.yaml': config('a'),
      'in/two/kustomization.yaml': 'resources: [b.yaml]\n',
      'in/two/b.yaml': config('b'),
    });
    const { code, err } = await runIn(cwd, ['resolve', 'in']);
    expect(code).toBe(1);
    expect(err).toContain(
      'hint: name the folder of one of them, such as in/one; to apply all, list them in in/kustomization.yaml\n',
    );
  });
});

describe('a kustomization', () => {
  test('is obeyed exactly: nothing else in its folder is read', async () => {
    const cwd = await folderWith({
      'apps/p/kustomization.yaml': 'resources: [a.yaml, inner]\n',
      'apps/p/a.yaml': config('a'),
      'apps/p/risky.yaml': config('risky'),
      'apps/p/broken.yaml': 'a: [\n',
      'apps/p/inner/kustomization.yaml': 'resources: [.hidden, b.txt]\n',
      'apps/p/inner/.hidden': config('hidden'),
      'apps/p/inner/b.txt': config('b'),
      'apps/p/inner/c.yaml': config('c'),
      'apps/p/chart/Chart.yaml': 'name: c\n',
      'apps/p/other/kustomization.yaml': 'resources: [d.yaml]\n',
      'apps/p/other/d.yaml': config('d'),
    });
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'p: 3 objects, 0 add-ons, installed 0 times -> dist/p\n',
    });
    expect(findings(err)).toEqual([
      'warning FW9015: apps/p/inner/kustomization.yaml does not list these files, so they were not read: apps/p/inner/c.yaml',
      'warning FW9015: apps/p/kustomization.yaml does not list these files, so they were not read: apps/p/broken.yaml, apps/p/other/kustomization.yaml, apps/p/risky.yaml, apps/p/chart',
    ]);
    expect(await written(cwd)).toEqual([
      'configmap_default_a.yaml',
      'configmap_default_b.yaml',
      'configmap_default_hidden.yaml',
    ]);
  });

  test('determines what import reads', async () => {
    const cwd = await folderWith({
      'before/kustomization.yaml': 'resources: [a.yaml]\n',
      'before/a.yaml': config('a'),
      'before/b.yaml': config('b'),
    });
    const { out, err } = await runIn(cwd, ['import', 'before', '--out', 'x']);
    expect(out).toContain('1 object in TypeScript');
    expect(err).toContain('so they were not read: before/b.yaml');
  });

  test('below a folder without one is read besides the files outside of its folder', async () => {
    const cwd = await folderWith({
      'apps/p/a.yaml': config('a'),
      'apps/p/in/kustomization.yaml': 'resources: [b.yaml]\n',
      'apps/p/in/b.yaml': config('b'),
      'apps/p/in/c.yaml': config('c'),
    });
    await runIn(cwd, ['synth']);
    expect(await written(cwd)).toEqual(['configmap_default_a.yaml', 'configmap_default_b.yaml']);
  });

  test('that is a component, and that no other one uses, adds nothing', async () => {
    const cwd = await folderWith({
      'apps/p/a.yaml': config('a'),
      'apps/p/part/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [b.yaml]\n',
      'apps/p/part/b.yaml': config('b'),
    });
    const { err } = await runIn(cwd, ['synth']);
    expect(findings(err)).toEqual([
      'warning FW9015: apps/p/part/kustomization.yaml is a component that no kustomization uses, so the files in its folder were not read',
    ]);
    expect(await written(cwd)).toEqual(['configmap_default_a.yaml']);
  });
});

describe('programs that a kustomization would run', () => {
  const generator = `apiVersion: policy.open-cluster-management.io/v1
kind: PolicyGenerator
metadata: { name: install }
policies: [{ name: p, manifests: [{ path: cm.yaml }, { path: more }] }]
`;

  test('are not run: a plugin is named with the pipe that works, and its inputs are not reported (FW9171)', async () => {
    const cwd = await folderWith({
      'kustomization.yaml': 'generators:\n  - generator.yaml\n',
      'generator.yaml': generator,
      'cm.yaml': config('a'),
      'more/b.yaml': config('b'),
    });
    const { code, err } = await runIn(cwd, ['validate', '.']);
    expect(code).toBe(1);
    expect(findings(err)).toEqual([
      'error FW9171: kustomization.yaml uses the generator PolicyGenerator "install" of generator.yaml, a program that kustomize runs, and fleetwright.yaml does not allow it',
    ]);
    expect(err).toContain(` --> kustomization.yaml:2:5
`);
    expect(err).toContain(
      'hint: build it yourself: kustomize build --enable-alpha-plugins . | fleetwright validate -; or set kustomize.plugins: true in fleetwright.yaml, if you trust everyone who can change .\n',
    );
  });

  test('are not run: plugins in bases and in the kustomization itself (FW9171)', async () => {
    const cwd = await folderWith({
      'apps/p/kustomization.yaml':
        'resources: [base]\ntransformers:\n  - |\n    kind: Mine\n    metadata: { name: m }\n',
      'apps/p/base/kustomization.yaml': 'generators: [../plugins]\n',
      'apps/p/plugins/kustomization.yaml': 'resources: [generator.yaml]\n',
      'apps/p/plugins/generator.yaml': generator,
    });
    const { err } = await runIn(cwd, ['synth']);
    expect(findings(err)).toEqual([
      'error FW9171: apps/p/base/kustomization.yaml uses the generator PolicyGenerator "install" of apps/p/plugins/generator.yaml, a program that kustomize runs, and fleetwright.yaml does not allow it',
      'error FW9171: apps/p/kustomization.yaml uses the transformer Mine "m", a program that kustomize runs, and fleetwright.yaml does not allow it',
    ]);
  });

  test.each([
    ['helmCharts: [{ name: metrics, valuesFile: values.yaml }]', 'the chart "metrics"'],
    [
      'generators:\n  - |\n    apiVersion: builtin\n    kind: HelmChartInflationGenerator\n    metadata: { name: metrics }\n    name: metrics\n',
      'the generator HelmChartInflationGenerator "metrics"',
    ],
  ])('are not run: Helm for %s (FW9172)', async (text, use) => {
    const cwd = await folderWith({
      'apps/p/kustomization.yaml': `${text}\n`,
      'apps/p/values.yaml': 'a: 1\n',
      'apps/p/charts/metrics/Chart.yaml': 'name: metrics\n',
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(1);
    expect(findings(err)).toContain(
      `error FW9172: apps/p/kustomization.yaml uses ${use}, for which kustomize runs Helm, and fleetwright.yaml does not allow it`,
    );
    expect(err).toContain('kustomize build --enable-helm apps/p | fleetwright validate -');
    expect(err).not.toContain('FW9016');
    expect(err).not.toContain('Chart.yaml');
  });

  test('are not allowed by a request: the setting of the base counts', async () => {
    const files = { 'apps/p/kustomization.yaml': 'generators: [g.yaml]\n', 'apps/p/g.yaml': generator };
    const plain = { 'apps/p/kustomization.yaml': 'resources: [a.yaml]\n', 'apps/p/a.yaml': config('a') };
    const state = (
      name: string,
      content: Readonly<Record<string, string>>,
    ): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(content).map(([file, text]) => [`${name}/${file}`, text]));
    const trusting = { 'fleetwright.yaml': 'kustomize: { plugins: true }\n' };
    const cwd = await folderWith({ ...state('base', plain), ...state('head', { ...files, ...trusting }) });
    const { code, err } = await runIn(cwd, ['plan', 'base', 'head']);
    expect(code).not.toBe(0);
    expect(findings(err)).toContainEqual(
      expect.stringMatching(/^error FW9171: .*apps\/p\/kustomization\.yaml uses/),
    );
  });
});

describe('without kustomize and kubectl, a kustomization that only lists files', () => {
  const read = async (files: Readonly<Record<string, string>>): Promise<string | string[]> => {
    const cwd = await folderWith(files);
    const { objects, diagnostics } = await readInputs(['in'], [], { ...quietHost(cwd), env: { PATH: cwd } });
    const error = diagnostics.find(({ severity }) => severity === 'error');
    if (error === undefined) return objects.map(({ object }) => object.metadata?.name ?? '');
    return `${error.code}: ${error.related?.[0]?.message ?? error.message}`;
  };
  const because = 'FW9090: only kustomize knows its objects, because ';

  test('is read with its bases and components, in the order of kustomize', async () => {
    expect(
      await read({
        'in/kustomization.yaml':
          'bases: [../old]\nresources: [b.yaml, ../base]\ncomponents: [../part]\ngeneratorOptions: { labels: { a: b } }\n',
        'in/b.yaml': config('b'),
        'base/Kustomization': 'resources: [a.json]\n',
        'base/a.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
        'old/kustomization.yml': 'resources: []\n',
        'part/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [c.yaml]\n',
        'part/c.yaml': config('c'),
      }),
    ).toEqual(['b', 'a', 'c']);
  });

  test.each([
    ['a missing file', 'resources: [no.yaml]', 'in/kustomization.yaml lists in/no.yaml'],
    ['a folder without a kustomization', 'resources: [../plain]', 'in/kustomization.yaml lists plain'],
    ['a component among the resources', 'resources: [../part]', 'in/kustomization.yaml lists part'],
    ['a base among the components', 'components: [../base]', 'in/kustomization.yaml lists base'],
    [
      'a file outside of its folder',
      'resources: [../base/a.yaml]',
      'in/kustomization.yaml lists base/a.yaml',
    ],
    ['itself', 'resources: [.]', 'in/kustomization.yaml lists in'],
    ['a base twice', 'resources: [../base, ../base]', 'it may read base/a.yaml in another way'],
    [
      'a value that YAML 1.1 reads differently',
      'resources: [yes.yaml]',
      'it may read in/yes.yaml in another way',
    ],
    ['a folded text', 'resources: [folded.yaml]', 'it may read in/folded.yaml in another way'],
    ['an object that stays local', 'resources: [local.yaml]', 'it may read in/local.yaml in another way'],
    ['an object without a name', 'resources: [nameless.yaml]', 'it may read in/nameless.yaml in another way'],
    [
      'an unknown field',
      'resources: [a.yaml]\nresorces: [b.yaml]',
      'in/kustomization.yaml has the field resorces',
    ],
    [
      'configurations',
      'resources: [a.yaml]\nconfigurations: [c.yaml]',
      'in/kustomization.yaml has the field configurations',
    ],
    [
      'openapi',
      'resources: [a.yaml]\nopenapi: { path: c.json }',
      'in/kustomization.yaml has the field openapi',
    ],
    [
      'an order',
      'resources: [a.yaml]\nsortOptions: { order: fifo }',
      'in/kustomization.yaml has the field sortOptions',
    ],
    [
      'another version',
      'apiVersion: v1\nresources: [a.yaml]',
      'in/kustomization.yaml has the field apiVersion',
    ],
    ['nothing', 'kind: Kustomization', 'in/kustomization.yaml may be invalid'],
  ])('is not read if it has %s', async (_, text, reason) => {
    const result = await read({
      'in/kustomization.yaml': `${text}\n`,
      'in/a.yaml': config('a'),
      'in/yes.yaml': `${config('a')}data: { on: yes }\n`,
      'in/folded.yaml': `${config('a')}data:\n  a: >-\n    one\n      two\n`,
      'in/local.yaml': config('a').replace(
        'namespace',
        'annotations: { config.kubernetes.io/local-config: "true" }, namespace',
      ),
      'in/nameless.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: a- }\n',
      'base/kustomization.yaml': 'resources: [a.yaml]\n',
      'base/a.yaml': config('a'),
      'plain/a.yaml': config('a'),
      'part/kustomization.yaml': 'kind: Component\nresources: [a.yaml]\n',
      'part/a.yaml': config('a'),
    });
    expect(String(result).slice(0, (because + reason).length)).toBe(because + reason);
  });

  test('is not read if two kustomizations use each other, or its folder has two', async () => {
    const cycle = {
      'in/one/kustomization.yaml': 'resources: [../two]\n',
      'in/two/kustomization.yaml': 'resources: [../one]\n',
    };
    expect(await read(cycle)).toMatch(/^FW9090: .*lists in\/one/);
    const two = {
      'in/kustomization.yaml': 'resources: [a.yaml]\n',
      'in/Kustomization': 'resources: [a.yaml]\n',
      'in/a.yaml': config('a'),
    };
    expect(await read(two)).toBe(`${because}in/kustomization.yaml may be invalid`);
  });

  test('is not read through a link to a file outside of its folder', async () => {
    const cwd = await folderWith({
      'in/kustomization.yaml': 'resources: [a.yaml]\n',
      'out/a.yaml': config('a'),
    });
    await mkdir(path.join(cwd, '.git'));
    await symlink(path.join(cwd, 'out/a.yaml'), path.join(cwd, 'in/a.yaml'));
    const { objects, diagnostics } = await readInputs(['in'], [], { ...quietHost(cwd), env: { PATH: cwd } });
    expect(objects).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW9090']);
  });
});
