import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../constructs/companion-permissions.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connect } from './client/hub.ts';
import {
  namespaceKind,
  ocmKinds,
  reference,
  role,
  roleBinding,
  serviceAccount,
  type KindOf,
} from './client/kinds.ts';
import { companionNamespace, companionObjects, confinedKubeconfig } from './companion/confined-companion.ts';
import {
  agentOf,
  createAddOn,
  createAuthority,
  createCluster,
  customRequest,
  goodRequest,
  labels,
  requestKind,
  secretKind,
  type RequestObject,
} from './companion/fleet.ts';
import { allowedBy, kubeconfigAs, untilBound } from './companion/permissions.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { until } from './companion/until.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// What the construct lets a companion do is what it does: neither permissions nor admission policies refuse anything, and it does
// all that it may. The API server runs OwnerReferencesPermissionEnforcement, as OpenShift's does.

const rbac = 'rbac.authorization.k8s.io/v1';
const eventKind: KindOf = ['v1', 'Event'];
const signer = 'allowed.example.com/hello';
const reader = 'allowed-reader';
const configKind = { group: 'cluster.open-cluster-management.io', resource: 'addonplacementscores' };
/** A Secret that is a configuration. */
const settings = { name: 'allowed-settings', namespace: 'default' };
const patience = { timeout: 120_000, interval: 100 };

let running: RunningHub;
let hub: ReturnType<typeof connect>;
let folder: string;

beforeAll(async () => {
  running = await startHub();
  // It would create the objects from which agents get tokens, before the companion does.
  await running.cause('stop-add-on-manager');
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-permissions-'));
  hub = connect(running);
  await hub.client.apply(reference(namespaceKind, companionNamespace));
  await hub.client.apply({
    ...reference([rbac, 'ClusterRole'], reader),
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
  });
  await createAuthority(hub.client, 'allowed-authority');
  await hub.client.apply(reference(secretKind, settings.name, settings.namespace));
}, 300_000);

afterAll(async () => {
  hub.close();
  await running.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

const props = {
  grants: [{ kind: 'ClusterRole', name: reader }],
  signers: [{ signerName: signer, signingCA: { name: 'allowed-authority', namespace: 'default' } }],
  configKinds: [configKind],
  secretConfigs: [settings],
  tokenRegistration: true,
};

/** What the construct makes for a companion. */
function constructed(): readonly KubernetesObject[] {
  return companionObjects('companion', props);
}

/** Returns when the API server acts on roles and bindings: requests that come before would be refused. */
async function grant(objects: readonly KubernetesObject[]): Promise<void> {
  for (const object of objects) await hub.client.apply(object);
  await untilBound(hub.client, objects);
}

function startWith(kubeconfig: string): RunningCompanion {
  return startCompanion(kubeconfig, {
    tokenRegistration: true,
    leaderElection: true,
    leaderElectionName: 'companion',
    leaderElectionNamespace: companionNamespace,
  });
}

function startAs(user: string): RunningCompanion {
  const change = (admin: object): object => ({ ...admin, as: user });
  return startWith(kubeconfigAs(running.kubeconfig, { folder, name: user, change }));
}

/** An add-on that needs everything of a companion: owners, permissions, certificates, and the hash of a configuration. */
async function createDemanding(name: string, clusters: readonly string[]): Promise<void> {
  await createAddOn(hub.client, name, {
    signerName: signer,
    authority: 'allowed-authority',
    clusterRoles: [reader],
    annotations: { 'fleetwright.dev/clusters': clusters.join('\n') },
  });
  await hub.client.merge(reference(ocmKinds.clusterManagementAddOn, name), {
    spec: { supportedConfigs: [configKind, { group: '', resource: 'secrets' }] },
  });
  for (const cluster of clusters) await createCluster(hub.client, cluster);
}

async function install(name: string, cluster: string): Promise<void> {
  const onCluster = reference(ocmKinds.managedClusterAddOn, name, cluster);
  await hub.client.apply({
    ...onCluster,
    metadata: { ...onCluster.metadata, annotations: { 'fleetwright.dev/delivery': 'compiled' } },
    spec: {
      configs: [
        { ...configKind, namespace: cluster, name: 'scores' },
        { group: '', resource: 'secrets', ...settings },
      ],
    },
  });
  const work = reference(ocmKinds.manifestWork, `addon-${name}-deploy-0`, cluster);
  await hub.client.apply({
    ...work,
    metadata: { ...work.metadata, labels: { [labels.addOn]: name } },
    spec: { workload: { manifests: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }] } },
  });
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

async function conditionOf(name: string, cluster: string, type: string): Promise<Condition | undefined> {
  const found = await hub.client.get(...ocmKinds.managedClusterAddOn, name, cluster);
  const { conditions = [] } = (found?.['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.find((each) => each.type === type);
}

async function isRegistered(name: string, cluster: string): Promise<string | undefined> {
  return (await conditionOf(name, cluster, 'RegistrationApplied'))?.status;
}

async function send(request: RequestObject, cluster: string): Promise<string> {
  await hub.client.as(agentOf(cluster)).create(request);
  return request.metadata.name;
}

async function certificateOf(name: string): Promise<string | undefined> {
  const found = await hub.client.get(...requestKind, name);
  return (found?.['status'] as { readonly certificate?: string } | undefined)?.certificate;
}

function bindingOf(name: string, cluster: string): KubernetesObject {
  return reference(roleBinding, `fleetwright:${name}:${cluster}:clusterrole:${reader}`, cluster);
}

/** Who is bound, once anybody is. */
async function boundBy(binding: KubernetesObject): Promise<unknown> {
  const { name = '', namespace } = binding.metadata;
  return (await hub.client.get(...roleBinding, name, namespace))?.['subjects'];
}

describe('with the permissions and the admission policies of its construct', () => {
  const [name, cluster, other] = ['allowed-hello', 'allowed1', 'allowed2'];
  const onlyAgent = [
    expect.objectContaining({ kind: 'User', name: expect.stringContaining(cluster) as unknown }),
  ];
  let companion: RunningCompanion;

  beforeAll(async () => {
    const confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', props);
    await createDemanding(name, [cluster, other]);
    await install(name, cluster);
    companion = startWith(confined);
  }, 120_000);
  afterAll(async () => await companion.stop());

  test('a companion registers add-ons, and sets an owner of them and of their works', async () => {
    await expect.poll(() => isRegistered(name, cluster), patience).toBe('True');
    const work = async (): Promise<unknown> =>
      (await hub.client.get(...ocmKinds.manifestWork, `addon-${name}-deploy-0`, cluster))?.metadata
        .ownerReferences;
    await expect
      .poll(work, patience)
      .toMatchObject([{ kind: 'ManagedClusterAddOn', name, controller: true, blockOwnerDeletion: true }]);
    const onCluster = await hub.client.get(...ocmKinds.managedClusterAddOn, name, cluster);
    expect(onCluster?.metadata.ownerReferences).toMatchObject([
      { kind: 'ClusterManagementAddOn', name, controller: true, blockOwnerDeletion: true },
    ]);
  });

  test('it binds roles, corrects bindings, leaves those of others alone, and removes its own', async () => {
    const binding = bindingOf(name, cluster);
    await expect.poll(() => boundBy(binding), patience).toEqual(onlyAgent);
    await hub.client.merge(binding, { subjects: [] });
    await expect.poll(() => boundBy(binding), patience).toEqual(onlyAgent);

    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: reader };
    const inTheWay = { ...bindingOf(name, other), roleRef, subjects: [] };
    await hub.client.apply(inTheWay);
    await install(name, other);
    await expect.poll(() => isRegistered(name, other), patience).toBe('False');
    await hub.client.delete(inTheWay);
    await expect.poll(() => isRegistered(name, other), patience).toBe('True');

    await hub.client.merge(reference(ocmKinds.managedCluster, other), { spec: { hubAcceptsClient: false } });
    await expect.poll(() => boundBy(inTheWay), patience).toBeUndefined();
  });

  test('it approves and signs requests, and reports those that it rejects', async () => {
    const ofServer = await send(goodRequest(cluster, name), cluster);
    const ofOwn = await send(customRequest(cluster, name, { signerName: signer }), cluster);
    await expect.poll(() => certificateOf(ofServer), patience).toEqual(expect.any(String));
    await expect.poll(() => certificateOf(ofOwn), patience).toEqual(expect.any(String));

    const usages = ['client auth', 'digital signature', 'server auth'];
    const refused = await send(goodRequest(cluster, name, { usages }), cluster);
    const eventsOfRequest = async (): Promise<readonly string[]> =>
      (
        (await hub.client.list(...eventKind, 'default')) as readonly (KubernetesObject & {
          readonly involvedObject: { readonly name: string };
          readonly reason: string;
          readonly count: number;
        })[]
      )
        .filter(({ involvedObject }) => involvedObject.name === refused)
        .map(({ reason, count }) => `${reason} ${count}`)
        .sort();
    await expect.poll(eventsOfRequest, patience).toEqual(['UsagesRefused 1']);
    // After another reason in the meantime, the first one is reported again.
    const relabel = async (to: string): Promise<void> => {
      await hub.client.merge(reference(requestKind, refused), {
        metadata: { labels: { [labels.cluster]: to } },
      });
    };
    await relabel(other);
    await expect.poll(eventsOfRequest, patience).toEqual(['NameRefused 1', 'UsagesRefused 1']);
    await relabel(cluster);
    await expect.poll(eventsOfRequest, patience).toEqual(['NameRefused 1', 'UsagesRefused 2']);
    await expect
      .poll(async () => (await conditionOf(name, cluster, 'CertificateRequestsServed'))?.status, patience)
      .toBe('False');
  });

  test('it creates what agents get tokens from, leaves that of others alone, and removes its own', async () => {
    const inTheWay = [
      reference(serviceAccount, `${name}-agent`, cluster),
      { ...reference(role, `${name}-token-role`, cluster), rules: [] },
    ];
    for (const object of inTheWay) await hub.client.apply(object);
    const ready = async (): Promise<string | undefined> =>
      (await conditionOf(name, cluster, 'TokenInfrastructureReady'))?.message;
    const drive = async (kubeClientDriver: string): Promise<void> => {
      const onCluster = reference(ocmKinds.managedClusterAddOn, name, cluster);
      await hub.client.merge(onCluster, { status: { kubeClientDriver } }, 'status');
    };
    await drive('token');
    for (const object of inTheWay) {
      await expect.poll(ready, patience).toContain(`${object.kind} "${object.metadata.name}" exists`);
      await hub.client.delete(object);
    }
    await expect.poll(ready, patience).toMatch(/ \(UID: [-0-9a-f]+\) is ready$/);
    await drive('csr');
    await expect.poll(ready, patience).toBeUndefined();
    await expect
      .poll(async () => await hub.client.get(...serviceAccount, `${name}-agent`, cluster), patience)
      .toBeUndefined();
  });

  test('it deletes objects that Git no longer has', async () => {
    const definition = reference(ocmKinds.clusterManagementAddOn, name);
    await hub.client.merge(definition, {
      metadata: { annotations: { 'fleetwright.dev/clusters': cluster } },
    });
    const onOther = async (): Promise<unknown> =>
      await hub.client.get(...ocmKinds.managedClusterAddOn, name, other);
    await expect.poll(onOther, patience).toBeUndefined();

    const override = reference(ocmKinds.managedClusterAddOn, 'allowed-override', cluster);
    const annotations = { 'fleetwright.dev/override': 'inventory' };
    await hub.client.apply({ ...override, metadata: { ...override.metadata, annotations }, spec: {} });
    const listed = reference(ocmKinds.clusterManagementAddOn, 'allowed-override');
    const nowhere = { 'fleetwright.dev/overrides': '' };
    await hub.client.apply({ ...listed, metadata: { ...listed.metadata, annotations: nowhere }, spec: {} });
    await expect
      .poll(() => hub.client.get(...ocmKinds.managedClusterAddOn, 'allowed-override', cluster), patience)
      .toBeUndefined();
  });

  test('no request was rejected, and it needed all permissions except those that only guard its writes', async () => {
    const guards = guarded.map(({ without: { verb, resource } }) => `${verb} ${resource}`);
    // What it does may be done before it has its answer.
    await expect
      .poll(async () => [...(await companion.requests()).answered, ...guards].sort(), patience)
      .toEqual(allowedBy(constructed()));
    expect((await companion.requests()).refused).toEqual([]);
    expect(companion.log.lines.filter((line) => line.includes('forbidden'))).toEqual([]);
  });
});

interface Guarded {
  /** The permission that is missing. */
  readonly without: { readonly verb: string; readonly resource: string };
  readonly refused: string;
  readonly why: RegExp;
}

/** Permissions that no request uses directly, but without which the API server rejects other requests. */
const guarded: readonly Guarded[] = [
  {
    without: { verb: 'update', resource: 'clustermanagementaddons/finalizers' },
    refused: 'patch managedclusteraddons',
    why: /an ownerReference refers to a resource you can't set finalizers on/,
  },
  {
    without: { verb: 'update', resource: 'managedclusteraddons/finalizers' },
    refused: 'patch manifestworks',
    why: /an ownerReference refers to a resource you can't set finalizers on/,
  },
  {
    without: { verb: 'delete', resource: 'manifestworks' },
    refused: 'patch manifestworks',
    why: /cannot set an ownerRef on a resource you can't delete/,
  },
  {
    without: { verb: 'bind', resource: 'clusterroles' },
    refused: 'create rolebindings',
    why: /attempting to grant RBAC permissions not currently held/,
  },
  {
    without: { verb: 'escalate', resource: 'roles' },
    refused: 'create roles',
    why: /attempting to grant RBAC permissions not currently held/,
  },
  {
    without: { verb: 'bind', resource: 'roles' },
    refused: 'create rolebindings',
    why: /attempting to grant RBAC permissions not currently held/,
  },
  {
    without: { verb: 'approve', resource: 'signers' },
    refused: 'patch certificatesigningrequests/approval',
    why: /user not permitted to approve requests with signerName/,
  },
  {
    without: { verb: 'sign', resource: 'signers' },
    refused: 'patch certificatesigningrequests/status',
    why: /user not permitted to sign requests with signerName/,
  },
];

describe.each(guarded)('without $without.verb of $without.resource', ({ without, refused, why }) => {
  const id = `${without.verb}-${without.resource.replace('/', '-')}`;
  const [name, cluster, user] = [`lesser-${id}`, `lesser-${id}`, `lesser-${id}`];

  test(`a companion is refused to ${refused}, and nothing else`, async () => {
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }];
    const roles = constructed()
      .filter(({ apiVersion }) => apiVersion === rbac)
      .map((object) => {
        const renamed = {
          ...object,
          metadata: { ...object.metadata, name: `${user}-${object.metadata.name}` },
        };
        if (!object.kind.endsWith('Binding')) {
          const rules = (object['rules'] as readonly PolicyRule[]).map((rule) => lesser(rule, without));
          return { ...renamed, rules };
        }
        const { name: roleName, ...ref } = object['roleRef'] as { readonly name: string };
        return { ...renamed, roleRef: { ...ref, name: `${user}-${roleName}` }, subjects };
      });
    await grant(roles);
    await createDemanding(name, [cluster]);
    await install(name, cluster);
    const companion = startAs(user);
    try {
      // Where owners are refused it comes to nothing else.
      if (!why.source.includes('owner')) {
        await until(`what ${name} registers`, async () => (await isRegistered(name, cluster)) !== undefined);
        await send(goodRequest(cluster, name), cluster);
        await send(customRequest(cluster, name, { signerName: signer }), cluster);
        const onCluster = reference(ocmKinds.managedClusterAddOn, name, cluster);
        await hub.client.merge(onCluster, { status: { kubeClientDriver: 'token' } }, 'status');
      }
      await expect.poll(async () => (await companion.requests()).refused, patience).toEqual([refused]);
      await expect
        .poll(() => companion.log.lines.filter((line) => line.includes('forbidden')).length, patience)
        .toBeGreaterThan(1);
      expect(companion.log.lines.filter((line) => line.includes('forbidden') && !why.test(line))).toEqual([]);
      expect((await companion.requests()).refused).toEqual([refused]);
    } finally {
      await companion.stop();
      await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, name));
    }
  });
});

/** A rule without a verb for a resource. */
function lesser(rule: PolicyRule, { verb, resource }: Guarded['without']): PolicyRule {
  if (!rule.resources.includes(resource) || !rule.verbs.includes(verb)) return rule;
  if (rule.verbs.length > 1) return { ...rule, verbs: rule.verbs.filter((each) => each !== verb) };
  return { ...rule, resources: [...rule.resources.filter((each) => each !== resource), 'none'] };
}
