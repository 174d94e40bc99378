import path from 'node:path';
import type {
  AddOnOnCluster,
  Diagnostic,
  Engine,
  HeldCluster,
  PlannedPromotion,
  PromotedChange,
  Resolution,
  TargetHub,
} from '../../compiler/index.ts';
import type { ChangedCluster } from '../decide/new-release.ts';
import { newRelease } from '../decide/new-release.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { counted } from '../../compiler/model/words.ts';
import { someOf } from '../../compiler/report/plan-words.ts';
import { plannedPromotion } from '../decide/plan-promotion.ts';
import { promotedWaves } from '../decide/promoted-waves.ts';
import {
  absent,
  clusterKey,
  clustersOf,
  rejectedContents,
  type Promotion,
  type Release,
} from '../decide/promotion.ts';
import { existingApps } from '../../workspace/inputs/app-names.ts';
import { outputAt, outputIn, type EarlierOutput } from '../../workspace/output/earlier-output.ts';
import type { WorkspaceSettings } from '../../workspace/settings/settings.ts';
import type { Stopwatch } from '../../workspace/stopwatch.ts';
import { committedFiles, contentsOf } from './promoted-output.ts';
import { promotedPlacements } from './promoted-placements.ts';
import { requiredOrder } from './required-order.ts';
import { missingPromotion } from './missing-promotion.ts';
import { readPromotions, type Promotions } from './promotions.ts';
import { promotedApps, promotionFile } from '../../workspace/inputs/promotion-files.ts';

/** A state of a workspace. */
interface WorkspaceState {
  /** The folder of the workspace in this state. */
  readonly root: string;
  /** Git's commit with the state, and the folder of the workspace in the working tree. @default - the state is a folder */
  readonly committed?: { readonly commit: string; readonly root: string };
  readonly settings: WorkspaceSettings;
  /** The resolutions of the apps, by name. */
  readonly apps: ReadonlyMap<string, Resolution>;
}

/** The later state of a plan. */
export interface PlannedState extends WorkspaceState {
  /** The earlier state. */
  readonly base: WorkspaceState;
  readonly target: TargetHub & { readonly engine: Engine };
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly watch: Stopwatch;
}

/** The promotions of a state. */
export interface PlannedPromotions {
  readonly promotions: readonly PlannedPromotion[];
  /** What the promotions make of the change from the earlier state. */
  readonly changes: readonly PromotedChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns the promotions of a state, with the releases that `promote` would begin there. */
export async function plannedPromotions(state: PlannedState): Promise<PlannedPromotions> {
  const { base, watch } = state;
  // A state may be a folder without apps.
  if ([base, state].every((each) => promotedApps(each.root, each.settings).length === 0))
    return {
      promotions: [],
      changes: [],
      diagnostics: missingPromotions(state, new Map()),
      texts: new Map(),
    };
  return await watch.wait('promote', async () => await existingPromotions(state));
}

async function existingPromotions(state: PlannedState): Promise<PlannedPromotions> {
  const { settings, base, target, now } = state;
  const { byApp, diagnostics, texts } = await readPromotionsOf(state);
  const earlier = await readPromotionsOf(base);
  const faults = [...diagnostics, ...(diagnostics.length > 0 ? [] : missingPromotions(state, byApp))];
  const promotions: PlannedPromotion[] = [];
  const changes: PromotedChange[] = [];
  for (const [app, promotion] of byApp) {
    const resolution = state.apps.get(app);
    if (resolution === undefined) continue;
    const committed = await outputOf(app, state);
    const file = promotionFile(app, settings);
    const input = { file, target, resolution, committed };
    const { next, ...planned } = await plannedRelease(promotion, input);
    const held = await heldClusters(promotion, input);
    const { release } = promotion.status;
    const releases = [...(release === undefined ? [] : [release]), ...(next === undefined ? [] : [next])];
    // Without a next release, that in progress leads to the content of Git, unless it restores earlier content.
    const leads = planned.unknownNext === undefined && release?.restores === undefined;
    const ofChange = next ?? (leads ? release : undefined);
    const started = startedClusters(earlier.byApp.get(app)?.status.release, release);
    promotions.push(plannedPromotion({ promotion, now, next, started: namesOf(started), ...planned }));
    changes.push({
      app,
      held,
      ...promotedWaves(releases, ofChange, keysOf(held)),
      ...(next !== undefined && { next: next.hash }),
      started,
    });
  }
  for (const [app, promotion] of earlier.byApp) {
    const resolution = base.apps.get(app);
    const isEnded = !byApp.has(app) && diagnostics.length === 0 && state.apps.has(app);
    if (resolution === undefined || !isEnded) continue;
    const committed = await outputOf(app, base);
    const file = promotionFile(app, base.settings);
    const held = await heldClusters(promotion, { file, target, resolution, committed });
    if (held.length === 0) continue;
    const started = held.map(({ addOn, cluster }) => ({ addOn, cluster }));
    changes.push({ app, held: [], waves: [], released: [], started });
    faults.push(endedPromotion(file, app, namesOf(started)));
  }
  return { promotions, changes, diagnostics: faults, texts };
}

function missingPromotions(
  { apps, settings }: PlannedState,
  byApp: Promotions['byApp'],
): readonly Diagnostic[] {
  return [...apps].flatMap(([app, { inventory }]) =>
    byApp.has(app) ? [] : missingPromotion(inventory, app, promotionFile(app, settings)),
  );
}

async function readPromotionsOf({ root, settings }: WorkspaceState): Promise<Promotions> {
  return await readPromotions(root, settings, existingApps(settings.apps, root) ?? []);
}

/** Git does not follow links, which a pull request can have to any file. */
async function outputOf(app: string, { root, settings, committed }: WorkspaceState): Promise<EarlierOutput> {
  return committed === undefined
    ? outputIn(path.join(root, settings.out, app))
    : await outputAt(committed.commit, path.join(committed.root, settings.out, app));
}

function keysOf(held: readonly HeldCluster[]): ReadonlySet<string> {
  return new Set(held.map(({ addOn, cluster }) => clusterKey(addOn, cluster)));
}

/** Returns the clusters whose wave starts between two states of a promotion. */
function startedClusters(before: Release | undefined, after: Release | undefined): readonly AddOnOnCluster[] {
  if (after === undefined) return [];
  const earlier = before?.hash === after.hash ? before.released : 0;
  return [...clustersOf(after)]
    .filter(({ wave }) => wave > earlier && wave <= after.released)
    .map(({ addOn, cluster }) => ({ addOn, cluster }));
}

function namesOf(clusters: readonly AddOnOnCluster[]): readonly string[] {
  return clusters.map(({ addOn, cluster }) => clusterKey(addOn, cluster)).sort(compareText);
}

/** Reports a promotion that ends while clusters still wait for it. */
function endedPromotion(file: string, app: string, waiting: readonly string[]): Diagnostic {
  const clusters = counted(waiting.length, 'cluster');
  return diagnostic('FW8047', {
    message: `the change removes the promotion of app "${app}", so the content that it holds back reaches ${clusters} at once: ${someOf(waiting, shownClusters)}`,
    hint: `keep ${file} until its release is completed, or take the content out of Git first`,
  });
}

/** The maximum number of clusters that are named. */
const shownClusters = 10;

interface AppState extends Pick<PlannedState, 'target'> {
  /** The promotion file. */
  readonly file: string;
  readonly resolution: Resolution;
  readonly committed: EarlierOutput;
}

/** Returns the clusters that do not get the content of Git with the output of this state. */
async function heldClusters(
  promotion: Promotion,
  { file, resolution, target, committed }: AppState,
): Promise<readonly HeldCluster[]> {
  const { status } = promotion;
  const { release, completed } = status;
  const current = contentsOf(resolution, target);
  const before = await committedFiles(committed, current);
  const ofRelease = new Map<string, string>();
  for (const { addOn, cluster, hash, wave } of release === undefined ? [] : clustersOf(release))
    if (wave <= (release?.released ?? 0)) ofRelease.set(clusterKey(addOn, cluster), hash);
  const rejected = rejectedContents(status);
  const { held } = await promotedPlacements({ promotion, file, resolution, target, committed });
  const order = requiredOrder(resolution, committed);
  const clusters = [...held];
  for (const [key, { addOn, cluster, hash }] of current) {
    const present = ofRelease.get(key) ?? before.get(key)?.hash;
    if (present === hash) continue;
    // A cluster that joins gets the content of the last completed release immediately.
    const getsEarlier = present === undefined && completed !== undefined && !order.joinsWithRelease(addOn);
    clusters.push({
      addOn,
      cluster,
      fate: rejected.get(key) === hash ? 'rolled back' : 'waits',
      getsEarlier,
    });
  }
  for (const [key, { addOn, cluster }] of order.removals)
    if (ofRelease.get(key) !== absent)
      clusters.push({
        addOn,
        cluster,
        fate: rejected.get(key) === absent ? 'rolled back' : 'waits',
        getsEarlier: false,
        isUninstall: true,
      });
  return clusters;
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
  const order = requiredOrder(resolution, committed);
  let joining = 0;
  let isRolledBack = placements.isRolledBack;
  for (const [key, { addOn, cluster, hash }] of current) {
    const present = ofRelease.get(key) ?? before.get(key)?.hash;
    if (rejected.get(key) === hash && present !== hash) isRolledBack = true;
    else if (present !== hash) {
      if (present === undefined && completed !== undefined && !order.joinsWithRelease(addOn)) joining += 1;
      pending.push({ addOn, cluster, hash });
    }
  }
  for (const [key, { addOn, cluster }] of order.removals) {
    if (ofRelease.get(key) === absent) continue;
    if (rejected.get(key) === absent) isRolledBack = true;
    else pending.push({ addOn, cluster, hash: absent });
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
