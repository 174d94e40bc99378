import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildProgram } from '../../workspace/app/child-program.ts';

/** The first argument of the processes that run apps. */
export const childParameter = 'run-apps-for-parent';

/** Returns the program of the processes that run apps: this file, which needs no packages. */
export function childProgram(): ChildProgram {
  const file = fileURLToPath(import.meta.url);
  return { file, parameters: [childParameter], parts: [file], packageFolder: path.dirname(file) };
}
