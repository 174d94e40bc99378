import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { objectName } from '../../src/cli/commands/init/gitops.ts';
import { packageName } from '../../src/cli/commands/init/package-files.ts';
import { stages } from '../../src/compiler/emit/sync-order.ts';
import {
  FluxGitRepository,
  FluxKustomization,
  FluxKustomizations,
  FluxOciRepository,
} from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { linkDependencies, runProgram } from '../linked-repository.ts';
import { runIn } from '../cli/terminal.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { apps, byIdentity, emitted, parseObjects, synthesize } from './emitted-objects.ts';

/** What Flux does with the sources and Kustomizations among `objects` where the sources have this tree. */
function inFlux(tree: string, objects: readonly object[]): { code: number | null; out: string; err: string } {
  const program = path.join(inject('tools'), 'flux-kustomizations');
  const input = JSON.stringify(objects);
  const { status, stdout, stderr } = spawnSync(program, [tree], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { code: status, out: stdout, err: stderr };
}

interface Built {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
}

/** What Flux applies, in its order. */
function built(tree: string, objects: readonly object[]): Built[] {
  const { code, out, err } = inFlux(tree, objects);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  // Go writes an empty list as null.
  const results = JSON.parse(out) as { readonly name: string; readonly objects: Built['objects'] | null }[];
  return inFixedOrder(results.map(({ name, objects }) => ({ name, objects: objects ?? [] })));
}

/** Placements and configurations do not wait for each other: Flux takes them in any order. */
function inFixedOrder(results: readonly Built[]): Built[] {
  const ordered = [...results];
  for (const [index, one] of ordered.entries()) {
    const next = ordered[index + 1];
    if (next === undefined || !one.name.endsWith('-configs') || !next.name.endsWith('-placements')) continue;
    ordered.splice(index, 2, next, one);
  }
  return ordered;
}

/** Whether each Kustomization applies the folder that it is called by, and all of them what the app has, once. */
function expectAll(results: readonly Built[], app: string, folder: string): void {
  for (const { name, objects } of results)
    expect(byIdentity(objects)).toEqual(byIdentity(emitted(path.join(folder, name.slice(app.length + 1)))));
  const all = emitted(folder);
  expect(all.length).toBeGreaterThan(0);
  expect(results.flatMap(({ objects }) => objects)).toHaveLength(all.length);
}

let tree: string;
beforeAll(async () => {
  tree = mkdtempSync(path.join(tmpdir(), 'fleetwright-'));
  await synthesize(path.join(tree, 'dist'), 'flux');
});
afterAll(() => {
  rmSync(tree, { recursive: true });
});

const url = 'https://git.example.com/platform/add-ons.git';

describe('the Kustomizations of the constructs', () => {
  test.each(apps)('apply in Flux what synth wrote for %s, stage after stage', (app) => {
    const folder = path.join(tree, 'dist', app);
    const isThere = (name: string): boolean => existsSync(path.join(folder, name));
    expect(stages.filter(isThere)).toEqual(stages);
    const waves = Array.from({ length: 10 }, (_, index) => `wave-${index + 1}`).filter(isThere);
    const objects = objectsOf((chart) => {
      const source = new FluxGitRepository(chart, 'add-ons', { url });
      new FluxKustomizations(chart, app, { app, source, waves: waves.length });
    });
    const results = built(tree, objects);
    expect(results.map(({ name }) => name)).toEqual([...stages, ...waves].map((stage) => `${app}-${stage}`));
    expectAll(results, app, folder);
  });

  test('are of waves of compiled delivery too', () => {
    expect(apps.filter((app) => existsSync(path.join(tree, 'dist', app, 'wave-2')))).not.toEqual([]);
  });

  test('apply from an artifact whose top is dist, to a namespace of their own', () => {
    const objects = objectsOf((chart) => {
      const oci = { url: 'oci://ghcr.io/platform/add-ons', semver: '>=1.0.0', secretName: 'ghcr' };
      const source = new FluxOciRepository(chart, 'add-ons', oci);
      new FluxKustomizations(chart, 'hub', {
        app: 'hub',
        source,
        folder: '.',
        namespace: 'platform',
        timeout: '30m',
      });
    });
    const results = built(path.join(tree, 'dist'), objects);
    expect(results).toHaveLength(5);
    expectAll(results, 'hub', path.join(tree, 'dist/hub'));
  });
});

test.each(['', 'hub-config/'])(
  'the Kustomizations of init in ./%s apply what synth wrote there',
  async (prefix) => {
    const repository = mkdtempSync(path.join(tmpdir(), 'fleetwright-flux-'));
    try {
      const folder = path.join(repository, prefix);
      mkdirSync(folder, { recursive: true });
      expect(runProgram(repository, 'git', ['init', '--quiet'])).toMatchObject({ code: 0 });
      expect(await runIn(folder, ['init', '--gitops', 'flux', '--repo-url', url])).toMatchObject({ code: 0 });
      expect(await runIn(folder, ['new', 'second', '--yaml'])).toMatchObject({ code: 0 });
      linkDependencies(folder);
      expect(runProgram(folder, 'npm', ['run', '--silent', 'synth'])).toMatchObject({ code: 0 });
      // It is in .gitignore: Flux sees none of it.
      rmSync(path.join(folder, 'node_modules'), { recursive: true });
      const kustomize = path.join(inject('tools'), 'kustomize');
      const objects = parseObjects(
        execFileSync(kustomize, ['build', path.join(folder, 'gitops')], { encoding: 'utf8' }),
      );
      const results = built(repository, objects);
      const name = objectName(packageName(path.basename(folder)));
      expect(results.map((each) => each.name)).toEqual(stages.map((stage) => `${name}-${stage}`));
      for (const [index, stage] of stages.entries())
        expect(byIdentity(results[index]?.objects ?? [])).toEqual(
          byIdentity(['hello', 'second'].flatMap((app) => emitted(path.join(folder, 'dist', app, stage)))),
        );
    } finally {
      rmSync(repository, { recursive: true });
    }
  },
);

describe('Flux refuses', () => {
  const objects = (): KubernetesObject[] =>
    objectsOf((chart) => {
      const source = new FluxGitRepository(chart, 'add-ons', { url });
      const folder = { source, path: './dist/hub/placements' };
      const first = new FluxKustomization(chart, 'first', folder);
      new FluxKustomization(chart, 'second', { ...folder, dependsOn: [first] });
    });
  const change = (name: string, spec: object): object[] =>
    objects().map((object) =>
      object.metadata.name === name
        ? { ...object, spec: { ...(object['spec'] as object), ...spec } }
        : object,
    );

  test('nothing in what the cases below change', () => {
    expect(built(tree, objects()).map(({ name }) => name)).toEqual(['first', 'second']);
  });

  test.each([
    [
      'a field of a Kustomization that is misspelt',
      change('first', { prun: true }),
      'strict decoding error: unknown field "spec.prun"',
    ],
    [
      'a field of a source that is misspelt',
      change('add-ons', { ref: { brnch: 'main' } }),
      'strict decoding error: unknown field "spec.ref.brnch"',
    ],
    [
      'a folder that is not there',
      change('second', { path: './dist/hub/nowhere' }),
      'Kustomization second: path ./dist/hub/nowhere not found',
    ],
    [
      'a source that is not there',
      objects().slice(1),
      'Kustomization first: source GitRepository flux-system/add-ons not found',
    ],
    [
      'a dependency that is not there',
      objects().filter(({ metadata }) => metadata.name !== 'first'),
      'Kustomization second: dependency flux-system/first not found',
    ],
  ])('%s', (_, changed, message) => {
    expect(inFlux(tree, changed)).toEqual({ code: 1, out: '', err: `${message}\n` });
  });

  test('dependencies in a circle', () => {
    const { code, err } = inFlux(tree, change('first', { dependsOn: [{ name: 'second' }] }));
    expect(code).toBe(1);
    expect(err).toMatch(
      /^circular dependencies: \[\[flux-system\/(?:first flux-system\/second|second flux-system\/first)\]\]\n$/,
    );
  });
});
