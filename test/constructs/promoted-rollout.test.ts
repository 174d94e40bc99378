import { describe, expect, test } from 'vitest';
import {
  App,
  Chart,
  ClusterManagementAddOn,
  DecisionGroup,
  Duration,
  Placement,
  Rollout,
  Selector,
  Toleration,
} from '../../constructs/index.ts';

const canary = DecisionGroup.named('canary', { labels: { env: 'prod', canary: 'true' } });
const regional = DecisionGroup.named('regional', { claims: Selector.in('region', ['eu']) });

function scene(): { readonly chart: Chart; readonly placement: Placement } {
  const chart = new Chart(new App(), 'chart', { namespace: 'ocm' });
  const placement = new Placement(chart, 'all', {
    predicates: [{ labels: { env: 'dev' } }],
    tolerations: [Toleration.unreachable()],
    decisionGroups: [canary, regional],
  });
  return { chart, placement };
}

const rollout = Rollout.promoted({
  mandatoryGroups: [canary, 'regional'],
  maxConcurrency: 1,
  minSuccessTime: Duration.minutes(5),
});

describe('a promoted rollout with hub delivery', () => {
  test('has a Placement per group, which the last entries of the install strategy name', () => {
    const { chart, placement } = scene();
    const addOn = new ClusterManagementAddOn(chart, 'logs', { placements: [{ placement, rollout }] });
    expect(addOn.toJson()['spec']).toMatchObject({
      installStrategy: {
        placements: [
          { name: 'all', rolloutStrategy: { type: 'Progressive', progressive: { maxConcurrency: 1 } } },
          { name: 'all-regional', rolloutStrategy: { type: 'ProgressivePerGroup' } },
          {
            name: 'all-canary',
            rolloutStrategy: { type: 'ProgressivePerGroup', progressivePerGroup: { minSuccessTime: '5m' } },
          },
        ],
      },
    });
    expect(addOn.metadata.toJson()).toMatchObject({ annotations: { 'fleetwright.dev/rollout': 'promoted' } });
  });

  test('selects the clusters of the group only, also after later changes of the Placement', () => {
    const { chart, placement } = scene();
    new ClusterManagementAddOn(chart, 'logs', { placements: [{ placement, rollout }] });
    placement.addPredicate({ cel: ['managedCluster.spec.hubAcceptsClient'] });
    expect(specOf(placement, 'canary')).toEqual({
      tolerations: placement.writtenSpec().tolerations,
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: {
              matchLabels: { env: 'dev', canary: 'true' },
              matchExpressions: [{ key: 'env', operator: 'In', values: ['prod'] }],
            },
          },
        },
        {
          requiredClusterSelector: {
            labelSelector: { matchLabels: { env: 'prod', canary: 'true' } },
            celSelector: { celExpressions: ['managedCluster.spec.hubAcceptsClient'] },
          },
        },
      ],
    });
    expect(specOf(placement, 'regional')).toMatchObject({
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: { matchLabels: { env: 'dev' } },
            claimSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] },
          },
        },
        {},
      ],
    });
  });

  test('shares the Placements between add-ons', () => {
    const { chart, placement } = scene();
    for (const name of ['logs', 'metrics'])
      new ClusterManagementAddOn(chart, name, { placements: [{ placement, rollout }] });
    expect(placement.node.children.map(({ node }) => node.id)).toContain('group-canary');
    expect(placement.node.children.filter(({ node }) => node.id.startsWith('group-'))).toHaveLength(2);
  });

  test('keeps one Placement with compiled delivery', () => {
    const { chart, placement } = scene();
    const addOn = new ClusterManagementAddOn(chart, 'logs', {
      delivery: 'compiled',
      placements: [{ placement, rollout }],
    });
    expect(addOn.toJson()['spec']).toMatchObject({
      installStrategy: {
        placements: [
          {
            name: 'all',
            rolloutStrategy: Rollout.progressive({
              mandatoryGroups: ['canary', 'regional'],
              maxConcurrency: 1,
              minSuccessTime: Duration.minutes(5),
            }).strategy,
          },
        ],
      },
    });
  });

  test('rejects what it cannot divide', () => {
    const { chart, placement } = scene();
    const addOn = new ClusterManagementAddOn(chart, 'logs');
    expect(() => {
      addOn.addPlacement({ placement: Placement.reference('ocm', 'other'), rollout });
    }).toThrow('divides a Placement by its groups, and this one is defined elsewhere');
    expect(() => {
      addOn.addPlacement({ placement, rollout: Rollout.promoted({ mandatoryGroups: ['none'] }) });
    }).toThrow('Placement \'all\' has no decision group "none": add it to decisionGroups of the Placement');
    const few = new Placement(chart, 'few', { numberOfClusters: 2, decisionGroups: [canary] });
    addOn.addPlacement({ placement: few, rollout: Rollout.promoted({ mandatoryGroups: [canary] }) });
    expect(() => specOf(few, 'canary')).toThrow('numberOfClusters would then count each of them');
  });
});

function specOf(placement: Placement, group: string): unknown {
  return (placement.node.findChild(`group-${group}`) as Placement).writtenSpec();
}
