import { expect, test } from 'vitest';
import { hubObjects } from '../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';

const addOn = (registration: string): string => `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: agent }
spec:
  addonName: agent
  agentSpec: { workload: { manifests: [{ apiVersion: v1, kind: Namespace, metadata: { name: agents } }] } }
  registration: ${registration}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec:
  supportedConfigs:
  - { group: addon.open-cluster-management.io, resource: addontemplates, defaultConfig: { name: agent } }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: agent, namespace: cluster1 }
spec: {}
status:
  kubeClientDriver: token
  registrations:
  - { signerName: kubernetes.io/kube-apiserver-client, subject: { user: "system:serviceaccount:cluster1:agent-agent" } }
`;

test.each([
  [
    'of an agent with a token keeps driver and user',
    '[{ type: KubeClient }]',
    [
      {
        signerName: 'kubernetes.io/kube-apiserver-client',
        subject: { user: 'system:serviceaccount:cluster1:agent-agent' },
      },
    ],
  ],
  ['that the template no longer has is gone', '[]', undefined],
])('a registration %s', (_, registration, expected) => {
  const { resolution } = resolveText(addOn(registration), { fleet: fleetOf({ cluster1: {} }) });
  const objects = hubObjects(resolution, { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' });
  const held = [...objects].filter(({ kind }) => kind === 'ManagedClusterAddOn');
  expect(held.map(({ status }) => (status as { registrations?: unknown }).registrations)).toEqual([expected]);
});
