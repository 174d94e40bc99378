import path from 'node:path';
import type { Host } from '../../workspace/host.ts';
import { UserError } from '../../workspace/user-error.ts';
import { workspaceInputs } from '../../workspace/workspace.ts';

/**
 * Refuses apps with a promotion, for commands that compile the sources only: their output would reach all clusters at once.
 *
 * @param paths - of apps, relative to the working folder
 * @throws UserError if one of them has a promotion
 */
export async function refusePromoted(paths: readonly string[], host: Host): Promise<void> {
  for (const given of paths) {
    const folder = path.resolve(host.cwd, given);
    const { promotedApps } = await workspaceInputs({ ...host, cwd: path.dirname(folder) });
    if (promotedApps.has(folder))
      throw new UserError(
        `app ${path.basename(folder)} has a promotion, and its output depends on more than its sources`,
        'let Argo CD or Flux apply the folder that synth writes: docs/promotion.md',
      );
  }
}
