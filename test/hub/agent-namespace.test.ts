import { afterAll, expect, test } from 'vitest';
import { agentNamespace } from '../../src/ocm/agent-namespace.ts';
import type { AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import { connect } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { createCluster, installAddOn } from './companion/fleet.ts';

// Where addon-manager has agents register, beside the rule that compiler and companion share.

const hub = connect(await sharedHub());
afterAll(() => hub.close());

const addOn = 'located';
const patience = { timeout: 60_000, interval: 200 };
const workload = (kind: string, namespace: string, spec: object = {}, apiVersion = 'apps/v1'): object => ({
  apiVersion,
  kind,
  metadata: { name: `${kind.toLowerCase()}-${namespace}`, ...(namespace !== '' && { namespace }) },
  spec: { selector: { matchLabels: { app: 'a' } }, template: {}, ...spec },
});

test.each([
  ['nothing', []],
  [
    'a DaemonSet before a Deployment',
    [workload('DaemonSet', 'daemons'), workload('Deployment', 'deployments')],
  ],
  ['a Deployment without a namespace', [workload('DaemonSet', 'daemons'), workload('Deployment', '')]],
  [
    'a Deployment that Go cannot read',
    [workload('Deployment', 'deployments', { replicas: 'three' }), workload('DaemonSet', 'daemons')],
  ],
  ['a Deployment of another group', [workload('Deployment', 'deployments', {}, 'example.com/v1')]],
  ['a Deployment of an older version', [workload('Deployment', 'deployments', {}, 'apps/v1beta1')]],
])('a template with %s', async (_, manifests) => {
  const cluster = `located-${manifests.length}-${Math.random().toString(36).slice(2, 8)}`;
  const template = {
    ...reference(ocmKinds.addOnTemplate, addOn),
    spec: {
      addonName: addOn,
      agentSpec: { workload: { manifests } },
      registration: [{ type: 'KubeClient' }],
    },
  };
  await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, addOn));
  await hub.client.delete(template);
  await hub.client.apply(template);
  await hub.client.apply({
    ...reference(ocmKinds.clusterManagementAddOn, addOn),
    spec: {
      supportedConfigs: [
        {
          group: 'addon.open-cluster-management.io',
          resource: 'addontemplates',
          defaultConfig: { name: addOn },
        },
      ],
      installStrategy: { type: 'Manual' },
    },
  });
  await createCluster(hub.client, cluster);
  await installAddOn(hub.client, cluster, addOn);
  const expected = agentNamespace(template as unknown as AddOnTemplateV1alpha1, 34);
  const namespace = async (): Promise<unknown> => {
    const onCluster = await hub.client.get(...ocmKinds.managedClusterAddOn, addOn, cluster);
    return (onCluster?.['status'] as { readonly namespace?: string } | undefined)?.namespace;
  };
  await expect.poll(namespace, patience).toBe(expected);
});
