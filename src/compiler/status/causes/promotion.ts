import { causeOf, type CauseRule } from '../evidence.ts';
import { unappliedWords } from './git.ts';

/**
 * Git keeps the content of a cluster until its promotion releases another one, so the hub has what it should have, unless it lacks what
 * Git keeps.
 */
export const promotionRule: CauseRule = ({ progress, promotion }) => {
  if (promotion === undefined || (progress !== 'missing' && progress !== 'ToApply')) return undefined;
  const { state, text, unapplied } = promotion;
  if (unapplied.length > 0)
    return causeOf('git-not-applied', `the hub does not have Git's ${unappliedWords(unapplied)}`);
  return causeOf(codes[state], text);
};

const codes = {
  waits: 'promotion-waits',
  stopped: 'promotion-stopped',
  'rolled back': 'content-rolled-back',
} as const;
