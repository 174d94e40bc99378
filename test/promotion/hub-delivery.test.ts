import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { placementContents } from '../../src/promotion/decide/placement-content.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { GitRepository } from '../e2e/repository.ts';
import { serve } from '../cli/api-server.ts';
import { addOn, config, installed, placement, template } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { promotionText } from './app.ts';
import { generator } from './generator.ts';
import { DeliveringHub } from './delivering-hub.ts';
import type { Files } from './simulated-hub.ts';

// Promotions of an add-on that the hub delivers: each placement names the configurations of its version.

const environments = ['prod', 'stage', 'dev'];
const order = '{ placements: [default/dev, default/stage] }';
const specs = [order, '{}', '{ whenBusy: supersede }'];
const budget =
  '{ type: Progressive, progressive: { maxConcurrency: 100%, maxFailures: 0, progressDeadline: 30m } }';

/** The add-on in a version. The template is the default of all placements, the configuration that of each one. */
function appText(version: string): string {
  const placements = environments.map((env) => installed(env, `${env}-${version}`, budget));
  return (
    addOn(placements.join(''), `hello-${version}`) +
    environments.map((env) => placement(env, `{ matchLabels: { env: ${env} } }`)).join('') +
    environments.map((env) => config(`${env}-${version}`, version)).join('') +
    config('base', 'info') +
    template(`hello-${version}`, `{ version: "${version}" }`)
  );
}

/** The same with one name for all versions: the objects are named by their content. */
function immutableText(version: string): string {
  return appText(version)
    .replaceAll(new RegExp(`\\b(hello|dev|stage|prod)-${version}\\b`, 'g'), '$1')
    .replaceAll(
      /(kind: AddOn(?:Template|DeploymentConfig)\nmetadata: \{ name: \w+)/g,
      "$1, annotations: { fleetwright.dev/immutable: 'true' }",
    );
}

const fleet = fleetOf({ d: { env: 'dev' }, s: { env: 'stage' }, p: { env: 'prod' }, q: { env: 'prod' } });

let repository: GitRepository;
let hub: DeliveringHub;
let now: number;
beforeEach(() => {
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'A');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'a@example.com');
  }
  repository = new GitRepository();
  hub = new DeliveringHub();
  now = Date.parse('2026-06-01T08:00:00Z');
});
afterEach(() => {
  repository.remove();
  vi.unstubAllEnvs();
});

function setTime(): void {
  for (const who of ['AUTHOR', 'COMMITTER']) vi.stubEnv(`GIT_${who}_DATE`, `@${now / 1000} +0000`);
}

function commit(message: string, files: Readonly<Record<string, string | undefined>>): void {
  setTime();
  repository.commit(message, files);
}

async function run(...parameters: readonly string[]) {
  setTime();
  return await repository.fleetwright(parameters, '', { now: () => now });
}

async function promote(...parameters: readonly string[]) {
  const kubeconfig = path.join(repository.temporary, 'kubeconfig');
  return await run('promote', 'hello', '--commit', '--kubeconfig', kubeconfig, ...parameters);
}

function output(): Files {
  const folder = path.join(repository.root, 'dist/hello');
  return new Map(
    readdirSync(folder).flatMap((name) =>
      name.endsWith('.yaml') ? [[name, readFileSync(path.join(folder, name), 'utf8')]] : [],
    ),
  );
}

function sync(present = fleet): void {
  hub.sync(output(), present, now);
}

/** What the clusters have if the placements have these versions. */
function contents(dev: string, prod: string, stage: string): readonly string[] {
  return [
    `d: dev-${dev}, hello-${dev}`,
    `p: prod-${prod}, hello-${prod}`,
    `q: prod-${prod}, hello-${prod}`,
    `s: stage-${stage}, hello-${stage}`,
  ];
}

/** Merges a version with the output of synth. */
async function merge(version: string, text = appText(version)): Promise<void> {
  commit(`version ${version}`, { 'apps/hello/app.yaml': text });
  expect(await run('synth')).toMatchObject({ code: 0 });
  commit(`synth of version ${version}`, {});
}

/** Version 1 on all clusters, and version 2 merged. */
async function releaseVersion2(spec = order): Promise<void> {
  const server = await serve((url) => hub.answer(url));
  writeFileSync(path.join(repository.temporary, 'kubeconfig'), server.kubeconfig);
  commit('version 1', { 'fleet.yaml': fleet, 'promotions/hello.yaml': promotionText(spec) });
  await merge('1');
  // Before the first release nothing is on the hub, so an installation is one as well.
  while ((await promote()).code === 3) sync();
  await merge('2');
  sync();
}

describe('a promotion of hub delivery', () => {
  test('releases immutable configurations in YAML wave by wave', async () => {
    const server = await serve((url) => hub.answer(url));
    writeFileSync(path.join(repository.temporary, 'kubeconfig'), server.kubeconfig);
    commit('version 1', { 'fleet.yaml': fleet, 'promotions/hello.yaml': promotionText(order) });
    await merge('1', immutableText('1'));
    while ((await promote()).code === 3) sync();
    const before = hub.contents();
    expect(before[0]).toMatch(/^d: dev-[0-9a-f]{10}, hello-[0-9a-f]{10}$/);
    await merge('2', immutableText('2'));
    sync();
    expect(hub.contents()).toEqual(before);
    expect((await promote()).out).toMatch(/^hello advanced: wave 1 of 3 /);
    sync();
    const after = hub.contents();
    expect(after[0]).toMatch(/^d: dev-[0-9a-f]{10}, hello-[0-9a-f]{10}$/);
    expect(after[0]).not.toBe(before[0]);
    expect(after.slice(1)).toEqual(before.slice(1));
  });

  test('releases the references of one placement after the other, with those of defaults', async () => {
    await releaseVersion2();
    expect(hub.contents()).toEqual(contents('1', '1', '1'));
    const first = await promote();
    expect(first.err).toBe('');
    expect(first.out).toMatch(/^hello advanced: wave 1 of 3 of [0-9a-f]{12} starts, commit /);
    expect(await promote()).toEqual({
      code: 4,
      err: '',
      out: 'hello waits: wave 1 of 3: 0 of 1 healthy, budget 0 of 0 failures used; d waits for the hub to give it the content\n',
    });
    sync();
    expect(hub.contents()).toEqual(contents('2', '1', '1'));
    expect((await promote()).out).toMatch(/^hello advanced: wave 2 of 3 /);
    sync();
    expect(hub.contents()).toEqual(contents('2', '1', '2'));
    expect((await promote()).out).toMatch(/^hello advanced: wave 3 of 3 /);
    sync();
    expect((await promote()).out).toMatch(
      /^hello finished: wave 3 of 3: all clusters are done, the release is completed/,
    );
    expect(hub.contents()).toEqual(contents('2', '2', '2'));
    expect(await promote()).toEqual({
      code: 0,
      err: '',
      out: 'hello finished: all clusters have the content of Git\n',
    });
    const promoted = output();
    commit('no promotion', { 'promotions/hello.yaml': undefined });
    expect(await run('synth')).toMatchObject({ code: 0 });
    expect(output()).toEqual(promoted);
  });

  test('stops if clusters fail, and rolls back the earlier references', async () => {
    await releaseVersion2('{ placements: [default/dev, default/prod] }');
    const before = output();
    await promote();
    sync();
    await promote();
    hub.failing.add('p');
    sync();
    now += 31 * 60_000;
    expect(await promote()).toEqual({
      code: 1,
      err: '',
      out: 'hello stopped: wave 2 of 3: 1 of 2 healthy, budget 0 of 0 failures used for hello default/dev, budget 1 of 0 failures used for hello default/prod; "p" failed, more than the strategy of hello default/prod allows\n',
    });
    expect((await promote('--abort')).out).toMatch(/^hello advanced: rollback wave 1 of 2 /);
    hub.failing.clear();
    sync();
    expect(hub.contents()).toEqual(contents('2', '1', '1'));
    expect((await promote()).out).toMatch(/^hello advanced: rollback wave 2 of 2 /);
    sync();
    expect((await promote()).out).toMatch(/the earlier content is restored/);
    expect(output()).toEqual(before);
    expect((await promote()).out).toBe(
      'hello stopped: the content of Git was rolled back: change it, or release it again with --retry\n',
    );
    await promote('--retry');
    expect((await promote()).out).toMatch(/^hello advanced: wave 1 of 3 /);
  });

  test('gives each placement the content of the release, although Git has moved on', async () => {
    await releaseVersion2();
    await promote();
    await merge('3');
    sync();
    expect(hub.contents()).toEqual(contents('2', '1', '1'));
    await promote();
    sync();
    expect(hub.contents()).toContain('s: stage-2, hello-2');
    await promote();
    sync();
    expect(hub.contents()).toContain('p: prod-2, hello-2');
    expect((await promote()).out).toMatch(/the release is completed/);
    expect((await promote()).out).toMatch(/^hello advanced: wave 1 of 3 /);
    sync();
    expect(hub.contents()).toContain('d: dev-3, hello-3');
  });

  test('waits for no cluster that has left its placement, and gives those that join what the placement has', async () => {
    await releaseVersion2();
    await promote();
    const present = fleetOf({
      d: { env: 'stage' },
      e: { env: 'dev' },
      s: { env: 'stage' },
      p: { env: 'prod' },
    });
    commit('fleet', { 'fleet.yaml': present });
    expect(await run('synth')).toMatchObject({ code: 0 });
    commit('synth of the fleet', {});
    sync(present);
    expect(hub.contents()).toEqual([
      'd: stage-1, hello-1',
      'e: dev-2, hello-2',
      'p: prod-1, hello-1',
      's: stage-1, hello-1',
    ]);
    expect((await promote()).out).toMatch(/^hello advanced: wave 2 of 3 /);
  });

  test('installs a placement that a release adds in its wave, and removes it again', async () => {
    await releaseVersion2();
    for (let step = 0; step < 4; step += 1) {
      await promote();
      sync();
    }
    const more = fleetOf({ d: { env: 'dev' }, t: { env: 'test' } });
    const text = appText('2').replace(
      '    placements: ',
      () => `    placements: ${installed('test', 'test-1', budget)}`,
    );
    commit('fleet', { 'fleet.yaml': more });
    await merge('2', text + placement('test', '{ matchLabels: { env: test } }') + config('test-1', '1'));
    sync(more);
    expect(hub.contents()).toEqual(['d: dev-2, hello-2']);
    expect((await promote()).out).toMatch(/^hello advanced: wave 1 of 1 /);
    sync(more);
    expect(hub.contents()).toEqual(['d: dev-2, hello-2', 't: test-1, hello-2']);
    expect((await promote('--abort')).out).toMatch(/^hello advanced: rollback wave 1 of 1 /);
    sync(more);
    expect(hub.contents()).toEqual(['d: dev-2, hello-2']);
    expect((await promote()).out).toMatch(/the earlier content is restored/);
  });

  test('gives clusters that an override sets apart their content at once, and says so', async () => {
    await releaseVersion2();
    await promote();
    const own = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: p, annotations: { fleetwright.dev/override: placement } }
spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: own }] }
`;
    commit('override', { 'apps/hello/app.yaml': appText('2') + config('own', 'own') + own });
    const { code, err } = await run('synth');
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning FW8044: 1 cluster of add-on "hello" is in the new placement "default\/hello-p-[0-9a-f]+", which synth makes, so the promotion of app "hello" does not hold its content back$/m,
    );
    sync();
    expect(hub.contents()).toEqual([
      'd: dev-2, hello-2',
      'p: own, hello-2',
      'q: prod-1, hello-1',
      's: stage-1, hello-1',
    ]);
  });

  test('keeps configurations of other kinds that placements name until their wave', async () => {
    const withSettings = (version: string): string =>
      `${appText(version)}
---
apiVersion: example.com/v1
kind: Setting
metadata: { name: all-${version}, namespace: default }
spec: { version: "${version}" }
`
        .replace('  installStrategy:', '  - { group: example.com, resource: settings }\n  installStrategy:')
        .replaceAll(
          /configs: \[(.*)\]/g,
          (_, configs: string) =>
            `configs: [${configs}, { group: example.com, resource: settings, namespace: default, name: all-${version} }]`,
        );
    commit('version 1', { 'fleet.yaml': fleet });
    await merge('1', withSettings('1'));
    commit('promote it', { 'promotions/hello.yaml': promotionText() });
    await merge('2', withSettings('2'));
    expect([...output().keys()].filter((name) => name.startsWith('setting'))).toEqual([
      'setting.example.com_default_all-1.yaml',
      'setting.example.com_default_all-2.yaml',
    ]);
    commit('in place', {
      'apps/hello/app.yaml': withSettings('1').replace('spec: { version: "1" }', 'spec: { version: "one" }'),
    });
    expect((await run('synth')).err).toContain(
      'error FW8043: Setting "all-1" is changed in place, but 4 clusters',
    );
  });

  test('prints the hash of the release in a plan', async () => {
    await releaseVersion2();
    const { out } = await run('plan', 'HEAD~2..HEAD');
    expect(out).toContain(
      'plan: 4 changed, 0 unchanged; with the merge: no add-on changes; when the promotion releases it: 4 changed; ' +
        '4 of 4 clusters reached in 3 waves\n',
    );
    expect(out).toContain('    1: d\n    2: s\n    3: p, q\n');
    const [, hash = ''] = /next release: ([0-9a-f]{64}) \(3 waves, 4 clusters\)/.exec(out) ?? [];
    expect((await promote()).out).toContain(` wave 1 of 3 of ${hash.slice(0, 12)} starts`);
    expect(readFileSync(path.join(repository.root, 'promotions/hello.yaml'), 'utf8')).toContain(hash);
  });

  test.for([
    [
      'an edit in place of what a placement has until its wave',
      appText('2')
        .replace('metadata: { name: dev-2,', 'metadata: { name: dev-1,')
        .replace('name: dev-2 }', 'name: dev-1 }'),
      'error FW8043: AddOnDeploymentConfig "dev-1" is changed in place, but 1 cluster uses it until its wave\n',
    ],
    [
      'an edit in place of what all clusters of a placement use, without another change',
      appText('1').replace('value: "1"', 'value: "one"'),
      'error FW8043: AddOnDeploymentConfig "prod-1" is changed in place, but 2 clusters use it until their waves\n',
    ],
    [
      'a default of a kind that the placements did not have',
      appText('2').replace(
        '  installStrategy:',
        '  - { group: example.com, resource: settings, defaultConfig: { name: all } }\n  installStrategy:',
      ),
      'error FW8045: the default settings "all" of add-on "hello" reaches 2 clusters of placement "default/prod" before its wave\n',
    ],
    [
      'the end of a kind that placements have until their wave',
      appText('2')
        .replace(/ {2}- \{ group: [\w.-]+, resource: addondeploymentconfigs, .*\n/, '')
        .replace(/configs: \[.*\]/g, 'configs: []'),
      'error FW8045: add-on "hello" no longer supports addondeploymentconfigs "default/stage-1", which placement "default/stage" names for 1 cluster until its wave\n',
    ],
  ])('refuses %s', async ([, text, finding]) => {
    await releaseVersion2();
    commit('version 2', { 'apps/hello/app.yaml': text });
    const { code, err } = await run('synth');
    expect(err).toContain(finding);
    expect(code).toBe(1);
  });

  test.for([
    [
      'a placement that no add-on has',
      '{ placements: [default/devel] }',
      appText('1'),
      'error FW8046: spec.placements names "default/devel", which no add-on of app "hello" is installed by\n',
    ],
    [
      'an app whose add-ons no placement installs',
      '{}',
      addOn('', 't1', 'Manual') + template('t1', '{}') + config('base', 'info'),
      'error FW8041: no add-on of app "hello" is installed by placements or has compiled delivery, so a promotion has nothing to hold back\n',
    ],
    [
      'an add-on that no placement installs, beside another',
      '{}',
      appText('1') + addOn('', 't1', 'Manual').replaceAll('hello', 'audit'),
      'warning FW8044: no placement installs add-on "audit", which the hub delivers, so the promotion of app "hello" does not hold its changes back\n',
    ],
  ])('reports %s', async ([, spec, text, finding]) => {
    commit('version 1', {
      'fleet.yaml': fleetOf({ d: { env: 'dev' }, x: {} }),
      'promotions/hello.yaml': promotionText(spec),
      'apps/hello/app.yaml': text,
    });
    expect((await run('synth')).err).toContain(finding);
  });

  test('changes nothing by a merge, one wave by a step, and all by the end, in random promotions', async () => {
    const count = Number(process.env['PROMOTIONS'] ?? 2);
    const seen = { steps: 0, completed: 0, restored: 0, stopped: 0 };
    for (let seed = 1; seed <= count; seed += 1) {
      await promoteAtRandom(seed, seen);
      repository.remove();
      repository = new GitRepository();
      hub = new DeliveringHub();
    }
    const unseen = Object.entries(seen).filter(([, times]) => times === 0);
    expect(count < 6 ? [] : unseen).toEqual([]);
  }, 300_000);
});

/** The names of the configurations that each placement has in the output. */
function contentsInGit(): Readonly<Record<string, string>> {
  const text = output().get('clustermanagementaddon_hello.yaml') ?? '';
  return Object.fromEntries(
    Array.from(placementContents(parse(text) as KubernetesObject), ([placementKey, configs]) => [
      placementKey.replace('default/', ''),
      configs
        .map(({ name }) => name)
        .sort()
        .join(' '),
    ]),
  );
}

function changed(before: Readonly<Record<string, string>>): readonly string[] {
  const after = contentsInGit();
  return environments.filter((env) => before[env] !== after[env]);
}

async function promoteAtRandom(
  seed: number,
  seen: { steps: number; completed: number; restored: number; stopped: number },
): Promise<void> {
  const random = generator(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const clusters: Record<string, { env: string }> = {};
  for (let index = 0; index < 5; index += 1)
    clusters[`c${index}`] = { env: environments[index % 3] ?? 'dev' };
  const server = await serve((url) => hub.answer(url));
  writeFileSync(path.join(repository.temporary, 'kubeconfig'), server.kubeconfig);
  let version = 1;
  commit('version 1', { 'fleet.yaml': fleetOf(clusters) });
  await merge('1');
  commit('promote it', { 'promotions/hello.yaml': promotionText(specs[below(3)]) });
  await promote();
  for (let turn = 0; turn < 16; turn += 1) {
    const before = contentsInGit();
    const event = below(10);
    if (event < 2) await merge(String((version += 1)));
    else if (event === 2) {
      clusters[`c${below(6)}`] = { env: environments[below(3)] ?? 'dev' };
      commit('fleet', { 'fleet.yaml': fleetOf(clusters) });
      await merge(String(version));
    } else if (event === 3) hub.failing.add(`c${below(5)}`);
    else if (event === 4) hub.failing.clear();
    // A placement without clusters has nothing to wait for.
    const isEmpty = (env: string): boolean => Object.values(clusters).every((labels) => labels.env !== env);
    expect(changed(before).filter((env) => !isEmpty(env))).toEqual([]);
    if (random() < 0.8) sync(fleetOf(clusters));
    now += below(40) * 60_000;

    const earlier = contentsInGit();
    const isAborting = event === 5 && random() < 0.6 && isReleasing();
    const { code, out, err } = await promote(...(isAborting ? ['--abort'] : []));
    expect(err).toBe('');
    seen.steps += code === 3 ? 1 : 0;
    expect(changed(earlier).filter((env) => !isEmpty(env)).length).toBeLessThanOrEqual(code === 3 ? 1 : 0);
    if (/ the earlier content is restored/.test(out)) seen.restored += 1;
    if (code === 1) seen.stopped += 1;
    const isDone = out.endsWith(' all clusters have the content of Git\n');
    seen.completed += isDone ? 1 : 0;
    const contentOf = (env: string): string => [`hello-${version}`, `${env}-${version}`].sort().join(' ');
    const present = contentsInGit();
    const others = environments.filter((env) => !isEmpty(env) && present[env] !== contentOf(env));
    expect(isDone ? others : []).toEqual([]);
  }
}

/** Whether a release is in progress that is not a rollback. */
function isReleasing(): boolean {
  const text = readFileSync(path.join(repository.root, 'promotions/hello.yaml'), 'utf8');
  return /^ {2}release:$/m.test(text) && !/^ {4}restores:/m.test(text);
}
