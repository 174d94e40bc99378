import { describe, expect, test } from 'vitest';
import { predictText, type PredictTextOptions } from './predict-text.ts';
import { addOn, config, fleet, grouped, text, type Grouped, type Rollout } from './scenes.ts';

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3'] };

/** What users read of the findings with a code, and what becomes of the rollout. */
function findingsAndRollouts(code: string, objects: readonly object[], options: PredictTextOptions = {}) {
  const { diagnostics, install } = predictText(text(...objects), options);
  return {
    found: diagnostics
      .filter((diagnostic) => diagnostic.code === code)
      .map(
        ({ severity, message, object, path, hint }) =>
          `${severity}: ${message}\n${object?.kind} ${object?.name} at ${path}\n${hint}`,
      ),
    rollouts: Object.fromEntries(
      Array.from(install, ([name, { waves, stops }]) => [
        name,
        [
          ...waves.map(({ clusters }) => clusters.join(' ')),
          ...stops.map(({ reason, message, left }) => `${reason}: ${message}; left: ${left.join(' ')}`),
        ],
      ]),
    ),
  };
}

function paced(rollout: Rollout): object[] {
  return [...fleet(groups), grouped(groups), addOn({ pl: rollout }), config()];
}

describe('FW5001: a value that stops its add-on', () => {
  test('a deadline with something after the unit', () => {
    const rollout: Rollout = {
      type: 'ProgressivePerGroup',
      progressivePerGroup: { progressDeadline: '5mins' },
    };
    expect(findingsAndRollouts('FW5001', paced(rollout))).toMatchInlineSnapshot(`
      {
        "found": [
          "error: progressDeadline "5mins" stops the hub from configuring any cluster of this add-on: time: unknown unit "mins" in duration "5mins"
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.progressDeadline
      write a number with h, m or s, such as 10m, or None",
        ],
        "rollouts": {
          "agent": [
            "error: time: unknown unit "mins" in duration "5mins"; left: c1 c2 c3",
          ],
        },
      }
    `);
  });
  test('a number in quotes, noticed after the mandatory groups', () => {
    const mandatoryDecisionGroups = [{ groupName: 'canary' }];
    const rollout: Rollout = {
      type: 'Progressive',
      progressive: { maxConcurrency: '1', mandatoryDecisionGroups },
    };
    expect(findingsAndRollouts('FW5001', paced(rollout))).toMatchInlineSnapshot(`
      {
        "found": [
          "error: maxConcurrency "1" stops the hub from configuring any cluster of this add-on, after its mandatory groups: failed to parse the provided maxConcurrency: '1' is an invalid maximum threshold value: string is not a percentage
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency
      write a number without quotes, or a percentage such as "25%"",
        ],
        "rollouts": {
          "agent": [
            "c1",
            "error: failed to parse the provided maxConcurrency: '1' is an invalid maximum threshold value: string is not a percentage; left: c2 c3",
          ],
        },
      }
    `);
  });
  test('stops the clusters of all placements', () => {
    const objects = [
      ...fleet(groups),
      grouped({ canary: [] }, 'first'),
      grouped({ prod: [] }, 'second'),
      addOn({ first: { type: 'All' }, second: { type: 'Progressive', progressive: { maxFailures: '3' } } }),
      config(),
    ];
    expect(findingsAndRollouts('FW5001', objects).rollouts).toMatchInlineSnapshot(`
      {
        "agent": [
          "error: failed to parse the provided maxFailures: '3' is an invalid maximum threshold value: string is not a percentage; left: c1 c2 c3",
        ],
      }
    `);
  });
});

describe('FW5002: a decision without its group', () => {
  test('stops the add-ons of its placement', () => {
    const frozen = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: {
        name: 'frozen',
        namespace: 'default',
        annotations: { 'cluster.open-cluster-management.io/experimental-scheduling-disable': 'true' },
      },
      spec: {},
    };
    const decision = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        name: 'frozen-decision-1',
        namespace: 'default',
        labels: { 'cluster.open-cluster-management.io/placement': 'frozen' },
      },
      status: { decisions: [{ clusterName: 'c1', reason: '' }] },
    };
    const objects = [...fleet(groups), frozen, decision, addOn({ frozen: { type: 'All' } }), config()];
    expect(findingsAndRollouts('FW5002', objects)).toMatchInlineSnapshot(`
      {
        "found": [
          "error: a decision of placement "default/frozen" does not identify its group, so the hub configures no cluster of add-on "agent": incorrect group index: strconv.Atoi: parsing "": invalid syntax
      PlacementDecision frozen-decision-1 at metadata.labels[cluster.open-cluster-management.io/decision-group-index]
      add the label cluster.open-cluster-management.io/decision-group-index with a number to the PlacementDecision, or let the hub decide",
        ],
        "rollouts": {
          "agent": [
            "error: incorrect group index: strconv.Atoi: parsing "": invalid syntax; left: c1",
          ],
        },
      }
    `);
  });
});

describe('FW7209: a configuration that is edited in place', () => {
  const perGroup: Rollout = { type: 'ProgressivePerGroup', progressivePerGroup: {} };
  const edited = text(config('settings', '2'));

  test('reaches clusters before their turn', () => {
    expect(findingsAndRollouts('FW7209', paced(perGroup), { update: edited }).found).toMatchInlineSnapshot(`
      [
        "warning: addondeploymentconfigs.addon.open-cluster-management.io "default/settings" is edited in place, so the new content can reach 3 clusters of add-on "agent" before their wave of the rollout
      AddOnDeploymentConfig settings at spec
      add the annotation \`fleetwright.dev/immutable: 'true'\`: the name then follows the content, and each change creates a new object",
      ]
    `);
  });
  test('which does not exist if all change at once', () => {
    expect(findingsAndRollouts('FW7209', paced({ type: 'All' }), { update: edited }).found).toEqual([]);
  });
  test('unlike one that is replaced by another', () => {
    const update = text(addOn({ pl: perGroup }, 'settings-2'), config('settings-2', '2'));
    expect(findingsAndRollouts('FW7209', paced(perGroup), { update }).found).toEqual([]);
  });
});
