import path from 'node:path';
import type { Diagnostic, Engine, PlannedPromotion, Resolution, TargetHub } from '../../compiler/index.ts';
import type { ChangedCluster } from '../../compiler/promotion/new-release.ts';
import { newRelease } from '../../compiler/promotion/new-release.ts';
import { plannedPromotion } from '../../compiler/promotion/planned-promotion.ts';
import {
  clusterKey,
  clustersOf,
  rejectedContents,
  type Promotion,
  type Release,
} from '../../compiler/promotion/promotion.ts';
import { existingApps } from '../inputs/app-names.ts';
import { outputAt, outputIn, type EarlierOutput } from '../output/earlier-output.ts';
import type { WorkspaceSettings } from '../settings/settings.ts';
import type { Stopwatch } from '../stopwatch.ts';
import { committedFiles, contentsOf } from './promoted-output.ts';
import { promotedPlacements } from './promoted-placements.ts';
import { promotedApps, promotionFile, readPromotions } from './promotions.ts';

/** The later state of a plan. */
export interface PlannedState {
  /** The folder of the workspace in this state. */
  readonly root: string;
  /** Git's commit with the state, and the folder of the workspace in the working tree. @default - the state is a folder */
  readonly committed?: { readonly commit: string; readonly root: string };
  readonly settings: WorkspaceSettings;
  /** The resolutions of the apps, by name. */
  readonly apps: ReadonlyMap<string, Resolution>;
  readonly target: TargetHub & { readonly engine: Engine };
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly watch: Stopwatch;
}

/** The promotions of a state. */
export interface PlannedPromotions {
  readonly promotions: readonly PlannedPromotion[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns the promotions of a state, with the releases that `promote` would begin there. */
export async function plannedPromotions(state: PlannedState): Promise<PlannedPromotions> {
  const { root, settings, watch } = state;
  // A state may be a folder without apps.
  if ((await promotedApps(root, settings)).length === 0)
    return { promotions: [], diagnostics: [], texts: new Map() };
  return await watch.wait('promote', async () => await existingPromotions(state));
}

async function existingPromotions(state: PlannedState): Promise<PlannedPromotions> {
  const { root, settings, apps, now } = state;
  // Git does not follow links, which a pull request can have to any file.
  const outputOf = async (app: string): Promise<EarlierOutput> =>
    state.committed === undefined
      ? await outputIn(path.join(root, settings.out, app))
      : await outputAt(state.committed.commit, path.join(state.committed.root, settings.out, app));
  const existing = await existingApps(settings.apps, root);
  const { byApp, diagnostics, texts } = await readPromotions(root, settings, existing);
  const promotions: PlannedPromotion[] = [];
  for (const [app, promotion] of byApp) {
    const resolution = apps.get(app);
    if (resolution === undefined) continue;
    const committed = await outputOf(app);
    const file = promotionFile(app, settings);
    const planned = await plannedRelease(promotion, { file, target: state.target, resolution, committed });
    promotions.push(plannedPromotion({ promotion, now, ...planned }));
  }
  return { promotions, diagnostics, texts };
}

interface AppState extends Pick<PlannedState, 'target'> {
  /** The promotion file. */
  readonly file: string;
  readonly resolution: Resolution;
  readonly committed: EarlierOutput;
}

/**
 * Returns the release that begins if this state is merged: as `promotedOutput`, for the moment at which the release in progress has
 * ended, unless that one gives way. It compiles no earlier revision.
 */
async function plannedRelease(
  promotion: Promotion,
  { file, resolution, target, committed }: AppState,
): Promise<{
  readonly next: Release | undefined;
  readonly unknownNext?: string;
  readonly isRolledBack: boolean;
}> {
  const { spec, status } = promotion;
  const { release, completed } = status;
  const current = contentsOf(resolution, target);
  const before = await committedFiles(committed, current);
  const givesWay =
    release !== undefined &&
    release.restores === undefined &&
    (spec.whenBusy === 'supersede' || release.released === 0);
  const ofRelease = new Map<string, string>();
  const lastWave = givesWay ? release.released : Infinity;
  for (const { addOn, cluster, hash, wave } of release === undefined ? [] : clustersOf(release))
    if (wave <= lastWave) ofRelease.set(clusterKey(addOn, cluster), hash);
  const rejected = rejectedContents(status);
  const ended =
    givesWay || release === undefined
      ? promotion
      : { ...promotion, status: { ...status, release: { ...release, released: release.waves.length } } };
  const placements = await promotedPlacements({ promotion: ended, file, resolution, target, committed });
  const pending: ChangedCluster[] = [...placements.pending];
  let joining = 0;
  let isRolledBack = placements.isRolledBack;
  for (const [key, { addOn, cluster, hash }] of current) {
    const present = ofRelease.get(key) ?? before.get(key)?.hash;
    if (rejected.get(key) === hash && present !== hash) isRolledBack = true;
    else if (present !== hash) {
      if (present === undefined && completed !== undefined) joining += 1;
      pending.push({ addOn, cluster, hash });
    }
  }
  // With the content of the last completed release, clusters that join are settled, or part of the next release.
  if (pending.length === joining) return { next: undefined, isRolledBack };
  if (joining > 0) {
    const unknownNext = 'clusters join, and first get the content of the last completed release';
    return { next: undefined, unknownNext, isRolledBack };
  }
  const { source = '' } = completed ?? {};
  return { next: newRelease(pending, resolution, { source, base: source }), isRolledBack };
}
