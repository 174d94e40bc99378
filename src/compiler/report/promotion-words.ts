import type { PlannedPromotion, PlannedRelease } from '../plan/planned-promotion.ts';
import { counted } from '../model/words.ts';
import { someOf } from './plan-words.ts';

/** Returns the position of a promotion, as one line. */
export function promotionPosition({ release, isRolledBack, paused }: PlannedPromotion): string {
  const suffix = paused ? ', paused' : '';
  if (release !== undefined) return `${releaseWords(release)}${suffix}`;
  if (isRolledBack) return `the content of Git was rolled back${suffix}`;
  return `no release is in progress${suffix}`;
}

/** Returns the next release of a promotion, as one line; undefined if the change begins none. */
export function nextReleaseWords({ next, unknownNext, release }: PlannedPromotion): string | undefined {
  if (unknownNext !== undefined) return `next release: its hash is unknown, because ${unknownNext}`;
  if (next === undefined) return undefined;
  const clusters = next.waves.reduce((sum, count) => sum + count, 0);
  const size = `${counted(next.waves.length, 'wave')}, ${counted(clusters, 'cluster')}`;
  const when = release !== undefined && release.hash !== next.hash ? ' after the one in progress' : '';
  return `next release${when}: ${next.hash} (${size})`;
}

/** Returns which clusters get the content of a release with the merge, as one line; undefined if there are none. */
export function startedWords({ started, release }: PlannedPromotion): string | undefined {
  if (started.length === 0 || release === undefined) return undefined;
  const what = release.restores === undefined ? 'starts' : 'rolls back';
  return `the merge ${what} wave ${release.released}: ${someOf(started, shownClusters)}`;
}

/** The maximum number of clusters that are named. */
const shownClusters = 20;

/** Returns the state of a wave of a release. */
export function waveState({ released, restores }: PlannedRelease, wave: number): string {
  if (wave > released) return 'waits';
  if (wave < released) return restores === undefined ? 'released' : 'rolled back';
  return 'in progress';
}

/** Returns the lines of a promotion below its heading. */
export function promotionLines(promotion: PlannedPromotion): readonly string[] {
  const { release, next, history } = promotion;
  const startedLine = startedWords(promotion);
  const nextWords = nextReleaseWords(promotion);
  const [last] = history;
  return [
    promotionPosition(promotion),
    ...(startedLine === undefined ? [] : [startedLine]),
    ...(release?.openedBy ?? []).map((gate) => `opened by: ${gate}`),
    ...(release?.waitsFor ?? []).map((gate) => `waits for: ${gate}`),
    ...(nextWords === undefined ? [] : [nextWords]),
    ...(release === undefined ? (next?.waitsFor ?? []).map((gate) => `waits for: ${gate}`) : []),
    ...(last === undefined ? [] : [`last release: ${last.hash.slice(0, 12)} ${last.result}`]),
  ];
}

function releaseWords({ hash, released, waves, restores }: PlannedRelease): string {
  const position =
    released === 0 ? `before wave 1 of ${waves.length}` : `wave ${released} of ${waves.length}`;
  return `${restores === undefined ? '' : 'rollback '}${position} of ${hash}`;
}
