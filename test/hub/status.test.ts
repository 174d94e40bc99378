import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CauseCode } from '../../src/compiler/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { addOnCondition, conditionIn } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { deployedAddOn, fleetOf, kubeClientRegistration, reportReady } from './companion/deployed-add-on.ts';
import { agentOf, goodRequest } from './companion/fleet.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { synthesized } from './companion/synthesized.ts';
import { until } from './companion/until.ts';
import { reportWork } from './companion/work-agent.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import {
  configMap,
  configMapKind,
  placements,
  rejecting,
  templateAddOn,
  type AddOnParts,
} from './status/faulty-add-ons.ts';
import { WorkingTree } from './status/working-tree.ts';

// Faults on a real hub with a managed cluster, each with its own add-on. `status` has to name each within 10 s.

let running: RunningHub;
let hub: Hub;
let cluster: ApiClient;
let tree: WorkingTree;
let companion: RunningCompanion | undefined;

const far = ['far1', 'far2', 'far3'];
const kinds = { deployment: ['apps/v1', 'Deployment'], job: ['batch/v1', 'Job'] } as const;
const addOns = 'addon.open-cluster-management.io';
const signerName = 'status.example.com/seal';

/** How soon `status` has to name a fault. */
const soon = { timeout: 10_000, interval: 250 };

/** After this time, a hub that can react has reacted. In milliseconds. */
const hubReaction = 2000;

interface Fault {
  readonly name: string;
  readonly expected: CauseCode;
  readonly addOn: string;
  readonly parts?: AddOnParts;
  /** Runs before the add-on is applied. */
  readonly prepare?: () => Promise<void>;
  /** Runs once the add-on is applied. */
  readonly cause?: () => Promise<void>;
  /** The part of the cause's message that names the culprit. */
  readonly message?: string | RegExp;
  readonly isUnapplied?: true;
}

const apply = async (client: ApiClient, objects: readonly object[]): Promise<void> => {
  for (const object of objects) await client.apply(object as KubernetesObject);
};

const onCluster = async (name: string): Promise<KubernetesObject> => {
  const addOn = reference(ocmKinds.managedClusterAddOn, name, 'cluster1');
  await until(`add-on ${name}`, async () => (await addOnOf(name)) !== undefined);
  return addOn;
};

async function addOnOf(name: string, clusterName = 'cluster1'): Promise<KubernetesObject | undefined> {
  return await hub.client.get(...ocmKinds.managedClusterAddOn, name, clusterName);
}

/** Writes the driver as the agent of a cluster does once the hub has registered it. */
async function registerWithToken(name: string, clusterName: string): Promise<void> {
  const isRegistered = async (): Promise<boolean> => {
    const { registrations } = ((await addOnOf(name, clusterName))?.['status'] ?? {}) as {
      readonly registrations?: object;
    };
    return registrations !== undefined;
  };
  await until(`the registration of ${name}`, isRegistered);
  const onCluster = reference(ocmKinds.managedClusterAddOn, name, clusterName);
  await hub.client.merge(onCluster, { status: { kubeClientDriver: 'token' } }, 'status');
}

const sealed: AddOnParts = {
  registration: [
    { type: 'CustomSigner', customSigner: { signerName, signingCA: { name: 'seal', namespace: 'default' } } },
  ],
};

const deploymentOf = (name: string): object => ({
  ...reference(kinds.deployment, name, name),
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'agent', image: 'example.com/agent:1' }] },
    },
  },
});

const hookOf = (name: string): object => ({
  ...reference(kinds.job, name, name),
  metadata: {
    name,
    namespace: name,
    annotations: { 'addon.open-cluster-management.io/addon-pre-delete': '' },
  },
  spec: {
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'hook', image: 'example.com/hook:1' }] },
    },
  },
});

const faults: readonly Fault[] = [
  {
    name: 'an add-on that only Git has',
    addOn: 'unapplied',
    expected: 'git-not-applied',
    isUnapplied: true,
    message: 'ClusterManagementAddOn unapplied',
  },
  {
    name: 'a configuration that does not exist',
    addOn: 'unconfigured',
    parts: { config: 'missing' },
    expected: 'configuration-missing',
    message: 'add-ons/missing',
  },
  {
    name: 'a kind of configuration that the add-on does not support',
    addOn: 'unsupported',
    expected: 'configuration-unsupported',
    cause: async () => {
      const configs = [{ group: 'example.com', resource: 'widgets', name: 'w', namespace: 'default' }];
      await hub.client.merge(await onCluster('unsupported'), { spec: { configs } });
    },
    message: 'example.com/widgets',
  },
  {
    name: 'a Placement that does not exist, beside one that selects the cluster',
    addOn: 'misplaced',
    parts: { nextPlacement: 'absent' },
    expected: 'rollout-error',
    message: 'absent',
  },
  {
    name: 'an add-on whose creation the hub rejects',
    addOn: 'pended',
    cause: async () => await delay(hubReaction),
    expected: 'hub-pending',
    message: 'a placement selects the cluster, and the hub has not created the add-on',
  },
  {
    name: 'an add-on whose deletion the hub rejects',
    addOn: 'kept',
    parts: { placement: 'moving' },
    cause: async () => {
      await until('the add-on', async () => (await addOnOf('kept', 'moving1')) !== undefined);
      const labels = { role: 'moved' };
      await hub.client.merge(reference(ocmKinds.managedCluster, 'moving1'), { metadata: { labels } });
      await delay(hubReaction);
    },
    expected: 'not-removed',
  },
  {
    name: 'a cluster without its namespace',
    addOn: 'strayed',
    parts: { placement: 'stray' },
    expected: 'namespace-missing',
  },
  {
    name: 'a cluster whose agent never starts',
    addOn: 'unjoined',
    parts: { placement: 'unjoined' },
    prepare: async () =>
      await apply(hub.client, [
        {
          ...reference(ocmKinds.managedCluster, 'unjoined1'),
          metadata: { name: 'unjoined1', labels: { role: 'unjoined' } },
          spec: { hubAcceptsClient: true },
        },
      ]),
    expected: 'cluster-not-joined',
  },
  {
    name: 'a template with an error',
    addOn: 'unrendered',
    parts: { manifests: [configMap('unrendered', 'default', { a: '{{LEVEL' })] },
    expected: 'template-refused',
    message: 'failed to get manifest',
  },
  {
    name: 'a template whose work becomes larger than the hub stores',
    addOn: 'immense',
    parts: {
      config: 'immense',
      manifests: [configMap('immense', 'default', { a: '{{KILOBYTE}}'.repeat(2000) })],
    },
    prepare: async () => {
      const config = {
        ...reference(ocmKinds.addOnDeploymentConfig, 'immense', 'add-ons'),
        spec: { customizedVariables: [{ name: 'KILOBYTE', value: 'x'.repeat(1000) }] },
      };
      await tree.write('immense-config', [config]);
      await apply(hub.client, [config]);
    },
    expected: 'work-too-large',
    message: 'exceeds the 512000 limit',
  },
  {
    name: 'an agent that reports that it is degraded',
    addOn: 'worn',
    cause: async () => {
      const addOn = await onCluster('worn');
      await until(
        'the add-on',
        async () => (await addOnCondition(hub.client, 'worn', 'cluster1', 'Available'))?.status === 'True',
      );
      const { conditions = [] } = ((await addOnOf('worn'))?.['status'] ?? {}) as { conditions?: object[] };
      const degraded = {
        type: 'Degraded',
        status: 'True',
        reason: 'Slow',
        message: 'behind by 5 min',
        lastTransitionTime: new Date().toISOString(),
      };
      await hub.client.merge(addOn, { status: { conditions: [...conditions, degraded] } }, 'status');
    },
    expected: 'degraded',
    message: 'Slow: behind by 5 min',
  },
  {
    name: 'a manager that does not run',
    addOn: 'unmanaged',
    expected: 'manager-silent',
    cause: async () => {
      const definition = reference(ocmKinds.clusterManagementAddOn, 'unmanaged');
      const annotations = { 'addon.open-cluster-management.io/lifecycle': 'self' };
      await onCluster('unmanaged');
      await hub.client.merge(definition, { metadata: { annotations } });
      // What addon-manager began before it saw the annotation can still write.
      const isSilent = async (): Promise<boolean> => {
        await hub.client.merge(
          reference(ocmKinds.managedClusterAddOn, 'unmanaged', 'cluster1'),
          { status: null },
          'status',
        );
        await delay(1000);
        return (
          (await addOnCondition(hub.client, 'unmanaged', 'cluster1', 'RegistrationApplied')) === undefined
        );
      };
      await until('the end of its reports', isSilent);
    },
  },
  {
    name: 'permissions that the hub rejects',
    addOn: 'unpermitted',
    parts: {
      registration: [
        {
          type: 'KubeClient',
          kubeClient: {
            hubPermissions: [{ type: 'CurrentCluster', currentCluster: { clusterRoleName: 'view' } }],
          },
        },
      ],
    },
    expected: 'permissions-failed',
    message: 'no-bindings rejects it',
  },
  {
    name: 'a token whose ServiceAccount an admission policy of the hub rejects',
    addOn: 'untokened',
    parts: { placement: 'far', registration: [{ type: 'KubeClient' }] },
    cause: async () => await registerWithToken('untokened', 'far1'),
    expected: 'token-unprepared',
    message: 'no-accounts rejects it',
  },
  {
    name: 'a work that an admission policy of the hub rejects',
    addOn: 'rejected',
    expected: 'work-refused',
    message: 'no-works rejects it',
  },
  {
    name: 'a certificate that nobody signs',
    addOn: 'sealed',
    parts: sealed,
    expected: 'request-pending',
    message: `the request to ${signerName} is approved, and no signer has issued the certificate`,
  },
  {
    name: 'a manifest that an admission policy of the cluster rejects',
    addOn: 'guarded',
    prepare: async () =>
      await apply(cluster, rejecting('no-guarded', '', 'configmaps', "object.metadata.name != 'guarded'")),
    expected: 'manifest-refused',
    message: 'no-guarded rejects it',
  },
  {
    name: 'a field that another writer owns',
    addOn: 'contested',
    parts: {
      agentSpec: {
        manifestConfigs: [
          {
            resourceIdentifier: {
              group: '',
              resource: 'configmaps',
              name: 'contested',
              namespace: 'contested',
            },
            updateStrategy: { type: 'ServerSideApply' },
          },
        ],
      },
    },
    prepare: async () =>
      await apply(cluster, [
        reference(namespaceKind, 'contested'),
        configMap('contested', 'contested', { a: 'of another writer' }),
      ]),
    expected: 'manifest-conflict',
    message: 'conflict',
  },
  {
    name: 'a namespace that the cluster does not have',
    addOn: 'homeless',
    parts: { manifests: [configMap('homeless', 'nowhere')] },
    expected: 'manifest-namespace-missing',
    message: 'ConfigMap nowhere/homeless: namespaces "nowhere" not found',
  },
  {
    name: 'a kind that the cluster does not serve',
    addOn: 'unknown-kind',
    parts: {
      manifests: [
        { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } },
      ],
    },
    expected: 'manifest-kind-missing',
    message: 'Widget',
  },
  {
    name: 'a Deployment that reports nothing',
    addOn: 'unprobed',
    parts: { manifests: [reference(namespaceKind, 'unprobed'), deploymentOf('unprobed')] },
    expected: 'probe-missing',
  },
  {
    name: 'a Deployment that stopped',
    addOn: 'unready',
    parts: { manifests: [reference(namespaceKind, 'unready'), deploymentOf('unready')] },
    cause: async () => {
      await until(
        'the Deployment',
        async () => (await cluster.get(...kinds.deployment, 'unready', 'unready')) !== undefined,
      );
      await reportReady(cluster, 'unready', 1);
      await until(
        'the add-on',
        async () => (await addOnCondition(hub.client, 'unready', 'cluster1', 'Available'))?.status === 'True',
      );
      await reportReady(cluster, 'unready', 0);
    },
    expected: 'workload-unavailable',
    message: 'readyReplica',
  },
  {
    name: 'a pre-delete hook that does not end',
    addOn: 'hooked',
    parts: {
      manifests: [reference(namespaceKind, 'hooked'), configMap('hooked', 'hooked'), hookOf('hooked')],
    },
    cause: async () => {
      const addOn = await onCluster('hooked');
      await until('the finalizer', async () => (await addOnOf('hooked'))?.metadata.finalizers !== undefined);
      await hub.client.delete(addOn);
    },
    expected: 'hook-running',
  },
  {
    name: 'a finalizer of another controller',
    addOn: 'held',
    cause: async () => {
      const addOn = await onCluster('held');
      await hub.client.merge(addOn, { metadata: { finalizers: ['example.com/cleanup'] } });
      await hub.client.delete(addOn);
    },
    expected: 'deletion-pending',
    message: 'example.com/cleanup',
  },
];

beforeAll(async () => {
  running = await startHub({ managedCluster: 'cluster1,cluster2', addOnLeaseDuration: '1s' });
  hub = connect(running);
  tree = await WorkingTree.create(running.kubeconfig);
  cluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  await hub.client.merge(reference(ocmKinds.managedCluster, 'cluster1'), {
    metadata: { labels: { role: 'everywhere' } },
    spec: { leaseDurationSeconds: 1 },
  });
  await apply(hub.client, rejecting('no-strays', '', 'namespaces', 'object.metadata.name != "stray1"'));
  await until('the policy', async () => {
    const meant = { apiVersion: 'v1', kind: 'Namespace' };
    const stray = JSON.stringify(reference(namespaceKind, 'stray1'));
    return (await hub.client.refusal(meant, stray)) !== undefined;
  });
  for (const name of [...far, 'leaving1', 'moving1', 'stray1']) {
    const role = name.replace(/\d$/, '');
    const managedCluster = reference(ocmKinds.managedCluster, name);
    await hub.client.apply({
      ...managedCluster,
      metadata: { name, labels: { role } },
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    });
    const conditions = ['ManagedClusterJoined', 'ManagedClusterConditionAvailable'].map((type) => ({
      type,
      status: 'True',
      reason: 'Reported',
      message: 'as reported',
      lastTransitionTime: new Date().toISOString(),
    }));
    await hub.client.merge(managedCluster, { status: { conditions } }, 'status');
  }
  await tree.write('placements', placements);
  await apply(hub.client, placements);
  const guarded = reference(configMapKind, 'guarded', 'default');
  await apply(hub.client, [
    ...rejecting(
      'no-bindings',
      'rbac.authorization.k8s.io',
      'rolebindings',
      '!object.metadata.name.contains("unpermitted")',
    ),
    ...rejecting(
      'no-works',
      'work.open-cluster-management.io',
      'manifestworks',
      '!object.metadata.name.startsWith("addon-rejected-")',
    ),
    ...rejecting('no-accounts', '', 'serviceaccounts', 'object.metadata.name != "untokened-agent"'),
    ...rejecting('no-guarded', '', 'configmaps', 'object.metadata.name != "guarded"'),
    ...rejecting('no-pended', addOns, 'managedclusteraddons', 'object.metadata.name != "pended"'),
    ...rejecting('no-removal', addOns, 'managedclusteraddons', 'oldObject.metadata.name != "kept"', [
      'DELETE',
    ]),
  ]);
  await apply(cluster, rejecting('no-guarded', '', 'configmaps', 'object.metadata.name != "guarded"'));
  for (const client of [hub.client, cluster])
    await until('the policies', async () => {
      const meant = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
      return (await client.refusal(meant, JSON.stringify(guarded))) !== undefined;
    });
}, 240_000);
afterAll(async () => {
  await companion?.stop();
  cluster.close();
  hub.close();
  await running.stop();
  await tree.remove();
}, 60_000);

async function causesOf(
  addOn: string,
  ...options: readonly string[]
): Promise<readonly { code: string; message: string }[]> {
  const { addOns } = await tree.status(addOn, ...options);
  return addOns.flatMap(({ classes }) => classes.map(({ cause }) => cause));
}

/** Returns the causes of an add-on, each with its clusters. */
async function classesOf(addOn: string): Promise<readonly (readonly string[])[]> {
  const { addOns } = await tree.status(addOn);
  return addOns.flatMap(({ classes }) => classes.map(({ cause, clusters }) => [cause.code, ...clusters]));
}

/** Reports the work of an add-on as applied, and its manifests as not available. */
async function reportUnavailable(addOn: string, clusterName: string): Promise<void> {
  const name = `addon-${addOn}-deploy-0`;
  const work = async (): Promise<KubernetesObject | undefined> =>
    await hub.client.get(...ocmKinds.manifestWork, name, clusterName);
  await until(`the work of ${clusterName}`, async () => (await work()) !== undefined);
  const created = await work();
  if (created === undefined) throw new Error('the work');
  await reportWork(hub.client, created, { Applied: 'True', Available: 'False' });
}

test('an add-on without a fault becomes as predicted, and stays so', async () => {
  const objects = templateAddOn('healthy', { registration: [] });
  await tree.write('healthy', objects);
  await apply(hub.client, objects);
  await expect
    .poll(async () => (await tree.status('healthy')).addOns[0]?.classes, { timeout: 60_000, interval: 250 })
    .toEqual([]);
});

test.each(faults)(
  '$expected: $name',
  async ({ addOn, parts, prepare, cause, expected, message = '', isUnapplied }) => {
    await prepare?.();
    const objects = templateAddOn(addOn, parts);
    await tree.write(addOn, objects);
    if (isUnapplied === undefined) await apply(hub.client, objects);
    await cause?.();
    const named: unknown = expect.objectContaining({
      code: expected,
      message: expect.stringMatching(message) as string,
    });
    // A new agent has time until its first report.
    const timeout = expected === 'probe-missing' ? 45_000 : soon.timeout;
    await expect.poll(async () => await causesOf(addOn), { ...soon, timeout }).toContainEqual(named);
    // If the working tree is applied, the objects on the hub predict the same.
    const options = isUnapplied === undefined ? ['--applied'] : [];
    await expect.poll(async () => await causesOf(addOn, ...options), soon).toContainEqual(named);
  },
);

test.each(['pended', 'kept'])('hub-silent: three minutes later, %s is not on the way', async (addOn) => {
  const later = new Date(Date.now() + 180_000).toISOString().replace(/\.\d+Z/, 'Z');
  const codes = (await causesOf(addOn, '--now', later)).map(({ code }) => code);
  expect(codes).toEqual(['hub-silent']);
});

test('wave-not-reached: clusters wait for one whose agent is silent', async () => {
  const rolloutStrategy = { type: 'Progressive', progressive: { maxConcurrency: 1 } };
  const objects = templateAddOn('waves', { placement: 'far', rolloutStrategy });
  await tree.write('waves', objects);
  await apply(hub.client, objects);
  const classes = async (): Promise<readonly object[]> =>
    (await tree.status('waves')).addOns.flatMap((each) =>
      each.classes.map(({ cause, clusters, wave }) => ({
        code: cause.code,
        clusters,
        waitsFor: wave?.waitsFor,
      })),
    );
  await expect.poll(classes, soon).toEqual([
    { code: 'wave-not-reached', clusters: ['far2'], waitsFor: ['far1'] },
    { code: 'wave-not-reached', clusters: ['far3'], waitsFor: ['far1'] },
    { code: 'work-agent-silent', clusters: ['far1'], waitsFor: undefined },
  ]);
});

test('budget-spent: a cluster is in progress after its deadline', async () => {
  const rolloutStrategy = { type: 'Progressive', progressive: { maxConcurrency: 1, progressDeadline: '1s' } };
  const objects = templateAddOn('late', { placement: 'far', rolloutStrategy });
  await tree.write('late', objects);
  await apply(hub.client, objects);
  await reportUnavailable('late', 'far1');
  await expect
    .poll(async () => await classesOf('late'), soon)
    .toEqual([
      ['budget-spent', 'far2', 'far3'],
      ['deadline-passed', 'far1'],
    ]);
});

test('rollout-blocked: a cluster of the first group follows another placement', async () => {
  const objects = templateAddOn('blocked', {
    placement: 'grouped',
    nextPlacement: 'first',
    rolloutStrategy: { type: 'ProgressivePerGroup' },
  });
  await tree.write('blocked', objects);
  await apply(hub.client, objects);
  await expect
    .poll(async () => await classesOf('blocked'), soon)
    .toEqual([
      ['rollout-blocked', 'far2', 'far3'],
      ['work-agent-silent', 'far1'],
    ]);
});

test('token-unprepared: while the addon-manager of the hub does not run', async () => {
  const objects = templateAddOn('tokens', { placement: 'far', registration: [{ type: 'KubeClient' }] });
  await tree.write('tokens', objects);
  await apply(hub.client, objects);
  await until('the add-on', async () => (await addOnOf('tokens', 'far1')) !== undefined);
  await until(
    'its registration',
    async () =>
      (await addOnCondition(hub.client, 'tokens', 'far1', 'RegistrationApplied'))?.status === 'True',
  );
  await running.cause('stop-add-on-manager');
  await registerWithToken('tokens', 'far1');
  await expect
    .poll(async () => await causesOf('tokens'), soon)
    .toContainEqual({
      code: 'token-unprepared',
      message:
        "the agent registers with a token, and nothing has created its ServiceAccount: OCM's addon-manager does not run",
    });
  await running.cause('start-add-on-manager');
  await expect.poll(async () => await classesOf('tokens'), soon).toEqual([['work-agent-silent', ...far]]);
});

const pulseParts = deployedAddOn('pulse', {
  annotations: { 'fleetwright.dev/health': 'lease' },
  registration: [kubeClientRegistration('pulse-reader')],
});

/** Compiled delivery, with another template of the same content on cluster1. */
const pulse = [
  ...placements,
  ...pulseParts,
  { ...pulseParts[0], metadata: { name: 'pulse-2' } },
  {
    ...reference(ocmKinds.managedClusterAddOn, 'pulse', 'cluster1'),
    spec: { configs: [{ group: addOns, resource: 'addontemplates', name: 'pulse-2' }] },
  },
];

/** A fleet of clusters that have the same label `role`. */
function fleetWith(role: string, names: readonly string[]): readonly object[] {
  const [global = {}] = fleetOf('');
  const clusters = names.map((name) => ({
    ...reference(ocmKinds.managedCluster, name),
    metadata: { name, labels: { role } },
    spec: { hubAcceptsClient: true },
  }));
  return [global, ...clusters];
}

test('git-not-applied: compiled objects that are not on the hub', async () => {
  await tree.write('pulse', pulse.slice(placements.length));
  await expect
    .poll(async () => await causesOf('pulse'), soon)
    .toContainEqual(expect.objectContaining({ code: 'git-not-applied' }));
});

test('manager-silent: a companion that does not run', async () => {
  const fleet = fleetWith('everywhere', ['cluster1']);
  for (const object of await synthesized(pulse, fleet)) await hub.client.apply(object);
  await expect
    .poll(async () => await causesOf('pulse'), soon)
    .toEqual([
      {
        code: 'manager-silent',
        message:
          'no manager has reported RegistrationApplied: the companion does not run, or does not handle it',
      },
    ]);
});

/** Writes the Lease of `pulse` as its agent does. */
async function renewLease(client: ApiClient, renewTime: Date): Promise<void> {
  const onHub = await addOnOf('pulse');
  const { namespace = '' } = (onHub?.['status'] ?? {}) as { namespace?: string };
  await client.apply(reference(namespaceKind, namespace));
  await client.apply({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'pulse', namespace },
    spec: { renewTime: renewTime.toISOString().replace('Z', '000Z'), leaseDurationSeconds: 60 },
  });
}

test('lease-missing: an agent that renews its Lease on another cluster', async () => {
  await hub.client.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'pulse-reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
  });
  const grants = [{ kind: 'ClusterRole', name: 'pulse-reader' }];
  companion = startCompanion(
    await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { grants }),
  );
  await expect
    // A new agent has half a minute for its first report.
    .poll(async () => await causesOf('pulse'), { ...soon, timeout: 45_000 })
    .toEqual([
      expect.objectContaining({
        code: 'lease-missing',
        message: expect.stringContaining('Lease pulse') as string,
      }),
    ]);
  const other = new ApiClient(readAccess(running.managedClusters?.[1]?.kubeconfig ?? ''));
  await renewLease(other, new Date());
  other.close();
  await delay(hubReaction);
  expect(await causesOf('pulse')).toEqual([expect.objectContaining({ code: 'lease-missing' })]);
});

test('lease-not-renewed: an agent that stopped', async () => {
  await renewLease(cluster, new Date(Date.now() - 60_000));
  await expect
    .poll(async () => await causesOf('pulse'), soon)
    .toEqual([expect.objectContaining({ code: 'lease-not-renewed' })]);
  expect(await causesOf('pulse', '--applied')).toEqual([
    expect.objectContaining({ code: 'lease-not-renewed' }),
  ]);
  await renewLease(cluster, new Date());
  await expect.poll(async () => await causesOf('pulse'), soon).toEqual([]);
  // Agents renew it repeatedly: five seconds later it would have expired again.
  await renewLease(cluster, new Date(Date.now() + 60_000));
  await expect.poll(async () => await causesOf('pulse', '--applied'), soon).toEqual([]);
});

test('health-unreported: no registration agent looks for the Lease', async () => {
  const objects = deployedAddOn('unreported', {
    annotations: { 'fleetwright.dev/health': 'lease' },
    registration: [],
    placement: 'far',
  });
  await tree.write('unreported', objects);
  const compiled = await synthesized([...placements, ...objects], fleetWith('far', far));
  for (const object of compiled) await hub.client.apply(object);
  for (const { kind, metadata } of compiled) {
    if (kind !== 'ManifestWork') continue;
    const work = await hub.client.get(
      ...ocmKinds.manifestWork,
      metadata.name ?? '',
      metadata.namespace ?? '',
    );
    if (work !== undefined) await reportWork(hub.client, work, { Applied: 'True', Available: 'True' });
  }
  await expect.poll(async () => await classesOf('unreported'), soon).toEqual([['health-unreported', ...far]]);
});

test('request-refused: the companion names the check', async () => {
  const { spec } = goodRequest('cluster1', 'pulse', { usages: ['client auth', 'server auth'] });
  await hub.client.as(agentOf('cluster1')).create({ ...goodRequest('cluster1', 'pulse'), spec });
  await expect
    .poll(async () => await causesOf('pulse'), soon)
    .toEqual([
      expect.objectContaining({
        code: 'request-refused',
        message: expect.stringContaining('usages') as string,
      }),
    ]);
});

test('an add-on without a fault is as predicted while all others fail', async () => {
  expect((await tree.status('healthy')).addOns[0]?.classes).toEqual([]);
});

test('cluster-not-accepted and cluster-deleting: the cluster is the cause on all its add-ons', async () => {
  await hub.client.merge(reference(ocmKinds.managedCluster, 'far1'), { spec: { hubAcceptsClient: false } });
  await expect
    .poll(async () => await causesOf('waves'), soon)
    .toContainEqual(expect.objectContaining({ code: 'cluster-not-accepted' }));
  // The hub removes the add-ons of a cluster that is deleted, unless something holds them.
  const held = { metadata: { finalizers: ['example.com/cleanup'] } };
  const far3 = reference(ocmKinds.managedCluster, 'far3');
  await hub.client.merge(reference(ocmKinds.managedClusterAddOn, 'waves', 'far3'), held);
  await hub.client.merge(far3, held);
  await hub.client.delete(far3);
  await expect
    .poll(async () => await causesOf('waves'), soon)
    .toContainEqual(expect.objectContaining({ code: 'cluster-deleting' }));
});

test('taint: an add-on that is leaving, then the list of excluded clusters', async () => {
  const objects = templateAddOn('leaver', { placement: 'leaving' });
  await tree.write('leaver', objects);
  await apply(hub.client, objects);
  await until('the add-on', async () => (await addOnOf('leaver', 'leaving1')) !== undefined);
  await hub.client.merge(reference(ocmKinds.managedClusterAddOn, 'leaver', 'leaving1'), {
    metadata: { finalizers: ['example.com/cleanup'] },
  });
  const taints = [{ key: 'gpu', effect: 'NoSelect' }];
  await hub.client.merge(reference(ocmKinds.managedCluster, 'leaving1'), { spec: { taints } });
  await expect
    .poll(async () => await causesOf('leaver'), soon)
    .toEqual([expect.objectContaining({ code: 'taint' })]);
  await hub.client.merge(reference(ocmKinds.managedClusterAddOn, 'leaver', 'leaving1'), {
    metadata: { finalizers: null },
  });
  await expect
    .poll(async () => (await tree.status('leaver')).addOns[0]?.excluded, soon)
    .toEqual([{ taint: 'gpu:NoSelect', clusters: ['leaving1'] }]);
});

test('cluster-unavailable: before everything that follows from it', async () => {
  await running.cause('stop-managed-cluster');
  await until('the hub to notice', async () => {
    const managedCluster = await hub.client.get(...ocmKinds.managedCluster, 'cluster1');
    return conditionIn(managedCluster?.['status'], 'ManagedClusterConditionAvailable')?.status === 'Unknown';
  });
  for (const addOn of ['healthy', 'homeless', 'pulse'])
    await expect
      .poll(async () => await causesOf(addOn), soon)
      .toEqual([expect.objectContaining({ code: 'cluster-unavailable' })]);
});
