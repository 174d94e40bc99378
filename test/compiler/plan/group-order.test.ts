import { describe, expect, test } from 'vitest';
import { planOf } from './states.ts';
import { addOn, config, fleet, grouped, text, type Rollout } from '../rollout/scenes.ts';

const groups = { canary: ['c1'], prod: ['c2', 'c3'] };
const before = text(...fleet(groups), grouped(groups), config());

/** The findings of a plan that installs an add-on, or edits it. */
function findings(rollout: Rollout, base = before): string[] {
  const head = text(...fleet(groups), grouped(groups), config(), addOn({ pl: rollout }));
  return planOf({ text: base }, { text: head })
    .findings.filter(({ code }) => code === 'FW8160')
    .map(({ message, path }) => `${path ?? ''}: ${message}`);
}

const mandatoryDecisionGroups = [{ groupName: 'canary' }];

describe('FW8160: groups that a reinstallation does not keep in order', () => {
  test('of a new add-on', () => {
    const perGroup: Rollout = { type: 'ProgressivePerGroup' };
    expect(findings(perGroup)).toMatchInlineSnapshot(`
      [
        "spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup: if add-on "agent" was removed shortly before, its groups can change in another order: OCM 1.3 counts ManagedClusterAddOns of the earlier installation as successful until they are removed",
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
});
