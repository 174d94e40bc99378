import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Hub } from '../../hub/client/hub.ts';
import { startHub } from '../../hub/process/start-hub.ts';
import { installArgoCd } from '../engines/argo-cd.ts';
import { buildArgoCd } from '../engines/argo-cd/build.ts';
import { prepareFolder, startRepoServer, type StartProgram } from '../engines/argo-cd/repo-server.ts';
import { startGitServer, type GitServer } from '../engines/git-server.ts';
import { freePorts, listening, startProgram, type RunningProgram } from '../engines/program.ts';

/** Argo CD's ApplicationSet controller and repo server on a hub. No other controller of Argo CD runs, so Applications are only written. */
export interface ApplicationSetController {
  readonly hub: Hub;
  readonly version: string;
  /** The repositories that git generators read. */
  readonly git: GitServer;
  stop(): Promise<void>;
}

/** Starts a hub with Argo CD's kinds and its ApplicationSet controller in the namespace `argocd`. */
export async function startApplicationSetController(): Promise<ApplicationSetController> {
  const built = buildArgoCd();
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-application-sets-'));
  const running = await startHub();
  const hub = connect(running);
  const repositories = path.join(folder, 'repositories');
  mkdirSync(repositories);
  const git = await startGitServer(repositories);
  const programs: RunningProgram[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(programs.map((program) => program.stop()));
    hub.close();
    await Promise.all([git.stop(), running.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await installArgoCd(hub.client, built.module);
    const environment = prepareFolder(folder, built, { kubeconfig: running.kubeconfig });
    const start: StartProgram = (program, ...args) => {
      const started = startProgram(program, { arguments: args, environment, folder });
      programs.push(started);
      return started;
    };
    const bin = path.join(folder, 'bin');
    const { repoPort } = await startRepoServer(start, bin);
    const [metrics = 0, probe = 0, webhook = 0] = await freePorts(3);
    const controller = start(
      path.join(bin, 'argocd-applicationset-controller'),
      `--argocd-repo-server=127.0.0.1:${repoPort}`,
      '--repo-server-plaintext',
      `--metrics-addr=127.0.0.1:${metrics}`,
      `--probe-addr=127.0.0.1:${probe}`,
      `--webhook-addr=127.0.0.1:${webhook}`,
      `--kubeconfig=${running.kubeconfig}`,
      '--namespace=argocd',
    );
    await listening(controller, probe);
    return { hub, version: built.version, git, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
