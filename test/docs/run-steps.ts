import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConsoleStep } from './console-steps.ts';

/** How a step went. */
export interface StepResult extends ConsoleStep {
  readonly code: number | null;
  /** Those of the printed lines that the command did not write, in the order in which they are printed. */
  readonly missing: readonly string[];
  readonly err: string;
  readonly milliseconds: number;
}

/**
 * Runs steps one after the other as somebody would who reads them: what `cd` does lasts. Commands may write more than is
 * printed, such as npm's own lines. Ends after a step that fails.
 *
 * @param scratch - a folder for what has to be remembered from step to step
 */
export async function runSteps(
  steps: readonly ConsoleStep[],
  { cwd, scratch, env }: { cwd: string; scratch: string; env: Readonly<Record<string, string>> },
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const folderFile = path.join(scratch, 'folder');
  let folder = cwd;
  for (const step of steps) {
    const started = performance.now();
    // Not synchronously: servers of the test answer meanwhile.
    const child = spawn('bash', ['-ec', `${step.command}\npwd > '${folderFile}'`], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const code = child.exitCode;
    const missing = missingLines(step.printed, out);
    results.push({ ...step, code, missing, err, milliseconds: performance.now() - started });
    if (code !== 0) break;
    folder = readFileSync(folderFile, 'utf8').trim();
  }
  return results;
}

function missingLines(printed: readonly string[], out: string): readonly string[] {
  const lines = out.split('\n');
  let next = 0;
  return printed.filter((line) => {
    const found = lines.indexOf(line, next);
    if (found === -1) return true;
    next = found + 1;
    return false;
  });
}
