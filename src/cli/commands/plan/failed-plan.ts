import { writeFile } from 'node:fs/promises';
import { failedPlanMarkdown, type FailedPlan } from '../../../compiler/index.ts';
import { DiagnosedError } from '../../../workspace/diagnosed-error.ts';
import { findCommit, findRepository, mergedCommit } from '../../../workspace/git.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { PlanOutput } from './plan-outputs.ts';

/** Writes in place of a comment that there is no plan: otherwise the comment of an earlier commit would stay. */
export async function writeFailure(
  outputs: readonly PlanOutput[],
  failed: FailedPlan,
  { out }: Pick<Terminal, 'out'>,
): Promise<void> {
  for (const { format, file } of outputs) {
    if (format !== 'markdown') continue;
    if (file === undefined) out(failedPlanMarkdown(failed));
    else await writeFile(file, failedPlanMarkdown(failed));
  }
}

/** Returns the commit of the later state as far as it is known, otherwise the name that the user gave it. */
export async function headOf(
  state: readonly string[] | undefined,
  cwd: string,
): Promise<Pick<FailedPlan, 'head' | 'merged'>> {
  const [first = '', second] = state ?? [];
  const name = second ?? /\.{2,3}([^.].*)$/.exec(first)?.[1] ?? 'the working tree';
  if (second !== undefined || name === 'the working tree') return { head: name };
  const repository = await findRepository(cwd).catch(() => undefined);
  const commit = repository && (await findCommit(repository, name).catch(() => undefined));
  const merged = await mergedCommit(commit, cwd);
  return { head: commit ?? name, ...(merged !== undefined && { merged }) };
}

/** Returns the reason of a failure. */
export function errorOf(error: unknown): FailedPlan['errors'][number] {
  if (error instanceof DiagnosedError) return error.diagnostic;
  return { message: error instanceof Error ? error.message : String(error) };
}
