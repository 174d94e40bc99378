import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { completedFields, completedManifest } from '../../../src/ocm/clusters/completed-manifest.ts';

const object = (apiVersion: string, kind: string, fields: JsonMap): JsonMap => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...fields,
});

/** Returns what the API server writes into the spec of an object. */
function spec(apiVersion: string, kind: string, fields: JsonMap): unknown {
  return completedManifest(object(apiVersion, kind, { spec: fields }))['spec'];
}

describe('the API server writes', () => {
  test('the strategy of a Deployment, by its type', () => {
    expect(spec('apps/v1', 'Deployment', {})).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    });
    const strategy = { type: 'Recreate' };
    expect(spec('apps/v1', 'Deployment', { strategy })).toMatchObject({ strategy });
  });
  test('the update strategy of a StatefulSet, and the kind of its claims', () => {
    const volumeClaimTemplates = [{ metadata: { name: 'a' }, spec: {} }];
    expect(spec('apps/v1', 'StatefulSet', { volumeClaimTemplates })).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      volumeClaimTemplates: [
        { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: { volumeMode: 'Filesystem' } },
      ],
    });
    const updateStrategy = { type: 'RollingUpdate' };
    expect(spec('apps/v1', 'StatefulSet', { updateStrategy })).toMatchObject({ updateStrategy });
  });
  test.each([
    ['a', 'Always'],
    ['a:latest', 'Always'],
    ['example.com:5000/a', 'Always'],
    ['example.com:5000/a:1', 'IfNotPresent'],
    ['a@sha256:0123', 'IfNotPresent'],
    ['a:latest@sha256:0123', 'Always'],
  ])('when the image %s is pulled: %s', (image, imagePullPolicy) => {
    expect(spec('v1', 'Pod', { containers: [{ name: 'a', image }] })).toMatchObject({
      containers: [{ imagePullPolicy, resources: {} }],
    });
  });
  test('the requests of a Pod from its limits, but not of a template', () => {
    const containers = [{ name: 'a', resources: { limits: { cpu: '1000m' } } }];
    expect(spec('v1', 'Pod', { containers })).toMatchObject({
      containers: [{ resources: { limits: { cpu: '1' }, requests: { cpu: '1' } } }],
    });
    const template = { spec: { containers } };
    expect(spec('apps/v1', 'ReplicaSet', { template })).not.toMatchObject({
      template: { spec: { containers: [{ resources: { requests: {} } }] } },
    });
  });
  test('the completions of a Job that runs one pod', () => {
    expect(spec('batch/v1', 'Job', {})).toMatchObject({ completions: 1, parallelism: 1, backoffLimit: 6 });
    expect(spec('batch/v1', 'Job', { parallelism: 2 })).not.toHaveProperty('completions');
  });
  test('the ports and the traffic of a Service', () => {
    expect(spec('v1', 'Service', { type: 'LoadBalancer', ports: [{ port: 80 }] })).toMatchObject({
      externalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    });
    expect(spec('v1', 'Service', { type: 'ExternalName' })).not.toHaveProperty('internalTrafficPolicy');
  });
  test('the metrics and the behavior of an autoscaler, by its version', () => {
    expect(spec('autoscaling/v2', 'HorizontalPodAutoscaler', { behavior: { scaleUp: {} } })).toMatchObject({
      minReplicas: 1,
      metrics: [{ resource: { name: 'cpu' } }],
      behavior: { scaleUp: { stabilizationWindowSeconds: 0 }, scaleDown: { selectPolicy: 'Max' } },
    });
    expect(spec('autoscaling/v1', 'HorizontalPodAutoscaler', {})).not.toHaveProperty('metrics');
  });
  test('zero is absent where Go has no pointer', () => {
    const containers = [
      { name: 'a', image: 'a:1', livenessProbe: { periodSeconds: 0, initialDelaySeconds: 5 } },
    ];
    expect(spec('v1', 'Pod', { containers })).toMatchObject({
      containers: [{ livenessProbe: { periodSeconds: 10, initialDelaySeconds: 5 } }],
    });
    expect(spec('apps/v1', 'ReplicaSet', { replicas: 0 })).toMatchObject({ replicas: 0 });
  });
  test('the limits of containers, one after another', () => {
    const limits = [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Gi' } }];
    expect(spec('v1', 'LimitRange', { limits })).toMatchObject({
      limits: [{ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1Gi' } }],
    });
  });
  test('the types of a NetworkPolicy, and the names of a definition', () => {
    expect(spec('networking.k8s.io/v1', 'NetworkPolicy', { egress: [{}] })).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
    });
    expect(
      spec('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { names: { kind: 'Shop' } }),
    ).toMatchObject({ names: { singular: 'shop', listKind: 'ShopList' } });
  });
  test('the group of users, and not of ServiceAccounts', () => {
    const subjects = [
      { kind: 'User', name: 'a' },
      { kind: 'ServiceAccount', name: 'a' },
    ];
    const binding = object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { subjects });
    expect(completedManifest(binding)['subjects']).toEqual([
      { kind: 'User', name: 'a', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'ServiceAccount', name: 'a' },
    ]);
  });
});

describe('who applies an object', () => {
  test('owns the defaults in values with one owner, and no others', () => {
    const resourceRules = [{ operations: ['CREATE'] }];
    const policy = object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', {
      spec: { matchConstraints: { resourceRules } },
    });
    expect(completedFields(policy)['spec']).toEqual({
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ operations: ['CREATE'], scope: '*' }],
      },
    });
    expect(completedManifest(policy)['spec']).toHaveProperty('failurePolicy', 'Fail');
  });
  test('owns quantities in their canonical form', () => {
    const quota = object('v1', 'ResourceQuota', { spec: { hard: { cpu: '1000m', pods: 1, memory: 'x' } } });
    expect(completedFields(quota)['spec']).toEqual({ hard: { cpu: '1', pods: '1', memory: 'x' } });
  });
});

test('other kinds stay as they are, and so do values of a wrong type', () => {
  const widget = object('example.com/v1', 'Widget', { spec: { replicas: null, ports: [{ port: 80 }] } });
  expect(completedManifest(widget)).toBe(widget);
  const wrong = object('v1', 'Service', { spec: { ports: ['a', null, [1]], selector: 1 } });
  expect(() => completedManifest(wrong)).not.toThrow();
  const odd = object('apps/v1', 'StatefulSet', {
    spec: { volumeClaimTemplates: [null, 'a'], updateStrategy: 'a', template: [] },
  });
  expect(() => completedManifest(odd)).not.toThrow();
});
