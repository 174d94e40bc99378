import { expect, test } from 'vitest';
import { fleet, grouped, type Grouped } from '../../rollout/scenes.ts';
import { findingTexts } from '../check-fixture.ts';

function findings(clusters: Grouped): readonly string[] {
  const set = {
    apiVersion: 'work.open-cluster-management.io/v1alpha1',
    kind: 'ManifestWorkReplicaSet',
    metadata: { name: 'banner', namespace: 'default' },
    spec: {
      manifestWorkTemplate: {
        workload: {
          manifests: [
            { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'banner', namespace: 'default' } },
          ],
        },
      },
      placementRefs: [{ name: 'pl', rolloutStrategy: { type: 'ProgressivePerGroup' } }],
    },
  };
  return findingTexts('FW7201', [...fleet(clusters), grouped(clusters), set]);
}

test('FW7201: a ManifestWorkReplicaSet per group to a placement without groups', () => {
  expect(findings({ '': ['c1', 'c2'] })).toMatchInlineSnapshot(`
    [
      "warning: placement "default/pl" has no decision groups, so all 2 clusters change at the same time
    ManifestWorkReplicaSet banner at spec.placementRefs[0].rolloutStrategy.type
    add decisionGroups or clustersPerDecisionGroup to decisionStrategy.groupStrategy of the placement, or use Progressive with maxConcurrency",
    ]
  `);
  expect(findings({ canary: ['c1'], prod: ['c2'] })).toEqual([]);
  expect(findings({ '': ['c1'] })).toEqual([]);
});
