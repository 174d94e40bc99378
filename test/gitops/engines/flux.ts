import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildFlux, fluxDefinitions, kustomizeController } from './flux/build.ts';
import { startEngineHub, type EngineHub } from './hub.ts';
import { startProgram } from './program.ts';
import { startSourceServer, type SourceServer } from './flux/source-server.ts';

/** Flux beside a hub. */
export interface RunningFlux {
  readonly hub: EngineHub;
  readonly sources: SourceServer;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** What Flux created, configured or deleted for an app so far, a line of its log for each time. */
  changes(app: string): readonly string[];
  /** Keeps the log at the end, since a test failed. */
  keepLog(): void;
  stop(): Promise<void>;
}

/** Starts a hub and kustomize-controller on loopback. */
export async function startFlux(): Promise<RunningFlux> {
  buildFlux();
  const hub = await startEngineHub({ namespaces: ['flux-system'], definitions: fluxDefinitions() });
  const sources = await startSourceServer(hub.client);
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-flux-'));
  const temporary = path.join(folder, 'controller');
  mkdirSync(temporary);
  const controller = startProgram(kustomizeController, {
    arguments: [
      '--watch-all-namespaces',
      '--log-encoding=json',
      // How often a Kustomization looks whether those before it are ready; docs/gitops.md recommends this value.
      '--requeue-dependency=5s',
      // Nothing reads them here.
      '--metrics-addr=0',
      '--health-addr=0',
      '--enable-leader-election=false',
    ],
    environment: {
      PATH: process.env['PATH'] ?? '',
      KUBECONFIG: hub.kubeconfig,
      RUNTIME_NAMESPACE: 'flux-system',
      TMPDIR: temporary,
      HOME: temporary,
    },
    folder,
  });
  let keepsLog = false;
  return {
    hub,
    sources,
    folder,
    changes: (app) =>
      readFileSync(controller.log, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"Kustomization":{"name":"${app}-`))
        .filter((line) => /"(?:created|configured)"|garbage collection completed/.test(line)),
    keepLog: () => (keepsLog = true),
    stop: async () => {
      await controller.stop();
      await sources.stop();
      await hub.stop();
      if (keepsLog) process.stderr.write(`The log of kustomize-controller is ${controller.log}\n`);
      else rmSync(folder, { recursive: true });
    },
  };
}
