import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { tokenInfrastructure } from '../../src/ocm/token-infrastructure.ts';
import { ApiClient } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { ocmKinds, reference, role as roleKind, roleBinding, serviceAccount } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { answerTo } from './companion/answer.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { createCluster, labels, ownSubject } from './companion/fleet.ts';

// A client with the token of a companion that creates the objects from which agents get tokens: what the admission policies of the
// construct refuse, each time where its permissions allow it, and what they let through.

const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const rbac = 'rbac.authorization.k8s.io';
const [companion, cluster, other, addOn] = ['tokens', 'tokens1', 'tokens2', 'tokens-hello'];
const managedBy = { 'app.kubernetes.io/managed-by': 'fleetwright-controller' };
const own = tokenInfrastructure({ addOn, cluster }, managedBy);
const ofManager = tokenInfrastructure({ addOn: 'tokens-other', cluster });
let token: ApiClient;

const answer = async (request: Promise<unknown>): Promise<string> => await answerTo(companion, request);

/** An object with other metadata. */
function labeled(object: KubernetesObject, metadata: object): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

beforeAll(async () => {
  for (const name of [cluster, other]) await createCluster(hub.client, name);
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  for (const name of ['tokens-granted', 'tokens-ungranted'])
    await hub.client.apply({ ...reference(roleKind, name, cluster), rules });
  token = new ApiClient(
    readAccess(
      await confinedKubeconfig(hub.client, kubeconfig, companion, {
        tokenRegistration: true,
        grants: [{ kind: 'Role', name: 'tokens-granted', namespace: cluster }],
      }),
    ),
  );
  for (const object of Object.values(ofManager)) await hub.client.apply({ ...object });
}, 300_000);

afterAll(async () => {
  for (const object of [...Object.values(ofManager), ...Object.values(own)])
    await hub.client.delete({ ...object });
  for (const name of [cluster, other]) await hub.client.delete(reference(ocmKinds.managedCluster, name));
  token.close();
  hub.close();
});

test('tokens of ServiceAccounts cannot be requested', async () => {
  const account = reference(serviceAccount, 'default', 'kube-system');
  expect(await answer(token.createToken(account))).toMatch(/cannot create resource "serviceaccounts\/token"/);
});

describe('a ServiceAccount', () => {
  const account: KubernetesObject = own.serviceAccount;
  const refused = 'service-accounts: fleetwright: a ServiceAccount is that of an agent, on its cluster';

  test.each<[string, KubernetesObject]>([
    ['with another name', labeled(account, { name: 'evil' })],
    ['of another add-on', labeled(account, { name: 'other-agent' })],
    [
      'without the label of its manager',
      labeled(account, { labels: ofManager.serviceAccount.metadata.labels }),
    ],
    ['without labels', labeled(account, { labels: {} })],
    ['with another label', labeled(account, { labels: { ...account.metadata.labels, a: 'b' } })],
    ['in a namespace of no cluster', labeled(account, { namespace: 'default' })],
  ])('%s cannot be created', async (_, object) => {
    expect(await answer(token.create(object))).toBe(refused);
  });

  test('of an agent can be created, and not changed', async () => {
    expect(await answer(token.create(account))).toBe('allowed');
    expect(await answer(token.merge(account, { secrets: [{ name: 'evil' }] }))).toMatch(
      /cannot patch resource "serviceaccounts"/,
    );
  });
});

describe('a Role', () => {
  const [requests, subscribes] = own.role.rules;
  const withRules = (...rules: readonly unknown[]): KubernetesObject => ({ ...own.role, rules });
  const refused =
    'roles: fleetwright: a Role lets a cluster request tokens of the agent of an add-on, and nothing else';

  test.each<[string, KubernetesObject]>([
    ['for everything', withRules({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })],
    ['for something more', withRules(requests, subscribes, { ...subscribes, verbs: ['get'] })],
    ['for tokens of all ServiceAccounts', withRules({ ...requests, resourceNames: [] }, subscribes)],
    [
      'for tokens of another add-on',
      withRules({ ...requests, resourceNames: ['tokens-other-agent'] }, subscribes),
    ],
    ['with another verb', withRules({ ...requests, verbs: ['create', 'get'] }, subscribes)],
    ['without a rule', withRules(requests)],
    ['without rules', withRules()],
    ['with another name', labeled(own.role, { name: 'evil' })],
    ['in a namespace of no cluster', labeled(own.role, { namespace: 'kube-system' })],
    ['without the label of its manager', labeled(own.role, { labels: ofManager.role.metadata.labels })],
  ])('%s cannot be created', async (_, object) => {
    expect(await answer(token.create(object))).toBe(refused);
  });

  test('for the tokens of an agent can be created, and not changed', async () => {
    expect(await answer(token.create(own.role))).toBe('allowed');
    expect(await answer(token.merge(own.role, { rules: [] }))).toMatch(/cannot patch resource "roles"/);
  });
});

describe('a RoleBinding', () => {
  const refused =
    'role-bindings: fleetwright: a RoleBinding for tokens lets the agents of a cluster request those of an add-on';
  const binding: KubernetesObject = { ...own.roleBinding };
  const group = (name: string): object => ({ apiGroup: rbac, kind: 'Group', name });
  const { subjects } = own.roleBinding;

  test.each<[string, KubernetesObject]>([
    ['for everybody', { ...binding, subjects: [group('system:authenticated')] }],
    ['for others too', { ...binding, subjects: [...subjects, group('system:authenticated')] }],
    [
      'for another cluster',
      { ...binding, subjects: tokenInfrastructure({ addOn, cluster: other }).roleBinding.subjects },
    ],
    ['for nobody', { ...binding, subjects: [] }],
    ['of another Role', { ...binding, roleRef: { apiGroup: rbac, kind: 'Role', name: 'tokens-ungranted' } }],
    ['with another name', labeled(binding, { name: 'evil' })],
    ['in the namespace of another cluster', labeled(binding, { namespace: other })],
  ])('%s cannot be created', async (_, object) => {
    expect(await answer(token.create(object))).toBe(refused);
  });

  test('of a ClusterRole cannot be created: RBAC refuses it', async () => {
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' };
    expect(await answer(token.create({ ...binding, roleRef }))).toMatch(
      /attempting to grant RBAC permissions not currently held/,
    );
  });

  test('for the tokens of an agent can be created, and not changed', async () => {
    expect(await answer(token.create(binding))).toBe('allowed');
    const changed = 'role-bindings: fleetwright: RoleBindings for tokens are not changed';
    for (const patch of [{ subjects: [] }, { metadata: { labels: { a: 'b' } } }])
      expect(await answer(token.merge(binding, patch))).toBe(changed);
  });

  test('for the agent of an add-on binds granted Roles only, although RBAC allows all of them', async () => {
    const user = { apiGroup: rbac, kind: 'User', name: ownSubject(cluster, addOn).user };
    const ofAgent = (name: string): KubernetesObject => ({
      ...reference(roleBinding, `fleetwright:${addOn}:${cluster}:role:${name}`, cluster),
      metadata: {
        name: `fleetwright:${addOn}:${cluster}:role:${name}`,
        namespace: cluster,
        labels: { ...managedBy, [labels.addOn]: addOn, [labels.cluster]: cluster },
      },
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [user],
    });
    expect(await answer(token.create(ofAgent('tokens-ungranted')))).toBe(
      'role-bindings: fleetwright: only granted Roles are bound to agents',
    );
    expect(await answer(token.create(ofAgent('tokens-granted')))).toBe('allowed');
    expect(await answer(token.delete(ofAgent('tokens-granted')))).toBe('allowed');
  });
});

describe('of the objects for tokens', () => {
  test('those of others are not deleted', async () => {
    const { serviceAccount: account, role, roleBinding: binding } = ofManager;
    expect(await answer(token.delete(account))).toBe(
      'service-accounts: fleetwright: serviceaccounts of others are not deleted',
    );
    expect(await answer(token.delete(role))).toBe('roles: fleetwright: roles of others are not deleted');
    expect(await answer(token.delete({ ...binding }))).toBe(
      'role-bindings: fleetwright: RoleBindings of others are not touched',
    );
    expect(await answer(token.delete(reference(serviceAccount, 'default', cluster)))).toBe(
      'service-accounts: fleetwright: serviceaccounts of others are not deleted',
    );
  });

  test('the own ones are', async () => {
    for (const object of [own.roleBinding, own.role, own.serviceAccount])
      expect(await answer(token.delete({ ...object }))).toBe('allowed');
  });
});

test('the condition can be written', async () => {
  const onCluster = reference(ocmKinds.managedClusterAddOn, addOn, cluster);
  await hub.client.apply({ ...onCluster, spec: {} });
  const ready = {
    type: 'TokenInfrastructureReady',
    status: 'True',
    reason: 'TokenInfrastructureReady',
    message: 'as the hub says it',
    lastTransitionTime: '2026-01-31T12:00:00Z',
  };
  expect(await answer(token.merge(onCluster, { status: { conditions: [ready] } }, 'status'))).toBe('allowed');
  await hub.client.delete(onCluster);
});
