import path from 'node:path';
import { earlierParts } from '../../../promotion/git/earlier-parts.ts';
import { waveWords, type Decision } from '../../../promotion/decide/decide.ts';
import { readPromotion, withPause, withStatus } from '../../../promotion/decide/promotion-file.ts';
import type { Promotion } from '../../../promotion/decide/promotion.ts';
import { retried, rollBack } from '../../../promotion/decide/transitions.ts';
import { outputAt } from '../../../workspace/output/earlier-output.ts';
import { findCommit, findRepository } from '../../../workspace/git.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** What a person can do to a promotion, in place of a step. */
export const actions = ['abort', 'pause', 'resume', 'retry'] as const;
export type Action = (typeof actions)[number];

/** The result of an action: the next text of the promotion file, if it changes. */
export interface ActionResult extends Omit<Decision, 'status'> {
  readonly text: string;
}

/** The inputs of an action. */
export interface ActionInput {
  readonly promotion: Promotion;
  readonly text: string;
  /** The output folder of the app, as an absolute path. */
  readonly out: string;
  readonly isAtOnce: boolean;
}

/** Returns the promotion file after an action. @throws UserError if there is nothing to act on */
export async function act(action: Action, input: ActionInput): Promise<ActionResult> {
  const { promotion, text } = input;
  if (action === 'abort') return await abort(input);
  if (action === 'retry') {
    if (promotion.status.rolledBack === undefined) throw new UserError('no content was rolled back');
    const reason = 'the content that was rolled back may be released again';
    return { outcome: 'advanced', reason, gates: [], text: withStatus(text, retried(promotion.status)) };
  }
  const isPaused = action === 'pause';
  const next = withPause(text, isPaused);
  const { value } = readPromotion('', next, promotion.app);
  if ((value?.spec.paused ?? false) !== isPaused)
    throw new UserError(`spec is written on one line`, `set paused: ${isPaused} in it`);
  const isSame = next === text;
  const state = isPaused ? 'paused' : 'not paused';
  return {
    outcome: isSame ? 'finished' : 'advanced',
    reason: isSame ? `it is ${state} already` : `it is ${state}`,
    gates: [],
    text: next,
  };
}

async function abort({ promotion, text, out, isAtOnce }: ActionInput): Promise<ActionResult> {
  const { release } = promotion.status;
  if (release === undefined) throw new UserError('no release is in progress');
  if (release.restores !== undefined) throw new UserError('the release is being rolled back already');
  // Without the commit, every cluster would seem to have had no file, and the add-on would be removed from it.
  await findCommit(await findRepository(path.dirname(out)), release.base);
  const earlier = await earlierParts(release, await outputAt(release.base, out));
  const isPaused = promotion.spec.paused === true;
  const status = rollBack(promotion.status, earlier, { isAtOnce, isPaused });
  const reason =
    status.release === undefined
      ? `release ${release.hash.slice(0, 12)} ends before its first wave`
      : isPaused
        ? `the rollback of ${release.hash.slice(0, 12)} begins with --resume: paused`
        : `${waveWords(status.release)} of ${release.hash.slice(0, 12)} starts`;
  return { outcome: 'advanced', reason, gates: [], text: withStatus(text, status) };
}
