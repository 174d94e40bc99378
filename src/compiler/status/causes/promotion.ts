import { causeOf, type CauseRule } from '../evidence.ts';

/** Git keeps the content of a cluster until its promotion releases another one, so the hub has what it should have. */
export const promotionRule: CauseRule = ({ progress, promotion }) => {
  if (promotion === undefined || (progress !== 'missing' && progress !== 'ToApply')) return undefined;
  return causeOf('promotion-waits', `waits for ${promotion}`);
};
