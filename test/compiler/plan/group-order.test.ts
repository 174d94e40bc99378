import { describe, expect, test } from 'vitest';
import { planOf } from './states.ts';
import { addOn, config, fleet, grouped, onCluster, text, type Rollout } from '../rollout/scenes.ts';

const groups = { canary: ['c1'], prod: ['c2', 'c3'] };
const before = text(...fleet(groups), grouped(groups), config());

/** The findings of a plan that installs an add-on, or edits it. */
function findings(rollout: Rollout, base = before, snapshot = text(onCluster('c1', {}))): string[] {
  const head = text(...fleet(groups), grouped(groups), config(), addOn({ pl: rollout }));
  return planOf({ text: base, fleet: snapshot }, { text: head, fleet: snapshot })
    .findings.filter(({ code }) => code === 'FW8160')
    .map(({ message, path }) => `${path ?? ''}: ${message}`);
}

const mandatoryDecisionGroups = [{ groupName: 'canary' }];

describe('FW8160: groups that a reinstallation does not keep in order', () => {
  test('of an add-on that was installed before', () => {
    const perGroup: Rollout = { type: 'ProgressivePerGroup' };
    expect(findings(perGroup)).toMatchInlineSnapshot(`
      [
        "spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup: the snapshot has ManagedClusterAddOns of add-on "agent" from before, and its groups can change in another order while they are left: OCM 1.3 counts them as successful until they are removed",
      ]
    `);
    expect(findings({ type: 'Progressive', progressive: { mandatoryDecisionGroups } })).toHaveLength(1);
  });

  test('not of an add-on that exists, or whose clusters change in any order', () => {
    const perGroup: Rollout = { type: 'ProgressivePerGroup' };
    const installed = text(...fleet(groups), grouped(groups), config(), addOn({ pl: { type: 'All' } }));
    expect(findings(perGroup, installed)).toEqual([]);
    expect(findings({ type: 'Progressive', progressive: { maxConcurrency: 1 } })).toEqual([]);
    expect(findings({ type: 'All' })).toEqual([]);
  });

  test('not without ManagedClusterAddOns in the snapshot', () => {
    expect(findings({ type: 'ProgressivePerGroup' }, before, '')).toEqual([]);
  });
});
