import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from 'vitest';
import { startArgoCd, type ArgoCd } from '../argo-cd.ts';
import { startGitServer, type GitServer } from '../git-server.ts';
import { startEngineHub, type EngineHub } from '../hub.ts';
import { Operations } from './story.ts';

/** What stories are played on. */
export interface Stage {
  /** A folder that goes with the stage. */
  readonly folder: string;
  readonly hub: EngineHub;
  readonly git: GitServer;
  readonly argoCd: ArgoCd;
  readonly operations: Operations;
}

/** Bound on the build of the hub and of Argo CD, in milliseconds. */
const buildTimeout = 60 * 60_000;

/** Bound on one story on a loaded machine, in milliseconds. */
const storyTimeout = 15 * 60_000;

/**
 * Sets a stage up before the stories of a file, and takes it down after them. Prints the versions and the time of each
 * story, and the logs where one fails. The stories after that one are not played, because they go on from where it was to end.
 *
 * @param plugin - whether the plugin of packaging/gitops/argocd-plugin runs beside the repo server
 * @param cluster - the name of the managed cluster on which OCM's agents run
 * @param waveDelay - how long Argo CD waits after a sync wave, in seconds
 */
export function useStage({
  plugin = false,
  cluster = 'cluster1',
  waveDelay = 2,
}: { readonly plugin?: boolean; readonly cluster?: string; readonly waveDelay?: number } = {}): Stage {
  vi.setConfig({ testTimeout: storyTimeout });
  let stage: Stage | undefined;
  const current = (): Stage => {
    if (stage === undefined) throw new Error('the stage is not set up');
    return stage;
  };
  beforeAll(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-argo-'));
    const git = await startGitServer(folder);
    const hub = await startEngineHub({ namespaces: ['argocd'], definitions: [], cluster });
    const argoCd = await startArgoCd({
      client: hub.client,
      kubeconfig: hub.kubeconfig,
      kustomize: path.join(inject('tools'), 'kustomize'),
      folder,
      plugin,
      waveDelay,
      release: process.env['ENGINES'] === 'oldest' ? 'oldest' : 'newest',
    });
    stage = { folder, git, hub, argoCd, operations: new Operations(hub.client) };
    const ocm = hub.versions['open-cluster-management.io/ocm'] ?? '';
    process.stdout.write(`Argo CD ${argoCd.version} on a hub of OCM ${ocm}\n`);
  }, buildTimeout);
  afterAll(async () => {
    const { operations, argoCd, hub, git, folder } = current();
    operations.stop();
    await argoCd.stop();
    await hub.stop();
    await git.stop();
    rmSync(folder, { recursive: true });
  }, 60_000);

  const starts = new Map<string, number>();
  let failed: string | undefined;
  beforeEach(({ task, skip }) => {
    // Each would wait for what that one did not do until its time is over.
    if (failed !== undefined) skip(`follows on "${failed}", which failed`);
    starts.set(task.id, Date.now());
  });
  afterEach(({ task }) => {
    const seconds = (Date.now() - (starts.get(task.id) ?? Number.NaN)) / 1000;
    process.stdout.write(`  ${seconds.toFixed(0)} s: ${task.name}\n`);
    if (task.result?.state !== 'fail') return;
    failed ??= task.name;
    process.stdout.write(current().argoCd.logs(25));
  });
  return {
    get folder() {
      return current().folder;
    },
    get hub() {
      return current().hub;
    },
    get git() {
      return current().git;
    },
    get argoCd() {
      return current().argoCd;
    },
    get operations() {
      return current().operations;
    },
  };
}
