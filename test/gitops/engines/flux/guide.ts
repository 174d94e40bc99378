import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { ConsoleStep } from '../../../docs/console-steps.ts';
import { runSteps } from '../../../docs/run-steps.ts';
import type { RunningFlux } from '../flux.ts';
import { committer, writeCommands } from '../guide.ts';
import { fluxProgram } from './build.ts';

/** Runs the steps of a guide in a working tree, with kubectl of the hub. @param env - variables that the guide uses */
export async function followWithFlux(
  flux: RunningFlux,
  steps: readonly ConsoleStep[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  expect(steps.length).toBeGreaterThan(0);
  // Two guides can be played at the same time.
  const scratch = mkdtempSync(path.join(flux.folder, 'guide-'));
  const bin = path.join(scratch, 'bin');
  writeCommands(bin);
  const results = await runSteps(steps, {
    cwd: folder,
    scratch,
    env: {
      PATH: [bin, path.dirname(fluxProgram('kubectl')), process.env['PATH'] ?? ''].join(':'),
      KUBECONFIG: flux.hub.kubeconfig,
      HOME: flux.folder,
      ...committer,
      ...env,
    },
  });
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results).toHaveLength(steps.length);
}
