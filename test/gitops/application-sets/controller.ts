import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Hub } from '../../hub/client/hub.ts';
import { startHub } from '../../hub/process/start-hub.ts';
import { installArgoCd } from '../engines/argo-cd.ts';
import { buildArgoCd } from '../engines/argo-cd/build.ts';
import { freePorts, listening, startProgram, type RunningProgram } from '../engines/program.ts';

/** Argo CD's ApplicationSet controller on a hub. No other controller of Argo CD runs, so Applications are only written. */
export interface ApplicationSetController {
  readonly hub: Hub;
  readonly version: string;
  readonly program: RunningProgram;
  stop(): Promise<void>;
}

/** Starts a hub with Argo CD's kinds and its ApplicationSet controller in the namespace `argocd`. */
export async function startApplicationSetController(): Promise<ApplicationSetController> {
  const built = buildArgoCd();
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-application-sets-'));
  const running = await startHub({ admissionWebhooks: false });
  const hub = connect(running);
  const stop = async (): Promise<void> => {
    hub.close();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await installArgoCd(hub.client, built.module);
    const [metrics = 0, probe = 0, webhook = 0] = await freePorts(3);
    const program = startProgram(built.program, {
      name: 'argocd-applicationset-controller',
      arguments: [
        'argocd-applicationset-controller',
        // No generator of the test reads a repository.
        '--argocd-repo-server=127.0.0.1:1',
        '--repo-server-plaintext',
        `--metrics-addr=127.0.0.1:${metrics}`,
        `--probe-addr=127.0.0.1:${probe}`,
        `--webhook-addr=127.0.0.1:${webhook}`,
        `--kubeconfig=${running.kubeconfig}`,
        '--namespace=argocd',
      ],
      environment: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        KUBECONFIG: running.kubeconfig,
        ARGOCD_FAKE_IN_CLUSTER: 'true',
        ARGOCD_APPLICATIONSET_CONTROLLER_LOGFORMAT: 'text',
      },
      folder,
    });
    await listening(program, probe);
    return {
      hub,
      version: built.version,
      program,
      stop: async () => {
        await program.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
