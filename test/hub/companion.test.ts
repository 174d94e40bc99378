import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transport } from '../../src/client/transport.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { committed } from './apply/emitted.ts';
import { connect } from './client/hub.ts';
import { isOfKind, namespaceKind, ocmKinds, reference, roleBinding } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { reportWork, until } from './companion/work-agent.ts';

// The add-on of apps/shop-beacon as synth delivers it, and one that the hub manages. The clusters are objects only.
const hub = connect(await sharedHub());
const { kubeconfig } = await sharedHub();
const shops = ['shop-berlin', 'shop-lyon', 'shop-oslo', 'shop-porto', 'shop-tromso'];
const objects = committed('shop-beacon');
const addOn = reference(ocmKinds.clusterManagementAddOn, 'shop-beacon');
const template = reference(ocmKinds.addOnTemplate, 'shop-beacon-1.0.0');
const central = reference(namespaceKind, 'shop-central');
const user = (shop: string): string =>
  `system:open-cluster-management:cluster:${shop}:addon:shop-beacon:agent:shop-beacon-agent`;

const patience = { timeout: 60_000, interval: 100 };

/** What the API server wrote for the companion in the namespaces of the shops. Other tests leave add-ons that it sees to as well. */
const written: string[] = [];
function noting(transport: Transport): Transport {
  return {
    server: transport.server,
    send: async (request) => {
      const response = await transport.send(request);
      const [target = ''] = request.target.split('?');
      const [, shop = ''] = /\/namespaces\/([^/]+)\//.exec(target) ?? [];
      if (request.method !== 'GET' && response.status < 300 && shops.includes(shop))
        written.push(`${shop}: ${request.method} ${target.split(`/${shop}/`)[1] ?? ''}`);
      return response;
    },
    close: () => transport.close(),
  };
}

let companion: RunningCompanion;
beforeAll(async () => {
  for (const shop of shops)
    await hub.client.apply({
      ...reference(ocmKinds.managedCluster, shop),
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    });
  await hub.client.apply(central);
  for (const shop of shops) await until(() => hub.client.get(...namespaceKind, shop));
  for (const object of objects) await hub.client.apply(object);
  const grants = [
    { kind: 'ClusterRole', name: 'shop-beacon-price-reader' },
    ...['view', 'edit'].map((name) => ({ kind: 'ClusterRole', name, namespace: 'shop-central' })),
  ];
  const confined = await confinedKubeconfig(hub.client, kubeconfig, 'shop-companion', { grants });
  companion = startCompanion(confined, {}, { through: noting });
}, 120_000);
afterAll(async () => {
  await companion.stop();
  for (const object of objects.toReversed()) await hub.client.delete(object);
  for (const shop of shops) await hub.client.delete(reference(ocmKinds.managedCluster, shop));
  await hub.client.delete(central);
  hub.close();
}, 120_000);

async function onCluster(shop: string): Promise<KubernetesObject | undefined> {
  return await hub.client.get(...ocmKinds.managedClusterAddOn, 'shop-beacon', shop);
}

async function condition(shop: string, type: string): Promise<unknown> {
  const status = (await onCluster(shop))?.['status'] as
    { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } | undefined;
  const found = status?.conditions?.find((condition) => condition.type === type);
  if (found === undefined) return undefined;
  const { status: value, reason, message } = found as unknown as Record<string, string>;
  return [value, reason, message];
}

async function bindings(namespace: string): Promise<readonly unknown[]> {
  const all = await hub.client.list(...roleBinding, namespace);
  return all
    .filter(({ metadata }) => metadata.name?.startsWith('fleetwright:'))
    .map(({ metadata, roleRef, subjects }) => ({
      name: metadata.name,
      owners: (metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind}/${name}`),
      role: (roleRef as { readonly name: string }).name,
      subjects: (subjects as readonly { readonly kind: string; readonly name: string }[]).map(
        ({ kind, name }) => `${kind} ${name}`,
      ),
    }));
}

const workOf = async (shop: string): Promise<KubernetesObject | undefined> =>
  await hub.client.get(...ocmKinds.manifestWork, 'addon-shop-beacon-deploy-0', shop);

describe('an add-on with compiled delivery', () => {
  test('is registered on every cluster', async () => {
    for (const shop of shops) {
      await expect
        .poll(async () => await condition(shop, 'RegistrationApplied'), patience)
        .toEqual(['True', 'SetPermissionApplied', 'Registration of the addon agent is configured']);
      expect(await onCluster(shop)).toMatchObject({
        metadata: {
          ownerReferences: [
            {
              apiVersion: 'addon.open-cluster-management.io/v1beta1',
              kind: 'ClusterManagementAddOn',
              name: 'shop-beacon',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        status: {
          namespace: 'shop-beacon',
          healthCheck: { mode: 'Customized' },
          supportedConfigs: [{ resource: 'addondeploymentconfigs' }, { resource: 'addontemplates' }],
          registrations: [
            {
              signerName: 'kubernetes.io/kube-apiserver-client',
              subject: {
                user: user(shop),
                groups: [
                  `system:open-cluster-management:cluster:${shop}:addon:shop-beacon`,
                  'system:open-cluster-management:addon:shop-beacon',
                ],
              },
            },
          ],
        },
      });
    }
  });

  test('has the hashes in its status that its works were rendered with', async () => {
    for (const shop of shops) {
      const { configReferences } = ((await onCluster(shop)) ?? addOn)['status'] as {
        readonly configReferences: readonly {
          readonly resource: string;
          readonly group: string;
          readonly desiredConfig: {
            readonly namespace?: string;
            readonly name: string;
            readonly specHash: string;
          };
        }[];
      };
      const reportedHashes = Object.fromEntries(
        configReferences.map(({ resource, group, desiredConfig: { namespace = '', name, specHash } }) => [
          `${resource}.${group}/${namespace}/${name}`,
          specHash,
        ]),
      );
      const annotation = (await workOf(shop))?.metadata.annotations?.[
        'open-cluster-management.io/config-spec-hash'
      ];
      expect(JSON.parse(annotation ?? '')).toEqual(reportedHashes);
    }
  });

  test('grants each cluster separate permissions, and only to its own agent', async () => {
    for (const shop of shops)
      expect(await bindings(shop)).toEqual([
        {
          name: `fleetwright:shop-beacon:${shop}:clusterrole:shop-beacon-price-reader`,
          owners: ['ManagedClusterAddOn/shop-beacon'],
          role: 'shop-beacon-price-reader',
          subjects: [`User ${user(shop)}`],
        },
      ]);
  });

  test('owns its works, which come from Git without an owner', async () => {
    for (const shop of shops)
      await expect
        .poll(async () => await workOf(shop), patience)
        .toMatchObject({
          metadata: { ownerReferences: [{ kind: 'ManagedClusterAddOn', name: 'shop-beacon' }] },
        });
  });

  test('writes only what is needed, and nothing once the state is correct', async () => {
    // Of each: its owner, its permissions, the owner of its work, its status. What the API server refused because a cache
    // was behind is not counted: how often that is depends on the machine.
    const needed = shops.flatMap((shop) => [
      `${shop}: PATCH managedclusteraddons/shop-beacon`,
      `${shop}: PATCH managedclusteraddons/shop-beacon/status`,
      `${shop}: PATCH manifestworks/addon-shop-beacon-deploy-0`,
      `${shop}: POST rolebindings`,
    ]);
    await expect.poll(() => written.toSorted(), patience).toEqual(needed);
    const looks = async (): Promise<number> =>
      await companion.count('fleetwright_reconcile_seconds_count', 'queue="add-on"');
    const before = await looks();
    await hub.client.merge(reference(ocmKinds.managedClusterAddOn, 'shop-beacon', 'shop-oslo'), {
      metadata: { labels: { touched: 'yes' } },
    });
    await expect.poll(looks, patience).toBeGreaterThan(before);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(written.toSorted()).toEqual(needed);
  });

  test('reports progress and health, from the reports of the work agent', async () => {
    const shop = 'shop-oslo';
    await expect
      .poll(async () => await condition(shop, 'Progressing'), patience)
      .toEqual([
        'False',
        'WaitingForManifestApplied',
        'Waiting for ManagedClusterAddOn ManifestApplied condition',
      ]);
    expect(await condition(shop, 'Available')).toBeUndefined();
    await reportWork(hub.client, (await workOf(shop)) ?? addOn, { Applied: 'True' });
    await expect
      .poll(async () => await condition(shop, 'ManifestApplied'), patience)
      .toEqual(['True', 'AddonManifestApplied', 'manifests of addon are applied successfully']);
    await expect
      .poll(async () => await condition(shop, 'Available'), patience)
      .toEqual(['Unknown', 'WorkNotApplied', 'Addon manifestWork is not applied yet']);
    await expect
      .poll(async () => await condition(shop, 'Progressing'), patience)
      .toEqual(['True', 'Progressing', 'progressing... work is not ready']);
    await reportWork(hub.client, (await workOf(shop)) ?? addOn, { Applied: 'True', Available: 'True' });
    await expect
      .poll(async () => await condition(shop, 'Available'), patience)
      .toEqual(['Unknown', 'NoProbeResult', 'Probe results are not returned']);
    await reportWork(hub.client, (await workOf(shop)) ?? addOn, { Applied: 'True', Available: 'True' }, 0);
    await expect
      .poll(async () => await condition(shop, 'Available'), patience)
      .toEqual([
        'False',
        'ProbeUnavailable',
        'Probe addon unavailable with err desiredNumberReplicas is 1 but readyReplica is 0 for deployments shop-beacon/shop-beacon',
      ]);
    await reportWork(hub.client, (await workOf(shop)) ?? addOn, { Applied: 'True', Available: 'True' }, 1);
    await expect
      .poll(async () => await condition(shop, 'Available'), patience)
      .toEqual(['True', 'ProbeAvailable', 'shop-beacon add-on is available.']);
    await expect
      .poll(async () => await condition(shop, 'Progressing'), patience)
      .toEqual(['False', 'Completed', 'completed with no errors.']);
    const { configReferences } = ((await onCluster(shop)) ?? addOn)['status'] as {
      readonly configReferences: readonly { desiredConfig: unknown; lastAppliedConfig: unknown }[];
    };
    expect(configReferences).toHaveLength(2);
    for (const { desiredConfig, lastAppliedConfig } of configReferences)
      expect(lastAppliedConfig).toEqual(desiredConfig);
  });

  test('has exactly the permissions of its template', async () => {
    const whole = (await hub.client.get(...ocmKinds.addOnTemplate, 'shop-beacon-1.0.0')) ?? template;
    const permissions = (hubPermissions: readonly unknown[]) => ({
      spec: { registration: [{ type: 'KubeClient', kubeClient: { hubPermissions } }] },
    });
    const inCentral = (name: string) => ({
      type: 'SingleNamespace',
      singleNamespace: {
        namespace: 'shop-central',
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      },
    });
    await hub.client.merge(whole, permissions([inCentral('view'), inCentral('edit')]));
    await expect.poll(async () => (await bindings('shop-central')).length, patience).toBe(10);
    expect(await bindings('shop-central')).toContainEqual({
      name: 'fleetwright:shop-beacon:shop-lyon:clusterrole:view',
      owners: [],
      role: 'view',
      subjects: [`User ${user('shop-lyon')}`],
    });
    await expect.poll(async () => await bindings('shop-lyon'), patience).toEqual([]);
    await hub.client.merge(whole, permissions([inCentral('view')]));
    await expect.poll(async () => (await bindings('shop-central')).length, patience).toBe(5);
  });

  test('restores a binding that was changed', async () => {
    const name = 'fleetwright:shop-beacon:shop-lyon:clusterrole:view';
    const binding = reference(roleBinding, name, 'shop-central');
    const stranger = { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' };
    await hub.client.merge(binding, { subjects: [stranger] });
    await expect
      .poll(async () => await bindings('shop-central'), patience)
      .toContainEqual(expect.objectContaining({ name, subjects: [`User ${user('shop-lyon')}`] }));
    await hub.client.delete(binding);
    await expect
      .poll(async () => await bindings('shop-central'), patience)
      .toContainEqual(expect.objectContaining({ name }));
    const addOn = 'open-cluster-management.io/addon-name';
    await hub.client.merge(binding, { metadata: { labels: { [addOn]: 'others' } } });
    const named = async (): Promise<unknown> =>
      (await hub.client.get(...roleBinding, name, 'shop-central'))?.metadata.labels?.[addOn];
    await expect.poll(named, patience).toBe('shop-beacon');
  });

  test('reports why permissions cannot be set', async () => {
    const whole = (await hub.client.get(...ocmKinds.addOnTemplate, 'shop-beacon-1.0.0')) ?? template;
    await hub.client.merge(whole, {
      spec: {
        registration: [{ type: 'KubeClient', kubeClient: { hubPermissions: [{ type: 'CurrentCluster' }] } }],
      },
    });
    await expect
      .poll(async () => await condition('shop-lyon', 'RegistrationApplied'), patience)
      .toEqual([
        'False',
        'SetPermissionFailed',
        'Failed to set permission for hub agent: current cluster is required when the HubPermission type is CurrentCluster',
      ]);
    const emittedTemplate = objects.find((object) => isOfKind(object, ocmKinds.addOnTemplate));
    await hub.client.apply(emittedTemplate ?? template);
    await expect
      .poll(async () => await condition('shop-lyon', 'RegistrationApplied'), patience)
      .toEqual(['True', 'SetPermissionApplied', 'Registration of the addon agent is configured']);
  });

  test('leaves a cluster that Git no longer has, with its works and permissions', async () => {
    await hub.client.merge(addOn, {
      metadata: { annotations: { 'fleetwright.dev/clusters': shops.slice(0, 4).join('\n') } },
    });
    await expect.poll(async () => await onCluster('shop-tromso'), patience).toBeUndefined();
    await expect.poll(async () => await workOf('shop-tromso'), patience).toBeUndefined();
    await expect.poll(async () => await bindings('shop-tromso'), patience).toEqual([]);
    expect(await onCluster('shop-porto')).toBeDefined();
  });

  test('is deleted with everything when its ClusterManagementAddOn is deleted', async () => {
    const whole = (await hub.client.get(...ocmKinds.addOnTemplate, 'shop-beacon-1.0.0')) ?? template;
    const singleNamespace = {
      namespace: 'shop-central',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    };
    await hub.client.merge(whole, {
      spec: {
        registration: [
          {
            type: 'KubeClient',
            kubeClient: { hubPermissions: [{ type: 'SingleNamespace', singleNamespace }] },
          },
        ],
      },
    });
    await expect.poll(async () => (await bindings('shop-central')).length, patience).toBe(4);
    await hub.client.delete(addOn);
    for (const shop of shops) {
      await expect.poll(async () => await onCluster(shop), patience).toBeUndefined();
      await expect.poll(async () => await workOf(shop), patience).toBeUndefined();
      await expect.poll(async () => await bindings(shop), patience).toEqual([]);
    }
    await expect.poll(async () => await bindings('shop-central'), patience).toEqual([]);
  });
});

describe('an add-on that the hub manages', () => {
  test('is not touched', async () => {
    const name = 'hubs-own';
    await hub.client.apply({ ...reference(ocmKinds.clusterManagementAddOn, name), spec: {} });
    const own = reference(ocmKinds.managedClusterAddOn, name, 'shop-oslo');
    await hub.client.apply({ ...own, spec: {} });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const { metadata } = (await hub.client.get(...ocmKinds.managedClusterAddOn, name, 'shop-oslo')) ?? own;
    const { managedFields = [] } = metadata as {
      readonly managedFields?: readonly { readonly manager: string }[];
    };
    expect(managedFields.map(({ manager }) => manager)).not.toContain('fleetwright-controller');
    await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, name));
    await hub.client.delete(own);
  });
});
