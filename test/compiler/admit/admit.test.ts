import { describe, expect, test } from 'vitest';
import { admit } from '../../../src/compiler/admit/admit.ts';
import { line, loaded } from './loaded.ts';

const addOn = 'addon.open-cluster-management.io';
const cluster = 'cluster.open-cluster-management.io';

function managedCluster(name: string, fields: object = {}): object {
  return { apiVersion: `${cluster}/v1`, kind: 'ManagedCluster', metadata: { name }, spec: {}, ...fields };
}

function managedClusterAddOn(version: string, fields: object = {}): object {
  const metadata = { name: 'helloworld', namespace: 'cluster1' };
  return { apiVersion: `${addOn}/${version}`, kind: 'ManagedClusterAddOn', metadata, spec: {}, ...fields };
}

describe('the inventory', () => {
  test('contains every kind in the version that the controllers read', () => {
    const inNamespace = (name: string): object => ({ name, namespace: 'ns' });
    const objects = [
      { apiVersion: `${addOn}/v1alpha1`, kind: 'ClusterManagementAddOn', metadata: { name: 'a' }, spec: {} },
      managedClusterAddOn('v1alpha1'),
      {
        apiVersion: `${addOn}/v1alpha1`,
        kind: 'AddOnTemplate',
        metadata: { name: 't' },
        spec: { addonName: 'a', agentSpec: { workload: {} }, registration: [] },
      },
      { apiVersion: `${addOn}/v1beta1`, kind: 'AddOnDeploymentConfig', metadata: inNamespace('c'), spec: {} },
      managedCluster('cluster1'),
      { apiVersion: `${cluster}/v1beta2`, kind: 'ManagedClusterSet', metadata: { name: 'set' } },
      {
        apiVersion: `${cluster}/v1beta2`,
        kind: 'ManagedClusterSetBinding',
        metadata: inNamespace('set'),
        spec: { clusterSet: 'set' },
      },
      { apiVersion: `${cluster}/v1beta1`, kind: 'Placement', metadata: inNamespace('p'), spec: {} },
      { apiVersion: `${cluster}/v1beta1`, kind: 'PlacementDecision', metadata: inNamespace('p-1') },
      { apiVersion: `${cluster}/v1alpha1`, kind: 'AddOnPlacementScore', metadata: inNamespace('s') },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } },
    ];
    const { value, diagnostics } = admit(objects.map((object) => loaded(object)));
    expect(diagnostics).toEqual([]);
    const { others, objects: written, elsewhere: _, managerProfiles: __, ...maps } = value;
    const found = Object.fromEntries(
      Object.entries(maps).map(([name, map]) => [
        name,
        [...map].map(([key, { object, originalVersion: writtenIn }]) => [key, object.apiVersion, writtenIn]),
      ]),
    );
    expect(found).toEqual({
      clusterManagementAddOns: [['a', `${addOn}/v1beta1`, `${addOn}/v1alpha1`]],
      managedClusterAddOns: [['cluster1/helloworld', `${addOn}/v1beta1`, `${addOn}/v1alpha1`]],
      addOnTemplates: [['t', `${addOn}/v1alpha1`, undefined]],
      addOnDeploymentConfigs: [['ns/c', `${addOn}/v1alpha1`, `${addOn}/v1beta1`]],
      managedClusters: [['cluster1', `${cluster}/v1`, undefined]],
      managedClusterSets: [['set', `${cluster}/v1beta2`, undefined]],
      managedClusterSetBindings: [['ns/set', `${cluster}/v1beta2`, undefined]],
      placements: [['ns/p', `${cluster}/v1beta1`, undefined]],
      placementDecisions: [['ns/p-1', `${cluster}/v1beta1`, undefined]],
      addOnPlacementScores: [['ns/s', `${cluster}/v1alpha1`, undefined]],
    });
    expect(others.map(({ object }) => object.kind)).toEqual(['Namespace']);
    expect(written.map(({ object }) => `${object.apiVersion} ${object.kind}`)).toEqual(
      objects.map(
        (object) => `${(object as { apiVersion: string }).apiVersion} ${(object as { kind: string }).kind}`,
      ),
    );
  });

  test('shows a v1beta1 add-on in the form that the hub returns, which stores v1alpha1', () => {
    const { value } = admit([loaded(managedClusterAddOn('v1beta1'))]);
    const annotation = { [`${addOn}/v1alpha1-install-namespace`]: 'open-cluster-management-agent-addon' };
    expect(value.managedClusterAddOns.get('cluster1/helloworld')?.object.metadata.annotations).toEqual(
      annotation,
    );
    expect(value.objects[0]?.object.metadata.annotations).toBeUndefined();
  });

  test('lacks the objects that the API server refuses', () => {
    const { value, diagnostics } = admit([
      loaded(managedCluster('good')),
      loaded(managedCluster('Bad')),
      loaded(managedCluster('ugly', { spec: { a: 1 } })),
    ]);
    expect([...value.managedClusters.keys()]).toEqual(['good']);
    expect(diagnostics.map(({ code, object }) => `${code} ${object?.name}`)).toEqual([
      'FW2016 Bad',
      'FW2005 ugly',
    ]);
  });
});

describe('two objects of the same kind and name', () => {
  test('are reported as duplicates, also in different versions', () => {
    const { value, diagnostics } = admit([
      loaded(managedClusterAddOn('v1alpha1', { spec: { installNamespace: 'first' } }), 'app', 'one'),
      loaded(managedClusterAddOn('v1beta1'), 'app', 'two'),
    ]);
    expect(diagnostics.map(line)).toEqual([
      'error FW2025 metadata.name at two/metadata/name: ManagedClusterAddOn cluster1/helloworld already exists, and this object would overwrite it\n' +
        '  the first one: {"construct":"one/metadata/name"}\n' +
        '  hint: remove one of the two, or give it another name',
    ]);
    expect(value.objects.map(({ object }) => object['spec'])).toEqual([{ installNamespace: 'first' }]);
  });

  test('are two whose kinds differ in upper and lower case: no API server serves both', () => {
    const metadata = { name: 'x', namespace: 'default' };
    const { diagnostics } = admit([
      loaded({ apiVersion: 'example.com/v1', kind: 'Thing', metadata }),
      loaded({ apiVersion: 'example.com/v1', kind: 'THING', metadata }),
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW2025']);
  });

  test('are two in different namespaces, kinds or groups', () => {
    const elsewhere = { name: 'helloworld', namespace: 'cluster2' };
    const { diagnostics, value } = admit([
      loaded(managedClusterAddOn('v1alpha1')),
      loaded(managedClusterAddOn('v1alpha1', { metadata: elsewhere })),
      loaded({ apiVersion: 'v1', kind: 'ConfigMap', metadata: elsewhere }),
      loaded({ apiVersion: 'example.com/v1', kind: 'ConfigMap', metadata: elsewhere }),
    ]);
    expect(diagnostics).toEqual([]);
    expect(value.objects).toHaveLength(4);
  });

  test('of the app and of the fleet are merged: the content of the app, with the state in the fleet', () => {
    const app = loaded(managedCluster('c', { spec: { hubAcceptsClient: true } }), 'app', 'app');
    const fleet = loaded(
      managedCluster('c', { status: { version: { kubernetes: 'v1.31.0' } } }),
      'fleet',
      'fleet',
    );
    for (const objects of [
      [app, fleet],
      [fleet, app],
    ]) {
      const { value, diagnostics } = admit(objects);
      expect(diagnostics).toEqual([]);
      expect(value.objects).toHaveLength(1);
      const merged = value.managedClusters.get('c');
      expect(merged?.source).toBe('app');
      expect(merged?.origin.location).toEqual({ construct: 'app' });
      expect(merged?.object.spec).toEqual({ hubAcceptsClient: true, leaseDurationSeconds: 60 });
      expect(merged?.object.status).toEqual({ version: { kubernetes: 'v1.31.0' } });
    }
  });

  test('of the app and of the fleet may be in different versions', () => {
    const status = {
      registrations: [{ type: 'kubeClient', kubeClient: { driver: 'csr', subject: { user: 'u' } } }],
    };
    const { value } = admit([
      loaded(managedClusterAddOn('v1alpha1'), 'app'),
      loaded(managedClusterAddOn('v1beta1', { status }), 'fleet'),
    ]);
    expect(value.managedClusterAddOns.get('cluster1/helloworld')?.object.status).toEqual(status);
    expect(value.objects[0]?.object['status']).toEqual({
      kubeClientDriver: 'csr',
      registrations: [{ signerName: 'kubernetes.io/kube-apiserver-client', subject: { user: 'u' } }],
    });
  });

  test('of the fleet are reported as duplicates, even if the app has the object too', () => {
    const { diagnostics } = admit([
      loaded(managedCluster('c'), 'fleet'),
      loaded(managedCluster('c'), 'app'),
      loaded(managedCluster('c'), 'fleet'),
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW2025']);
  });
});
