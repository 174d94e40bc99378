import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCertificateRequest } from '../../src/base/certificates/new-certificate-request.ts';
import { oids } from '../../src/base/certificates/object-identifiers.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { element, sequence } from '../../src/base/certificates/der-writer.ts';
import { authorityCertificate } from '../base/certificates/authorities.ts';
import { attribute, forge, inBase64, newKey } from '../base/certificates/forged-request.ts';
import { ApiClient } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { namespaceKind, ocmKinds, reference, roleBinding, type KindOf } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { answerTo } from './companion/answer.ts';
import { companionNamespace, confinedKubeconfig } from './companion/confined-companion.ts';
import {
  agentOf,
  createCluster,
  customRequest,
  goodRequest,
  labels,
  ownGroup,
  ownSubject,
  requestKind,
  type RequestObject,
} from './companion/fleet.ts';

// A client with the token of the companion's ServiceAccount: what the admission policies of the construct refuse, each time
// where its permissions allow it, and what they let through.

const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const rbac = 'rbac.authorization.k8s.io';
const [cluster, other, addOn, reader, signer] = [
  'confined1',
  'confined2',
  'confined-hello',
  'confined-reader',
  'confined.example.com/hello',
];
const leaseKind: KindOf = ['coordination.k8s.io/v1', 'Lease'];
const eventKind: KindOf = ['v1', 'Event'];
const patience = { timeout: 60_000, interval: 100 };
/** The companion's own access. */
let token: ApiClient;

const onCluster = reference(ocmKinds.managedClusterAddOn, addOn, cluster);
const definition = reference(ocmKinds.clusterManagementAddOn, addOn);
const byHand = reference(ocmKinds.managedClusterAddOn, 'confined-by-hand', cluster);
const override = reference(ocmKinds.managedClusterAddOn, 'confined-override', cluster);
const work = reference(ocmKinds.manifestWork, `addon-${addOn}-deploy-0`, cluster);
const foreign = reference(roleBinding, 'confined-foreign', cluster);
const disguised = reference(roleBinding, 'fleetwright:confined-disguised', cluster);
const bindings = [foreign, disguised];

function annotated(
  object: KubernetesObject,
  annotations: Readonly<Record<string, string>>,
): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

beforeAll(async () => {
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  for (const name of [reader, 'confined-here', 'confined-ungranted'])
    await hub.client.apply({ ...reference([`${rbac}/v1`, 'ClusterRole'], name), rules });
  for (const name of [cluster, other]) {
    await createCluster(hub.client, name);
    await hub.client.apply({ ...reference([`${rbac}/v1`, 'Role'], 'confined-role', name), rules });
  }
  token = new ApiClient(
    readAccess(
      await confinedKubeconfig(hub.client, kubeconfig, 'confined', {
        grants: [
          { kind: 'ClusterRole', name: reader },
          { kind: 'Role', name: 'confined-role', namespace: cluster },
          { kind: 'ClusterRole', name: 'confined-here', namespace: cluster },
        ],
        signers: [{ signerName: signer, signingCA: { name: 'confined-ca', namespace: 'default' } }],
      }),
    ),
  );
  await hub.client.apply({
    ...annotated(definition, { 'addon.open-cluster-management.io/lifecycle': 'self' }),
    spec: {},
  });
  await hub.client.apply({ ...annotated(onCluster, { 'fleetwright.dev/delivery': 'compiled' }), spec: {} });
  await hub.client.apply({ ...byHand, spec: {} });
  await hub.client.apply({
    ...annotated(override, { 'fleetwright.dev/override': 'inventory' }),
    spec: { configs: [{ group: '', resource: 'configmaps', namespace: cluster, name: 'a' }] },
  });
  await hub.client.apply({
    ...work,
    metadata: { ...work.metadata, labels: { [labels.addOn]: addOn } },
    spec: { workload: { manifests: [reference(namespaceKind, addOn)] } },
  });
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: reader };
  for (const binding of bindings) await hub.client.apply({ ...binding, roleRef, subjects: [] });
}, 300_000);

afterAll(async () => {
  for (const object of [...bindings, work, override, byHand, onCluster, definition])
    await hub.client.delete(object);
  for (const name of [cluster, other]) await hub.client.delete(reference(ocmKinds.managedCluster, name));
  token.close();
  hub.close();
});

const answer = async (request: Promise<unknown>): Promise<string> => await answerTo('confined', request);

async function uidOf(object: KubernetesObject): Promise<string> {
  const { name = '', namespace } = object.metadata;
  const uid = (await hub.client.get(object.apiVersion, object.kind, name, namespace))?.metadata.uid;
  if (uid === undefined) throw new Error(`there is no ${object.kind} ${name}`);
  return uid;
}

function ownedBy(owner: KubernetesObject, uid: string): object {
  const { apiVersion, kind, metadata } = owner;
  return { metadata: { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid }] } };
}

const onlyOwners = (kind: string): string =>
  `fleetwright: owners stay, and the only owner that is added is the ${kind}`;

describe('of works', () => {
  const changed = 'works: fleetwright: of ManifestWorks only the owners change';

  test.each<[string, object]>([
    ['the manifests', { spec: { workload: { manifests: [reference(namespaceKind, 'evil')] } } }],
    ['how they are deleted', { spec: { deleteOption: { propagationPolicy: 'Orphan' } } }],
    ['the executor', { spec: { executor: { subject: { type: 'ServiceAccount' } } } }],
    ['a label', { metadata: { labels: { [labels.addOn]: 'other' } } }],
    ['an annotation', { metadata: { annotations: { a: 'b' } } }],
    ['a finalizer', { metadata: { finalizers: ['example.com/stay'] } }],
  ])('%s cannot be changed', async (_, patch) => {
    const spec = (patch as { readonly spec?: { readonly executor?: unknown } }).spec;
    const valid =
      spec?.executor === undefined
        ? patch
        : {
            spec: {
              executor: {
                subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } },
              },
            },
          };
    expect(await answer(token.merge(work, valid))).toBe(changed);
  });

  test('cannot be deleted', async () => {
    expect(await answer(token.delete(work))).toBe('works: fleetwright: ManifestWorks are not deleted');
  });

  test('cannot be created', async () => {
    const created = { ...work, metadata: { ...work.metadata, name: 'evil' }, spec: {} };
    expect(await answer(token.create(created))).toMatch(/cannot create resource "manifestworks"/);
  });

  test.each<[string, KubernetesObject]>([
    ['another add-on', byHand],
    ['an object of another kind', definition],
  ])('%s cannot become an owner', async (_, owner) => {
    expect(await answer(token.merge(work, ownedBy(owner, await uidOf(owner))))).toBe(
      `works: ${onlyOwners('ManagedClusterAddOn')}`,
    );
  });

  test('the owner can be written once, and neither be replaced nor taken away', async () => {
    expect(await answer(token.merge(work, ownedBy(onCluster, await uidOf(onCluster))))).toBe('allowed');
    // Kubernetes would delete what is owned by an object that is gone.
    const gone = ownedBy(onCluster, '00000000-0000-4000-8000-000000000000');
    const none = { metadata: { ownerReferences: null } };
    for (const patch of [gone, none])
      expect(await answer(token.merge(work, patch))).toBe(`works: ${onlyOwners('ManagedClusterAddOn')}`);
  });
});

describe('of works with pre-delete hooks, if the companion runs them', () => {
  let hooks: ApiClient;
  const name = `addon-${addOn}-pre-delete`;
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'bye', namespace: 'default' },
    spec: {},
  };
  const notDeleted =
    'hooks-works: fleetwright: only ManifestWorks of pre-delete hooks, and those that Git leaves to the companion, are deleted';
  /** @param owned the owner; the ManagedClusterAddOn unless another is passed */
  const hookWork = async (manifest: object, named = name, owned = onCluster): Promise<KubernetesObject> => ({
    ...reference(ocmKinds.manifestWork, named, cluster),
    metadata: {
      name: named,
      namespace: cluster,
      labels: { [labels.addOn]: addOn },
      ...(ownedBy(owned, await uidOf(owned)) as { readonly metadata: object }).metadata,
    },
    spec: { workload: { manifests: [manifest] } },
  });

  beforeAll(async () => {
    const props = { preDeleteHooks: true };
    hooks = new ApiClient(
      readAccess(await confinedKubeconfig(hub.client, kubeconfig, 'confined-hooks', props)),
    );
  }, 120_000);
  afterAll(() => hooks.close());

  test('they can be created, with Jobs and Pods only, under their name, and with their owner', async () => {
    const refused = 'hooks-works: fleetwright: only ManifestWorks of pre-delete hooks are created';
    const evil = reference(namespaceKind, 'evil');
    expect(await answer(hooks.create(await hookWork(evil)))).toBe(refused);
    expect(await answer(hooks.create(await hookWork(job, 'evil')))).toBe(refused);
    expect(await answer(hooks.create(await hookWork(job, name, byHand)))).toBe(
      'hooks-works: fleetwright: ManifestWorks of pre-delete hooks are owned by the ManagedClusterAddOn, or name its cluster in another namespace',
    );
    expect(await answer(hooks.create(await hookWork(job)))).toBe('allowed');
  });

  test('their manifests cannot be changed, and only they can be deleted', async () => {
    const created = await hookWork(job);
    expect(await answer(hooks.merge(created, { spec: { workload: { manifests: [] } } }))).toBe(
      'hooks-works: fleetwright: of ManifestWorks only the owners change',
    );
    expect(await answer(hooks.delete(work))).toBe(notDeleted);
    expect(await answer(hooks.delete(created))).toBe('allowed');
  });

  /** A work in the namespace of the cluster that hosts the add-on of another one. */
  const hostedWork = (named: string, hostedFor = other, annotations = {}): KubernetesObject => ({
    ...reference(ocmKinds.manifestWork, named, cluster),
    metadata: {
      name: named,
      namespace: cluster,
      labels: { [labels.addOn]: addOn, 'open-cluster-management.io/addon-namespace': hostedFor },
      annotations,
    },
    spec: { workload: { manifests: [job] } },
  });

  test('for a hosting cluster they name the cluster of the add-on, and have no owner', async () => {
    const misplaced =
      'hooks-works: fleetwright: ManifestWorks of pre-delete hooks are owned by the ManagedClusterAddOn, or name its cluster in another namespace';
    const hosted = hostedWork(`${name}-hosting-${other}`);
    const { metadata } = hosted;
    const owners = ownedBy(onCluster, await uidOf(onCluster)) as { readonly metadata: object };
    expect(await answer(hooks.create({ ...hosted, metadata: { ...metadata, ...owners.metadata } }))).toBe(
      misplaced,
    );
    expect(await answer(hooks.create(hostedWork(`${name}-hosting-${cluster}`, cluster)))).toBe(misplaced);
    for (const wrong of [hostedWork(name), hostedWork(`addon-${addOn}-deploy-hosting-${other}-0`)])
      expect(await answer(hooks.create(wrong))).toBe(
        'hooks-works: fleetwright: only ManifestWorks of pre-delete hooks are created',
      );
    expect(await answer(hooks.create(hosted))).toBe('allowed');
    expect(await answer(hooks.delete(hosted))).toBe('allowed');
  });

  test('of other works for hosting clusters, only those that Git leaves to the companion are deleted', async () => {
    const left = { 'fleetwright.dev/deleted-by': 'companion' };
    const deployed = `addon-${addOn}-deploy-hosting-${other}-0`;
    for (const [each, allowed] of [
      [hostedWork(deployed), false],
      [hostedWork('confined-by-hand', other, left), false],
      [hostedWork(deployed, other, left), true],
    ] as const) {
      await hub.client.apply(each);
      expect(await answer(hooks.delete(each))).toBe(allowed ? 'allowed' : notDeleted);
      await hub.client.delete(each);
    }
  });
});

describe('of ManagedClusterAddOns', () => {
  const changed =
    'add-ons: fleetwright: of ManagedClusterAddOns only the owners and the finalizers of pre-delete hooks change';
  const configs = [{ group: '', resource: 'configmaps', namespace: cluster, name: 'evil' }];

  test.each<[string, object]>([
    ['the configurations', { spec: { configs } }],
    ['the namespace', { spec: { installNamespace: 'kube-system' } }],
    ['a label', { metadata: { labels: { a: 'b' } } }],
    ['the mark of synth', { metadata: { annotations: { 'fleetwright.dev/delivery': null } } }],
    ['a finalizer', { metadata: { finalizers: ['example.com/stay'] } }],
  ])('%s cannot be changed', async (_, patch) => {
    expect(await answer(token.merge(onCluster, patch))).toBe(changed);
  });

  test('the finalizers of pre-delete hooks can be added and removed, of those that synth wrote', async () => {
    const finalizers = [
      'addon.open-cluster-management.io/addon-pre-delete',
      'addon.open-cluster-management.io/hosting-addon-pre-delete',
    ];
    expect(await answer(token.merge(onCluster, { metadata: { finalizers } }))).toBe('allowed');
    expect(await answer(token.merge(onCluster, { metadata: { finalizers: null } }))).toBe('allowed');
    expect(await answer(token.merge(byHand, { metadata: { finalizers } }))).toBe(changed);
  });

  test('the owner is the definition, and neither replaced nor taken away', async () => {
    const refused = `add-ons: ${onlyOwners('ClusterManagementAddOn')}`;
    const evil = ownedBy(reference(ocmKinds.clusterManagementAddOn, 'evil'), 'evil');
    expect(await answer(token.merge(onCluster, evil))).toBe(refused);
    expect(await answer(token.merge(onCluster, ownedBy(definition, await uidOf(definition))))).toBe(
      'allowed',
    );
    expect(await answer(token.merge(onCluster, ownedBy(definition, 'gone')))).toBe(refused);
    expect(await answer(token.merge(onCluster, { metadata: { ownerReferences: null } }))).toBe(refused);
  });

  test('those that synth did not write cannot be deleted', async () => {
    expect(await answer(token.delete(byHand))).toBe(
      'add-ons: fleetwright: only ManagedClusterAddOns that synth wrote are deleted',
    );
  });

  test('no other writer can add the mark of synth', async () => {
    const mark = { metadata: { annotations: { 'fleetwright.dev/delivery': 'compiled' } } };
    expect(await answer(token.merge(byHand, mark))).toBe(changed);
  });

  test('from a listed override, the fields that Git wrote can be removed, and nothing be written', async () => {
    const removed = 'add-ons: fleetwright: from an override that Git no longer has, fields are only removed';
    for (const patch of [
      { spec: { configs } },
      { spec: { installNamespace: 'kube-system' } },
      { metadata: { labels: { a: 'b' } } },
      { metadata: { annotations: { 'fleetwright.dev/override': 'other' } } },
      { metadata: { finalizers: ['example.com/stay'] } },
    ])
      expect(await answer(token.merge(override, patch))).toBe(removed);
    const patch = {
      spec: { configs: null },
      metadata: { annotations: { 'fleetwright.dev/override': null } },
    };
    expect(await answer(token.merge(override, patch))).toBe('allowed');
    expect(await answer(token.delete(override))).toBe(
      'add-ons: fleetwright: only ManagedClusterAddOns that synth wrote are deleted',
    );
  });

  test('the status of others is kept', async () => {
    const others =
      'add-on-statuses: fleetwright: addOnMeta, addOnConfiguration, relatedObjects, kubeClientDriver and the conditions of others stay as they are';
    const now = '2026-01-31T12:00:00Z';
    const condition = (type: string): object => ({
      type,
      status: 'False',
      reason: 'Reported',
      message: 'reported',
      lastTransitionTime: now,
    });
    await hub.client.merge(onCluster, { status: { conditions: [condition('OfOthers')] } }, 'status');
    for (const status of [
      { addOnMeta: { description: 'evil' } },
      { relatedObjects: [{ group: '', resource: 'secrets', name: 'evil' }] },
      { kubeClientDriver: 'token' },
      { conditions: [] },
      { conditions: [condition('OfOthers'), condition('Degraded')] },
    ])
      expect(await answer(token.merge(onCluster, { status }, 'status'))).toBe(others);
    const conditions = [condition('OfOthers'), condition('RegistrationApplied')];
    expect(await answer(token.merge(onCluster, { status: { conditions } }, 'status'))).toBe('allowed');
  });

  test("with the hub's API server only the add-on's own user is registered", async () => {
    const registering = (user: string): object => ({
      status: { registrations: [{ signerName: 'kubernetes.io/kube-apiserver-client', subject: { user } }] },
    });
    for (const user of ['system:admin', ownSubject(other, addOn).user, ownSubject(cluster, 'other').user])
      expect(await answer(token.merge(onCluster, registering(user), 'status'))).toBe(
        "add-on-statuses: fleetwright: the user of the hub's API server is the add-on's own",
      );
    for (const user of [ownSubject(cluster, addOn).user, `system:serviceaccount:${cluster}:${addOn}-agent`])
      expect(await answer(token.merge(onCluster, registering(user), 'status'))).toBe('allowed');
  });
});

describe('of RoleBindings', () => {
  const ours = {
    'app.kubernetes.io/managed-by': 'fleetwright-controller',
    [labels.addOn]: addOn,
    [labels.cluster]: cluster,
  };
  const binding = (
    parts: {
      readonly name?: string;
      readonly namespace?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly role?: readonly [kind: string, name: string];
      readonly subjects?: readonly object[];
    } = {},
  ): KubernetesObject => {
    const [kind, role] = parts.role ?? ['ClusterRole', reader];
    const name = parts.name ?? `fleetwright:${addOn}:${cluster}:${kind.toLowerCase()}:${role}`;
    const found = reference(roleBinding, name, parts.namespace ?? cluster);
    return {
      ...found,
      metadata: { ...found.metadata, labels: parts.labels ?? ours },
      roleRef: { apiGroup: rbac, kind, name: role },
      subjects: parts.subjects ?? [{ apiGroup: rbac, kind: 'User', name: ownSubject(cluster, addOn).user }],
    };
  };
  const user = (name: string): object => ({ apiGroup: rbac, kind: 'User', name });
  const notTouched = 'role-bindings: fleetwright: RoleBindings of others are not touched';
  const notNamed =
    'role-bindings: fleetwright: a RoleBinding has the name and the labels of its add-on and cluster';
  const oneSubject =
    'role-bindings: fleetwright: a RoleBinding has one subject, the agent of its add-on on its cluster';

  test.each(bindings)('those of others can be neither deleted nor changed', async (found) => {
    expect(await answer(token.delete(found))).toBe(notTouched);
    expect(await answer(token.merge(found, { metadata: { labels: ours } }))).toBe(notTouched);
  });

  test.each<[string, KubernetesObject, string]>([
    ['another name', binding({ name: 'evil' }), notTouched],
    ['no label of its manager', binding({ labels: { [labels.addOn]: addOn } }), notTouched],
    ['the name of another add-on', binding({ name: `fleetwright:other:${cluster}:a` }), notNamed],
    ['the name of another cluster', binding({ name: `fleetwright:${addOn}:${other}:a` }), notNamed],
    [
      'no label of its cluster',
      binding({ labels: { ...ours, [labels.cluster]: '' }, name: `fleetwright:${addOn}::a` }),
      notNamed,
    ],
    ['no subject', binding({ subjects: [] }), oneSubject],
    ['an administrator', binding({ subjects: [user('evil')] }), oneSubject],
    [
      'the agent on another cluster',
      binding({ subjects: [user(ownSubject(other, addOn).user)] }),
      oneSubject,
    ],
    ['another add-on', binding({ subjects: [user(ownSubject(cluster, 'other').user)] }), oneSubject],
    ['one more', binding({ subjects: [user(ownSubject(cluster, addOn).user), user('evil')] }), oneSubject],
    [
      'a group',
      binding({ subjects: [{ apiGroup: rbac, kind: 'Group', name: ownSubject(cluster, addOn).user }] }),
      oneSubject,
    ],
    [
      'a ServiceAccount',
      binding({ subjects: [{ kind: 'ServiceAccount', name: 'confined', namespace: companionNamespace }] }),
      oneSubject,
    ],
  ])('cannot be created with %s', async (_, evil, refused) => {
    expect(await answer(token.create(evil))).toBe(refused);
  });

  test.each<[string, KubernetesObject]>([
    ['a ClusterRole that is not granted', binding({ role: ['ClusterRole', 'confined-ungranted'] })],
    ['a Role in another namespace', binding({ role: ['Role', 'confined-role'], namespace: other })],
    [
      'a ClusterRole outside the namespace of its grant',
      binding({ role: ['ClusterRole', 'confined-here'], namespace: other }),
    ],
  ])('%s cannot be bound', async (_, evil) => {
    expect(await answer(token.create(evil))).toMatch(
      /attempting to grant RBAC permissions not currently held/,
    );
  });

  test.each<[string, KubernetesObject]>([
    ['a ClusterRole', binding()],
    ['a ClusterRole in any namespace', binding({ namespace: other })],
    ['a Role in its namespace', binding({ role: ['Role', 'confined-role'] })],
    ['a ClusterRole in the namespace of its grant', binding({ role: ['ClusterRole', 'confined-here'] })],
  ])('%s can be bound, and unbound again', async (_, good) => {
    expect(await answer(token.create(good))).toBe('allowed');
    const { subjects } = binding({ subjects: [user('evil')] });
    expect(await answer(token.merge(good, { subjects }))).toBe(oneSubject);
    const tokenUser = user(`system:serviceaccount:${cluster}:${addOn}-agent`);
    expect(await answer(token.merge(good, { subjects: [tokenUser] }))).toBe('allowed');
    // Somebody took the label: the companion writes it again.
    await hub.client.merge(good, { metadata: { labels: { [labels.cluster]: null } } });
    expect(await answer(token.merge(good, { metadata: { labels: ours } }))).toBe('allowed');
    expect(await answer(token.delete(good))).toBe('allowed');
  });
});

describe('of certificate requests', () => {
  const agent = agentOf(cluster);
  const now = '2026-01-31T12:00:00Z';
  const approval = {
    status: {
      conditions: [{ type: 'Approved', status: 'True', reason: 'a', message: 'b', lastUpdateTime: now }],
    },
  };

  /** Sends a request in somebody's name; returns what is said to its approval by the companion. */
  async function approve(request: RequestObject, as = agent): Promise<string> {
    await hub.client.as(as).create(request);
    return await answer(token.merge(request, approval, 'approval'));
  }

  const own = (request: string): RequestObject => goodRequest(cluster, addOn, { request });
  const { user, groups } = ownSubject(cluster, addOn);
  const organizations = groups.map((group) => attribute(oids.organization, group));
  const commonName = attribute(oids.commonName, user);
  const named = (...entries: Buffer[][]): RequestObject => own(inBase64(forge({ name: entries })));
  const printable = (text: string): Buffer => element(0x13, Buffer.from(text));

  const notOwn =
    "certificate-requests: fleetwright: a certificate for the hub's API server is for the add-on's own user";

  describe('one for another identity is not approved, whatever agent requests it', () => {
    const bmp = (text: string): Buffer => element(0x1e, Buffer.from(text, 'utf16le').swap16());
    test.each<[string, () => RequestObject]>([
      ['an administrator', () => named(organizations, [attribute(oids.commonName, 'system:admin')])],
      [
        'a controller of Kubernetes',
        () => named([attribute(oids.commonName, 'system:kube-controller-manager')]),
      ],
      [
        'a node',
        () =>
          named(
            [attribute(oids.organization, 'system:nodes')],
            [attribute(oids.commonName, 'system:node:a')],
          ),
      ],
      [
        'a further group',
        () => named([...organizations, attribute(oids.organization, 'evil')], [commonName]),
      ],
      [
        'a further group behind its name',
        () => named(organizations, [commonName], [attribute(oids.organization, 'evil')]),
      ],
      [
        'a group in another string type',
        () => named([...organizations, attribute(oids.organization, bmp('evil'))], [commonName]),
      ],
      [
        'a group that begins as its own',
        () => named([attribute(oids.organization, `${ownGroup(cluster, addOn)}0`)], [commonName]),
      ],
      [
        'the group of another add-on',
        () => named([attribute(oids.organization, ownGroup(cluster, 'other'))], [commonName]),
      ],
      [
        'the group of another cluster',
        () => named([attribute(oids.organization, ownGroup(other, addOn))], [commonName]),
      ],
      [
        'its name and another',
        () => named(organizations, [commonName], [attribute(oids.commonName, 'evil')]),
      ],
      [
        'another name and its own',
        () => named(organizations, [attribute(oids.commonName, 'evil')], [commonName]),
      ],
      ['its name twice', () => named(organizations, [commonName], [commonName])],
      ['two names in one entry', () => named([commonName, attribute(oids.commonName, 'evil')])],
      ['a name that begins as its own', () => named([attribute(oids.commonName, `${user}0`)])],
      ['a name that ends as its own', () => named([attribute(oids.commonName, `0${user}`)])],
      ['its name in another string type', () => named([attribute(oids.commonName, bmp(user))])],
      [
        'its name in the string type of telexes',
        () => named([attribute(oids.commonName, element(0x14, Buffer.from(user)))]),
      ],
      ['no name', () => named(organizations)],
      [
        'another name, with its own in a locality',
        () => named([attribute(oids.commonName, 'evil')], [attribute('2.5.4.7', user)]),
      ],
      [
        'another name, with its own behind a like identifier',
        () => named([attribute('2.5.4.3.1', user)], [attribute(oids.commonName, 'evil')]),
      ],
      [
        'another name, with its own in an extension',
        () =>
          own(
            inBase64(
              forge({
                name: [[attribute(oids.commonName, 'evil')]],
                extensions: [sequence(element(0x06, Buffer.from([42, 3, 4])), element(0x04, commonName))],
              }),
            ),
          ),
      ],
      [
        'the name of another add-on',
        () =>
          goodRequest(
            cluster,
            addOn,
            goodRequest(cluster, 'other')['spec'] as Readonly<Record<string, unknown>>,
          ),
      ],
      [
        'the name on another cluster',
        () =>
          goodRequest(cluster, addOn, goodRequest(other, addOn)['spec'] as Readonly<Record<string, unknown>>),
      ],
    ])('%s', async (_, request) => {
      expect(await approve(request())).toBe(notOwn);
    });

    const pem = Buffer.from(inBase64(forge({ name: [[commonName]] })), 'base64').toString();
    const evil = Buffer.from(
      inBase64(forge({ name: [[attribute(oids.commonName, 'evil')]] })),
      'base64',
    ).toString();
    test.each<[string, string]>([
      ['two blocks, of which the first is signed', evil + pem],
      ['text before the block', `a\n${pem}`],
      ['text behind the block', `${pem}a`],
      ['a header in the block', evil.replace('\n', '\nA: b\n\n')],
    ])('%s', async (_, text) => {
      expect(await approve(own(Buffer.from(text).toString('base64')))).toBe(notOwn);
    });
  });

  describe('one for the own identity is approved', () => {
    const withKey = (key: ReturnType<typeof newKey>): RequestObject => {
      const subject = { commonName: user, organizations: groups, organizationalUnits: [] };
      const dnsNames = [`${addOn}.addon.open-cluster-management.io`];
      return own(Buffer.from(newCertificateRequest(key, { subject, dnsNames })).toString('base64'));
    };
    const all = [...organizations, attribute(oids.organization, 'system:authenticated')];
    test.each<[string, () => RequestObject]>([
      ['as our agent writes it', () => withKey(newKey())],
      [
        'with RSA of 4096 bits',
        () => withKey(generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey),
      ],
      [
        'with RSA of 8192 bits',
        () => withKey(generateKeyPairSync('rsa', { modulusLength: 8192 }).privateKey),
      ],
      ['with Ed25519', () => withKey(generateKeyPairSync('ed25519').privateKey)],
      ['with P-521', () => withKey(newKey('P-521'))],
      ['with a group in a separate entry', () => named([commonName], ...all.map((each) => [each]))],
      ['in printable strings', () => named([attribute(oids.commonName, printable(user))])],
      ['with one group', () => named(organizations.slice(0, 1), [commonName])],
      [
        'in lines of another length',
        () => {
          const body = forge({ name: [organizations, [commonName]] }).toString('base64');
          const lines = body.replaceAll(/(.{17})/g, '$1\r\n');
          const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} CERTIFICATE REQUEST-----`);
          return own(Buffer.from(`${begin}\r\n${lines}\r\n${end}\r\n`).toString('base64'));
        },
      ],
    ])('%s', async (_, request) => {
      expect(await approve(request())).toBe('allowed');
    });

    test('and one of its own signer, which defines itself for whom it signs', async () => {
      const request = customRequest(cluster, addOn, { signerName: signer });
      const pem = authorityCertificate(newKey(), { name: 'evil' });
      const certificate = Buffer.from(pem).toString('base64');
      expect(
        await answer(
          (async () => {
            await hub.client.as(agent).create(request);
            await token.merge(request, { status: { certificate } }, 'status');
          })(),
        ),
      ).toBe(
        'certificate-requests: fleetwright: certificates are signed for approved requests of the signers of add-ons',
      );
      expect(await answer(token.merge(request, approval, 'approval'))).toBe('allowed');
    });

    test.each([
      ['a short one', 'c', 'a'],
      ['a name of more than 127 characters', 'confined-'.padEnd(63, 'c'), 'confined-'.padEnd(40, 'a')],
      ['a name of 247 characters', 'confined-'.padEnd(63, 'd'), 'confined-'.padEnd(63, 'b')],
    ])('on clusters and for add-ons with names of any length: %s', async (_, cluster, addOn) => {
      const request = goodRequest(cluster, addOn);
      // As the API server generates it.
      const name = `${`addon-${cluster}-${addOn}-`.slice(0, 58)}x7k2p`;
      const { user, groups } = agentOf(cluster);
      // There are no such clusters, so nothing lets their agents create requests.
      const requester = { user, groups: [...groups, 'system:masters'] };
      expect(await approve({ ...request, metadata: { ...request.metadata, name } }, requester)).toBe(
        'allowed',
      );
    });
  });

  const notAgent =
    'certificate-requests: fleetwright: a certificate is for the agent of the cluster that requests it';
  test.each<[string, ReturnType<typeof agentOf>]>([
    ['the agent of another cluster', agentOf(other)],
    ['an administrator', { user: 'administrator', groups: ['system:masters'] }],
    ['an agent without its group', { user: agent.user, groups: ['system:masters'] }],
    [
      'an agent in the group of another cluster',
      { ...agent, groups: [...agent.groups, ...agentOf(other).groups] },
    ],
    ['an agent of two names', { ...agent, user: `${agent.user}:b` }],
    ['the add-on', { user, groups: [...groups, 'system:masters'] }],
    [
      "OCM's gRPC server, which is not trusted",
      {
        user: 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa',
        groups: ['system:masters'],
      },
    ],
  ])('one of %s is not approved', async (_, as) => {
    expect(await approve(goodRequest(cluster, addOn), as)).toBe(notAgent);
  });

  test("one of OCM's gRPC server is approved for the agent in its annotation, if the server is trusted", async () => {
    const trusting = new ApiClient(
      readAccess(
        await confinedKubeconfig(hub.client, kubeconfig, 'confined-trusting', { trustGrpcServer: true }),
      ),
    );
    const server = {
      user: 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa',
      groups: ['system:masters'],
    };
    const answers: string[] = [];
    for (const asking of [agent.user, agentOf(other).user]) {
      const request = goodRequest(cluster, addOn);
      const annotations = { 'open-cluster-management.io/csr-user': asking };
      await hub.client.as(server).create({ ...request, metadata: { ...request.metadata, annotations } });
      answers.push(await answer(trusting.merge(request, approval, 'approval')));
    }
    trusting.close();
    expect(answers).toEqual(['allowed', expect.stringContaining(notAgent.split(': ').at(-1) ?? '')]);
  });

  test('one with other labels or another name is not approved', async () => {
    const refused =
      'certificate-requests: fleetwright: a certificate request has the labels and the name of its add-on and cluster';
    const request = goodRequest(cluster, addOn);
    const metadata = { ...request.metadata, labels: { [labels.cluster]: cluster } };
    expect(await approve({ ...request, metadata })).toBe(refused);
    const misnamed = { ...request, metadata: { ...request.metadata, name: 'confined-request' } };
    expect(await approve(misnamed)).toBe(refused);
  });

  test('an approval cannot change the labels of a request', async () => {
    const request = goodRequest(
      cluster,
      addOn,
      goodRequest(cluster, 'other')['spec'] as Readonly<Record<string, unknown>>,
    );
    await hub.client.as(agent).create(request);
    const relabeled = { ...approval, metadata: { labels: { [labels.addOn]: 'other' } } };
    expect(await answer(token.merge(request, relabeled, 'approval'))).toBe(
      'certificate-requests: fleetwright: labels and annotations of a certificate request stay as they are',
    );
  });

  test('one for servers is not approved', async () => {
    const usages = ['client auth', 'server auth'];
    expect(await approve(goodRequest(cluster, addOn, { usages }))).toBe(
      'certificate-requests: fleetwright: a certificate is for a client',
    );
  });

  test.each(['kubernetes.io/kube-apiserver-client-kubelet', 'evil.example.com/other'])(
    'one of the signer %s is not approved',
    async (signerName) => {
      const request = goodRequest(cluster, addOn, { signerName });
      expect(await approve(request)).toMatch(/user not permitted to approve requests with signerName/);
    },
  );

  test('cannot be created, changed or deleted', async () => {
    const request = goodRequest(cluster, addOn);
    expect(await answer(token.create(request))).toMatch(/cannot create resource/);
    await hub.client.as(agent).create(request);
    expect(await answer(token.merge(request, { metadata: { labels: { a: 'b' } } }))).toMatch(/cannot patch/);
    expect(await answer(token.delete(request))).toMatch(/cannot delete/);
  });

  test('a good one is signed by the API server in the end', async () => {
    const request = goodRequest(cluster, addOn);
    expect(await approve(request)).toBe('allowed');
    const certificate = async (): Promise<unknown> => {
      const found = await hub.client.get(...requestKind, request.metadata.name);
      return (found?.['status'] as { readonly certificate?: string } | undefined)?.certificate;
    };
    await expect.poll(certificate, patience).toEqual(expect.any(String));
  });
});

describe('of Events', () => {
  const event = (parts: object = {}, namespace = cluster): KubernetesObject => ({
    ...reference(eventKind, `confined-${Math.random().toString(36).slice(2)}`, namespace),
    involvedObject: { ...onCluster.metadata, kind: onCluster.kind, apiVersion: onCluster.apiVersion },
    reason: 'Reported',
    message: 'reported',
    type: 'Normal',
    reportingComponent: 'fleetwright-controller',
    ...parts,
  });
  const about = 'events: fleetwright: Events are about ManagedClusterAddOns and certificate requests';

  test.each<[string, KubernetesObject]>([
    ['about a pod', event({ involvedObject: { kind: 'Pod', name: 'a', namespace: cluster } })],
    ['in the name of others', event({ reportingComponent: 'kubelet' })],
    ['in the name of nobody', event({ reportingComponent: undefined })],
  ])('cannot be created %s', async (_, evil) => {
    expect(await answer(token.create(evil))).toBe(about);
  });

  test('those of others are kept, and its own are counted up', async () => {
    const [own, others] = [event(), event({ reportingComponent: 'kubelet' })];
    await hub.client.create(others);
    const eventUpdate = { reportingComponent: 'fleetwright-controller', count: 2 };
    expect(await answer(token.merge(others, eventUpdate))).toBe(
      'events: fleetwright: Events of others stay as they are',
    );
    expect(await answer(token.create(own))).toBe('allowed');
    expect(await answer(token.merge(own, { count: 2 }))).toBe('allowed');
  });

  test('those about certificate requests are in the namespace default', async () => {
    const involvedObject = { kind: 'CertificateSigningRequest', name: 'a' };
    expect(await answer(token.create(event({ involvedObject }, 'default')))).toBe('allowed');
  });
});

test('of Leases there is its own', async () => {
  expect(await answer(token.create(reference(leaseKind, 'other', companionNamespace)))).toBe(
    `leases: fleetwright: the Lease is ${companionNamespace}/confined`,
  );
  expect(await answer(token.create(reference(leaseKind, 'confined', companionNamespace)))).toBe('allowed');
  expect(await answer(token.create(reference(leaseKind, 'confined', cluster)))).toMatch(/cannot create/);
});

test('other users are not confined', async () => {
  const mark = { metadata: { annotations: { 'fleetwright.dev/delivery': null } } };
  expect(await answer(hub.client.merge(onCluster, mark))).toBe('allowed');
  expect(await answer(hub.client.delete(foreign))).toBe('allowed');
});
