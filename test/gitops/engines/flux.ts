import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  buildFlux,
  buildOldestFlux,
  fluxDefinitions,
  fluxProgram,
  fluxVersion,
  type FluxRelease,
} from './flux/build.ts';
import { startEngineHub, type EngineHub } from './hub.ts';
import { freePorts, listening, startProgram, type RunningProgram } from './program.ts';

/** `npm run gitops:oldest` sets the variable. */
const playedRelease: FluxRelease = process.env['ENGINES'] === 'oldest' ? 'oldest' : 'newest';

/** Flux beside a hub. */
export interface RunningFlux {
  readonly hub: EngineHub;
  /** The programs that run, with their versions. */
  readonly versions: string;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** What Flux created, configured or deleted for an app so far, a line of its log for each time. */
  changes(app: string): readonly string[];
  /** Keeps the logs at the end, since a test failed. */
  keepLog(): void;
  stop(): Promise<void>;
}

/** The arguments of both controllers: nothing reads their metrics and health here. */
const commonArguments = [
  '--watch-all-namespaces',
  '--log-encoding=json',
  '--metrics-addr=0',
  '--health-addr=0',
  '--enable-leader-election=false',
];

/**
 * Starts a hub, source-controller and kustomize-controller on loopback.
 *
 * @param release - of kustomize-controller; source-controller is always the newest. @default - as the environment has it
 * @param requeueDependency - how often a Kustomization checks whether those before it are ready. @default - as docs/gitops.md
 *   recommends
 */
export async function startFlux({
  release = playedRelease,
  requeueDependency = '5s',
}: { readonly release?: FluxRelease; readonly requeueDependency?: string } = {}): Promise<RunningFlux> {
  buildFlux();
  if (release === 'oldest') buildOldestFlux();
  const hub = await startEngineHub({ namespaces: ['flux-system'], definitions: fluxDefinitions(release) });
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-flux-'));
  const start = (program: string, ...ownArguments: readonly string[]): RunningProgram => {
    const temporary = path.join(folder, `${path.basename(program)}-temporary`);
    mkdirSync(temporary);
    return startProgram(program, {
      arguments: [...commonArguments, ...ownArguments],
      environment: {
        PATH: process.env['PATH'] ?? '',
        KUBECONFIG: hub.kubeconfig,
        RUNTIME_NAMESPACE: 'flux-system',
        TMPDIR: temporary,
        HOME: temporary,
      },
      folder,
      restarts: 2,
    });
  };
  const storage = path.join(folder, 'storage');
  mkdirSync(storage);
  const [port = 0] = await freePorts(1);
  const sources = start(
    fluxProgram('source-controller'),
    `--storage-path=${storage}`,
    `--storage-addr=127.0.0.1:${port}`,
    `--storage-adv-addr=127.0.0.1:${port}`,
  );
  const controller = start(
    fluxProgram('kustomize-controller', release),
    // A Kustomization that waits for its objects keeps one of these busy. By default there are 4.
    '--concurrent=16',
    `--requeue-dependency=${requeueDependency}`,
  );
  await listening(sources, port);
  let keepsLog = false;
  return {
    hub,
    folder,
    versions: [
      `kustomize-controller ${fluxVersion('kustomize-controller', release)}`,
      `source-controller ${fluxVersion('source-controller')}`,
      `OCM ${hub.versions['open-cluster-management.io/ocm'] ?? ''}`,
    ].join(', '),
    changes: (app) =>
      readFileSync(controller.log, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"Kustomization":{"name":"${app}-`))
        .filter((line) => /"(?:created|configured)"|garbage collection completed/.test(line)),
    keepLog: () => (keepsLog = true),
    stop: async () => {
      for (const program of [controller, sources]) await program.stop();
      await hub.stop();
      if (keepsLog) process.stderr.write(`The logs of Flux are in ${folder}\n`);
      else rmSync(folder, { recursive: true });
    },
  };
}
