import { beforeEach, describe, expect, test } from 'vitest';
import { clusterHealth, type ClusterHealth } from '../../src/promotion/decide/cluster-health.ts';
import { absent, unmarked } from '../../src/promotion/decide/promotion.ts';
import { RandomPromotion } from './random-promotion.ts';

const minute = 60_000;
let promotion: RandomPromotion;
let hash: string;

/** The health of c0 for a content, by default that of the release. */
function health(content = hash): ClusterHealth {
  return clusterHealth(promotion.hub.addOns().get('hello/c0') ?? { works: [] }, content);
}

beforeEach(async () => {
  promotion = new RandomPromotion({ c0: {} }, '{}');
  await promotion.merge({ version: 1 });
  await promotion.step();
  hash = promotion.promotion.status.release?.waves[0]?.[0]?.clusters['c0'] ?? '';
});

describe('a cluster', () => {
  test('is healthy since its agent and the companion reported the content of the release', () => {
    expect(health()).toEqual({ progress: 'Progressing', why: 'has no ManagedClusterAddOn yet' });
    promotion.sync();
    expect(health()).toEqual({ progress: 'Progressing', why: 'has not reported the new works' });
    promotion.pass(3);
    promotion.report();
    expect(health()).toEqual({ progress: 'Succeeded', since: promotion.now });
  });

  test('is not healthy with statuses of other content', async () => {
    promotion.sync();
    promotion.report();
    expect(health('0123456789abcdef')).toEqual({ progress: 'Progressing', why: 'has the earlier content' });
    expect(health(unmarked)).toEqual({ progress: 'Progressing', why: 'has the earlier content' });
    expect(health(absent)).toEqual({ progress: 'Progressing', why: 'still has the add-on' });
    await promotion.step();
    await promotion.merge({ version: 2 });
    promotion.pass(60);
    await promotion.step();
    await promotion.step();
    const next = promotion.promotion.status.release?.waves[0]?.[0]?.clusters['c0'] ?? '';
    expect(next).not.toBe(hash);
    promotion.sync();
    // The conditions are still those of version 1.
    expect(health(next).progress).toBe('Progressing');
    promotion.report();
    expect(health(next)).toEqual({ progress: 'Succeeded', since: promotion.now });
  });

  test('is in progress while a work is not available, since that began', () => {
    promotion.sync();
    promotion.setAgent('c0', 'failing');
    promotion.pass(1);
    promotion.report();
    const since = promotion.now;
    promotion.pass(5);
    promotion.report();
    expect(health()).toEqual({ progress: 'Progressing', why: 'is in progress', since });
    expect(promotion.now - since).toBe(5 * minute);
  });

  test('is done with a removal once the hub has nothing of the add-on', () => {
    expect(health(absent)).toEqual({ progress: 'Succeeded', since: 0 });
  });
});
