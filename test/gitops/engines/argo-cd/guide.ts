import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { ConsoleStep } from '../../../docs/console-steps.ts';
import { runSteps } from '../../../docs/run-steps.ts';
import { committer, inStory, writeCommands, type Replacements } from '../guide.ts';
import type { Stage } from './stage.ts';

/** Runs the steps of a guide in a folder, with kubectl of the hub. @param env - variables that the guide uses */
export async function follow(
  stage: Stage,
  steps: readonly ConsoleStep[],
  folder: string,
  replacements: Replacements = {},
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const adapted = steps.map(({ command, printed }) => ({
    command: inStory(command, replacements),
    printed: printed.map((line) => inStory(line, replacements)),
  }));
  expect(adapted.length).toBeGreaterThan(0);
  // Two guides can be played at the same time.
  const scratch = mkdtempSync(path.join(stage.folder, 'guide-'));
  writeCommands(path.join(scratch, 'bin'));
  const { environment } = stage.argoCd;
  const PATH = [path.join(scratch, 'bin'), environment['PATH']].join(':');
  const results = await runSteps(adapted, {
    cwd: folder,
    scratch,
    env: { ...environment, ...committer, ...env, PATH },
  });
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results).toHaveLength(steps.length);
}
