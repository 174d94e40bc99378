import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startCompanion } from '../../../hub/companion/running-companion.ts';
import { startFlux, type RunningFlux } from '../flux.ts';
import { startGitServer, type GitServer } from '../git-server.ts';

/** What stories with Flux are played on. */
export interface FluxStage {
  readonly flux: RunningFlux;
  readonly git: GitServer;
}

/**
 * Sets Flux, a Git server and the companion up before the stories of a file, and takes them down after them. Prints the versions
 * and the time of each story, and keeps the logs where one fails.
 */
export function useFlux(): FluxStage {
  let stage: FluxStage | undefined;
  const current = (): FluxStage => {
    if (stage === undefined) throw new Error('the stage is not set up');
    return stage;
  };
  /** What runs, in the order in which it was started. */
  const running: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    const flux = await startFlux({ requeueDependency: '1s' });
    running.push(flux);
    const git = await startGitServer(flux.folder);
    running.push(git);
    running.push(startCompanion(flux.hub.kubeconfig, { preDeleteHooks: true }));
    stage = { flux, git };
    report(flux.versions);
  });
  afterAll(async () => {
    for (const each of running.toReversed()) await each.stop();
  });
  beforeEach(({ onTestFailed, task }) => {
    const start = performance.now();
    onTestFailed(() => current().flux.keepLog());
    return () => report(`${task.name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  });
  return {
    get flux() {
      return current().flux;
    },
    get git() {
      return current().git;
    },
  };
}

function report(line: string): void {
  process.stdout.write(`  Flux: ${line}\n`);
}
