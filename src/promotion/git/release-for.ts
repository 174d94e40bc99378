import path from 'node:path';
import type { Promotion } from '../decide/promotion.ts';
import type { CompiledContent } from '../../workspace/output/compile-app.ts';
import { outputAt } from '../../workspace/output/earlier-output.ts';
import type { Host } from '../../workspace/host.ts';
import type { WorkspaceSettings } from '../../workspace/settings/settings.ts';
import { promotedApp, type PromotedApp } from './promoted-app.ts';
import type { PromotedInput } from './promoted-output.ts';
import { promotionFile } from '../../workspace/inputs/promotion-files.ts';
import { revisionsOf, type RevisionsOptions } from './revision-content.ts';

/** What the output of an app with a promotion depends on, besides its promotion. */
export interface ReleaseOptions extends Pick<RevisionsOptions, 'targetOf'> {
  readonly settings: WorkspaceSettings;
  /** The output folder of the hub, as an absolute path. */
  readonly out: string;
  /** The fleet of today, relative to the working folder of the host. */
  readonly fleet: readonly string[];
  readonly host: Host;
}

/** Returns the function that decides what the promotion of an app releases. */
export function releaseFor(
  promotion: Promotion,
  { settings, out, fleet, targetOf, host }: ReleaseOptions,
): (content: CompiledContent) => Promise<PromotedApp> {
  const { app } = promotion;
  const options: Pick<PromotedInput, 'promotion' | 'file' | 'revisions' | 'committedAt'> = {
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
  return async (content) => await promotedApp({ ...options, ...content });
}
