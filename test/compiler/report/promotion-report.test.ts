import { describe, expect, test } from 'vitest';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import { promotionLines } from '../../../src/compiler/report/promotion-words.ts';
import { plannedPromotion } from '../../../src/promotion/decide/plan-promotion.ts';
import { eventfulReport } from './eventful.ts';
import { promotionInProgress, releaseInThreeWaves } from './promoted.ts';
import { planJsonFaults } from './report-formats.ts';

describe('a plan reports a promotion', () => {
  test('with its position, what opened the wave, what it waits for, and the next release', () => {
    const a = 'a'.repeat(64);
    expect(promotionLines(promotionInProgress())).toEqual([
      `wave 2 of 3 of ${a}`,
      'opened by: 2 of 2 healthy',
      'opened by: errors is 0.002 (< 0.01)',
      'waits for: 3 healthy in wave 2',
      'waits for: hello default/all: soak 10m0s, at most 1 failed',
      'waits for: errors < 0.01',
      'waits for: Job ci/smoke-aaaaaaaaaaaa-2 is complete',
      `waits for: an approval: add ${a}/3 to spec.approved`,
      `next release after the one in progress: ${'d'.repeat(64)} (3 waves, 6 clusters)`,
      'last release: bbbbbbbbbbbb rolled back',
    ]);
  });

  test('that rolls a release back, without the gates that do not hold it', () => {
    const release = { ...releaseInThreeWaves('a'.repeat(64), 1), restores: 'b'.repeat(64), gates: {} };
    const promotion = {
      app: 'hello',
      spec: { approval: 'release', paused: true },
      status: { release },
    } as const;
    expect(
      promotionLines(plannedPromotion({ promotion, next: undefined, isRolledBack: false, now: 0 })),
    ).toEqual([
      `rollback wave 1 of 3 of ${'a'.repeat(64)}, paused`,
      'waits for: the promotion is paused: run promote --resume',
      'waits for: 2 healthy in wave 1',
    ]);
  });

  test('in Markdown and in JSON that conforms to its schema', () => {
    const report = { ...eventfulReport(), promotions: [promotionInProgress('<b>&*x*')] };
    expect(planMarkdown(report)).toContain('\n### Promotion of `<b>&*x*`\n\n- wave 2 of 3 of aaaa');
    expect(planJsonFaults(planJson(report))).toEqual([]);
  });
});
