import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSingleFile } from '../is-single-file.ts';

/** The program of the processes that run apps. */
export interface ChildProgram {
  readonly file: string;
  readonly parameters: readonly string[];
  /** The parts of the program: files, and folders that end in a slash. */
  readonly parts: readonly string[];
  /** The folder of the package that contains the program. Its dependencies are resolved from there. */
  readonly packageFolder: string;
}

/** The first argument of the processes in which the single file runs apps. */
export const childParameter = 'run-apps-for-parent';

export function childProgram(): ChildProgram {
  if (isSingleFile) {
    const file = fileURLToPath(import.meta.url);
    return { file, parameters: [childParameter], parts: [file], packageFolder: path.dirname(file) };
  }
  // The package refers to itself by name, so that this works from the sources and from build/ alike.
  const packageFolder = path.dirname(createRequire(import.meta.url).resolve('fleetwright/package.json'));
  const build = path.join(packageFolder, 'build');
  return { file: path.join(build, 'cli/app-child.js'), parameters: [], parts: [`${build}/`], packageFolder };
}
