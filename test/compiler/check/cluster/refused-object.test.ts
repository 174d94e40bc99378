import { describe, expect, test } from 'vitest';
import { binding, clusters, placement } from '../../place/hub-fixture.ts';
import { addOn, findingTexts, outageTolerations } from '../check-fixture.ts';

const fleet = [...clusters('c1', 'c2'), binding('default'), placement({ tolerations: outageTolerations })];

const deployment = (labels: object, rest: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'agent', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'agent', image: 'example.com/agent:1', ...rest }] },
    },
  },
});

const configMap = (data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default' },
  data,
});

const work = (manifest: object, updateStrategy?: object): object => ({
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name: 'w', namespace: 'c1' },
  spec: {
    workload: { manifests: [manifest] },
    ...(updateStrategy !== undefined && {
      manifestConfigs: [
        {
          resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: 'default', name: 'agent' },
          updateStrategy,
        },
      ],
    }),
  },
});

const templateAddOn = (...manifests: readonly object[]): object[] => [
  {
    ...addOn('a'),
    spec: {
      ...(addOn('a') as { spec: object }).spec,
      defaultConfigs: [
        { group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: 'a-1' },
      ],
    },
  },
  {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnTemplate',
    metadata: { name: 'a-1' },
    spec: { addonName: 'a', agentSpec: { workload: { manifests } } },
  },
];

function texts(...objects: readonly object[]): string[] {
  return findingTexts('FW7139', [...fleet, ...objects]);
}

describe('FW7139', () => {
  test('a Deployment of a template whose selector does not match', () => {
    expect(texts(...templateAddOn(configMap({}), deployment({ app: 'agnet' })))).toMatchInlineSnapshot(`
      [
        "warning: the API server refuses Deployment default/agent: spec.template.metadata.labels: Invalid value: {"app":"agnet"}: \`selector\` does not match template \`labels\` (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].spec.template.metadata.labels
      correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster",
      ]
    `);
  });
  test('a key of a ConfigMap of a work', () => {
    expect(texts(work(configMap({ 'a/b': '' })))).toMatchInlineSnapshot(`
      [
        "warning: the API server refuses ConfigMap default/a: data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+') (1 cluster)
      ManifestWork w at spec.workload.manifests[0].data[a/b]
      correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster",
      ]
    `);
  });
  test('a ManifestWorkReplicaSet', () => {
    const set = {
      apiVersion: 'work.open-cluster-management.io/v1alpha1',
      kind: 'ManifestWorkReplicaSet',
      metadata: { name: 's', namespace: 'default' },
      spec: {
        placementRefs: [{ name: 'pl' }],
        manifestWorkTemplate: { workload: { manifests: [configMap({ 'a b': '' })] } },
      },
    };
    const [text] = texts(set);
    expect(text).toContain('(2 clusters)');
    expect(text).toContain(
      'ManifestWorkReplicaSet s at spec.manifestWorkTemplate.workload.manifests[0].data[a b]',
    );
  });
  test('the values of variables are validated, not the variables', () => {
    const named = (name: string): object => ({ ...configMap({}), metadata: { name, namespace: 'default' } });
    expect(texts(...templateAddOn(named('{{CLUSTER_NAME}}-a')))).toEqual([]);
    expect(texts(...templateAddOn(named('{{CLUSTER_NAME}}_a')))).toEqual([
      expect.stringContaining(
        'the API server refuses ConfigMap default/c1_a: metadata.name: Invalid value: "c1_a"',
      ),
    ]);
  });
  test('valid objects are not reported', () => {
    expect(texts(work(deployment({ app: 'agent' })))).toEqual([]);
    expect(texts(...templateAddOn(configMap({ 'a.b': '' }), deployment({ app: 'agent' })))).toEqual([]);
  });
  test('nor what is only read', () => {
    expect(texts(work(deployment({ app: 'other' }), { type: 'ReadOnly' }))).toEqual([]);
    expect(texts(work(deployment({ app: 'other' }), { type: 'CreateOnly' }))).toHaveLength(1);
  });
  test('with server-side apply another manager may have written what is missing, but not what is wrong', () => {
    const partial = deployment({ app: 'agent' }, { image: undefined });
    const wrong = deployment({ app: 'agent' }, { ports: [{ containerPort: 70_000 }] });
    const apply = { type: 'ServerSideApply' };
    expect(texts(work(partial))).toHaveLength(1);
    expect(texts(work(partial, apply))).toEqual([]);
    expect(texts(work(wrong, apply))).toHaveLength(1);
  });
  test('nor can it merge a list with two items of one key, and says nothing else', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 80 }];
    const twice = deployment({ app: 'agent' }, { ports, image: ' a' });
    expect(texts(work(deployment({ app: 'agent' }, { ports })))).toEqual([]);
    expect(texts(work(twice, { type: 'ServerSideApply' }))).toMatchInlineSnapshot(`
      [
        "warning: the API server refuses Deployment default/agent: spec.template.spec.containers[name="agent"].ports: duplicate entries for key [containerPort=80,protocol="TCP"] (1 cluster)
      ManifestWork w at spec.workload.manifests[0].spec.template.spec.containers[0].ports
      correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster",
      ]
    `);
  });
  test('but the executor of a work tries to create permissions, whatever the strategy', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'a' },
      rules: [{ apiGroups: [''], resources: ['pods'] }],
    };
    const executor = { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'x', name: 'y' } } };
    const resourceIdentifier = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'a' };
    for (const type of ['ReadOnly', 'ServerSideApply']) {
      const read = work(role) as { spec: object };
      const manifestConfigs = [{ resourceIdentifier, updateStrategy: { type } }];
      const spec = { ...read.spec, manifestConfigs };
      expect(texts({ ...read, spec })).toEqual([]);
      expect(texts({ ...read, spec: { ...spec, executor } })[0]).toContain(
        'the API server refuses ClusterRole a: rules[0].verbs: Required value',
      );
    }
  });
  test('what it refuses only in a new object', () => {
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'a', namespace: 'default', annotations: { 'kubernetes.io/ingress.class': 'a' } },
      spec: { ingressClassName: 'b', defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
    };
    expect(texts(work(ingress))[0]).toContain(
      'the API server refuses to create Ingress default/a: annotations.',
    );
  });
  test('objects that a cluster cannot decode or does not serve have other findings', () => {
    const undecodable = {
      ...configMap({ 'a b': 1 }),
    };
    const unserved = {
      apiVersion: 'networking.k8s.io/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'a', namespace: 'default' },
      spec: {},
    };
    expect(texts(work(undecodable))).toEqual([]);
    expect(texts(work(unserved))).toEqual([]);
  });
});
