import { expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const clusterGroup = 'cluster.open-cluster-management.io';

const hub = `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: prod, namespace: default }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }]
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: { name: security, namespace: default }
placementRef: { apiGroup: ${clusterGroup}, kind: Placement, name: prod }
subjects:
- { apiGroup: policy.open-cluster-management.io, kind: Policy, name: etcd }
- { apiGroup: policy.open-cluster-management.io, kind: PolicySet, name: baseline }
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: apps, namespace: default }
spec:
  generators:
  - clusterDecisionResource:
      configMapRef: ocm
      labelSelector: { matchLabels: { ${clusterGroup}/placement: prod } }
---
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: works, namespace: default }
spec: { placementRefs: [{ name: prod }, { name: absent }], manifestWorkTemplate: {} }
`;

test('who-uses names everything that follows a Placement, also one that does not exist', async () => {
  const cwd = await folderWith({
    'apps/a/hub.yaml': hub,
    'apps/a/fleet.yaml': fleetOf({ c1: { env: 'prod' }, c2: { env: 'dev' }, c3: { env: 'prod' } }),
  });
  expect((await runIn(cwd, ['who-uses', 'placement/default/prod'])).out).toMatchInlineSnapshot(`
    "placements default/prod
      ApplicationSet default/apps: 2 clusters: c1, c3
      ManifestWorkReplicaSet default/works: 2 clusters: c1, c3
      Policy default/etcd, through PlacementBinding default/security: 2 clusters: c1, c3
      PolicySet default/baseline, through PlacementBinding default/security: 2 clusters: c1, c3
    "
  `);
  expect((await runIn(cwd, ['who-uses', 'placement/absent'])).out).toMatchInlineSnapshot(`
    "placements default/absent
      ManifestWorkReplicaSet default/works: 0 clusters
    "
  `);
  const { out } = await runIn(cwd, ['who-uses', 'prod', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    results: [
      {
        objects: [
          {
            object: 'placements default/prod',
            followers: [
              { kind: 'ApplicationSet', name: 'default/apps', through: [], clusters: ['c1', 'c3'] },
              { kind: 'ManifestWorkReplicaSet', name: 'default/works', through: [] },
              { kind: 'Policy', through: ['PlacementBinding default/security'] },
              { kind: 'PolicySet', through: ['PlacementBinding default/security'] },
            ],
          },
        ],
      },
    ],
  });
});
