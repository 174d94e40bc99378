import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emit } from '../../compiler/emit/emit.ts';
import { fileName } from '../../compiler/emit/file-name.ts';

const addOnGroup = 'addon.open-cluster-management.io/v1alpha1';

test('one object a file, named after kind, namespace and name', () => {
  const name = (apiVersion: string, kind: string, name: string, namespace?: string): string =>
    fileName({ apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } });
  expect(name(addOnGroup, 'ManagedClusterAddOn', 'helloworld', 'cluster1')).toBe(
    'managedclusteraddon_cluster1_helloworld.yaml',
  );
  expect(name(addOnGroup, 'ClusterManagementAddOn', 'helloworld')).toBe(
    'clustermanagementaddon_helloworld.yaml',
  );
  expect(name('v1', 'ConfigMap', 'settings', 'default')).toBe('configmap_default_settings.yaml');
  expect(name('apps/v1', 'Deployment', 'agent', 'default')).toBe('deployment.apps_default_agent.yaml');
  expect(name('rbac.authorization.k8s.io/v1', 'ClusterRole', 'system:Reader')).toBe(
    'clusterrole.rbac.authorization.k8s.io_system_3a__52_eader.yaml',
  );
});

test('two objects never share a file, on file systems without upper case either', () => {
  const dns = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,3}[a-z0-9])?$/);
  const rbacName = fc.string({
    unit: fc.constantFrom('a', 'A', '_', ':', '.', '-', '3', 'ä'),
    minLength: 1,
    maxLength: 5,
  });
  const identity = fc.record({
    group: fc.constantFrom('', 'apps', 'example.com', 'addon.open-cluster-management.io'),
    kind: fc.constantFrom('Role', 'Thing'),
    namespace: fc.option(dns, { nil: undefined }),
    name: fc.oneof(dns, rbacName),
  });
  // Kinds of OCM's groups have names that no core kind has.
  const group = ({ group }: { group: string }): string =>
    group === 'addon.open-cluster-management.io' ? '' : group;
  const file = ({
    group,
    kind,
    namespace,
    name,
  }: {
    group: string;
    kind: string;
    namespace: string | undefined;
    name: string;
  }): string =>
    fileName({
      apiVersion: group === '' ? 'v1' : `${group}/v1`,
      kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    });
  fc.assert(
    fc.property(identity, identity, (a, b) => {
      const same =
        group(a) === group(b) && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
      expect(file(a).toLowerCase() === file(b).toLowerCase()).toBe(same);
    }),
    { numRuns: 2000 },
  );
});

test('the kustomization lists what others need first, and what overrides last', () => {
  const object = (apiVersion: string, kind: string, name: string, namespace?: string) => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  });
  const cluster = 'cluster.open-cluster-management.io';
  const tree = emit(
    [
      object(addOnGroup, 'ManagedClusterAddOn', 'hello', 'cluster1'),
      object(addOnGroup, 'ClusterManagementAddOn', 'hello'),
      object(`${cluster}/v1beta1`, 'Placement', 'aws', 'default'),
      object(addOnGroup, 'AddOnDeploymentConfig', 'deploy', 'default'),
      object('v1', 'ConfigMap', 'settings', 'default'),
      object(`${cluster}/v1beta2`, 'ManagedClusterSetBinding', 'global', 'default'),
      object(addOnGroup, 'AddOnTemplate', 'hello'),
      object('v1', 'Namespace', 'default'),
      object(`${cluster}/v1beta2`, 'ManagedClusterSet', 'global'),
    ],
    { addOns: [] },
  );
  expect([...tree.keys()]).toEqual([
    'namespace_default.yaml',
    'managedclusterset_global.yaml',
    'managedclustersetbinding_default_global.yaml',
    'placement_default_aws.yaml',
    'addondeploymentconfig_default_deploy.yaml',
    'configmap_default_settings.yaml',
    'addontemplate_hello.yaml',
    'clustermanagementaddon_hello.yaml',
    'managedclusteraddon_cluster1_hello.yaml',
    'kustomization.yaml',
    'resolution.yaml',
  ]);
  expect(tree.get('kustomization.yaml')).toBe(`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- namespace_default.yaml
- managedclusterset_global.yaml
- managedclustersetbinding_default_global.yaml
- placement_default_aws.yaml
- addondeploymentconfig_default_deploy.yaml
- configmap_default_settings.yaml
- addontemplate_hello.yaml
- clustermanagementaddon_hello.yaml
- managedclusteraddon_cluster1_hello.yaml
`);
});

test('what belongs to the server is not written', () => {
  const tree = emit(
    [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'a',
          namespace: 'b',
          uid: 'u',
          generation: 3,
          creationTimestamp: '2026-01-01T00:00:00Z',
          labels: { x: 'y' },
        },
        data: { k: 'v' },
        status: { observed: true },
      },
    ],
    {},
  );
  expect(tree.get('configmap_b_a.yaml')).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: b
  labels:
    x: "y"
data:
  k: v
`);
});

test('the order of the inputs leaves no trace', () => {
  const objects = Array.from({ length: 20 }, (_, index) => ({
    apiVersion: 'v1',
    kind: index % 2 ? 'ConfigMap' : 'Secret',
    metadata: { name: `object-${index}`, namespace: `n${index % 3}` },
  }));
  fc.assert(
    fc.property(fc.shuffledSubarray(objects, { minLength: objects.length }), (shuffled) => {
      expect([...emit(shuffled, {})]).toEqual([...emit(objects, {})]);
    }),
    { numRuns: 20 },
  );
});
