import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { readApprovedPlan, type ApprovedPlan } from '../../../compiler/plan/effects/approved-plan.ts';
import { planFormat } from '../../../compiler/report/json/plan-json.ts';
import { DiagnosedError } from '../../../workspace/diagnosed-error.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { version } from '../../../workspace/version.ts';

/** The maximum size of a file with a plan. The plan of 10,000 clusters and 20 add-ons has less than a tenth of it. */
const mostBytes = 200_000_000;

/**
 * Reads the plan of `--verify`.
 *
 * @throws UserError if there is no such file
 * @throws DiagnosedError if it is not a plan of this version
 */
export async function approvedPlanIn(given: string, cwd: string): Promise<ApprovedPlan> {
  const file = path.resolve(cwd, given);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new UserError(
      `--verify ${given}: there is no such file`,
      'name the file that plan -o json=plan.json wrote when the change was approved',
    );
  if (found.size > mostBytes)
    throw new DiagnosedError(
      diagnostic('FW8022', {
        message: `${given} is not a usable plan: it has more than ${mostBytes / 1e6} MB`,
        hint: 'name the file that plan -o json=plan.json wrote',
      }),
    );
  const read = readApprovedPlan(await readFile(file, 'utf8'), { file: given, format: planFormat, version });
  if ('code' in read) throw new DiagnosedError(read);
  return read;
}
