import { expect, test } from 'vitest';
import {
  applicationSet,
  decided,
  gitOpsCluster,
  placement,
  rings,
  setBinding,
  template,
} from '../compiler/application-sets/generated.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const policyGroup = 'policy.open-cluster-management.io';
const binding = (name: string, more: string, kind = 'Placement'): string => `apiVersion: ${policyGroup}/v1
kind: PlacementBinding
metadata: { name: ${name}, namespace: argocd }
placementRef: { apiGroup: cluster.open-cluster-management.io, kind: ${kind}, ${more} }
`;
const policies = `apiVersion: ${policyGroup}/v1
kind: Policy
metadata: { name: etcd, namespace: argocd }
spec: { remediationAction: inform }
---
apiVersion: ${policyGroup}/v1beta1
kind: PolicySet
metadata: { name: base, namespace: argocd }
spec: { policies: [etcd] }
---
${binding('everywhere', 'name: all')}subjects: [{ apiGroup: ${policyGroup}, kind: PolicySet, name: base }]
---
${binding('enforced', 'name: ring-2')}subjects: [{ apiGroup: ${policyGroup}, kind: Policy, name: etcd }]
subFilter: restricted
bindingOverrides: { remediationAction: enforce }
`;

const files = {
  'apps/a/fleet.yaml': fleetOf(rings),
  'apps/a/placements.yaml': [setBinding, placement('all', {})].join('---\n'),
  'apps/a/ring-1.yaml': placement('ring-1', { ring: '1' }),
  'apps/a/ring-2.yaml': placement('ring-2', { ring: '2' }),
  'apps/a/argo.yaml': gitOpsCluster('all'),
  'apps/a/policies.yaml': policies,
  'apps/a/shop.yaml': applicationSet(
    { generators: [decided('ring-1')], template: template('shop-{{name}}') },
    'shop',
  ),
};

test('who-uses names the clusters of policies and ApplicationSets, and of the objects that place them', async () => {
  const cwd = await folderWith(files);
  const ask = async (...names: string[]): Promise<string> => (await runIn(cwd, ['who-uses', ...names])).out;
  expect(await ask('policy/etcd', 'argocd/base', 'enforced')).toMatchInlineSnapshot(`
    "policies argocd/etcd
      Policy argocd/etcd: 3 clusters: c1, c2, c7; enforced on 1 of them: c2
    policysets argocd/base
      Policy argocd/etcd: 3 clusters: c1, c2, c7; enforced on 1 of them: c2
    placementbindings argocd/enforced
      Policy argocd/etcd: 1 cluster: c2; enforced on 1 of them: c2
    "
  `);
  expect(await ask('applicationset/argocd/shop', 'argo')).toMatchInlineSnapshot(`
    "applicationsets argocd/shop
      ApplicationSet argocd/shop: 2 Applications on 2 clusters: c1, c7
    gitopsclusters argocd/argo
      ApplicationSet argocd/shop: 2 Applications on 2 clusters: c1, c7
      GitOpsCluster argocd/argo: 3 clusters: c1, c2, c7
    "
  `);
});

test('who-uses names the policies and Applications that files affect', async () => {
  const cwd = await folderWith(files);
  const ask = async (name: string): Promise<string> => (await runIn(cwd, ['who-uses', `apps/a/${name}`])).out;
  expect(await ask('ring-1.yaml')).toMatchInlineSnapshot(`
    "ApplicationSet argocd/shop: 2 Applications on 2 clusters: c1, c7
    1 object: Placement argocd/ring-1
    "
  `);
  expect(await ask('ring-2.yaml')).toMatchInlineSnapshot(`
    "Policy argocd/etcd: 1 cluster: c2; enforced on 1 of them: c2
    1 object: Placement argocd/ring-2
    "
  `);
  expect(await ask('argo.yaml')).toMatchInlineSnapshot(`
    "ApplicationSet argocd/shop: 2 Applications on 2 clusters: c1, c7
    GitOpsCluster argocd/argo: 3 clusters: c1, c2, c7
    1 object: GitOpsCluster argocd/argo
    "
  `);
  const { out } = await runIn(cwd, ['who-uses', 'apps/a/ring-2.yaml', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    results: [{ placed: [{ kind: 'Policy', name: 'argocd/etcd', clusters: ['c2'], enforced: ['c2'] }] }],
  });
});
