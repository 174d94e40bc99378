import path from 'node:path';
import type { Engine, Resolution, TargetHub, HeldBack } from '../../compiler/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { gatesOfStep } from '../decide/step-gates.ts';
import { absent, clusterKey, clustersOf, rejectedContents, type Promotion } from '../decide/promotion.ts';
import { existingApps } from '../../workspace/inputs/app-names.ts';
import { DiagnosedError } from '../../workspace/diagnosed-error.ts';
import { earlierOutputs, objectIn, type EarlierOutput } from '../../workspace/output/earlier-output.ts';
import type { WorkspaceSettings } from '../../workspace/settings/settings.ts';
import { addOnFileName } from './earlier-parts.ts';
import { committedFiles, contentsOf } from './promoted-output.ts';
import { promotedPlacements } from './promoted-placements.ts';
import { requiredOrder } from './required-order.ts';
import { readPromotions } from './promotions.ts';
import { promotedApps, promotionFile } from '../../workspace/inputs/promotion-files.ts';

/** The working tree, with all of its apps resolved together. */
export interface WaitingState {
  /** The folder of the workspace. */
  readonly root: string;
  readonly settings: WorkspaceSettings;
  readonly resolution: Resolution;
  readonly target: TargetHub & { readonly engine: Engine };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** An add-on on a cluster that keeps its content, and the output that has it. */
export interface WaitingCluster extends Pick<HeldBack, 'state' | 'text'> {
  /** The app of the promotion. */
  readonly app: string;
}

/** The clusters that wait for promotions, by `clusterKey`, and the objects that Git keeps for them, by app. */
export interface WaitingClusters {
  readonly clusters: ReadonlyMap<string, WaitingCluster>;
  readonly outputs: ReadonlyMap<string, readonly KubernetesObject[]>;
}

/**
 * Returns the clusters that keep their content until a promotion releases that of Git, by `clusterKey`, and what each waits for.
 *
 * @throws DiagnosedError if a promotion file is not valid
 */
export async function waitingClusters(state: WaitingState): Promise<WaitingClusters> {
  const { root, settings, now } = state;
  const clusters = new Map<string, WaitingCluster>();
  const kept = new Map<string, readonly KubernetesObject[]>();
  if (promotedApps(root, settings).length === 0) return { clusters, outputs: kept };
  const { byApp, diagnostics, texts } = await readPromotions(
    root,
    settings,
    existingApps(settings.apps, root),
  );
  const [fault] = diagnostics;
  if (fault !== undefined) throw new DiagnosedError(fault, texts);
  const outputs = await earlierOutputs(path.resolve(root, settings.out), [...byApp.keys()], settings);
  for (const [app, promotion] of byApp) {
    const committed = outputs.get(app);
    if (committed === undefined) continue;
    const stop = stopOf(promotion, now);
    const wait = (key: string, text: string): unknown =>
      clusters.set(
        key,
        stop === undefined
          ? { app, state: 'waits', text }
          : { app, state: 'stopped', text: `${text}, and ${stop}` },
      );
    const { pending, rolledBack } = await pendingClusters(promotion, committed, state);
    for (const key of pending) wait(key, `waits for a release of the promotion of ${app} that has not begun`);
    for (const key of rolledBack)
      clusters.set(key, {
        app,
        state: 'rolled back',
        text: `the promotion of ${app} rolled it back: change the content, or release it again with promote ${app} --retry`,
      });
    kept.set(app, objectsOf(await committed.read(committed.ownership.files)));
    const { release } = promotion.status;
    if (release === undefined || release.restores !== undefined) continue;
    for (const { addOn, cluster, wave } of clustersOf(release)) {
      if (wave <= release.released) continue;
      const waves = `wave ${wave} of ${release.waves.length} of the promotion of ${app}`;
      wait(clusterKey(addOn, cluster), `waits for ${waves}: ${release.released} started`);
    }
  }
  return { clusters, outputs: kept };
}

function objectsOf(texts: ReadonlyMap<string, string>): readonly KubernetesObject[] {
  return [...texts].flatMap(([file, text]) => objectIn(text, file) ?? []);
}

/** Returns what a person has to do before the promotion continues; undefined if it continues by itself, as far as Git has it. */
function stopOf(promotion: Promotion, now: number): string | undefined {
  const { spec, status } = promotion;
  if (spec.paused === true) return `it is paused: run promote ${promotion.app} --resume`;
  const { release } = status;
  if (release === undefined || release.restores !== undefined) return undefined;
  const closed = gatesOfStep({ promotion, now }, release).gates.find(
    (gate) => gate.name === 'approval' && !gate.isOpen,
  );
  return closed?.text;
}

/** Returns the clusters whose committed content is not that of the sources, and those among them that do not get it. */
async function pendingClusters(
  promotion: Promotion,
  committed: EarlierOutput,
  { settings, resolution, target }: WaitingState,
): Promise<{ readonly pending: readonly string[]; readonly rolledBack: readonly string[] }> {
  const names = new Set(committed.ownership.files.map((file) => path.basename(file)));
  const isOfApp = (addOn: string): boolean => names.has(addOnFileName(addOn));
  const contents = new Map([...contentsOf(resolution, target)].filter(([, { addOn }]) => isOfApp(addOn)));
  const before = await committedFiles(committed, contents);
  const file = promotionFile(promotion.app, settings);
  const { held } = await promotedPlacements({ promotion, file, resolution, target, committed });
  const rejected = rejectedContents(promotion.status);
  const changed = [...contents].flatMap(([key, { hash }]) =>
    before.get(key)?.hash === hash ? [] : [{ key, isRolledBack: rejected.get(key) === hash }],
  );
  const removals = requiredOrder(resolution, committed).removals.keys();
  const all = [
    ...changed,
    ...Array.from(removals, (key) => ({ key, isRolledBack: rejected.get(key) === absent })),
    ...held.flatMap(({ addOn, cluster, fate }) =>
      isOfApp(addOn) ? [{ key: clusterKey(addOn, cluster), isRolledBack: fate === 'rolled back' }] : [],
    ),
  ];
  const keysOf = (rolledBack: boolean): readonly string[] =>
    all.filter(({ isRolledBack }) => isRolledBack === rolledBack).map(({ key }) => key);
  return { pending: keysOf(false), rolledBack: keysOf(true) };
}
