import path from 'node:path';
import type { Promotion } from '../decide/promotion.ts';
import type { SynthTarget } from '../../workspace/output/compile-app.ts';
import { outputAt } from '../../workspace/output/earlier-output.ts';
import type { Host } from '../../workspace/host.ts';
import type { WorkspaceSettings } from '../../workspace/settings/settings.ts';
import { promotionFile } from './promotions.ts';
import { revisionsOf, type RevisionsOptions } from './revision-content.ts';

/** What the output of an app with a promotion depends on, besides its promotion. */
export interface PromotedTargetOptions extends Pick<RevisionsOptions, 'targetOf'> {
  readonly settings: WorkspaceSettings;
  /** The output folder of the hub, as an absolute path. */
  readonly out: string;
  /** The fleet of today, relative to the working folder of the host. */
  readonly fleet: readonly string[];
  readonly host: Host;
}

/** Returns the target of an app with a promotion. */
export function promotedTarget(
  promotion: Promotion,
  { settings, out, fleet, targetOf, host }: PromotedTargetOptions,
): NonNullable<SynthTarget['promotion']> {
  const { app } = promotion;
  return {
    promotion,
    file: promotionFile(app, settings),
    revisions: revisionsOf({
      app,
      fleet: fleet.map((file) => path.resolve(host.cwd, file)),
      targetOf,
      host,
    }),
    committedAt: async (commit) => await outputAt(commit, path.join(out, app)),
  };
}
