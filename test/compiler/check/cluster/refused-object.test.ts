import { describe, expect, test } from 'vitest';
import { configMap as configMapOf, object, strategy, templateAddOn, texts, work } from './cluster-fixture.ts';

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

const configMap = (data: object): object => configMapOf('a', 'default', data);

/** A work with one manifest, and with an update strategy for a Deployment. */
const workOf = (manifest: object, type?: string): object =>
  work([manifest], type === undefined ? {} : strategy('apps', 'deployments', 'default', 'agent', type));

const found = (...objects: readonly object[]): string[] => texts('FW7139', ...objects);

describe('FW7139', () => {
  test('a Deployment of a template whose selector does not match', () => {
    expect(found(...templateAddOn('a', [configMap({}), deployment({ app: 'agnet' })])))
      .toMatchInlineSnapshot(`
      [
        "warning: the API server refuses Deployment default/agent: spec.template.metadata.labels: Invalid value: {"app":"agnet"}: \`selector\` does not match template \`labels\` (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].spec.template.metadata.labels
      correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster",
      ]
    `);
  });
  test('a key of a ConfigMap of a work', () => {
    expect(found(workOf(configMap({ 'a/b': '' })))).toMatchInlineSnapshot(`
      [
        "warning: the API server refuses ConfigMap default/a: data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+') (1 cluster)
      ManifestWork w at spec.workload.manifests[0].data[a/b]
      correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster",
      ]
    `);
  });
  test('a ManifestWorkReplicaSet', () => {
    const set = object('work.open-cluster-management.io/v1alpha1', 'ManifestWorkReplicaSet', 's', 'default', {
      spec: {
        placementRefs: [{ name: 'pl' }],
        manifestWorkTemplate: { workload: { manifests: [configMap({ 'a b': '' })] } },
      },
    });
    const [text] = found(set);
    expect(text).toContain('(2 clusters)');
    expect(text).toContain(
      'ManifestWorkReplicaSet s at spec.manifestWorkTemplate.workload.manifests[0].data[a b]',
    );
  });
  test('the values of variables are validated, not the variables', () => {
    const named = (name: string): object => ({ ...configMap({}), metadata: { name, namespace: 'default' } });
    expect(found(...templateAddOn('a', [named('{{CLUSTER_NAME}}-a')]))).toEqual([]);
    expect(found(...templateAddOn('a', [named('{{CLUSTER_NAME}}_a')]))).toEqual([
      expect.stringContaining(
        'the API server refuses ConfigMap default/c1_a: metadata.name: Invalid value: "c1_a"',
      ),
    ]);
  });
  test('valid objects are not reported', () => {
    expect(found(workOf(deployment({ app: 'agent' })))).toEqual([]);
    expect(found(...templateAddOn('a', [configMap({ 'a.b': '' }), deployment({ app: 'agent' })]))).toEqual(
      [],
    );
  });
  test('nor what is only read', () => {
    expect(found(workOf(deployment({ app: 'other' }), 'ReadOnly'))).toEqual([]);
    expect(found(workOf(deployment({ app: 'other' }), 'CreateOnly'))).toHaveLength(1);
  });
  test('with server-side apply another manager may have written what is missing, but not what is wrong', () => {
    const partial = deployment({ app: 'agent' }, { image: undefined });
    const wrong = deployment({ app: 'agent' }, { ports: [{ containerPort: 70_000 }] });
    const apply = 'ServerSideApply';
    expect(found(workOf(partial))).toHaveLength(1);
    expect(found(workOf(partial, apply))).toEqual([]);
    expect(found(workOf(wrong, apply))).toHaveLength(1);
  });
  test('nor can it merge a list with two items of one key, and says nothing else', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 80 }];
    const twice = deployment({ app: 'agent' }, { ports, image: ' a' });
    expect(found(workOf(deployment({ app: 'agent' }, { ports })))).toEqual([]);
    expect(found(workOf(twice, 'ServerSideApply'))).toMatchInlineSnapshot(`
      [
        "warning: the API server refuses Deployment default/agent: spec.template.spec.containers[name="agent"].ports: duplicate entries for key [containerPort=80,protocol="TCP"] (1 cluster)
      ManifestWork w at spec.workload.manifests[0].spec.template.spec.containers[0].ports
      correct the field in the manifest; kubectl apply --dry-run=server shows the same on a cluster",
      ]
    `);
  });
  test('but the executor of a work tries to create permissions, whatever the strategy', () => {
    const rules = [{ apiGroups: [''], resources: ['pods'] }];
    const role = object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a', '', { rules });
    const executor = { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'x', name: 'y' } } };
    for (const type of ['ReadOnly', 'ServerSideApply']) {
      const options = strategy('rbac.authorization.k8s.io', 'clusterroles', '', 'a', type);
      expect(found(work([role], options))).toEqual([]);
      expect(found(work([role], { ...options, executor }))[0]).toContain(
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
    expect(found(workOf(ingress))[0]).toContain(
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
    expect(found(workOf(undecodable))).toEqual([]);
    expect(found(workOf(unserved))).toEqual([]);
  });
});
