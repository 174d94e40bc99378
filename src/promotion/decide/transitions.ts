import type { EndedRelease } from '../../compiler/plan/planned-promotion.ts';
import type { PromotionStatus, Release, RolledBack, WavePart } from './promotion.ts';
import { releaseHash } from './release-hash.ts';

/** The number of ended releases that the file lists. */
const longestHistory = 10;

/** Returns the state after a release begins. It supersedes the one in progress. */
export function started(status: PromotionStatus, release: Release): PromotionStatus {
  const { release: before, ...rest } = status;
  const history = before === undefined ? status.history : withEnded(status, before, 'superseded');
  return ordered({ ...rest, release, history });
}

/** Returns the state after the release in progress ends. */
export function ended(status: PromotionStatus, result: EndedRelease['result']): PromotionStatus {
  const { release, ...rest } = status;
  if (release === undefined) return status;
  const history = withEnded(status, release, result);
  if (result !== 'completed') return ordered({ ...rest, history });
  const { rolledBack: _, ...others } = rest;
  return ordered({ ...others, completed: { source: release.source, hash: release.hash }, history });
}

/**
 * Returns the state after a person decides to roll back the release in progress: a release of the earlier files for exactly the
 * clusters that have the new content. The same content is not released to any of its clusters again.
 *
 * @param earlier - returns a part with the content that its clusters had before
 * @param how - `isAtOnce`: all clusters are in one wave; otherwise the waves are reversed. `isPaused`: no wave starts yet
 */
export function rollBack(
  status: PromotionStatus,
  earlier: (part: WavePart) => WavePart,
  how: { readonly isAtOnce: boolean; readonly isPaused: boolean },
): PromotionStatus {
  const { release } = status;
  if (release === undefined || release.restores !== undefined) return status;
  const aborted: PromotionStatus = { ...ended(status, 'rolled back'), rolledBack: rejected(release) };
  if (release.released === 0) return ordered(aborted);
  const reversed = release.waves.slice(0, release.released).toReversed();
  const waves = (how.isAtOnce ? [reversed.flat()] : reversed).map((parts) => parts.map(earlier));
  const gates = Object.fromEntries(
    Object.entries(release.gates).map(([name, { progressDeadline }]) => [
      name,
      // A failed cluster must not keep the others from getting their earlier content.
      progressDeadline === undefined ? {} : { progressDeadline },
    ]),
  );
  const back = {
    source: release.base,
    base: release.base,
    restores: release.hash,
    released: how.isPaused ? 0 : 1,
    gates,
    waves,
  };
  return ordered({ ...aborted, release: { hash: releaseHash(back), ...back } });
}

/** Returns the state in which content that was rolled back may be released again. */
export function retried({ rolledBack: _, ...status }: PromotionStatus): PromotionStatus {
  return status;
}

function rejected({ hash, waves }: Release): RolledBack {
  const byAddOn = new Map<string, Record<string, string>>();
  for (const { addOn, clusters } of waves.flat()) byAddOn.set(addOn, { ...byAddOn.get(addOn), ...clusters });
  return { hash, parts: [...byAddOn].map(([addOn, clusters]) => ({ addOn, clusters })) };
}

function withEnded(
  { history = [] }: PromotionStatus,
  { hash, source }: Release,
  result: EndedRelease['result'],
): readonly EndedRelease[] {
  return [{ hash, source, result }, ...history].slice(0, longestHistory);
}

/** Returns the state with its fields in the order of the file. */
function ordered({
  completed,
  release,
  rolledBack,
  history,
}: Omit<PromotionStatus, 'history'> & {
  readonly history?: PromotionStatus['history'] | undefined;
}): PromotionStatus {
  return {
    ...(completed && { completed }),
    ...(release && { release }),
    ...(rolledBack && { rolledBack }),
    ...(history && { history }),
  };
}
