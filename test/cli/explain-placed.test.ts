import { expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const clusterGroup = 'cluster.open-cluster-management.io';
const policyGroup = 'policy.open-cluster-management.io';

const hub = `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: prod, namespace: default }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }]
---
apiVersion: ${policyGroup}/v1
kind: Policy
metadata: { name: etcd, namespace: default }
spec: { remediationAction: inform }
---
apiVersion: ${policyGroup}/v1beta1
kind: PolicySet
metadata: { name: baseline, namespace: default }
spec: { policies: [etcd] }
---
apiVersion: ${policyGroup}/v1
kind: PlacementBinding
metadata: { name: security, namespace: default }
placementRef: { apiGroup: ${clusterGroup}, kind: Placement, name: prod }
subjects: [{ apiGroup: ${policyGroup}, kind: PolicySet, name: baseline }]
bindingOverrides: { remediationAction: enforce }
---
apiVersion: apps.open-cluster-management.io/v1beta1
kind: GitOpsCluster
metadata: { name: argo, namespace: default }
spec: { placementRef: { kind: Placement, name: prod } }
---
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: works, namespace: default }
spec: { placementRefs: [{ name: prod }], manifestWorkTemplate: {} }
`;

test('explain names everything that Placements bring to a cluster, and why', async () => {
  const cwd = await folderWith({
    'apps/a/hub.yaml': hub,
    'apps/a/fleet.yaml': fleetOf({ c1: { env: 'prod' }, c2: { env: 'dev' } }),
  });
  expect((await runIn(cwd, ['explain', 'c1'])).out).toMatchInlineSnapshot(`
    "c1 is available
      labels: env=prod, cluster.open-cluster-management.io/clusterset=default
      cluster sets: default, global

    there are no add-ons

    GitOpsCluster default/argo
      placed by Placement default/prod (apps/a/hub.yaml:28)

    ManifestWorkReplicaSet default/works
      placed by Placement default/prod (apps/a/hub.yaml:33)

    Policy default/etcd
      placed by Placement default/prod, through PlacementBinding default/security and PolicySet default/baseline (apps/a/hub.yaml:21)
      remediationAction enforce, by PlacementBinding default/security
    "
  `);
  expect((await runIn(cwd, ['explain', 'c2'])).out).not.toContain('Policy');
  const { out } = await runIn(cwd, ['explain', 'c1', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    results: [
      {
        placed: [
          { kind: 'GitOpsCluster', name: 'default/argo', by: [{ placement: 'default/prod', through: [] }] },
          { kind: 'ManifestWorkReplicaSet', name: 'default/works' },
          {
            kind: 'Policy',
            name: 'default/etcd',
            remediationAction: 'enforce',
            enforcedBy: 'PlacementBinding default/security',
          },
        ],
      },
    ],
  });
});

test('explain names the Applications that deploy to a cluster, and what decided', async () => {
  const sets = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: shop, namespace: default }
spec:
  generators:
    - clusterDecisionResource:
        configMapRef: acm-placement
        labelSelector: { matchLabels: { ${clusterGroup}/placement: prod } }
  template:
    metadata: { name: 'shop-{{name}}' }
    spec: { project: default, destination: { name: '{{name}}' } }
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: tools, namespace: default }
spec:
  generators: [{ matrix: { generators: [{ clusters: { selector: { matchLabels: { env: prod } } } }, { list: { elements: [{ app: a }, { app: b }] } }] } }]
  template:
    metadata: { name: '{{app}}-{{name}}' }
    spec: { project: default, destination: { name: '{{name}}' } }
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: unknown, namespace: default }
spec:
  generators:
    - clusterDecisionResource:
        configMapRef: acm-placement
        labelSelector: { matchLabels: { ${clusterGroup}/placement: prod } }
    - git: { repoURL: https://git.example.com/a.git }
  template: { spec: { project: default } }
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: wrong, namespace: default }
spec:
  generators:
    - clusterDecisionResource:
        configMapRef: acm-placement
        labelSelector: { matchLabels: { ${clusterGroup}/placement: prod } }
    - list: { elements: [{ name: 1 }] }
  template:
    metadata: { name: 'wrong-{{name}}' }
    spec: { project: default, destination: { name: '{{name}}' } }
---
apiVersion: apps.open-cluster-management.io/v1beta1
kind: GitOpsCluster
metadata: { name: all, namespace: default }
spec:
  argoServer: { argoNamespace: default }
  placementRef: { apiVersion: ${clusterGroup}/v1beta1, kind: Placement, name: prod }
`;
  const cwd = await folderWith({
    'apps/a/hub.yaml': hub,
    'apps/a/sets.yaml': sets,
    'apps/a/fleet.yaml': fleetOf({ c1: { env: 'prod' }, c2: { env: 'dev' } }),
  });
  const { out } = await runIn(cwd, ['explain', 'c1']);
  expect(out.slice(out.indexOf('ApplicationSet'), out.indexOf('GitOpsCluster default/all\n')))
    .toMatchInlineSnapshot(`
      "ApplicationSet default/shop
        placed by Placement default/prod (apps/a/sets.yaml:8)
        Application shop-c1

      ApplicationSet default/tools
        placed by Placement default/prod, through GitOpsCluster default/all (apps/a/sets.yaml:51)
        Application a-c1
        Application b-c1

      ApplicationSet default/unknown
        placed by Placement default/prod (apps/a/sets.yaml:29)
        its Applications are not known, because the git generator is not evaluated

      ApplicationSet default/wrong
        placed by Placement default/prod (apps/a/sets.yaml:40)
        Argo CD generates nothing from it, and keeps what exists: error parsing value as string

      "
    `);
  expect((await runIn(cwd, ['explain', 'c2'])).out).not.toContain('Application');
  const json = await runIn(cwd, ['explain', 'c1', '-o', 'json']);
  const { results } = JSON.parse(json.out) as { results: { placed: object[] }[] };
  expect(results[0]?.placed[0]).toMatchObject({
    kind: 'ApplicationSet',
    name: 'default/shop',
    by: [{ placement: 'default/prod', through: [] }],
    applications: ['shop-c1'],
  });
});
