import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TerminalError } from '../../src/client/api-error.ts';
import { isDnsLabel, isDnsSubdomain } from '../../src/client/names.ts';
import {
  clusterResource,
  collectionPath,
  namespacedResource,
  objectPath,
  pathOf,
} from '../../src/client/resource.ts';

const secrets = namespacedResource('v1', 'Secret', 'secrets');
const bindings = namespacedResource('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings');
const clusters = clusterResource(
  'cluster.open-cluster-management.io/v1',
  'ManagedCluster',
  'managedclusters',
);

test('paths are those of the API server', () => {
  expect(collectionPath(secrets)).toBe('/api/v1/secrets');
  expect(collectionPath(secrets, 'ns')).toBe('/api/v1/namespaces/ns/secrets');
  expect(objectPath(clusters, { name: 'c1' }, 'status')).toBe(
    '/apis/cluster.open-cluster-management.io/v1/managedclusters/c1/status',
  );
  // Names of roles and bindings may have colons.
  expect(objectPath(bindings, { namespace: 'ns', name: 'fleetwright:a:b' })).toBe(
    '/apis/rbac.authorization.k8s.io/v1/namespaces/ns/rolebindings/fleetwright%3Aa%3Ab',
  );
});

const hostile = ['', '.', '..', 'a/b', '../b', 'a%2fb', 'a?b', 'a#b', 'a\\b', 'a b', 'a\nb', 'a\0', '\ud800'];

test.each(hostile)('%j is a name nowhere in a path', (name) => {
  expect(() => objectPath(secrets, { namespace: 'ns', name })).toThrow(TerminalError);
  expect(() => objectPath(secrets, { namespace: name, name: 'a' })).toThrow(TerminalError);
  expect(() => collectionPath(secrets, name)).toThrow(TerminalError);
  expect(() => pathOf('apis', name)).toThrow(TerminalError);
});

function pathNamed(name: string): string | undefined {
  try {
    return objectPath(secrets, { namespace: 'ns', name });
  } catch (error) {
    if (error instanceof TerminalError) return undefined;
    throw error;
  }
}

test('no name changes which path a URL has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const path = pathNamed(name);
      // A name that is refused has no path.
      if (path === undefined) return;
      const { pathname, search, hash } = new URL(path, 'https://server');
      expect([pathname, search, hash]).toEqual([path, '', '']);
      expect(pathname.split('/')).toHaveLength(7);
    }),
  );
});

test.each([
  ['a', true, true],
  ['a-1', true, true],
  ['a.b', false, true],
  ['A', false, false],
  ['-a', false, false],
  ['a-', false, false],
  ['a..b', false, false],
  ['.a', false, false],
  ['a,metadata.name!=b', false, false],
  ['', false, false],
  ['a'.repeat(64), false, true],
  ['a'.repeat(254), false, false],
])('%s is a label of DNS: %s, and a subdomain: %s', (name, label, subdomain) => {
  expect([isDnsLabel(name), isDnsSubdomain(name)]).toEqual([label, subdomain]);
});
