import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkDependencies } from '../linked-repository.ts';
import { runIn } from '../cli/terminal.ts';
import { consoleSteps, type ConsoleStep } from '../docs/console-steps.ts';
import { ocmKinds } from '../hub/client/kinds.ts';
import { parseObjects } from './emitted-objects.ts';
import { eventually } from './engines/eventually.ts';
import { startFlux, type RunningFlux } from './engines/flux.ts';
import { fluxProgram } from './engines/flux/build.ts';
import { followWithFlux } from './engines/flux/guide.ts';
import { littleAddOn, littlePlacement } from './engines/little-app.ts';
import { aMinute, FluxStory } from './engines/flux/story.ts';
import { startGitServer, type GitRepository, type GitServer } from './engines/git-server.ts';
import { page, shellSteps, syncRule } from './engines/guide.ts';
import { freePorts, listening, startProgram } from './engines/program.ts';

// The commands of docs/flux.md, with Flux, a Git server, a registry and a hub; and its promise that commits arrive soon.

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
  const fleet = parseObjects(readFileSync(path.join(folder, 'fleet.yaml'), 'utf8'));
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
  section: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const steps = consoleSteps(page('flux.md'), section);
  expect(steps.length).toBeGreaterThan(2);
  await follow(steps, folder, env);
}

/** Runs commands of a guide in a working tree. */
async function follow(
  steps: readonly ConsoleStep[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const adapted = steps.map(({ command, printed }) => ({ command: here(command), printed }));
  await followWithFlux(flux, adapted, folder, env);
}

/** A command of a guide for the servers of this test. The key is registered where the forge would ask for it. */
function here(command: string): string {
  const local = command
    .replaceAll('-p 22 git.example.com', `-p ${sshPort} 127.0.0.1`)
    .replaceAll('git.example.com:22', `127.0.0.1:${sshPort}`)
    .replaceAll('registry.example.com', `127.0.0.1:${registryPort}`)
    .replaceAll('https://git.example.com/platform/add-ons.git', repository.url);
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
    await play('A private repository', repository.folder, { GIT_TOKEN: 'a token' });
    expect(await flux.hub.client.get(...ocmKinds.clusterManagementAddOn, 'hello')).toBeDefined();
  });

  test('A repository over SSH', async () => {
    await play('A repository over SSH', repository.folder);
    expect(await readiness('GitRepository', 'add-ons')).toMatchObject({ status: 'True' });
  });

  test('Removing an add-on', async () => {
    const story = await FluxStory.begin(flux, git, 'platform');
    const metrics = { 'apps/platform/metrics.yaml': littleAddOn('platform', 'metrics', { value: 'a' }) };
    story.repository.write({ ...metrics, '.gitignore': 'node_modules\n' });
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'), 'metrics');
    await play('Removing an add-on', story.repository.folder);
    await story.isGone('metrics');
    expect(await story.delivered()).toEqual(story.values('a'));
    await story.repository.deleteKustomizations();
  });

  test('Removing an app', async () => {
    await play('Removing an app', repository.folder);
    await eventually('no cluster has an add-on', async () => {
      const addOns = await flux.hub.client.list(...ocmKinds.managedClusterAddOn);
      return addOns.length === 0 || addOns.map(({ metadata }) => metadata.namespace).join(' ');
    });
    // What the add-on used stays until the next change.
    expect(await flux.hub.client.list(...ocmKinds.placement, 'hello')).toHaveLength(1);
  });

  test('An OCI artifact', async () => {
    await play('An OCI artifact', repository.folder);
    expect(await readiness('OCIRepository', 'add-ons')).toMatchObject({ status: 'True' });
  });

  test('the artifact of gitops.md is the one that an OCIRepository reads', async () => {
    // The section before wrote one, too.
    rmSync(path.join(repository.folder, 'artifact'), { recursive: true, force: true });
    await follow(shellSteps(page('gitops.md'), 'As an OCI artifact'), repository.folder);
    const oci = `127.0.0.1:${registryPort}/add-ons`;
    const pushed = await createSource('OCIRepository', 'by-hand', {
      url: `oci://${oci}`,
      insecure: true,
      ref: { tag: 'v1.4.0' },
    });
    expect(pushed).toMatchObject({ status: 'True' });
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

// Flux is configured as docs/gitops.md recommends, and finds commits by its interval.
test('Flux applies a commit and its revert within a minute while a rollout goes on', async () => {
  const story = await FluxStory.begin(flux, git, 'during', { count: 3, polls: true });
  await story.sync({ value: 'a' });
  await story.delivers(story.values('a'));
  const seconds = [
    await story.secondsUntil('b', () => story.commit({ value: 'b', slowly: true })),
    await story.secondsUntil('c', () => story.commit({ value: 'c', slowly: true })),
    await story.secondsUntil('b', async () => {
      await followWithFlux(flux, shellSteps(page('gitops.md'), syncRule), story.repository.folder);
      return story.repository.push();
    }),
  ];
  process.stdout.write(
    `  Flux: commits reached the hub after ${seconds.map((each) => each.toFixed(1)).join(', ')} s\n`,
  );
  expect(Math.max(...seconds)).toBeLessThan(aMinute());
  // The rollout is still going on: clusters wait for their wave.
  expect(Object.values(await story.delivered())).toContain('a');
});
