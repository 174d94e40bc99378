import type { Diagnostic } from '../../model/diagnostic.ts';
import { setupFinding, type SetupObject } from './setup.ts';

/** The output of an app, by folders from the top of the repository. */
export interface AppOutput {
  /** The folder that `synth` writes, such as `dist/hello`. */
  readonly folder: string;
  /** The folder of the app, which a plugin of Argo CD compiles. */
  readonly source: string;
}

/**
 * Reports the apps that no object of the engine applies.
 *
 * @param kind - of the objects that apply an app
 * @param first - the object that the finding points at
 * @param isApplied - whether an object applies a folder
 */
export function coverageFindings(
  outputs: readonly AppOutput[],
  kind: string,
  first: SetupObject | undefined,
  isApplied: (output: AppOutput) => boolean,
): readonly Diagnostic[] {
  const missing = outputs.filter((output) => !isApplied(output)).map(({ folder }) => folder);
  if (first === undefined || missing.length === 0) return [];
  const it = missing.length === 1 ? 'it' : 'them';
  return [
    setupFinding(
      'FW9093',
      first,
      ['spec'],
      `no ${kind} applies ${missing.join(', ')}`,
      `add one for ${it}, or apply every app with the objects that fleetwright init writes into a new folder`,
    ),
  ];
}

/** Whether a path is a folder, or one above it. A leading `./` and a slash at the end have no meaning. */
export function isAround(path: string, folder: string): boolean {
  const plain = plainPath(path);
  return folder === plain || folder.startsWith(`${plain}/`);
}

/** Returns a path without a leading `./` and without a slash at its end. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}
