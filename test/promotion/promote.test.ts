import { renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PlannedPromotion } from '../../src/compiler/plan/planned-promotion.ts';
import { serve } from '../cli/api-server.ts';
import { fleetOf } from '../resolve-text.ts';
import { appText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

let promoted: PromotedRepository;
beforeEach(() => {
  vi.stubEnv('GIT_AUTHOR_NAME', 'A');
  vi.stubEnv('GIT_AUTHOR_EMAIL', 'a@example.com');
  vi.stubEnv('GIT_COMMITTER_NAME', 'A');
  vi.stubEnv('GIT_COMMITTER_EMAIL', 'a@example.com');
  promoted = new PromotedRepository();
});
afterEach(() => {
  promoted.repository.remove();
  vi.unstubAllEnvs();
});

/** Commits version 2 of the app, with the output of synth. */
async function releaseVersion2(): Promise<void> {
  promoted.commit('version 2', { 'apps/hello/app.yaml': appText('2') });
  await promoted.synthesized('synth of version 2');
}

function clusterFiles(files: ReadonlyMap<string, string>): unknown {
  return [...files].filter(([name]) => name.startsWith('clusters/'));
}

describe('promote', () => {
  test('releases wave by wave, each after the clusters of the one before are healthy and have soaked', async () => {
    await promoted.begin(['a', 'b', 'c', 'd']);
    expect(await promoted.promote('--commit')).toMatchObject({ code: 0, err: '' });
    promoted.sync();
    await releaseVersion2();
    expect(promoted.versions()).toBe('a1 b1 c1 d1');

    const first = await promoted.promote('--commit');
    expect(first.err).toBe('');
    expect(first.out).toMatch(/^hello advanced: wave 1 of 2 of [0-9a-f]{12} starts, commit [0-9a-f]{12}\n$/);
    expect(first.code).toBe(3);
    expect(promoted.versions()).toBe('a2 b2 c1 d1');
    expect(await promoted.run(['synth', '--check'])).toMatchObject({ code: 0 });

    expect(await promoted.promote('--commit')).toEqual({
      code: 4,
      err: '',
      out: 'hello waits: wave 1 of 2: 0 of 2 healthy, budget 0 of 1 failure used; a has the earlier content (and 1 more)\n',
    });
    promoted.pass(1);
    promoted.sync();
    promoted.pass(5);
    expect((await promoted.promote('--commit')).out).toBe(
      'hello waits: wave 1 of 2: 2 of 2 healthy, budget 0 of 1 failure used, soak ends 08:11 UTC\n',
    );
    promoted.pass(5);
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 2 of 2 of/);
    expect(promoted.versions()).toBe('a2 b2 c2 d2');
    promoted.sync();
    promoted.pass(10);
    expect((await promoted.promote('--commit')).out).toMatch(
      /^hello finished: wave 2 of 2: all clusters are done, the release is completed, commit/,
    );
    expect(await promoted.promote('--commit')).toEqual({
      code: 0,
      err: '',
      out: 'hello finished: all clusters have the content of Git\n',
    });
    expect(promoted.repository.status()).toBe('');
    expect(promoted.read('promotions/hello.yaml')).toMatch(/^# Releases of hello\n/);
  });

  test('stops if more clusters fail than the budget allows, and rolls back exactly the bytes that were there', async () => {
    await promoted.begin(['a', 'b', 'c', 'd', 'e']);
    await promoted.promote('--commit');
    promoted.sync();
    const before = promoted.files();
    await releaseVersion2();
    await promoted.promote('--commit');
    promoted.hub.setAgent('a', 'failing');
    promoted.sync();
    promoted.pass(31);
    // One failure is within the budget.
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 2 of 3/);
    expect(promoted.versions()).toBe('a2 b2 c2 d2 e1');
    promoted.hub.setAgent('c', 'silent');
    promoted.sync();
    promoted.pass(31);
    expect(await promoted.promote('--commit')).toEqual({
      code: 1,
      err: '',
      out: 'hello stopped: wave 2 of 3: 1 of 2 healthy, budget 2 of 1 failure used, soak ended 08:41 UTC; "a", "c" failed, more than the strategy of hello default/all allows\n',
    });
    const back = await promoted.promote('hello', '--abort', '--commit');
    expect(back.err).toBe('');
    expect(back.out).toMatch(/^hello advanced: rollback wave 1 of 2 of [0-9a-f]{12} starts, commit/);
    expect(promoted.versions()).toBe('a2 b2 c1 d1 e1');
    promoted.hub.setAgent('c', 'healthy');
    promoted.sync();
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: rollback wave 2 of 2/);
    expect(clusterFiles(promoted.files())).toEqual(clusterFiles(before));
    promoted.hub.setAgent('a', 'healthy');
    promoted.sync();
    expect((await promoted.promote('--commit')).out).toMatch(/the earlier content is restored, commit/);
    expect(await promoted.promote('--commit')).toEqual({
      code: 1,
      err: '',
      out: 'hello stopped: the content of Git was rolled back: change it, or release it again with --retry\n',
    });
    expect((await promoted.promote('hello', '--retry', '--commit')).code).toBe(3);
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 1 of 3/);
  });

  test('a run that was killed is completed by the next one, with the same commit', async () => {
    await promoted.begin(['a', 'b', 'c']);
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    const start = promoted.repository.head();
    await promoted.promote('--commit');
    const expected = promoted.repository.head();
    const state = promoted.read('promotions/hello.yaml');

    // Killed after the state was written.
    promoted.repository.reset(start);
    promoted.repository.write({ 'promotions/hello.yaml': state });
    const completed = await promoted.promote('--commit');
    expect(completed.out).toMatch(
      /^hello advanced: an earlier run was interrupted: wave 1 of 2 of [0-9a-f]{12}, commit [0-9a-f]{12}\n$/,
    );
    expect(promoted.repository.head()).toBe(expected);

    // Killed between writing and committing.
    promoted.repository.reset(start);
    await promoted.promote();
    expect(promoted.versions()).toBe('a2 b2 c1');
    await promoted.promote('--commit');
    expect(promoted.repository.head()).toBe(expected);
  });

  test('with Flux, all files of clusters move to the folder of the first wave, also if a run is killed meanwhile', async () => {
    promoted.commit('engine', { 'fleetwright.yaml': 'engine: flux\n' });
    await promoted.begin(['a', 'b', 'c', 'd']);
    const folders = (): string[] =>
      [...promoted.files().keys()]
        .filter((name) => name.includes('managedclusteraddon_'))
        .map((name) => name.replace(/managedclusteraddon_(.*)_hello.yaml/, '$1'))
        .sort();
    expect(folders()).toEqual(['wave-1/a', 'wave-1/b', 'wave-2/c', 'wave-2/d']);
    // Killed between writing and committing.
    expect(await promoted.promote()).toMatchObject({ code: 0, err: '' });
    expect(await promoted.promote('--commit')).toMatchObject({ code: 3, err: '' });
    expect(folders()).toEqual(['wave-1/a', 'wave-1/b', 'wave-1/c', 'wave-1/d']);
    expect(promoted.repository.status()).toBe('');
    promoted.sync();
    await releaseVersion2();
    expect(await promoted.promote('--commit')).toMatchObject({ code: 3, err: '' });
    expect(folders()).toEqual(['wave-1/a', 'wave-1/b', 'wave-1/c', 'wave-1/d']);
  });

  test('a later change waits for the release, whose waves keep its content; a cluster that joins gets the last completed one', async () => {
    await promoted.begin(['a', 'b', 'c', 'd']);
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    await promoted.promote('--commit');
    promoted.sync();
    // b leaves, e joins, c is relabelled, and Git has version 3.
    const labels = { a: {}, c: { tier: 'gold' }, d: {}, e: {} };
    promoted.commit('version 3', {
      'apps/hello/app.yaml': appText('3'),
      'fleet.yaml': fleetOf(labels),
    });
    await promoted.synthesized('synth of version 3');
    expect(promoted.versions()).toBe('a2 c1 d1 e1');
    promoted.sync();
    promoted.pass(11);
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 2 of 2/);
    expect(promoted.versions()).toBe('a2 c2 d2 e1');
    expect((await promoted.run(['synth', '--check'])).code).toBe(0);
    promoted.sync();
    promoted.pass(11);
    expect((await promoted.promote('--commit')).code).toBe(0);
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 1 of 2/);
    // c has the placement of gold clusters now.
    expect(promoted.versions()).toBe('a3 c3 d3 e1');
  });

  test('waits for approvals and time windows, and while it is paused', async () => {
    const spec =
      '{ approval: waves, window: { timeZone: Europe/Berlin, open: [{ days: [Mon], from: "12:00", to: "16:00" }] } }';
    await promoted.begin(['a', 'b', 'c'], spec);
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    const begun = await promoted.promote('--commit');
    const [, hash = ''] = /add ([0-9a-f]{64})\/1 to spec.approved/.exec(begun.out) ?? [];
    expect(begun.out).toBe(
      `hello advanced: release ${hash.slice(0, 12)} begins: waits for an approval: add ${hash}/1 to spec.approved, window opens 12:00 Europe/Berlin, commit ${promoted.repository.head().slice(0, 12)}\n`,
    );
    expect(promoted.versions()).toBe('a1 b1 c1');
    const text = promoted.read('promotions/hello.yaml');
    promoted.commit('approve', {
      'promotions/hello.yaml': text.replace('approval: waves', `approved: [${hash}/1], approval: waves`),
    });
    expect((await promoted.promote('--commit')).out).toBe(
      'hello waits: before wave 1 of 2: window opens 12:00 Europe/Berlin\n',
    );
    promoted.pass(120);
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 1 of 2/);
  });

  test('waits for a query and for the approval of an allowed author, and records both in the state', async () => {
    let errors = '0.5';
    const prometheus = await serve(() => ({
      status: 200,
      body: { status: 'success', data: { resultType: 'vector', result: [{ value: [0, errors] }] } },
    }));
    const gate = `{ name: errors, prometheus: { url: "${prometheus.url}", query: errors, condition: '< 0.01' } }`;
    const spec = `\n  approval: release\n  approvers: { emails: [alice@example.com] }\n  approved: []\n  gates: [${gate}]`;
    await promoted.begin(['a', 'b'], spec);
    await promoted.promote('--commit');
    expect(prometheus.requests).toEqual([]);
    promoted.sync();
    await releaseVersion2();
    const begun = await promoted.promote('--commit');
    const [, hash = ''] = /add ([0-9a-f]{64}) to spec.approved/.exec(begun.out) ?? [];
    expect(begun.out).toContain('begins: errors is 0.5, and must be < 0.01, waits for an approval: add');
    errors = '0.001';
    const approve = (): void => {
      const text = promoted.read('promotions/hello.yaml');
      const approved = text.replace(/approved:.*/, `approved: [${hash}] # ${promoted.now}`);
      promoted.commit('approve', { 'promotions/hello.yaml': approved });
    };
    approve();
    expect((await promoted.promote('--commit')).out).toMatch(
      /^hello waits: before wave 1 of 1: the approval is by a@example.com in [0-9a-f]{12}, who is not one of spec.approvers\n$/,
    );
    promoted.pass(1);
    promoted.as('alice@example.com', approve);
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 1 of 1/);
    expect(promoted.read('promotions/hello.yaml')).toMatch(
      / {4}openedBy:\n {4}- "errors is 0.001 \(< 0.01\)"\n {4}- approved by alice@example.com in [0-9a-f]{12}\n/,
    );
    promoted.sync();
    promoted.pass(11);
    errors = '1';
    const json = await promoted.promote('-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({
      promotions: [{ outcome: 'waiting', reason: 'wave 1 of 1: errors is 1, and must be < 0.01' }],
    });
    errors = '0';
    expect((await promoted.promote('--commit')).code).toBe(0);
  });

  test('begins the release whose hash the plan of the change prints, so that the change can approve it', async () => {
    await promoted.begin(['a', 'b', 'c'], '\n  approval: release\n  approved: []');
    await promoted.promote('--commit');
    promoted.sync();
    const base = promoted.repository.head();
    await releaseVersion2();
    const printed = await promoted.run(['plan', `${base}..HEAD`]);
    const [, hash = ''] =
      /^ {2}next release: ([0-9a-f]{64}) \(2 waves, 3 clusters\)$/m.exec(printed.out) ?? [];
    expect(printed.err.match(/^(?:error|warning|info) FW\d+/gm)).toEqual(['info FW8313']);
    expect(printed.out).toContain(
      `promotion of hello\n  no release is in progress\n  next release: ${hash} (2 waves, 3 clusters)\n  waits for: an approval`,
    );
    // The working tree has the same promotion.
    expect((await promoted.run(['plan', base])).out).toContain(hash);
    const text = promoted.read('promotions/hello.yaml');
    promoted.commit('approve', {
      'promotions/hello.yaml': text.replace('approved: []', `approved: [${hash}]`),
    });
    expect((await promoted.promote('--commit')).out).toContain(
      `hello advanced: wave 1 of 2 of ${hash.slice(0, 12)} starts`,
    );
    expect(promoted.read('promotions/hello.yaml')).toContain(`    hash: ${hash}\n`);

    // A change during the release is the one after it, of all clusters.
    const before = promoted.repository.head();
    promoted.commit('version 3', { 'apps/hello/app.yaml': appText('3') });
    await promoted.synthesized('synth of version 3');
    const json = await promoted.run(['plan', `${before}..HEAD`, '-o', 'json']);
    const { promotions } = JSON.parse(json.out) as { promotions: readonly PlannedPromotion[] };
    expect(promotions).toMatchObject([
      {
        app: 'hello',
        release: { hash, released: 1, waves: [2, 1], openedBy: ['approved'] },
        next: { released: 0, waves: [2, 1] },
        history: [],
      },
    ]);
    expect(promotions[0]?.release?.waitsFor).toEqual([
      '2 healthy in wave 1',
      'hello default/all: soak 10m0s, at most 1 failed, failed after 30m0s',
    ]);
    promoted.sync();
    promoted.pass(11);
    await promoted.promote('--commit');
    promoted.sync();
    promoted.pass(11);
    await promoted.promote('--commit');
    expect((await promoted.promote('--commit')).out).toContain(
      `add ${promotions[0]?.next?.hash ?? ''} to spec.approved`,
    );
  });

  test('does not predict a hash that depends on clusters that join', async () => {
    await promoted.begin(['a', 'b']);
    await promoted.promote('--commit');
    promoted.sync();
    const base = promoted.repository.head();
    promoted.commit('version 2 and a cluster', {
      'apps/hello/app.yaml': appText('2'),
      'fleet.yaml': fleetOf({ a: {}, b: {}, c: {} }),
    });
    expect((await promoted.run(['plan', `${base}..HEAD`])).out).toContain(
      'next release: its hash is unknown, because clusters join, and first get the content of the last completed release',
    );
  });

  test('a later change supersedes the release if it is configured so, for the clusters of both', async () => {
    await promoted.begin(['a', 'b', 'c', 'd', 'e'], '{ whenBusy: supersede }');
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    const first = await promoted.promote('--commit');
    const [, superseded = ''] = /of ([0-9a-f]{12}) starts/.exec(first.out) ?? [];
    promoted.commit('version 3', { 'apps/hello/app.yaml': appText('3') });
    await promoted.synthesized('synth of version 3');
    expect(promoted.versions()).toBe('a2 b2 c1 d1 e1');
    // The clusters of the first release are not healthy yet, and do not hold the next one.
    const second = await promoted.promote('--commit');
    expect(second.out).toMatch(/^hello advanced: wave 1 of 3 of [0-9a-f]{12} starts/);
    expect(second.out).not.toContain(superseded);
    expect(promoted.versions()).toBe('a3 b3 c1 d1 e1');
    expect(promoted.read('promotions/hello.yaml')).toMatch(
      new RegExp(`history:\\n +- hash: ${superseded}[0-9a-f]+\\n +result: superseded\\n`),
    );
  });

  test('waits for the Job of the release on the hub, and stops if it fails', async () => {
    await promoted.begin(
      ['a', 'b', 'c'],
      "{ gates: [{ name: smoke, job: { namespace: ci, name: 'smoke-{release}-{wave}' } }] }",
    );
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    const [, release = ''] = /of ([0-9a-f]{12}) starts/.exec((await promoted.promote('--commit')).out) ?? [];
    promoted.sync();
    promoted.pass(11);
    expect((await promoted.promote('--commit')).out).toBe(
      `hello waits: wave 1 of 2: Job ci/smoke-${release}-1 does not exist yet: create it\n`,
    );
    promoted.hub.setJob('ci', `smoke-${release}-1`, promoted.now - 3_600_000, 'Complete');
    expect((await promoted.promote('--commit')).out).toContain(
      'is older than wave 1: delete it and create it again',
    );
    promoted.hub.setJob('ci', `smoke-${release}-1`, promoted.now, 'Failed');
    expect(await promoted.promote('--commit')).toMatchObject({
      code: 1,
      out: `hello stopped: wave 1 of 2: Job ci/smoke-${release}-1 has failed\n`,
    });
    promoted.hub.setJob('ci', `smoke-${release}-1`, promoted.now, 'Complete');
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 2 of 2/);
    expect(promoted.read('promotions/hello.yaml')).toContain(`- Job ci/smoke-${release}-1 is complete\n`);
  });

  test('--pause and --resume edit the file, and --dry-run writes nothing', async () => {
    await promoted.begin(['a', 'b']);
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    const paused = await promoted.promote('hello', '--pause', '--commit');
    expect(paused.out).toMatch(/^hello changed: it is paused, commit/);
    expect(paused.code).toBe(0);
    expect(await promoted.promote('--commit')).toMatchObject({
      code: 4,
      out: 'hello waits: a release waits: paused\n',
    });
    expect((await promoted.promote('hello', '--resume', '--commit')).code).toBe(0);
    const head = promoted.repository.head();
    expect((await promoted.promote('--dry-run')).out).toMatch(/^hello would advance: wave 1 of 1/);
    expect(promoted.repository.status()).toBe('');
    expect(promoted.repository.head()).toBe(head);
    const json = await promoted.promote('--dry-run', '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({
      promotions: [{ app: 'hello', outcome: 'advanced', gates: [] }],
    });
  });

  test('--abort of a paused release starts no wave of the rollback before --resume', async () => {
    await promoted.begin(['a', 'b']);
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: wave 1 of 1 of/);
    const released = promoted.versions();
    await promoted.promote('hello', '--pause', '--commit');
    expect((await promoted.promote('hello', '--abort', '--commit')).out).toMatch(
      /^hello advanced: the rollback of [0-9a-f]{12} begins with --resume: paused, commit/,
    );
    expect(promoted.versions()).toBe(released);
    expect((await promoted.run(['synth', '--check'])).code).toBe(0);
    expect(await promoted.promote('--commit')).toMatchObject({
      code: 4,
      out: 'hello waits: before rollback wave 1 of 1: paused\n',
    });
    expect((await promoted.promote('hello', '--abort')).err).toContain('is being rolled back already');
    await promoted.promote('hello', '--resume', '--commit');
    expect((await promoted.promote('--commit')).out).toMatch(/^hello advanced: rollback wave 1 of 1 of/);
    expect(promoted.versions()).not.toBe(released);
  });

  test('reports an invalid file and releases nothing', async () => {
    await promoted.begin(['a']);
    promoted.commit('prometheus', {
      'promotions/hello.yaml': promoted
        .read('promotions/hello.yaml')
        .replace('spec: {}', 'spec: { prometheus: {} }'),
    });
    for (const command of [['promote'], ['synth']]) {
      const { code, err } = await promoted.run(command);
      expect(code).toBe(1);
      expect(err).toContain('promotions/hello.yaml:5:');
      expect(err).toContain('error FW8040: unknown field "prometheus"');
    }
  });

  test('does not read a promotion through a link, which a pull request could have to any file', async () => {
    await promoted.begin(['a']);
    const base = promoted.repository.head();
    const file = path.join(promoted.repository.root, 'promotions/hello.yaml');
    const elsewhere = path.join(promoted.repository.temporary, 'elsewhere.yaml');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    promoted.commit('link', {});
    for (const command of [['promote'], ['synth'], ['plan', `${base}..HEAD`]]) {
      const { code, err } = await promoted.run(command);
      expect(code).toBe(1);
      expect(err).toContain(
        'error FW8040: promotions/hello.yaml leads to another place through a symbolic link, and is not read',
      );
      expect(err).not.toContain('# Releases of hello');
    }
  });

  test('refuses an edit of a template that waiting clusters use', async () => {
    await promoted.begin(['a', 'b', 'c']);
    await promoted.promote('--commit');
    promoted.commit('edit', { 'apps/hello/app.yaml': appText('1').replace('version: "1"', 'version: "9"') });
    const { code, err } = await promoted.run(['synth']);
    expect(code).toBe(1);
    expect(err).toContain(
      'error FW8043: AddOnTemplate "hello-1" is changed in place, but 3 clusters use it until their waves',
    );
  });

  test('an installation is released wave by wave, and its rollback removes the add-on', async () => {
    await promoted.begin(['a', 'b', 'c'], undefined, undefined, { isInstalled: false });
    expect(promoted.versions()).toBe('');
    await promoted.promote('--commit');
    expect(promoted.versions()).toBe('a1 b1');
    expect(promoted.read('dist/hello/clustermanagementaddon_hello.yaml')).toContain(
      'fleetwright.dev/clusters: |\n      a\n      b\n  ',
    );
    promoted.sync();
    await promoted.promote('hello', '--abort', '--at-once', '--commit');
    expect(promoted.versions()).toBe('');
    promoted.sync();
    expect((await promoted.promote('--commit')).out).toMatch(/the earlier content is restored/);
  });

  test('refuses to release content that its commit does not compile to, and leaves the state as it is', async () => {
    await promoted.begin(['a', 'b', 'c']);
    await promoted.promote('--commit');
    promoted.sync();
    await releaseVersion2();
    await promoted.promote('--commit');
    const state = promoted.read('promotions/hello.yaml');
    const [, last = ''] = /^ +c: '?([0-9a-f]{16})'?$/m.exec(state) ?? [];
    const tampered = state.replace(last, 'aaaaaaaaaaaaaaaa');
    promoted.commit('tamper', { 'promotions/hello.yaml': tampered });
    promoted.sync();
    promoted.pass(11);
    const { code, err } = await promoted.promote('--commit');
    expect(code).toBe(1);
    expect(err).toContain('error FW8042: the release has other content for cluster "c" than commit');
    expect(promoted.read('promotions/hello.yaml')).toBe(tampered);
    expect(promoted.repository.status()).toBe('');
    expect(promoted.versions()).toBe('a2 b2 c1');
  });

  test('warns that a change to delivery by the hub reaches all clusters at once', async () => {
    await promoted.begin(['a']);
    const text = appText('1').replace(
      'fleetwright.dev/delivery: compiled, addon.open-cluster-management.io/lifecycle: self',
      '',
    );
    promoted.commit('deliver by the hub', { 'apps/hello/app.yaml': text });
    const { code, err } = await promoted.run(['synth']);
    expect(code).toBe(0);
    expect(err).toContain(
      'warning FW8044: add-on "hello" changes from compiled delivery to that of the hub on all clusters at once: the promotion of app "hello" does not hold this back\n',
    );
  });

  test('keeps other commands from applying all clusters at once, and FW7211 from being reported', async () => {
    await promoted.begin(['a']);
    expect(await promoted.run(['machine', 'generate', 'apps/hello'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: app hello has a promotion, and its output depends on more than its sources\n  let Argo CD or Flux apply the folder that synth writes: docs/promotion.md\n',
    });
    expect((await promoted.run(['validate'])).err).not.toContain('FW7211');
    promoted.commit('end', { 'promotions/hello.yaml': undefined });
    expect((await promoted.run(['validate'])).err).toContain('FW7211');
  });

  test.each([
    [['--pause', '--resume'], '--pause and --resume cannot be combined'],
    [['--at-once'], '--at-once is an option of --abort'],
    [['--commit', '--dry-run'], '--commit and --dry-run cannot be combined'],
    [['hello', '--abort'], 'no release is in progress'],
    [['hello', '--retry'], 'no content was rolled back'],
    [['other'], 'unknown app other in apps'],
  ])('with %j is wrong use', async (parameters, message) => {
    await promoted.begin(['a']);
    const { code, err } = await promoted.promote(...parameters);
    expect(code).toBe(2);
    expect(err).toContain(`fleetwright: ${message}`);
  });

  test('needs committed sources', async () => {
    await promoted.begin(['a']);
    promoted.repository.write({ 'apps/hello/app.yaml': appText('2') });
    expect(await promoted.promote()).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: apps/hello/app.yaml is not committed, and a release is compiled from a commit\n  commit or stash the change first\n',
    });
  });
});
