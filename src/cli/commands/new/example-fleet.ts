import { packagedFile } from '../../../workspace/packaged-file.ts';
import { exampleFiles } from './example-app.ts';

/**
 * Returns a fleet of four clusters, until the first `fleet pull`.
 *
 * @param pull - the command that replaces it with a snapshot of a hub
 */
export async function exampleFleet(pull: string): Promise<string> {
  return (await packagedFile(exampleFiles[2])).replace('fleetwright fleet pull', pull);
}
