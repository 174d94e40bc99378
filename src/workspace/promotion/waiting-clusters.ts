import path from 'node:path';
import type { Engine, Resolution, TargetHub } from '../../compiler/index.ts';
import { clusterKey, clustersOf, type Promotion } from '../../compiler/promotion/promotion.ts';
import { existingApps } from '../inputs/app-names.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { earlierOutputs, type EarlierOutput } from '../output/earlier-output.ts';
import type { WorkspaceSettings } from '../settings/settings.ts';
import { addOnFileName } from './earlier-parts.ts';
import { committedFiles, contentsOf } from './promoted-output.ts';
import { promotedPlacements } from './promoted-placements.ts';
import { promotedApps, promotionFile, readPromotions } from './promotions.ts';

/** The working tree, with all of its apps resolved together. */
export interface WaitingState {
  /** The folder of the workspace. */
  readonly root: string;
  readonly settings: WorkspaceSettings;
  readonly resolution: Resolution;
  readonly target: TargetHub & { readonly engine: Engine };
}

/**
 * Returns the clusters that keep their content until a promotion releases that of Git, by `clusterKey`, and what each waits for.
 *
 * @throws DiagnosedError if a promotion file is not valid
 */
export async function waitingClusters(state: WaitingState): Promise<ReadonlyMap<string, string>> {
  const { root, settings } = state;
  const waiting = new Map<string, string>();
  if ((await promotedApps(root, settings)).length === 0) return waiting;
  const { byApp, diagnostics, texts } = await readPromotions(
    root,
    settings,
    await existingApps(settings.apps, root),
  );
  const [fault] = diagnostics;
  if (fault !== undefined) throw new DiagnosedError(fault, texts);
  const outputs = await earlierOutputs(path.resolve(root, settings.out), [...byApp.keys()]);
  for (const [app, promotion] of byApp) {
    const committed = outputs.get(app);
    if (committed === undefined) continue;
    for (const key of await pendingClusters(promotion, committed, state))
      waiting.set(key, `a release of the promotion of ${app} that has not begun`);
    const { release } = promotion.status;
    if (release === undefined || release.restores !== undefined) continue;
    for (const { addOn, cluster, wave } of clustersOf(release)) {
      const key = clusterKey(addOn, cluster);
      if (wave > release.released)
        waiting.set(
          key,
          `wave ${wave} of ${release.waves.length} of the promotion of ${app}: ${release.released} started`,
        );
    }
  }
  return waiting;
}

/** Returns the clusters whose committed content is not that of the sources. */
async function pendingClusters(
  promotion: Promotion,
  committed: EarlierOutput,
  { settings, resolution, target }: WaitingState,
): Promise<readonly string[]> {
  const names = new Set(committed.ownership.files.map((file) => path.basename(file)));
  const isOfApp = (addOn: string): boolean => names.has(addOnFileName(addOn));
  const contents = new Map([...contentsOf(resolution, target)].filter(([, { addOn }]) => isOfApp(addOn)));
  const before = await committedFiles(committed, contents);
  const file = promotionFile(promotion.app, settings);
  const { pending } = await promotedPlacements({ promotion, file, resolution, target, committed });
  return [
    ...[...contents].flatMap(([key, { hash }]) => (before.get(key)?.hash === hash ? [] : [key])),
    ...pending.flatMap(({ addOn, cluster }) => (isOfApp(addOn) ? [clusterKey(addOn, cluster)] : [])),
  ];
}
