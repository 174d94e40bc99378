import { plannedPromotion } from '../../../src/promotion/decide/plan-promotion.ts';
import type { PlannedPromotion } from '../../../src/compiler/plan/planned-promotion.ts';
import type { Promotion, Release } from '../../../src/promotion/decide/promotion.ts';

const commit = 'c'.repeat(40);

/** A release of six clusters in three waves. */
export function releaseInThreeWaves(hash: string, released: number): Release {
  const waves = ['ab', 'cde', 'f'].map((names) => [
    {
      addOn: 'hello',
      gate: 'hello default/all',
      clusters: Object.fromEntries(names.split('').map((name) => [name, '0123456789abcdef'])),
    },
  ]);
  const gates = { 'hello default/all': { minSuccessTime: '10m0s', maxFailures: 1 } };
  return { hash, source: commit, base: commit, released, gates, waves };
}

/** A promotion in its second wave, with gates, a further change and a history. */
export function promotionInProgress(app = 'hello'): PlannedPromotion {
  const promotion: Promotion = {
    app,
    spec: {
      approval: 'waves',
      gates: [
        { name: 'errors', prometheus: { url: 'https://example.com', query: 'errors', condition: '< 0.01' } },
        { name: 'smoke', job: { namespace: 'ci', name: 'smoke-{release}-{wave}' } },
      ],
    },
    status: {
      release: {
        ...releaseInThreeWaves('a'.repeat(64), 2),
        openedBy: ['2 of 2 healthy', 'errors is 0.002 (< 0.01)'],
      },
      history: [{ hash: 'b'.repeat(64), source: commit, result: 'rolled back' }],
    },
  };
  return plannedPromotion({
    promotion,
    next: releaseInThreeWaves('d'.repeat(64), 0),
    isRolledBack: false,
    now: 0,
  });
}
