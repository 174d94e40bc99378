import { describe, expect, test } from 'vitest';
import { findings } from '../check-fixture.ts';
import { configMap, fleet, object, strategy, templateAddOn, texts, work } from './cluster-fixture.ts';

describe('FW8310', () => {
  test('a namespaced object of a work without a namespace', () => {
    expect(texts('FW8310', work([configMap('a', '')]))).toMatchInlineSnapshot(`
      [
        "warning: the work agent cannot create ConfigMap a, because it has no namespace (1 cluster)
      ManifestWork w at spec.workload.manifests[0].metadata
      write metadata.namespace; neither a template nor a work has a default",
      ]
    `);
  });
  test('cluster-scoped objects and unknown kinds are not reported, manifests of templates are', () => {
    const others = [object('v1', 'Namespace', 'a'), object('example.com/v1', 'Shop', 'a'), configMap('b')];
    expect(texts('FW8310', work(others))).toEqual([]);
    expect(texts('FW8310', ...templateAddOn('a', [configMap('c', '')]))).toHaveLength(1);
  });
  test('a custom resource of a namespaced kind that another add-on defines on the cluster', () => {
    const shop = object('example.com/v1', 'Shop', 'a');
    const definition = (scope: string): object =>
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'shops.example.com', '', {
        spec: { group: 'example.com', scope, names: { kind: 'Shop', plural: 'shops' } },
      });
    expect(texts('FW8310', work([shop]), ...templateAddOn('a', [definition('Namespaced')])))
      .toMatchInlineSnapshot(`
      [
        "warning: the work agent cannot create Shop a, because it has no namespace (1 cluster)
      ManifestWork w at spec.workload.manifests[0].metadata
      write metadata.namespace; neither a template nor a work has a default",
      ]
    `);
    expect(texts('FW8310', ...templateAddOn('a', [shop]), work([definition('Namespaced')]))[0]).toContain(
      '(1 cluster)',
    );
    expect(texts('FW8310', work([shop, definition('Cluster')]))).toEqual([]);
  });
});

describe('FW8311', () => {
  test('an object of the hub', () => {
    const inner = object('work.open-cluster-management.io/v1', 'ManifestWork', 'inner', 'cluster1');
    expect(texts('FW8311', ...templateAddOn('a', [inner, configMap('b')]))).toMatchInlineSnapshot(`
      [
        "warning: ManifestWork cluster1/inner is an object of the hub, and managed clusters do not serve its kind (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[0].kind
      apply it to the hub, and deliver only what runs on the clusters",
      ]
    `);
  });
});

describe('FW8312', () => {
  const storageClass = object('storage.k8s.io/v1', 'StorageClass', 'fast', '', { provisioner: 'x' });
  const service = object('apiregistration.k8s.io/v1', 'APIService', 'v1.example.com');
  const role = (label: string): object => ({
    ...object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'more'),
    metadata: { name: 'more', labels: { [label]: 'true' } },
    rules: [
      { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['*'] },
      { apiGroups: ['*'], resources: ['apiservices'], verbs: ['get', 'create', 'update'] },
    ],
  });
  test('kinds without a permission, all of a template together', () => {
    expect(texts('FW8312', ...templateAddOn('a', [storageClass, configMap('b'), service])))
      .toMatchInlineSnapshot(`
      [
        "warning: klusterlet-work-sa may not write "APIService" and "StorageClass" of add-on "a" (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[0].kind
      deliver a ClusterRole with rules for these kinds and the label open-cluster-management.io/aggregate-to-work: "true", or create it on the clusters",
      ]
    `);
  });
  test.each(['open-cluster-management.io/aggregate-to-work', 'rbac.authorization.k8s.io/aggregate-to-admin'])(
    'a ClusterRole with label %s grants the permission, also from another add-on',
    (label) => {
      expect(texts('FW8312', ...templateAddOn('a', [storageClass, service, role(label)]))).toEqual([]);
      const other = templateAddOn('b', [role(label)]);
      expect(texts('FW8312', ...templateAddOn('a', [storageClass, service]), ...other)).toEqual([]);
      expect(texts('FW8312', ...templateAddOn('a', [storageClass, role('other')]))).toHaveLength(1);
    },
  );
  test('the update strategy decides which verbs count', () => {
    const definition = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a.example.com');
    expect(texts('FW8312', work([definition]))).toEqual([]);
    const apply = (type: string): object =>
      strategy('apiextensions.k8s.io', 'customresourcedefinitions', '', 'a.example.com', type);
    expect(texts('FW8312', work([definition], apply('ServerSideApply')))).toHaveLength(1);
    expect(texts('FW8312', work([definition], apply('ReadOnly')))).toEqual([]);
    // the agent creates it with its owner, so that it patches nothing
    expect(texts('FW8312', work([definition], apply('CreateOnly')))).toEqual([]);
  });
  test('a work with an executor is written by the work agent, too', () => {
    const executor = {
      executor: { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } } },
    };
    expect(texts('FW8312', work([storageClass], executor))[0]).toContain(
      'klusterlet-work-sa may not write "StorageClass" of ManifestWork "c1/w" (1 cluster)',
    );
  });
});

describe('FW8324', () => {
  const webhook = object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'hook');
  const role = (...verbs: readonly string[]): object => ({
    ...object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'more'),
    metadata: { name: 'more', labels: { 'open-cluster-management.io/aggregate-to-work': 'true' } },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs }],
  });
  test('a webhook configuration', () => {
    expect(texts('FW8324', ...templateAddOn('a', [webhook, configMap('b')]))).toMatchInlineSnapshot(`
      [
        "warning: klusterlet-work-sa may not delete "ValidatingWebhookConfiguration" of add-on "a", so that an object that leaves the manifests stays on the cluster (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[0].kind
      deliver a ClusterRole that allows delete, with the label open-cluster-management.io/aggregate-to-work: "true"; or remove these objects in another way when they leave the manifests",
      ]
    `);
  });
  test('a ClusterRole that allows it, on some of the clusters', () => {
    const addOn = templateAddOn('a', [webhook]);
    expect(texts('FW8324', ...addOn, work([role('delete')]))[0]).toContain('(1 cluster)');
    expect(texts('FW8324', ...addOn, ...templateAddOn('b', [role('*')]))).toEqual([]);
  });
  test('kinds that the agent may not create are not reported, others that it may only write are', () => {
    const storageClass = object('storage.k8s.io/v1', 'StorageClass', 'fast', '', { provisioner: 'x' });
    expect(texts('FW8324', work([storageClass]))).toEqual([]);
    expect(texts('FW8324', work([storageClass, role('get', 'create', 'update')]))[0]).toContain(
      'may not delete "StorageClass" of ManifestWork "c1/w"',
    );
  });
  test('objects that stay, or are only read', () => {
    const { metadata } = webhook as { metadata: object };
    const annotations = { 'addon.open-cluster-management.io/deletion-orphan': '' };
    const orphan = { ...webhook, metadata: { ...metadata, annotations } };
    expect(texts('FW8324', ...templateAddOn('a', [orphan]))).toEqual([]);
    expect(texts('FW8324', work([webhook], { deleteOption: { propagationPolicy: 'Orphan' } }))).toEqual([]);
    const resource = 'validatingwebhookconfigurations';
    const read = strategy('admissionregistration.k8s.io', resource, '', 'hook', 'ReadOnly');
    expect(texts('FW8324', work([webhook], read))).toEqual([]);
  });
});

describe('FW8313', () => {
  test('a namespace that nothing creates, once per template', () => {
    const template = templateAddOn('a', [configMap('a', 'shop'), configMap('b', 'shop')]);
    expect(texts('FW8313', ...template)).toMatchInlineSnapshot(`
      [
        "info: no manifest creates Namespace "shop", which ConfigMap shop/a of add-on "a" needs (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[0].metadata.namespace
      add the Namespace to the manifests, or list it under external in fleetwright.yaml if the clusters have it",
      ]
    `);
  });
  test('the same or another add-on creates it, on some of the clusters', () => {
    const namespace = object('v1', 'Namespace', 'shop');
    expect(texts('FW8313', ...templateAddOn('a', [namespace, configMap('a', 'shop')]))).toEqual([]);
    const users = templateAddOn('a', [configMap('a', 'shop'), configMap('b', 'kube-system')]);
    expect(texts('FW8313', ...users, ...templateAddOn('b', [namespace]))).toEqual([]);
    expect(texts('FW8313', ...users, work([namespace]))[0]).toContain('(1 cluster)');
  });
  test('an object that is only read needs no namespace, and a Namespace that is only read creates none', () => {
    const manifests = [configMap('a', 'shop')];
    const readOnly = strategy('', 'configmaps', 'shop', 'a', 'ReadOnly');
    expect(texts('FW8313', work(manifests))).toHaveLength(1);
    expect(texts('FW8313', work(manifests, readOnly))).toEqual([]);
    const namespace = object('v1', 'Namespace', 'shop');
    const read = strategy('', 'namespaces', '', 'shop', 'ReadOnly');
    expect(texts('FW8313', work([namespace, ...manifests]))).toEqual([]);
    expect(texts('FW8313', work([namespace, ...manifests], read))).toHaveLength(1);
  });
});

describe('FW8314', () => {
  const job = object('batch/v1', 'Job', 'migrate', 'default');
  test('a Job that the agent updates', () => {
    expect(texts('FW8314', work([job]))).toMatchInlineSnapshot(`
      [
        "warning: the work agent updates Job default/migrate again and again, and the cluster refuses it: spec.selector is immutable, and the manifest does not have it (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      add an entry to manifestConfigs with updateStrategy ServerSideApply or CreateOnly for this object",
      ]
    `);
  });
  test('a Job with the selector of its author is updated', () => {
    const spec = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };
    expect(texts('FW8314', work([object('batch/v1', 'Job', 'migrate', 'default', { spec })]))).toEqual([]);
  });
  test('no cluster gets a manifest without a name', () => {
    const nameless = { ...job, metadata: { namespace: 'default' } };
    expect(texts('FW8314', work([nameless]))).toEqual([]);
    expect(texts('FW8301', work([nameless]))[0]).toContain('name must be set in manifest');
  });
  test('a StorageClass whose defaults the manifest does not have is created again and again', () => {
    const storageClass = (fields: object): object =>
      object('storage.k8s.io/v1', 'StorageClass', 'fast', '', { provisioner: 'x', ...fields });
    expect(texts('FW8314', work([storageClass({ reclaimPolicy: 'Delete' })]))[0]).toContain(
      'the work agent deletes StorageClass fast and creates it again, whenever it looks: the API server writes "volumeBindingMode", which the manifest does not have (1 cluster)',
    );
    const complete = storageClass({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    expect(texts('FW8314', work([complete]))).toEqual([]);
  });
  test('other strategies, or a rule for its completion', () => {
    const by = (type: string): object => strategy('batch', 'jobs', 'default', 'mig*', type);
    expect(texts('FW8314', work([job], by('CreateOnly')))).toEqual([]);
    expect(texts('FW8314', work([job], by('ServerSideApply')))).toEqual([]);
    const { manifestConfigs } = by('Update') as { manifestConfigs: readonly object[] };
    const conditionRules = [{ condition: 'Complete', type: 'WellKnownConditions' }];
    const completing = { manifestConfigs: manifestConfigs.map((entry) => ({ ...entry, conditionRules })) };
    expect(texts('FW8314', work([job], completing))).toEqual([]);
  });
});

describe('FW8315', () => {
  test('the first of two equal manifests of a template', () => {
    const twice = [configMap('a', 'default', { a: '1' }), configMap('a', 'default', { a: '2' })];
    expect(texts('FW8315', ...templateAddOn('a', twice))).toMatchInlineSnapshot(`
      [
        "warning: the hub drops this manifest of ConfigMap default/a: manifest 1 has the same kind, namespace and name, and the last one counts (2 clusters)
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[0]
      remove one of the two, or rename it",
      ]
    `);
    expect(texts('FW8315', ...templateAddOn('a', [configMap('a'), configMap('b')]))).toEqual([]);
  });
});

describe('FW8316', () => {
  const one = templateAddOn('a', [configMap('shared', 'default', { a: '1' })]);
  test('an object of two add-ons and a work', () => {
    const other = templateAddOn('b', [configMap('shared', 'default', { a: '2' })]);
    expect(texts('FW8316', ...one, ...other)).toMatchInlineSnapshot(`
      [
        "warning: add-on "a" and add-on "b" both deliver ConfigMap default/shared, with different content: each overwrites the other every 4 to 6 min, indefinitely (2 clusters)
      AddOnTemplate b-1 at spec.agentSpec.workload.manifests[0]
      deliver the object once, rename one of them, or let one only create it (updateStrategy CreateOnly)",
      ]
    `);
    expect(texts('FW8316', ...one, work([configMap('shared', 'default', { a: '3' })]))[0]).toContain(
      'add-on "a" and ManifestWork "c1/w" both deliver ConfigMap default/shared, with different content: each overwrites the other every 4 to 6 min, indefinitely (1 cluster)',
    );
  });
  test('the same content, or an object that is only created or read, is no conflict', () => {
    expect(
      texts('FW8316', ...one, ...templateAddOn('b', [configMap('shared', 'default', { a: '1' })])),
    ).toEqual([]);
    for (const type of ['CreateOnly', 'ReadOnly']) {
      const options = strategy('', 'configmaps', 'default', 'shared', type);
      expect(texts('FW8316', ...one, work([configMap('shared', 'default', { a: '3' })], options))).toEqual(
        [],
      );
    }
  });
  test('ServerSideApply is refused beside Update, with a hint', () => {
    const options = strategy('', 'configmaps', 'default', 'shared', 'ServerSideApply');
    expect(texts('FW8316', ...one, work([configMap('shared', 'default', { a: '3' })], options)))
      .toMatchInlineSnapshot(`
      [
        "warning: add-on "a" and ManifestWork "c1/w" both deliver ConfigMap default/shared, with different content: add-on "a" wins, and ManifestWork "c1/w" is refused with a conflict (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      deliver the object once, or rename one of them",
      ]
    `);
  });
  test('the one that comes first wins if both only create the object', () => {
    const options = strategy('', 'configmaps', 'default', 'shared', 'CreateOnly');
    const other = templateAddOn('b', [configMap('shared', 'default', { a: '2' })], {}, options);
    expect(texts('FW8316', ...other, work([configMap('shared', 'default', { a: '3' })], options)))
      .toMatchInlineSnapshot(`
      [
        "warning: add-on "b" and ManifestWork "c1/w" both deliver ConfigMap default/shared, with different content: the one that the cluster gets first wins; the other one does not change it (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      deliver the object once, or rename one of them",
      ]
    `);
  });
  test('an address that is refused only if it comes later', () => {
    const service = (spec: object): object => object('v1', 'Service', 'shared', 'default', { spec });
    const [headless, other] = [{ clusterIP: 'None', ports: [{ port: 80 }] }, { ports: [{ port: 81 }] }];
    expect(texts('FW8316', ...templateAddOn('a', [service(headless)]), work([service(other)])))
      .toMatchInlineSnapshot(`
      [
        "warning: add-on "a" and ManifestWork "c1/w" both deliver Service default/shared, with different content: ManifestWork "c1/w" wins, and add-on "a" is refused, because spec.clusterIP is immutable, unless the cluster gets add-on "a" first: then each overwrites the other every 4 to 6 min, indefinitely (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      deliver the object once, or rename one of them",
      ]
    `);
  });
  test('equal manifests of which one is refused', () => {
    const job = object('batch/v1', 'Job', 'shared', 'default');
    const created = strategy('batch', 'jobs', 'default', 'shared', 'CreateOnly');
    expect(texts('FW8316', ...templateAddOn('a', [job], {}, created), work([job]))).toMatchInlineSnapshot(`
      [
        "warning: add-on "a" and ManifestWork "c1/w" both deliver Job default/shared, with the same content: add-on "a" wins, and ManifestWork "c1/w" is refused, because spec.selector is immutable, and the manifest does not have it (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      deliver the object once, or rename one of them",
      ]
    `);
    const other = object('batch/v1', 'Job', 'shared', 'default', { spec: { parallelism: 2 } });
    expect(texts('FW8316', ...templateAddOn('a', [job], {}, created), work([other]))[0]).toContain(
      'ManifestWork "c1/w" is refused even if it comes first (1 cluster)',
    );
  });
  test('a manifest that its executor may not write does not win', () => {
    const executor = { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'x', name: 'y' } } };
    const bound = object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'y', '', {
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'x', name: 'y' }],
    });
    const shared = work([configMap('shared', 'default', { a: '3' })], { executor });
    expect(texts('FW8316', ...one, shared)).toHaveLength(1);
    expect(texts('FW8316', ...one, shared, ...templateAddOn('b', [bound]))).toEqual([]);
  });
});

describe('FW8317', () => {
  const deployment = (replicas?: number): object =>
    object('apps/v1', 'Deployment', 'web', 'default', {
      spec: {
        ...(replicas !== undefined && { replicas }),
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    });
  const applied = (serverSideApply: object): object => ({
    manifestConfigs: [
      {
        resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: 'default', name: 'web' },
        updateStrategy: { type: 'ServerSideApply', serverSideApply },
      },
    ],
  });
  const autoscaler = object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', 'default', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
  });
  test('an autoscaler and the work agent', () => {
    expect(texts('FW8317', work([deployment(2), autoscaler]))).toMatchInlineSnapshot(`
      [
        "warning: HorizontalPodAutoscaler default/web and the work agent both set the replicas of Deployment default/web: the agent sets those of the manifest (1 cluster)
      ManifestWork w at spec.workload.manifests[0].spec.replicas
      remove spec.replicas, and add an entry to manifestConfigs with updateStrategy ServerSideApply for this object",
      ]
    `);
    expect(texts('FW8317', work([deployment(), autoscaler]))[0]).toContain(
      'one, because the manifest has none',
    );
  });
  test('ServerSideApply without replicas leaves them', () => {
    const apply = strategy('apps', 'deployments', 'default', 'web', 'ServerSideApply');
    expect(texts('FW8317', work([deployment(), autoscaler], apply))).toEqual([]);
    expect(texts('FW8317', work([deployment(2), autoscaler], apply))).toHaveLength(1);
    expect(texts('FW8317', work([deployment(2)]))).toEqual([]);
  });
  test.each([
    ['with force', { force: true }, 'the agent sets those of the manifest'],
    ['without force', {}, 'the agent is refused with a conflict, once the autoscaler has changed them'],
    [
      'when the manifest changes',
      { force: true, ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: ['.spec.replicas'] }] },
      'the agent sets those of the manifest when the manifest changes',
    ],
  ])('ServerSideApply of replicas, %s', (_, serverSideApply, outcome) => {
    expect(texts('FW8317', work([deployment(2), autoscaler], applied(serverSideApply)))[0]).toContain(
      `both set the replicas of Deployment default/web: ${outcome} (1 cluster)`,
    );
  });
  test.each([
    ['jsonPaths', '.spec.replicas'],
    ['jsonPointers', '/spec/replicas'],
    ['jqPathExpressions', '.spec.replicas'],
  ])('replicas that %s of ignoreFields leave out', (list, path) => {
    const ignoreFields = [{ condition: 'OnSpokePresent', [list]: [path] }];
    expect(texts('FW8317', work([deployment(2), autoscaler], applied({ ignoreFields })))).toEqual([]);
  });
  test('an autoscaler of another add-on, on some of the clusters', () => {
    expect(texts('FW8317', ...templateAddOn('a', [deployment(2)]), work([autoscaler]))[0]).toContain(
      '(1 cluster)',
    );
    expect(texts('FW8317', work([deployment(2)]), ...templateAddOn('a', [autoscaler]))).toHaveLength(1);
  });
  test('a ScaledObject of KEDA', () => {
    const scaled = object('keda.sh/v1alpha1', 'ScaledObject', 'scaler', 'default', {
      spec: { scaleTargetRef: { name: 'web' } },
    });
    expect(texts('FW8317', work([deployment(2), scaled]))[0]).toContain(
      'ScaledObject default/scaler and the work agent both set the replicas of Deployment default/web',
    );
  });
});

describe('FW8326', () => {
  const annotations = { 'cert-manager.io/inject-ca-from': 'shop/cert' };
  const injected = (manifest: object): object => {
    const { metadata } = manifest as { metadata: object };
    return { ...manifest, metadata: { ...metadata, annotations } };
  };
  const service = { service: { name: 'a', namespace: 'default' } };
  const definition = (conversion: object): object =>
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'shops.example.com', '', {
      spec: { group: 'example.com', names: { kind: 'Shop', plural: 'shops' }, ...conversion },
    });
  const converted = (clientConfig: object = service): object =>
    definition({ conversion: { strategy: 'Webhook', webhook: { clientConfig } } });

  test('a CustomResourceDefinition with a webhook', () => {
    expect(texts('FW8326', work([injected(converted())]))).toMatchInlineSnapshot(`
      [
        "warning: cert-manager writes spec.conversion.webhook.clientConfig.caBundle of CustomResourceDefinition shops.example.com, and the work agent removes it, each again and again (1 cluster)
      ManifestWork w at spec.workload.manifests[0].spec.conversion.webhook.clientConfig
      add an entry to manifestConfigs with updateStrategy ServerSideApply for this object",
      ]
    `);
    expect(texts('FW8326', work([converted()]))).toEqual([]);
    expect(texts('FW8326', work([injected(definition({}))]))).toEqual([]);
  });
  test('an APIService, whose certificate OpenShift writes', () => {
    const apiService = {
      ...object('apiregistration.k8s.io/v1', 'APIService', 'v1.example.com', '', { spec: service }),
      metadata: {
        name: 'v1.example.com',
        annotations: { 'service.beta.openshift.io/inject-cabundle': 'true' },
      },
    };
    expect(texts('FW8326', ...templateAddOn('a', [apiService]))[0]).toContain(
      'the operator service-ca of OpenShift writes spec.caBundle of APIService v1.example.com, and the work agent removes it, each again and again (2 clusters)',
    );
  });
  test('a certificate in the manifest', () => {
    const [text] = texts('FW8326', work([injected(converted({ ...service, caBundle: 'YQ==' }))]));
    expect(text).toContain('and the work agent writes that of the manifest');
    expect(text).toContain('ServerSideApply for this object, and remove caBundle');
  });
  test('other strategies, and webhook configurations, keep it', () => {
    const by = (type: string): object =>
      strategy('apiextensions.k8s.io', 'customresourcedefinitions', '', 'shops.example.com', type);
    for (const type of ['ServerSideApply', 'CreateOnly', 'ReadOnly'])
      expect(texts('FW8326', work([injected(converted())], by(type)))).toEqual([]);
    const webhooks = [{ name: 'a.example.com', clientConfig: service }];
    const hook = object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'hook', '', {
      webhooks,
    });
    expect(texts('FW8326', work([injected(hook)]))).toEqual([]);
  });
});

test('objects of the snapshot are not reported', () => {
  const codes = findings([...fleet, ...templateAddOn('a', [configMap('a')])]).map(({ code }) => code);
  expect(codes.filter((code) => code.startsWith('FW83'))).toEqual([]);
});
