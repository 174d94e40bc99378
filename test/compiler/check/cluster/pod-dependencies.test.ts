import { describe, expect, test } from 'vitest';
import { findings } from '../check-fixture.ts';
import { fleet, object, strategy, templateAddOn, texts, work } from './cluster-fixture.ts';

/** A workload whose pods have one container. */
const workload = (kind: string, name: string, namespace: string, pod: object = {}): object =>
  object('apps/v1', kind, name, namespace, {
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'a', image: 'a' }], ...pod },
      },
    },
  });
const deployment = (name: string, namespace: string, pod: object = {}): object =>
  workload('Deployment', name, namespace, pod);

/** A pod that mounts a Secret. */
const mounting = (secretName: string, optional?: boolean): object => ({
  volumes: [{ name: 'v', secret: { secretName, ...(optional !== undefined && { optional }) } }],
});

const namespace = (name: string, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});
const registration = { registration: [{ type: 'KubeClient', kubeClient: {} }] };
const customSigner = (signerName: string): object => ({
  type: 'CustomSigner',
  customSigner: { signerName, signingCA: { name: 'ca', namespace: 'default' } },
});

describe('FW8318', () => {
  test('workloads outside the namespace of the credentials', () => {
    const two = [deployment('main', 'ns-a'), deployment('worker', 'ns-b')];
    expect(texts('FW8318', ...templateAddOn('a', two, registration))).toMatchInlineSnapshot(`
      [
        "warning: the pods of Deployment ns-b/worker never start, because the Secrets of the registrations, which they need, are only in namespace "ns-a" (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].metadata.namespace
      put all workloads of the template into one namespace, or divide them between two add-ons",
      ]
    `);
    expect(texts('FW8318', ...templateAddOn('a', two))).toEqual([]);
    expect(texts('FW8318', ...templateAddOn('a', two.slice(0, 1), registration))).toEqual([]);
  });
  test('other workloads only if they name the Secret, by the signer of its registration', () => {
    const found = (name: string): string[] =>
      texts(
        'FW8318',
        ...templateAddOn(
          'a',
          [deployment('main', 'ns-a'), workload('StatefulSet', 'worker', 'ns-b', mounting(name))],
          { registration: [...registration.registration, customSigner('example.com/signer')] },
        ),
      );
    expect(found('a-hub-kubeconfig')[0]).toContain(
      'the pods of StatefulSet ns-b/worker never start, because the Secrets of the registrations, which they need, are only in namespace "ns-a" (2 clusters)',
    );
    expect(found('a-example.com-signer-client-cert')).toHaveLength(1);
    expect(found('a-example.com/signer-client-cert')).toEqual([]);
  });
  test('a Secret of that name among the manifests is enough', () => {
    const manifests = [
      deployment('main', 'ns-a'),
      deployment('worker', 'ns-b'),
      object('v1', 'Secret', 'a-hub-kubeconfig', 'ns-b'),
    ];
    expect(texts('FW8318', ...templateAddOn('a', manifests, registration))).toEqual([]);
  });
  test("a custom signer that is the API server's, whose Secret has another name than the volume", () => {
    const signer = { registration: [customSigner('kubernetes.io/kube-apiserver-client')] };
    expect(texts('FW8318', ...templateAddOn('a', [deployment('main', 'ns-a')], signer)))
      .toMatchInlineSnapshot(`
      [
        "warning: the pods of Deployment ns-a/main never start, because the agent writes no Secret "a-kubernetes.io-kube-apiserver-client-client-cert", which the hub mounts for the signer (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[0].metadata.namespace
      register with type KubeClient in place of this custom signer",
      ]
    `);
  });
});

describe('FW8325', () => {
  const found = (manifests: readonly object[], spec: object = {}): string[] =>
    texts('FW8325', ...templateAddOn('a', manifests, spec));
  const needing = (pod: object): string[] => found([namespace('shop'), deployment('main', 'shop', pod)]);

  test('a Secret that no manifest creates', () => {
    expect(needing(mounting('tls'))).toMatchInlineSnapshot(`
      [
        "info: no manifest creates Secret "shop/tls", without which the pods of Deployment shop/main of add-on "a" never start (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].spec.template.spec.volumes[0].secret.secretName
      add the Secret to the manifests, or list it under external in fleetwright.yaml if the clusters have it",
      ]
    `);
    expect(needing(mounting('tls', true))).toEqual([]);
    expect(
      texts('FW8325', work([namespace('shop'), deployment('main', 'shop', mounting('tls'))])),
    ).toHaveLength(1);
  });
  test.each([
    [
      'a projected volume',
      { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'tls' } }] } }] },
    ],
    [
      'a CSI driver',
      { volumes: [{ name: 'v', csi: { driver: 'd', nodePublishSecretRef: { name: 'tls' } } }] },
    ],
    ['envFrom', { containers: [{ name: 'a', image: 'a', envFrom: [{ secretRef: { name: 'tls' } }] }] }],
    [
      'a variable of an init container',
      {
        initContainers: [
          {
            name: 'b',
            image: 'b',
            env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 'tls', key: 'k' } } }],
          },
        ],
      },
    ],
  ])('in %s', (_, pod) => {
    expect(needing(pod)[0]).toContain(
      'no manifest creates Secret "shop/tls", without which the pods of Deployment shop/main of add-on "a" never start (2 clusters)',
    );
  });
  test('a CronJob is read, and an object that the agent does not write is not', () => {
    const job = object('batch/v1', 'CronJob', 'job', 'shop', {
      spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: { spec: mounting('tls') } } } },
    });
    expect(found([namespace('shop'), job])).toHaveLength(1);
    const readOnly = strategy('batch', 'cronjobs', 'shop', 'job', 'ReadOnly');
    expect(texts('FW8325', work([namespace('shop'), job], readOnly))).toEqual([]);
  });
  test('the Secret with which images are pulled, which OCM copies into labeled namespaces', () => {
    const pod = { imagePullSecrets: [{ name: 'open-cluster-management-image-pull-credentials' }] };
    expect(needing(pod)).toMatchInlineSnapshot(`
      [
        "info: no manifest creates Secret "shop/open-cluster-management-image-pull-credentials", with which images of Deployment shop/main of add-on "a" are pulled (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].spec.template.spec.imagePullSecrets[0].name
      label Namespace "shop" with addon.open-cluster-management.io/namespace: "true", so that OCM's operator copies the Secret there",
      ]
    `);
    const labels = { 'addon.open-cluster-management.io/namespace': 'true' };
    expect(found([namespace('shop', labels), deployment('main', 'shop', pod)])).toEqual([]);
    const account = object('v1', 'ServiceAccount', 'main', 'shop', { imagePullSecrets: [{ name: 'quay' }] });
    expect(found([namespace('shop'), account])[0]).toContain(
      'no manifest creates Secret "shop/quay", with which images of ServiceAccount shop/main of add-on "a" are pulled (2 clusters)',
    );
  });
  test('a Secret of the registration is meant', () => {
    const manifests = [namespace('shop'), deployment('main', 'shop', mounting('a-hub-kubeconf'))];
    expect(found(manifests, registration)[0]).toContain('did you mean "a-hub-kubeconfig"?');
    const own = [namespace('shop'), deployment('main', 'shop', mounting('a-hub-kubeconfig'))];
    expect(found(own, registration)).toEqual([]);
    expect(found(own)).toHaveLength(1);
  });
  test('a namespace that no manifest creates can have any Secret', () => {
    expect(found([deployment('main', 'default', mounting('tls'))])).toEqual([]);
    expect(found([deployment('main', 'shop', mounting('tls'))])).toEqual([]);
  });
  test.each([
    ['a Secret', object('v1', 'Secret', 'tls', 'shop')],
    [
      'a Certificate',
      object('cert-manager.io/v1', 'Certificate', 'c', 'shop', { spec: { secretName: 'tls' } }),
    ],
    ['an ExternalSecret of the same name', object('external-secrets.io/v1', 'ExternalSecret', 'tls', 'shop')],
    [
      'a Service whose certificate OpenShift writes',
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {
          name: 's',
          namespace: 'shop',
          annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'tls' },
        },
      },
    ],
    [
      'a Job with the name among its arguments',
      object('batch/v1', 'Job', 'certgen', 'shop', {
        spec: {
          template: {
            spec: { containers: [{ name: 'a', image: 'a', args: ['create', '--secret-name=tls'] }] },
          },
        },
      }),
    ],
    [
      'a Role that allows to write it',
      object('rbac.authorization.k8s.io/v1', 'Role', 'r', 'shop', {
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['update'], resourceNames: ['tls'] }],
      }),
    ],
  ])('%s creates it, also in another work', (_, creator) => {
    const manifests = [namespace('shop'), deployment('main', 'shop', mounting('tls'))];
    expect(found([...manifests, creator])).toEqual([]);
    const other = templateAddOn('b', [creator]);
    expect(texts('FW8325', ...templateAddOn('a', manifests), ...other)).toEqual([]);
  });
  test('other objects that have the name do not', () => {
    const others = [
      object('v1', 'ConfigMap', 'tls', 'shop', { data: { tls: 'tls' } }),
      object('v1', 'Secret', 'tls', 'other'),
      object('v1', 'Secret', 'tls-2', 'shop'),
    ];
    expect(found([namespace('shop'), deployment('main', 'shop', mounting('tls')), ...others])).toHaveLength(
      1,
    );
  });
  test('a Secret that the clusters have for another reason is listed under external', () => {
    const objects = [
      ...fleet,
      ...templateAddOn('a', [namespace('shop'), deployment('main', 'shop', mounting('tls'))]),
    ];
    const codes = findings(objects, '1.3', [{ kind: 'Secret', namespace: 'shop', name: 'tls' }]).map(
      ({ code }) => code,
    );
    expect(codes).not.toContain('FW8325');
  });
});

describe('FW8329', () => {
  const needing = (pod: object, ...others: readonly object[]): string[] =>
    texts('FW8329', ...templateAddOn('a', [namespace('shop'), deployment('main', 'shop', pod), ...others]));
  const settings = { volumes: [{ name: 'v', configMap: { name: 'settings' } }] };

  test('a ConfigMap that no manifest creates', () => {
    expect(needing(settings, object('v1', 'ConfigMap', 'setting', 'shop'))).toMatchInlineSnapshot(`
      [
        "info: no manifest creates ConfigMap "shop/settings", without which the pods of Deployment shop/main of add-on "a" never start (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].spec.template.spec.volumes[0].configMap.name
      did you mean "setting"? Otherwise add the ConfigMap to the manifests, or list it under external in fleetwright.yaml if the clusters have it",
      ]
    `);
  });
  test.each([
    ['a ServiceAccount', { serviceAccountName: 'agent' }, 'ServiceAccount "shop/agent"', 'never created'],
    [
      'a claim',
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
      'PersistentVolumeClaim "shop/data"',
      'never scheduled',
    ],
    [
      'a ConfigMap in a projected volume',
      { volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'c' } }] } }] },
      'ConfigMap "shop/c"',
      'never start',
    ],
    [
      'a ConfigMap in variables',
      { containers: [{ name: 'a', image: 'a', envFrom: [{ configMapRef: { name: 'c' } }] }] },
      'ConfigMap "shop/c"',
      'never start',
    ],
    [
      'a ConfigMap in one variable',
      {
        containers: [
          {
            name: 'a',
            image: 'a',
            env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }],
          },
        ],
      },
      'ConfigMap "shop/c"',
      'never start',
    ],
  ])('%s', (_, pod, missing, effect) => {
    const [text] = needing(pod);
    expect(text).toContain(`info: no manifest creates ${missing}, without which the pods`);
    expect(text).toContain(effect);
  });
  test('what every namespace has, what is optional, and what a manifest creates', () => {
    expect(needing({ serviceAccountName: 'default' })).toEqual([]);
    expect(needing({ volumes: [{ name: 'v', configMap: { name: 'kube-root-ca.crt' } }] })).toEqual([]);
    expect(needing({ volumes: [{ name: 'v', configMap: { name: 'c', optional: true } }] })).toEqual([]);
    expect(needing(settings, object('v1', 'ConfigMap', 'settings', 'shop'))).toEqual([]);
    expect(needing(settings, object('v1', 'Secret', 'settings', 'shop'))).toHaveLength(1);
  });
  test('a custom resource that has the name may create it', () => {
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    expect(needing({ volumes }, object('cdi.kubevirt.io/v1beta1', 'DataVolume', 'data', 'shop'))).toEqual([]);
  });
  test('what the clusters have for another reason is listed under external', () => {
    const objects = [
      ...fleet,
      ...templateAddOn('a', [namespace('shop'), deployment('main', 'shop', settings)]),
    ];
    const external = [{ kind: 'ConfigMap', namespace: 'shop', name: 'settings' }];
    expect(findings(objects).map(({ code }) => code)).toContain('FW8329');
    expect(findings(objects, '1.3', external).map(({ code }) => code)).not.toContain('FW8329');
  });
});
