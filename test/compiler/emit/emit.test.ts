import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { emit } from '../../../src/compiler/emit/emit.ts';
import { fileName } from '../../../src/compiler/emit/file-name.ts';

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

test('no content of an object leads out of the folder', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (apiVersion, kind, namespace, name) => {
      const file = fileName({ apiVersion, kind, metadata: { namespace, name } });
      expect(file).toMatch(/^[a-z0-9._-]+\.yaml$/);
      expect(path.basename(file)).toBe(file);
    }),
  );
  const hostile = '../../.github/workflows/x';
  expect(fileName({ apiVersion: 'v1', kind: hostile, metadata: { name: 'a' } })).toBe(
    '.._2f_.._2f_.github_2f_workflows_2f_x_a.yaml',
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

test('the kustomization lists dependencies first, and overrides last', () => {
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
    'none',
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

test('fields of the server are not written', () => {
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
    'none',
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
      expect([...emit(shuffled, {}, 'flux')]).toEqual([...emit(objects, {}, 'flux')]);
    }),
    { numRuns: 20 },
  );
});

const ofEveryKind = [
  [addOnGroup, 'ManagedClusterAddOn', 'hello', 'cluster1'],
  [addOnGroup, 'ClusterManagementAddOn', 'hello'],
  ['cluster.open-cluster-management.io/v1beta1', 'Placement', 'aws', 'default'],
  [addOnGroup, 'AddOnDeploymentConfig', 'deploy', 'default'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'agent'],
  ['cluster.open-cluster-management.io/v1beta2', 'ManagedClusterSetBinding', 'global', 'default'],
  [addOnGroup, 'AddOnTemplate', 'hello'],
  ['policy.open-cluster-management.io/v1', 'Policy', 'etcd', 'default'],
  ['v1', 'Namespace', 'default'],
  ['work.open-cluster-management.io/v1alpha1', 'ManifestWorkReplicaSet', 'hello', 'default'],
].map(([apiVersion = '', kind = '', name = '', namespace]) => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
}));

test('for Argo CD objects have their wave: add-ons and clusters are applied after the placements are decided', () => {
  const tree = emit(ofEveryKind, {}, 'argocd');
  const waves = [...tree].flatMap(([file, text]) => {
    const [, wave] = /sync-wave: "?(-?\d)/.exec(text) ?? [];
    return file.includes('_') ? [`${wave ?? '0'} ${file}`] : [];
  });
  expect(waves).toEqual([
    '-5 namespace_default.yaml',
    '-4 managedclustersetbinding_default_global.yaml',
    '-3 placement_default_aws.yaml',
    '-2 addondeploymentconfig_default_deploy.yaml',
    '-2 clusterrole.rbac.authorization.k8s.io_agent.yaml',
    '-2 addontemplate_hello.yaml',
    '0 clustermanagementaddon_hello.yaml',
    '0 policy.policy.open-cluster-management.io_default_etcd.yaml',
    '0 managedclusteraddon_cluster1_hello.yaml',
    '0 manifestworkreplicaset_default_hello.yaml',
  ]);
  expect(tree.get('placement_default_aws.yaml')).toBe(`apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: aws
  namespace: default
  annotations:
    argocd.argoproj.io/compare-options: IgnoreExtraneous
    argocd.argoproj.io/sync-options: Prune=false
    argocd.argoproj.io/sync-wave: "-3"
  labels:
    app.kubernetes.io/managed-by: fleetwright
`);
});

test.each(['argocd', 'flux'] as const)('for %s objects have a mark of their origin', (engine) => {
  const tree = emit(ofEveryKind, {}, engine);
  const unlabelled = [...tree].filter(
    ([file, text]) => file.includes('_') && !text.includes('    app.kubernetes.io/managed-by: fleetwright\n'),
  );
  // The hub copies their labels to the policies and works that it makes of them.
  expect(unlabelled.map(([file]) => path.basename(file))).toEqual([
    'policy.policy.open-cluster-management.io_default_etcd.yaml',
    'manifestworkreplicaset_default_hello.yaml',
  ]);
});

test.each([
  [
    'a cluster, by whose labels placements select',
    'cluster.open-cluster-management.io/v1',
    'ManagedCluster',
    {},
  ],
  ['what the operator passes labels on of', 'operator.open-cluster-management.io/v1', 'Klusterlet', {}],
  ['what others may pass labels on of', 'policy.open-cluster-management.io/v1', 'Policy', {}],
  ['what Helm manages', 'v1', 'ConfigMap', { 'app.kubernetes.io/managed-by': 'Helm' }],
])('%s has the labels that it had', (_, apiVersion, kind, labels) => {
  const object = { apiVersion, kind, metadata: { name: 'a', labels: { mine: 'too', ...labels } } };
  const [, text = ''] = [...emit([object], {}, 'flux')].find(([file]) => file.includes('_')) ?? [];
  expect(parse(text)).toEqual(object);
});

test('for no engine nothing is added to objects', () => {
  const [, text = ''] =
    [...emit(ofEveryKind, {}, 'none')].find(([file]) => file.startsWith('placement_')) ?? [];
  expect(parse(text)).toEqual(ofEveryKind.find(({ kind }) => kind === 'Placement'));
});

test('objects whose health depends on clusters are in the last wave of compiled delivery', () => {
  const compiledAddOn = {
    apiVersion: addOnGroup,
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'compiled', annotations: { 'fleetwright.dev/delivery': 'compiled' } },
  };
  const compiled = [1, 2, 3].map((wave) => ({
    addOn: 'compiled',
    cluster: `c${wave}`,
    wave,
    objects: [
      {
        apiVersion: addOnGroup,
        kind: 'ManagedClusterAddOn',
        metadata: { name: 'compiled', namespace: `c${wave}` },
      },
    ] as const,
  }));
  const objects = [...ofEveryKind, compiledAddOn];
  const tree = emit(objects, {}, 'argocd', { compiled });
  const listed = (folder: string): string[] => {
    const { resources } = parse(tree.get(`${folder}kustomization.yaml`) ?? '') as { resources: string[] };
    return resources.flatMap((name) =>
      name.endsWith('.yaml') ? `${folder}${name}` : listed(`${folder}${name}/`),
    );
  };
  const waves = listed('').map((file) => {
    const [, wave = '0'] = /sync-wave: "?(-?\d)/.exec(tree.get(file) ?? '') ?? [];
    return `${wave} ${file}`;
  });
  expect(waves).toEqual([
    '-5 namespace_default.yaml',
    '-4 managedclustersetbinding_default_global.yaml',
    '-3 placement_default_aws.yaml',
    '-2 addondeploymentconfig_default_deploy.yaml',
    '-2 clusterrole.rbac.authorization.k8s.io_agent.yaml',
    '-2 addontemplate_hello.yaml',
    '0 clustermanagementaddon_compiled.yaml',
    '1 clusters/managedclusteraddon_c1_compiled.yaml',
    '2 clusters/managedclusteraddon_c2_compiled.yaml',
    '3 clusters/managedclusteraddon_c3_compiled.yaml',
    '3 clustermanagementaddon_hello.yaml',
    '3 policy.policy.open-cluster-management.io_default_etcd.yaml',
    '3 managedclusteraddon_cluster1_hello.yaml',
    '3 manifestworkreplicaset_default_hello.yaml',
  ]);
  // With Flux no stage waits for these objects.
  expect([...emit(objects, {}, 'flux', { compiled }).keys()].filter((file) => /_/.test(file))).toEqual(
    expect.arrayContaining([...emit(objects, {}, 'flux').keys()].filter((file) => /_/.test(file))),
  );
});

test('a wave that the object itself sets is kept', () => {
  const annotations = { 'argocd.argoproj.io/sync-wave': '7', mine: 'too' };
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'b', annotations },
  };
  const text = emit([object], {}, 'argocd').get('configmap_b_a.yaml');
  expect(text).toContain('    argocd.argoproj.io/sync-wave: "7"\n    mine: too\n');
});

test('for Flux objects are in one folder per stage, each of which can be applied separately', () => {
  const tree = emit(ofEveryKind, {}, 'flux');
  expect([...tree.keys()]).toEqual([
    'foundation/namespace_default.yaml',
    'placements/managedclustersetbinding_default_global.yaml',
    'placements/placement_default_aws.yaml',
    'configs/addondeploymentconfig_default_deploy.yaml',
    'configs/clusterrole.rbac.authorization.k8s.io_agent.yaml',
    'configs/addontemplate_hello.yaml',
    'add-ons/clustermanagementaddon_hello.yaml',
    'add-ons/policy.policy.open-cluster-management.io_default_etcd.yaml',
    'clusters/managedclusteraddon_cluster1_hello.yaml',
    'clusters/manifestworkreplicaset_default_hello.yaml',
    'foundation/kustomization.yaml',
    'placements/kustomization.yaml',
    'configs/kustomization.yaml',
    'add-ons/kustomization.yaml',
    'clusters/kustomization.yaml',
    'kustomization.yaml',
    'resolution.yaml',
  ]);
  expect(tree.get('kustomization.yaml')).toContain(`resources:
- foundation
- placements
- configs
- add-ons
- clusters
`);
  expect(tree.get('placements/kustomization.yaml')).toContain(`resources:
- managedclustersetbinding_default_global.yaml
- placement_default_aws.yaml
`);
  expect([...tree.values()].join('')).not.toContain('argocd');
});
