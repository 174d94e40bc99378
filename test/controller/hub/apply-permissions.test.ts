import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  applyPermissions,
  holderOf,
  isCompanions,
} from '../../../src/controller/hub/registration/apply-permissions.ts';
import { hubPermissions } from '../../../src/controller/hub/registration/hub-permissions.ts';
import { roleBindings, type RoleBinding } from '../../../src/controller/hub/registration/role-binding.ts';
import { FakeApiServer } from '../api-server.ts';
import { template } from './stored-add-ons.ts';

let server: FakeApiServer;
beforeEach(async () => {
  server = await FakeApiServer.start();
});
afterEach(async () => await server.stop());

const holder = {
  addOn: 'hello',
  cluster: 'cluster1',
  owner: {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    name: 'hello',
    uid: 'uid',
  },
  user: 'agent',
};
function wanted(...roles: readonly string[]): readonly RoleBinding[] {
  const asked = roles.map((clusterRoleName) => ({
    type: 'CurrentCluster',
    currentCluster: { clusterRoleName },
  }));
  const registration = [{ type: 'KubeClient', kubeClient: { hubPermissions: asked } }] as const;
  const permissions = hubPermissions(
    template(registration as unknown as Parameters<typeof template>[0]),
    holder,
  );
  if ('error' in permissions) throw new Error(permissions.error);
  return permissions.bindings;
}

const held = async () => (await server.client().list(roleBindings)).filter(isCompanions);
const roles = async () =>
  (await server.client().list(roleBindings)).map(({ roleRef }) => roleRef?.name ?? '').sort();
const apply = async (bindings: readonly RoleBinding[], known = held()): Promise<void> =>
  await applyPermissions(server.client(), bindings, await known, new AbortController().signal);

test('missing objects are created, unwanted ones are deleted, and correct ones are not written', async () => {
  await apply(wanted('a', 'b'));
  expect(await roles()).toEqual(['a', 'b']);
  server.requests.length = 0;
  await apply(wanted('b', 'c'));
  expect(await roles()).toEqual(['b', 'c']);
  expect(server.requests.filter((each) => !each.startsWith('GET')).map((each) => each.split(' ')[0])).toEqual(
    ['DELETE', 'POST'],
  );
});

test('a binding that the cache does not have yet is not an error', async () => {
  await apply(wanted('a'));
  await apply(wanted('a'), Promise.resolve([]));
  expect(await roles()).toEqual(['a']);
});

test('a binding of another owner with the same name is not changed, and is reported', async () => {
  const [binding] = wanted('a');
  if (binding === undefined) throw new Error('no binding');
  const subjects = [{ kind: 'User', name: 'somebody' }];
  await server
    .client()
    .create(roleBindings, { ...binding, metadata: { ...binding.metadata, labels: {} }, subjects });
  await expect(apply(wanted('a'))).rejects.toThrow('already exists');
  expect(await server.client().list(roleBindings)).toMatchObject([{ subjects }]);
});

test('a binding whose role was replaced is recreated', async () => {
  const [binding] = wanted('a');
  if (binding === undefined) throw new Error('no binding');
  const roleRef = { ...binding.roleRef, name: 'cluster-admin' };
  await server.client().create(roleBindings, { ...binding, roleRef });
  await apply(wanted('a'));
  expect(await roles()).toEqual(['a']);
});

test('the labels of a binding name its owner', async () => {
  await apply(wanted('a'));
  const [binding] = await held();
  if (binding === undefined) throw new Error('no binding');
  expect(holderOf(binding)).toBe('cluster1/hello');
  const renamed = { ...binding, metadata: { ...binding.metadata, name: 'open-cluster-management:hello' } };
  expect(holderOf(renamed)).toBeUndefined();
});
