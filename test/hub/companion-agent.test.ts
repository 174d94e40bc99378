import { X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Chart } from 'cdk8s';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../constructs/companion-permissions.ts';
import { AddOnAgent, collect, type AddOnAgentProps } from '../../constructs/index.ts';
import { storedContent } from '../../src/compiler/configure/stored-content.ts';
import { specHash } from '../../src/ocm/spec-hash.ts';
import { newCertificateRequest } from '../../src/base/certificates/new-certificate-request.ts';
import { systemClock } from '../../src/client/clock.ts';
import { ApiClient as ControllerClient } from '../../src/client/api-client.ts';
import { connect as connectAs } from '../../src/client/kubeconfig/connect.ts';
import { namespacedResource } from '../../src/client/resource.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { authorityCertificate, authoritySecret } from '../base/certificates/authorities.ts';
import { newKey } from '../base/certificates/forged-request.ts';
import { ApiClient } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { namespaceKind, ocmKinds, reference, roleBinding, type KindOf } from './client/kinds.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { companionNamespace, confinedKubeconfig } from './companion/confined-companion.ts';
import { deploymentKind } from './companion/deployed-add-on.ts';
import { agentOf, labels, requestKind, secretKind } from './companion/fleet.ts';
import { openssl } from './companion/openssl.ts';
import { allowedBy, kubeconfigAs, untilAllowed, untilBound } from './companion/permissions.ts';
import { startAgent, type RunningAgent } from './companion/running-agent.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { filesWithCertificate } from './companion/secret-files.ts';
import { synthesized } from './companion/synthesized.ts';
import { until } from './companion/work-agent.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// An add-on with compiled delivery whose agents are ours: what synth writes is applied, the companion runs with the permissions
// and the admission policies of its construct, cluster1 has OCM's own agents beside ours, and edge1 has none but ours.

const patience = { timeout: 120_000, interval: 250 };
const leaseKind: KindOf = ['coordination.k8s.io/v1', 'Lease'];
const configMapKind: KindOf = ['v1', 'ConfigMap'];
const clusterRoleKind: KindOf = ['rbac.authorization.k8s.io/v1', 'ClusterRole'];
const signer = 'path.example.com/hello';
const group = 'addon.open-cluster-management.io';

const app = `
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: hello
  annotations: { fleetwright.dev/delivery: compiled, fleetwright.dev/health: lease }
spec:
  supportedConfigs:
  - { group: ${group}, resource: addontemplates, defaultConfig: { name: hello } }
  - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: hello, namespace: default } }
  - { group: "", resource: secrets, defaultConfig: { name: hello-login, namespace: default } }
  installStrategy:
    type: Placements
    placements: [{ name: everywhere, namespace: default }]
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: everywhere, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: default }
spec: { clusterSet: global }
---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: hello, namespace: default }
spec: { agentInstallNamespace: hello }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: hello-reader }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: [get, list] }]
---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: hello }
spec:
  addonName: hello
  registration:
  - type: KubeClient
    kubeClient:
      hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: hello-reader } }]
  - type: CustomSigner
    customSigner:
      signerName: ${signer}
      signingCA: { name: hello-ca, namespace: default }
      subject: { user: greeter, groups: [greeters] }
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: Namespace, metadata: { name: hello } }
      - apiVersion: apps/v1
        kind: Deployment
        metadata: { name: hello, namespace: hello }
        spec:
          selector: { matchLabels: { app: hello } }
          template:
            metadata: { labels: { app: hello } }
            spec: { containers: [{ name: hello, image: hello }] }
`;
const fleet = ['cluster1', 'edge1']
  .map(
    (name) => `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { cluster.open-cluster-management.io/clusterset: default } }
spec: { hubAcceptsClient: true }
status:
  conditions:
  - { type: ManagedClusterConditionAvailable, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }
`,
  )
  .concat(
    `
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
`,
  )
  .join('---');

let running: RunningHub;
let hub: ReturnType<typeof connect>;
let onCluster: ApiClient;
/** The companion's access. */
let confined: string;
let companion: RunningCompanion;
let objects: readonly KubernetesObject[];
let folder: string;

beforeAll(async () => {
  objects = await synthesized(app, fleet);
  running = await startHub({ managedCluster: 'cluster1', addOnLeaseDuration: '2s' });
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-agent-'));
  hub = connect(running);
  onCluster = new ApiClient(readAccess(managedKubeconfig()));
  await hub.client.apply({
    ...reference(ocmKinds.managedCluster, 'edge1'),
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
  });
  await until(() => hub.client.get(...namespaceKind, 'edge1'));
  const key = newKey();
  const authority = authorityCertificate(key, { name: 'hello' });
  await hub.client.apply({
    ...reference(secretKind, 'hello-ca', 'default'),
    type: 'kubernetes.io/tls',
    data: authoritySecret(key, authority),
  });
  for (const object of objects) await hub.client.apply(object);
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', {
    grants: [{ kind: 'ClusterRole', name: 'hello-reader' }],
    signers: [{ signerName: signer, signingCA: { name: 'hello-ca', namespace: 'default' } }],
    secretConfigs: [{ name: 'hello-login', namespace: 'default' }],
  });
  companion = startCompanion(confined, {
    leaderElection: true,
    leaderElectionName: 'companion',
    leaderElectionNamespace: companionNamespace,
  });
}, 240_000);

afterAll(async () => {
  await companion.stop();
  hub.close();
  onCluster.close();
  await running.stop();
}, 60_000);

function managedKubeconfig(): string {
  return running.managedCluster?.kubeconfig ?? '';
}

/** The hub's administrator's, with somebody else as its user. */
function kubeconfigOf(name: string, change: (user: object) => object): string {
  return kubeconfigAs(running.kubeconfig, { folder, name, change });
}

/**
 * Roles of the construct of our agent on the managed cluster, given to its ServiceAccount.
 *
 * @param lessen - what is given instead of a rule of theirs
 */
async function allowAgent(
  namespace: string,
  props: Partial<AddOnAgentProps>,
  lessen: (rule: PolicyRule) => PolicyRule = (rule) => rule,
): Promise<{ readonly kubeconfig: string; readonly roles: readonly KubernetesObject[] }> {
  const tree = new App();
  const chart = new Chart(tree, 'agent');
  new AddOnAgent(chart, 'agent', { image: 'fleetwright', addOn: 'hello', namespace, ...props });
  const roles = collect(tree)
    .objects.map(({ object }) => object)
    .filter(({ apiVersion }) => apiVersion === 'rbac.authorization.k8s.io/v1')
    .map((object) => {
      const rules = object['rules'] as readonly PolicyRule[] | undefined;
      return rules === undefined ? object : { ...object, rules: rules.map(lessen) };
    });
  for (const role of roles) await onCluster.apply(role);
  await untilBound(onCluster, roles);
  const as = `system:serviceaccount:${namespace}:hello-companion`;
  const change = (user: object): object => ({ ...user, as });
  return { kubeconfig: kubeconfigAs(managedKubeconfig(), { folder, name: namespace, change }), roles };
}

/** What an administrator hands to a cluster that joins without OCM's agent: a certificate for its identity on the hub. */
async function clusterKubeconfig(cluster: string): Promise<string> {
  const { user, groups } = agentOf(cluster);
  const key = newKey();
  const subject = { commonName: user, organizations: groups.slice(0, 2), organizationalUnits: [] };
  const request = reference(requestKind, `join-${cluster}`);
  await hub.client.create({
    ...request,
    spec: {
      request: Buffer.from(newCertificateRequest(key, { subject })).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth', 'digital signature'],
    },
  });
  const approved = { type: 'Approved', status: 'True', reason: 'ByHand', message: 'by hand' };
  await hub.client.merge(request, { status: { conditions: [approved] } }, 'approval');
  const certificate = await until(async () => {
    const found = await hub.client.get(...requestKind, `join-${cluster}`);
    return (found?.['status'] as { readonly certificate?: string } | undefined)?.certificate;
  });
  const keyText = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return kubeconfigOf(cluster, () => ({
    'client-certificate-data': certificate,
    'client-key-data': Buffer.from(keyText).toString('base64'),
  }));
}

interface AddOnStatus {
  readonly configReferences?: readonly {
    readonly resource: string;
    readonly desiredConfig: { readonly specHash: string };
    readonly lastAppliedConfig: { readonly specHash: string };
  }[];
}

async function statusOf(cluster: string): Promise<AddOnStatus> {
  const found = await hub.client.get(...ocmKinds.managedClusterAddOn, 'hello', cluster);
  return found?.['status'] ?? {};
}

async function conditionOf(cluster: string, type: string): Promise<readonly unknown[] | undefined> {
  const condition = await addOnCondition(hub.client, 'hello', cluster, type);
  return condition && [condition.status, condition.reason];
}

async function messageOf(cluster: string, type: string): Promise<string | undefined> {
  return (await addOnCondition(hub.client, 'hello', cluster, type))?.message;
}

async function secretReference() {
  return (await statusOf('cluster1')).configReferences?.find(({ resource }) => resource === 'secrets');
}

async function requestsOf(cluster: string): Promise<readonly KubernetesObject[]> {
  const own = await hub.client.list(...requestKind);
  return own.filter(({ metadata }) => metadata.labels?.[labels.cluster] === cluster);
}

/** A client with what a Secret holds, as an agent reads it where it is mounted. */
function mounted(name: string, files: Readonly<Record<string, string>>): ControllerClient {
  const mount = mkdtempSync(path.join(folder, `${name}-`));
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(mount, file), text);
  const { transport } = connectAs({ kubeconfig: path.join(mount, 'kubeconfig') }, systemClock, 'agent');
  return new ControllerClient(transport, { clock: systemClock, fieldManager: 'agent' });
}

const configMaps = namespacedResource('v1', 'ConfigMap', 'configmaps');

/** The add-on's agent on a cluster may read ConfigMaps in the namespace of that cluster, and may do nothing else. */
async function expectOwnPermissions(agent: ControllerClient, cluster: string, other: string): Promise<void> {
  const map = reference(configMapKind, 'greeting', cluster);
  await hub.client.apply(map);
  await expect
    .poll(async () => await agent.get(configMaps, { namespace: cluster, name: 'greeting' }), patience)
    .toBeDefined();
  await expect(agent.list(configMaps, { namespace: other })).rejects.toThrow('forbidden');
  await expect(agent.list(configMaps)).rejects.toThrow('forbidden');
  await expect(
    agent.create(configMaps, { ...map, metadata: { ...map.metadata, name: 'mine' } }),
  ).rejects.toThrow('forbidden');
  const secrets = namespacedResource('v1', 'Secret', 'secrets');
  await expect(agent.list(secrets, { namespace: cluster })).rejects.toThrow('forbidden');
}

describe("on a cluster with OCM's own agents", () => {
  let agent: RunningAgent;
  let allowed: Awaited<ReturnType<typeof allowAgent>>;
  afterAll(async () => await agent.stop());

  test('the add-on is registered, and its work applied', async () => {
    await expect
      .poll(async () => await conditionOf('cluster1', 'RegistrationApplied'), patience)
      .toEqual(['True', 'SetPermissionApplied']);
    await expect
      .poll(async () => await onCluster.get(...deploymentKind, 'hello', 'hello'), patience)
      .toBeDefined();
    await expect
      .poll(async () => await conditionOf('cluster1', 'ManifestApplied'), patience)
      .toEqual(['True', 'AddonManifestApplied']);
    const work = await hub.client.get(...ocmKinds.manifestWork, 'addon-hello-deploy-0', 'cluster1');
    expect(work?.metadata.ownerReferences).toMatchObject([{ kind: 'ManagedClusterAddOn', name: 'hello' }]);
  });

  test('a configuration in a Secret is awaited, and reported only by its hash', async () => {
    const login = reference(secretKind, 'hello-login', 'default');
    const progress = async (): Promise<unknown> => await messageOf('cluster1', 'Progressing');
    await expect.poll(progress, patience).toBe('progressing... secrets "default/hello-login" does not exist');

    const written = { ...login, stringData: { password: 'hunter2' } };
    await hub.client.apply(written);
    await expect.poll(progress, patience).toBe('completed with no errors.');
    const hash = specHash(storedContent(written));
    expect(await secretReference()).toMatchObject({
      desiredConfig: { name: 'hello-login', namespace: 'default', specHash: hash },
      lastAppliedConfig: { specHash: hash },
    });

    await hub.client.merge(login, { stringData: { password: 'hunter3' } });
    await expect
      .poll(async () => (await secretReference())?.lastAppliedConfig.specHash, patience)
      .toBe(specHash(storedContent({ ...login, stringData: { password: 'hunter3' } })));
    for (const password of ['hunter2', 'hunter3'].flatMap((each) => [
      each,
      Buffer.from(each).toString('base64'),
    ]))
      expect(companion.log.lines.filter((line) => line.includes(password))).toEqual([]);
  });

  test('the companion may follow this Secret, and no other', async () => {
    const { transport } = connectAs({ kubeconfig: confined }, systemClock, 'companion');
    const asCompanion = new ControllerClient(transport, { clock: systemClock, fieldManager: 'companion' });
    const secrets = namespacedResource('v1', 'Secret', 'secrets');
    const listed = async (name: string): Promise<number> => {
      const fieldSelector = `metadata.name=${name}`;
      return (await asCompanion.list(secrets, { namespace: 'default', fieldSelector })).length;
    };
    expect(await listed('hello-login')).toBe(1);
    await expect(listed('hello-ca')).rejects.toThrow('forbidden');
    await expect(asCompanion.list(secrets, { namespace: 'default' })).rejects.toThrow('forbidden');
    await expect(asCompanion.list(secrets)).rejects.toThrow('forbidden');
    transport.close();
  });

  test('it is available while its agent renews the Lease, and not when that stops', async () => {
    await expect
      .poll(async () => await conditionOf('cluster1', 'Available'), patience)
      .toEqual(['Unknown', 'ManagedClusterAddOnLeaseNotFound']);
    allowed = await allowAgent('hello', { probe: 'deployment:hello' });
    const options = { kubeconfig: allowed.kubeconfig, addOn: 'hello' };
    agent = startAgent(options, { namespace: 'hello', probe: 'deployment:hello', period: '2s' });
    const deployment = reference(deploymentKind, 'hello', 'hello');
    await expect
      .poll(() => agent.log.lines.join('\n'), patience)
      .toContain('no replica of Deployment hello/hello');
    expect(await onCluster.get(...leaseKind, 'hello', 'hello')).toBeUndefined();
    // Nothing runs workloads here.
    await onCluster.merge(
      deployment,
      { status: { replicas: 1, readyReplicas: 1, updatedReplicas: 1 } },
      'status',
    );
    await expect
      .poll(async () => await conditionOf('cluster1', 'Available'), patience)
      .toEqual(['True', 'ManagedClusterAddOnLeaseUpdated']);

    await onCluster.merge(deployment, { status: { readyReplicas: 0 } }, 'status');
    await expect.poll(() => agent.log.lines.at(-1), patience).toContain('the lease is not renewed');
    await expect
      .poll(async () => await conditionOf('cluster1', 'Available'), patience)
      .toEqual(['False', 'ManagedClusterAddOnLeaseUpdateStopped']);
  });

  test('our agent was denied nothing, and needed everything that its construct grants', async () => {
    const { answered, refused } = await agent.requests();
    expect(refused).toEqual([]);
    expect(['create leases', ...answered]).toEqual(allowedBy(allowed.roles));
  });

  test('without the permission to create its Lease it is refused to apply it', async () => {
    await onCluster.apply(reference(namespaceKind, 'lesser'));
    const { kubeconfig } = await allowAgent('lesser', {}, (rule) => ({ ...rule, verbs: ['patch'] }));
    const lesser = startAgent({ kubeconfig, addOn: 'hello' }, { namespace: 'lesser', period: '2s' });
    await expect.poll(async () => (await lesser.requests()).refused, patience).toEqual(['patch leases']);
    await lesser.stop();
  });
});

describe('on a cluster with our agent alone', () => {
  let agent: RunningAgent;
  let allowed: Awaited<ReturnType<typeof allowAgent>>;
  const answered = new Set<string>();
  let ahead = 0;
  const namespace = 'edge-hello';
  const clock = { ...systemClock, now: () => Date.now() + ahead };

  const start = (): RunningAgent =>
    startAgent(
      {
        kubeconfig: allowed.kubeconfig,
        addOn: 'hello',
        hub: { kubeconfig: identity, cluster: 'edge1' },
        clock,
      },
      { namespace, period: '2s', credentials: true, healthReport: true, certificateLifetime: '1h' },
    );
  const stop = async (): Promise<void> => {
    await agent.stop();
    const requests = await agent.requests();
    expect(requests.refused).toEqual([]);
    for (const request of requests.answered) answered.add(request);
  };
  let identity: string;

  /** The permissions that our agent needs of those that OCM's registration grants to the agent of an accepted cluster: to request certificates ... */
  const asking: readonly PolicyRule[] = [
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests'],
      verbs: ['create', 'get', 'list'],
    },
  ];
  /** ... and to report the status of its add-ons, in its namespace. */
  const telling: readonly PolicyRule[] = [
    { apiGroups: [group], resources: ['managedclusteraddons'], verbs: ['get'] },
    { apiGroups: [group], resources: ['managedclusteraddons/status'], verbs: ['patch'] },
  ];

  /** By the names of their registrations; what holds the names of all is another one. */
  const heldSecrets = async (): Promise<readonly string[]> =>
    (await onCluster.list(...secretKind, namespace)).map(({ metadata }) => metadata.name ?? '').sort();

  beforeAll(async () => {
    await onCluster.apply(reference(namespaceKind, namespace));
    await onCluster.apply(reference(secretKind, 'hello-of-somebody-else', namespace));
    allowed = await allowAgent(namespace, { hubKubeconfigSecret: 'bootstrap', signers: [signer] });
    identity = await clusterKubeconfig('edge1');
    await untilAllowed(hub.client, agentOf('edge1'), asking);
    await untilAllowed(hub.client, agentOf('edge1'), telling, 'edge1');
    agent = start();
  }, 120_000);
  afterAll(async () => await agent.stop());

  test('the same Secrets are created, and work the same', async () => {
    const files = await filesWithCertificate(onCluster, 'hello-hub-kubeconfig', namespace);
    expect(Object.keys(files).sort()).toEqual(['cluster-name', 'kubeconfig', 'tls.crt', 'tls.key']);
    await expectOwnPermissions(mounted('edge1', files), 'edge1', 'cluster1');
    const own = await filesWithCertificate(onCluster, 'hello-path.example.com-hello-client-cert', namespace);
    expect(new X509Certificate(own['tls.crt'] ?? '').subject).toBe('O=greeters\nCN=greeter');
    const { data } = (await hub.client.get(...secretKind, 'hello-ca', 'default')) as unknown as {
      readonly data: Readonly<Record<string, string>>;
    };
    const ca = Buffer.from(data['tls.crt'] ?? '', 'base64').toString();
    const pem = { 'ca.pem': ca, 'cert.pem': own['tls.crt'] ?? '' };
    expect(openssl(pem, 'verify', '-purpose', 'sslclient', '-CAfile', 'ca.pem', 'cert.pem')).toBe(
      'cert.pem: OK\n',
    );
    const requests = await requestsOf('edge1');
    expect(requests.map(({ metadata }) => metadata.name?.replace(/[^-]*$/, ''))).toEqual([
      'addon-edge1-hello-',
      'addon-edge1-hello-',
    ]);
  });

  test('it is available by the report of our agent', async () => {
    await expect
      .poll(async () => await conditionOf('edge1', 'Available'), patience)
      .toEqual(['True', 'ManagedClusterAddOnLeaseUpdated']);
  });

  test('certificates are renewed before they end', async () => {
    const before = await filesWithCertificate(onCluster, 'hello-hub-kubeconfig', namespace);
    await stop();
    // A certificate lives for an hour, and five minutes more that it is dated back: it is renewed when 13 to 16 are left. What
    // comes instead is still good for ten, on the same clock.
    ahead = 50 * 60_000;
    agent = start();
    await expect
      .poll(
        async () => (await filesWithCertificate(onCluster, 'hello-hub-kubeconfig', namespace))['tls.crt'],
        patience,
      )
      .not.toBe(before['tls.crt']);
    ahead = 0;
    const after = await filesWithCertificate(onCluster, 'hello-hub-kubeconfig', namespace);
    expect(Date.parse(new X509Certificate(after['tls.crt'] ?? '').validTo)).toBeGreaterThan(
      Date.parse(new X509Certificate(before['tls.crt'] ?? '').validTo),
    );
    await expectOwnPermissions(mounted('renewed', after), 'edge1', 'cluster1');
  });

  test('the Secret of a removed registration is deleted, although no agent ran at that time', async () => {
    await stop();
    const registrationsOnHub = async (): Promise<unknown> =>
      (await hub.client.get(...ocmKinds.managedClusterAddOn, 'hello', 'edge1'))?.['status'];
    const template = objects.find(({ kind }) => kind === 'AddOnTemplate') as KubernetesObject & {
      readonly spec: { readonly registration: readonly { readonly type: string }[] };
    };
    const registration = template.spec.registration.filter(({ type }) => type === 'KubeClient');
    await hub.client.merge(reference(ocmKinds.addOnTemplate, template.metadata.name ?? ''), {
      spec: { registration },
    });
    await expect
      .poll(registrationsOnHub, patience)
      .toMatchObject({ registrations: [{ signerName: 'kubernetes.io/kube-apiserver-client' }] });
    expect(await heldSecrets()).toContain('hello-path.example.com-hello-client-cert');
    agent = start();
    await expect
      .poll(heldSecrets, patience)
      .toEqual(['hello-companion-secrets', 'hello-hub-kubeconfig', 'hello-of-somebody-else']);
  });

  test('our agent needed everything that its construct grants there, and the permissions of every accepted cluster on the hub', async () => {
    await stop();
    const onHub = allowedBy([{ ...reference(clusterRoleKind, ''), rules: [...asking, ...telling] }]);
    const guards = ['create leases', 'create secrets'];
    expect([...answered, ...guards].sort()).toEqual([...allowedBy(allowed.roles), ...onHub].sort());
  });

  test('a cluster that Git no longer has loses the add-on, and its Secrets', async () => {
    const addOn = objects.find(({ kind }) => kind === 'ClusterManagementAddOn');
    const annotations = { ...addOn?.metadata.annotations, 'fleetwright.dev/clusters': 'cluster1\n' };
    await hub.client.merge(reference(ocmKinds.clusterManagementAddOn, 'hello'), {
      metadata: { annotations },
    });
    await expect
      .poll(async () => await hub.client.get(...ocmKinds.managedClusterAddOn, 'hello', 'edge1'), patience)
      .toBeUndefined();
    await expect
      .poll(async () => await hub.client.list(...ocmKinds.manifestWork, 'edge1'), patience)
      .toEqual([]);
    expect(await conditionOf('cluster1', 'RegistrationApplied')).toEqual(['True', 'SetPermissionApplied']);
    agent = start();
    await expect.poll(heldSecrets, patience).toEqual(['hello-of-somebody-else']);
    await stop();
  });
});

describe('in the end', () => {
  test('with the ClusterManagementAddOn everything is deleted', async () => {
    await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, 'hello'));
    const left = async (): Promise<readonly string[]> => {
      const held = [
        ...(await hub.client.list(...ocmKinds.managedClusterAddOn)),
        ...(await hub.client.list(...ocmKinds.manifestWork)),
        ...(await hub.client.list(...roleBinding, 'cluster1')),
        ...(await hub.client.list(...roleBinding, 'edge1')),
        ...(await onCluster.list(...deploymentKind, 'hello')),
      ];
      return held
        .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)
        .filter(isOfAddOn);
    };
    await expect.poll(left, patience).toEqual([]);
  });

  test('the companion was never refused anything: its permissions are enough', async () => {
    expect((await companion.requests()).refused).toEqual([]);
    expect(companion.log.lines.filter((line) => line.includes('forbidden'))).toEqual([]);
  });
});

function isOfAddOn(name: string): boolean {
  return name.includes('hello');
}
