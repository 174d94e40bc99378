import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { app } from '../plan/states.ts';
import { hubAtRest, served, status, type HubObjects } from './served-hub.ts';

const policyGroup = 'policy.open-cluster-management.io';

/** What Placements decide besides add-ons: a Policy that is enforced, one that is disabled, and an ApplicationSet. */
const text = `${app}
---
apiVersion: ${policyGroup}/v1
kind: Policy
metadata: { name: etcd, namespace: default }
spec: { remediationAction: enforce }
---
apiVersion: ${policyGroup}/v1
kind: Policy
metadata: { name: off, namespace: default }
spec: { disabled: true }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: default, namespace: default }
spec: { clusterSet: default }
---
apiVersion: ${policyGroup}/v1
kind: PlacementBinding
metadata: { name: security, namespace: default }
placementRef: { apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all }
subjects:
- { apiGroup: ${policyGroup}, kind: Policy, name: etcd }
- { apiGroup: ${policyGroup}, kind: Policy, name: off }
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: shop, namespace: default }
spec:
  generators: [{ list: { elements: [{ cluster: a }, { cluster: b }] } }]
  template:
    metadata: { name: 'shop-{{cluster}}' }
    spec:
      project: default
      source: { repoURL: https://git.example.com/shop.git, path: '{{cluster}}' }
      destination: { server: https://kubernetes.default.svc, namespace: shop }
`;

function copy(
  policy: string,
  cluster: string,
  remediationAction = 'enforce',
  compliant = 'Compliant',
): KubernetesObject {
  return {
    apiVersion: `${policyGroup}/v1`,
    kind: 'Policy',
    metadata: {
      name: `default.${policy}`,
      namespace: cluster,
      labels: { [`${policyGroup}/root-policy`]: `default.${policy}` },
    },
    spec: { remediationAction },
    status: { compliant },
  };
}

function application(name: string): KubernetesObject {
  const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'shop', uid: '1' };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'default', ownerReferences: [owner] },
  };
}

/** A hub whose controllers have made what is predicted. */
function hubWithPlaced(): HubObjects {
  const hub = hubAtRest(text);
  const clusters = hub.objects
    .filter(({ kind }) => kind === 'ManagedCluster')
    .map(({ metadata }) => metadata.name ?? '');
  hub.objects.push(...clusters.map((cluster) => copy('etcd', cluster)));
  hub.objects.push(application('shop-a'), application('shop-b'));
  return hub;
}

test('Policies and ApplicationSets are as predicted if controllers have made what Placements decide', async () => {
  const { code, out } = await status(hubWithPlaced(), [], text);
  expect({ code, out }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "out": "ADD-ON  AS PREDICTED  ON THE WAY  DIFFERENT  UNHEALTHY
    hello              5           0          0          0

    everything is as predicted: 1 add-on, 5 installations
    ",
    }
  `);
});

test('names the clusters and Applications that differ, and clusters that do not comply', async () => {
  const hub = hubWithPlaced();
  hub.remove('Policy', 'default.etcd', 'c1');
  hub.objects.push(copy('off', 'c1'));
  const other = hub.get('Policy', 'default.etcd', 'c2');
  other['spec'] = { remediationAction: 'inform' };
  other['status'] = { compliant: 'NonCompliant' };
  hub.remove('Application', 'shop-a', 'default');
  hub.objects.push(application('shop-c'));
  const { code, out } = await status(hub, [], text);
  expect({ code, out }).toMatchInlineSnapshot(`
    {
      "code": 1,
      "out": "ADD-ON  AS PREDICTED  ON THE WAY  DIFFERENT  UNHEALTHY
    hello              5           0          0          0

    Policy default/etcd is missing on c1
    Policy default/etcd has another remediationAction than predicted on c2
    Policy default/etcd is not complied with on c2
    Policy default/off is on clusters that are not predicted: c1
    ApplicationSet default/shop has not created default/shop-a
    ApplicationSet default/shop still has default/shop-c
    not as predicted: 2 Policies, 1 ApplicationSet
    ",
    }
  `);
  const json = await status(hub, ['-o', 'json'], text);
  expect((JSON.parse(json.out) as { placed: unknown }).placed).toMatchInlineSnapshot(`
    {
      "applicationSets": [
        {
          "applicationSet": "default/shop",
          "missing": [
            "default/shop-a",
          ],
          "unexpected": [
            "default/shop-c",
          ],
        },
      ],
      "notCompared": [],
      "policies": [
        {
          "different": [
            "c2",
          ],
          "missing": [
            "c1",
          ],
          "nonCompliant": [
            "c2",
          ],
          "policy": "default/etcd",
          "unexpected": [],
        },
        {
          "different": [],
          "missing": [],
          "nonCompliant": [],
          "policy": "default/off",
          "unexpected": [
            "c1",
          ],
        },
      ],
    }
  `);
});

test('a cluster that does not comply has what is predicted', async () => {
  const hub = hubWithPlaced();
  hub.get('Policy', 'default.etcd', 'c2')['status'] = { compliant: 'NonCompliant' };
  const { code, out } = await status(hub, [], text);
  expect(code).toBe(0);
  expect(out).toContain('Policy default/etcd is not complied with on c2');
});

test('names an ApplicationSet whose Applications cannot be predicted', async () => {
  const unknown = text.replace(
    /generators: .*/,
    'generators: [{ pullRequest: { github: { owner: a, repo: b } } }]',
  );
  const { code, out } = await status(hubWithPlaced(), [], unknown);
  expect(code).toBe(0);
  expect(out).toContain(
    'ApplicationSet default/shop is not compared: the pullRequest generator is not evaluated',
  );
});

test('compares a part of the fleet without them', async () => {
  const hub = hubWithPlaced();
  hub.remove('Policy', 'default.etcd', 'c1');
  const { code, out } = await status(hub, ['hello'], text);
  expect({ code, isNamed: out.includes('etcd') }).toEqual({ code: 0, isNamed: false });
});

test('names what the credentials do not allow to read, and compares the rest', async () => {
  const hub = hubWithPlaced();
  hub.remove('Policy', 'default.etcd', 'c1');
  hub.remove('Application', 'shop-a', 'default');
  const server = await served(hub.objects, ['policies']);
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': text });
  const { code, out } = await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  expect(code).toBe(1);
  expect(out).toContain(
    'not read, because the credentials do not allow it: policies; causes are less exact\n',
  );
  expect(out).toContain('not as predicted: 1 ApplicationSet\n');
});
