import { createRequire } from 'node:module';
import path from 'node:path';

/** The program of the processes that run apps. */
export interface ChildProgram {
  readonly file: string;
  readonly parameters: readonly string[];
  /** The parts of the program: files, and folders that end in a slash. */
  readonly parts: readonly string[];
  /** The folder of the package that contains the program. Its dependencies are resolved from there. */
  readonly packageFolder: string;
}

export function childProgram(): ChildProgram {
  // The package refers to itself by name, so that this works from the sources and from build/ alike.
  const packageFolder = path.dirname(createRequire(import.meta.url).resolve('fleetwright/package.json'));
  const build = path.join(packageFolder, 'build');
  return { file: path.join(build, 'cli/app-child.js'), parameters: [], parts: [`${build}/`], packageFolder };
}
