import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkDependencies } from '../linked-repository.ts';
import { runIn } from '../cli/terminal.ts';
import { consoleSteps, type ConsoleStep } from '../docs/console-steps.ts';
import { runSteps } from '../docs/run-steps.ts';
import { ocmKinds } from '../hub/client/kinds.ts';
import { parseObjects } from './emitted-objects.ts';
import { eventually } from './engines/eventually.ts';
import { startFlux, type RunningFlux } from './engines/flux.ts';
import { HubBackup } from './engines/backup.ts';
import { fluxProgram } from './engines/flux/build.ts';
import { littleAddOn, littlePlacement } from './engines/little-app.ts';
import { FluxStory } from './engines/flux/story.ts';
import { startGitServer, type GitRepository, type GitServer } from './engines/git-server.ts';
import { committer, page, shellSteps, writeCommands } from './engines/guide.ts';
import { freePorts, listening, startProgram } from './engines/program.ts';

// The commands of docs/flux.md and docs/recovery.md, with Flux, a Git server, a registry and a hub.

let flux: RunningFlux;
let git: GitServer;
let repository: GitRepository;
let sshPort: number;
let registryPort: number;
let authorizedKey: string;
/** What runs, in the order in which it was started. */
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  flux = await startFlux();
  running.push(flux);
  git = await startGitServer(flux.folder);
  running.push(git);
  repository = git.create('add-ons', { username: 'flux', password: 'a token' });
  await initialize(repository);
  writeCommands(path.join(flux.folder, 'bin'));
  [sshPort = 0, registryPort = 0] = await freePorts(2);
  authorizedKey = path.join(flux.folder, 'authorized-key.pub');
  await startServers();
});
afterAll(async () => {
  for (const each of running.toReversed()) await each.stop();
});
beforeEach(({ onTestFailed, task }) => {
  const start = performance.now();
  onTestFailed(() => flux.keepLog());
  return () => {
    process.stdout.write(`  Flux: ${task.name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  };
});

/** Writes the repository of `init` with one more app, commits it, and adds its clusters to the hub. */
async function initialize(created: GitRepository): Promise<void> {
  const { folder, url } = created;
  const init = await runIn(folder, ['init', '--ci', 'none', '--gitops', 'flux', '--repo-url', url]);
  expect(init).toMatchObject({ code: 0 });
  linkDependencies(folder);
  mkdirSync(path.join(folder, 'apps/other'));
  writeFileSync(path.join(folder, 'apps/other/app.yaml'), littlePlacement('other'));
  expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0 });
  const fleet = parseObjects(readFileSync(path.join(folder, 'apps/hello/fleet.yaml'), 'utf8'));
  const clusters = fleet.filter(({ kind }) => kind === 'ManagedCluster');
  await flux.hub.addClusters(
    Object.fromEntries(clusters.map(({ metadata: { name = '', labels = {} } }) => [name, labels])),
  );
  created.commit('The first add-on');
}

/** Starts the SSH server and the registry. */
async function startServers(): Promise<void> {
  const hostKey = path.join(flux.folder, 'host-key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  const environment = { PATH: process.env['PATH'] ?? '' };
  const ssh = startProgram(fluxProgram('git-ssh'), {
    arguments: [
      `--address=127.0.0.1:${sshPort}`,
      `--root=${git.served}`,
      `--host-key=${hostKey}`,
      `--authorized-key=${authorizedKey}`,
    ],
    environment,
    folder: flux.folder,
  });
  running.push(ssh);
  const registry = startProgram(fluxProgram('crane'), {
    name: 'registry',
    arguments: ['registry', 'serve', `--address=127.0.0.1:${registryPort}`],
    environment,
    folder: flux.folder,
  });
  running.push(registry);
  await listening(ssh, sshPort);
  await listening(registry, registryPort);
}

/** Runs the commands of a section in a working tree, and compares what they print with what is below them. */
async function play(
  name: string,
  section: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
  part: 'all' | { readonly from: number; readonly to?: number } = 'all',
): Promise<void> {
  const guide = consoleSteps(page(name), section);
  const chosen = part === 'all' ? guide : guide.slice(part.from, part.to);
  expect(chosen.length).toBeGreaterThan(2);
  await run(chosen, folder, env);
}

/** Runs commands of a guide in a working tree. */
async function run(
  chosen: readonly ConsoleStep[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const steps = chosen.map(({ command, printed }) => ({ command: here(command), printed }));
  const results = await runSteps(steps, {
    cwd: folder,
    // Two guides can be played at the same time.
    scratch: mkdtempSync(path.join(flux.folder, 'guide-')),
    env: {
      PATH: [
        path.join(flux.folder, 'bin'),
        path.dirname(fluxProgram('kubectl')),
        process.env['PATH'] ?? '',
      ].join(':'),
      KUBECONFIG: flux.hub.kubeconfig,
      HOME: flux.folder,
      ...committer,
      ...env,
    },
  });
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results).toHaveLength(steps.length);
}

/** A command of a guide for the servers of this test. The key is registered where the forge would ask for it. */
function here(command: string): string {
  const local = command
    .replaceAll('-p 22 git.example.com', `-p ${sshPort} 127.0.0.1`)
    .replaceAll('git.example.com:22', `127.0.0.1:${sshPort}`)
    .replaceAll('registry.example.com', `127.0.0.1:${registryPort}`);
  return local.startsWith('ssh-keygen')
    ? `${local} && cp ../flux-key/identity.pub '${authorizedKey}'`
    : local;
}

type SourceKind = 'GitRepository' | 'OCIRepository';

/** Waits until a source is ready or not, and returns its condition. */
async function readiness(kind: SourceKind, name: string): Promise<Condition | undefined> {
  let ready: Condition | undefined;
  await eventually(`${kind} ${name} is ready or not`, async () => {
    const source = await flux.hub.client.get('source.toolkit.fluxcd.io/v1', kind, name, 'flux-system');
    const status = source?.['status'] as { readonly conditions?: readonly Condition[] } | undefined;
    ready = status?.conditions?.find(({ type }) => type === 'Ready');
    return ready?.status === 'True' || ready?.status === 'False';
  });
  return ready;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

/** Creates a source and its Secret, both with this name, and returns the first condition of the source. */
async function createSource(
  kind: SourceKind,
  name: string,
  spec: object,
  stringData: object = {},
): Promise<Condition | undefined> {
  const metadata = { name, namespace: 'flux-system' };
  await flux.hub.client.create({ apiVersion: 'v1', kind: 'Secret', metadata, stringData });
  const apiVersion = 'source.toolkit.fluxcd.io/v1';
  await flux.hub.client.create({ apiVersion, kind, metadata, spec: { interval: '30s', ...spec } });
  return readiness(kind, name);
}

// In the order of the page: each section continues with the repository of the one before.
describe('docs/flux.md', () => {
  test('A private repository', async () => {
    await play('flux.md', 'A private repository', repository.folder, { GIT_TOKEN: 'a token' });
    expect(await flux.hub.client.get(...ocmKinds.clusterManagementAddOn, 'hello')).toBeDefined();
  });

  test('A repository over SSH', async () => {
    await play('flux.md', 'A repository over SSH', repository.folder);
    expect(await readiness('GitRepository', 'hello')).toMatchObject({ status: 'True' });
  });

  test('An OCI artifact', async () => {
    await play('flux.md', 'An OCI artifact', repository.folder);
    expect(await readiness('OCIRepository', 'hello')).toMatchObject({ status: 'True' });
  });

  test('the artifact of gitops.md is the one that an OCIRepository reads', async () => {
    // The section before wrote one, too.
    rmSync(path.join(repository.folder, 'artifact'), { recursive: true, force: true });
    await run(shellSteps(page('gitops.md'), 'As an OCI artifact'), repository.folder);
    const oci = `127.0.0.1:${registryPort}/add-ons`;
    const pushed = await createSource('OCIRepository', 'by-hand', {
      url: `oci://${oci}`,
      insecure: true,
      ref: { tag: 'v1.4.0' },
    });
    expect(pushed).toMatchObject({ status: 'True' });
  });

  test('Removing an add-on', async () => {
    const story = await FluxStory.begin(flux, git, 'platform');
    const metrics = { 'apps/platform/metrics.yaml': littleAddOn('platform', 'metrics', { value: 'a' }) };
    story.repository.write({ ...metrics, '.gitignore': 'node_modules\n' });
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'), 'metrics');
    await play('flux.md', 'Removing an add-on', story.repository.folder);
    await story.isGone('metrics');
    expect(await story.delivered()).toEqual(story.values('a'));
    await story.repository.deleteKustomizations();
  });

  test('Removing an app', async () => {
    await play('flux.md', 'Removing an app', repository.folder);
    expect(await flux.hub.client.list(...ocmKinds.managedClusterAddOn)).toEqual([]);
    expect(await flux.hub.client.list(...ocmKinds.placement, 'hello')).toEqual([]);
  });

  test('a source that Flux cannot read has the reason in its condition', async () => {
    const { url } = repository;
    const password = { username: 'flux', password: 'guessed' };
    expect(
      await createSource(
        'GitRepository',
        'wrong-token',
        { url, secretRef: { name: 'wrong-token' } },
        password,
      ),
    ).toMatchObject({ status: 'False', message: expect.stringContaining('authentication required') });

    const impostor = path.join(flux.folder, 'impostor');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', impostor]);
    const keys = {
      identity: readFileSync(impostor, 'utf8'),
      known_hosts: `[127.0.0.1]:${sshPort} ${readFileSync(`${impostor}.pub`, 'utf8')}`,
    };
    const ssh = `ssh://git@127.0.0.1:${sshPort}/add-ons.git`;
    expect(
      await createSource(
        'GitRepository',
        'wrong-host',
        { url: ssh, secretRef: { name: 'wrong-host' } },
        keys,
      ),
    ).toMatchObject({ status: 'False', message: expect.stringContaining('knownhosts: key mismatch') });

    const oci = `127.0.0.1:${registryPort}/add-ons`;
    expect(
      await createSource('OCIRepository', 'wrong-tag', { url: `oci://${oci}`, ref: { tag: 'v9' } }),
    ).toMatchObject({ status: 'False', message: expect.stringContaining('MANIFEST_UNKNOWN') });

    const layer = path.join(flux.folder, 'layer');
    writeFileSync(layer, 'not an archive');
    execFileSync(fluxProgram('crane'), ['append', '--new_layer', layer, '--new_tag', `${oci}:broken`]);
    expect(
      await createSource('OCIRepository', 'broken', { url: `oci://${oci}`, ref: { tag: 'broken' } }),
    ).toMatchObject({
      status: 'False',
      message: expect.stringContaining('failed to extract layer contents'),
    });
  });
});

describe('docs/recovery.md', () => {
  /** A story whose apps are three changes further than at its beginning. */
  const begin = async (
    name: string,
    placement = 'everywhere',
  ): Promise<{ story: FluxStory; first: string; backup: HubBackup }> => {
    const story = await FluxStory.begin(flux, git, name);
    linkDependencies(story.repository.folder);
    writeFileSync(path.join(story.repository.folder, '.gitignore'), 'node_modules\n');
    const [, first = ''] = (await story.sync({ value: 'a' })).split(':');
    await story.delivers(story.values('a'));
    const backup = await HubBackup.of({
      hub: flux.hub,
      name,
      clusters: Object.keys(story.clusters).length,
      fieldManager: 'kustomize-controller',
      hasStatusSubresource: true,
      engineObjects: () => story.repository.kustomizations(),
      suspended: (suspend) => ({ spec: { suspend } }),
    });
    for (const value of ['b', 'c', 'd']) await story.sync({ value, placement });
    await story.delivers(story.values('d'));
    return { story, first, backup };
  };

  test.concurrent('The hub is restored from a backup', async () => {
    // With the later dist/, Flux would delete the placement that the restored add-on names: the hub would uninstall it.
    const { story, first, backup } = await begin('restored', 'later');
    const { folder } = story.repository;
    const uids = await story.uids();
    await backup.stopEngine();
    const section = 'The hub is restored from a backup';
    await play('recovery.md', section, folder, { BACKUP_COMMIT: first }, { from: 0, to: 3 });
    await backup.restore();
    await backup.startEngine();
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('a'));
    await play('recovery.md', section, folder, {}, { from: 3 });
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('d'));
    expect(await story.uids()).toEqual(uids);
  });

  test.concurrent('without the order of the guide, the add-on is uninstalled', async () => {
    const { story, backup } = await begin('unordered', 'later');
    const uids = Object.values(await story.uids());
    await backup.stopEngine();
    await backup.restore();
    await backup.startEngine();
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('d'));
    const restored = Object.values(await story.uids());
    expect(restored).toHaveLength(uids.length);
    expect(restored.filter((uid) => uids.includes(uid))).toEqual([]);
  });

  test.concurrent('dist/ was rolled back', async () => {
    const { story, first } = await begin('rolled');
    const { folder } = story.repository;
    const uids = await story.uids();
    execFileSync('git', ['restore', '--source', first, '--staged', '--worktree', 'dist'], { cwd: folder });
    await story.repository.synced(await story.repository.commit('Roll back dist/'));
    await story.delivers(story.values('a'));
    await play('recovery.md', 'dist/ was rolled back', folder);
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('d'));
    expect(await story.uids()).toEqual(uids);
  });
});
