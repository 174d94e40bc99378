import { describe, expect, test } from 'vitest';
import { manifestsRejection } from '../../../../src/compiler/check/webhooks/manifests-verdict.ts';
import { hubVersion } from '../../../../src/ocm/hub-version.ts';
import { findings, findingTexts } from '../check-fixture.ts';

const configMap = (name: string, data = ''): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data: { data },
});

function work(manifests: readonly object[], spec: object = {}): object {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name: 'w', namespace: 'c1' },
    spec: { workload: { manifests }, ...spec },
  };
}

const replicaSet = (manifests: readonly object[]): object => ({
  apiVersion: 'work.open-cluster-management.io/v1alpha1',
  kind: 'ManifestWorkReplicaSet',
  metadata: { name: 's', namespace: 'default' },
  spec: { placementRefs: [{ name: 'pl' }], manifestWorkTemplate: { workload: { manifests } } },
});

describe('FW8301', () => {
  test('a work without manifests', () => {
    expect(findingTexts('FW8301', [work([])])).toMatchInlineSnapshot(`
      [
        "error: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: manifests should not be empty
      ManifestWork w at spec.workload.manifests
      add a manifest, or remove the work",
      ]
    `);
  });
  test('an object twice, in the releases that reject it', () => {
    const twice = work([configMap('a'), configMap('b'), configMap('a')]);
    expect(findingTexts('FW8301', [twice])).toMatchInlineSnapshot(`
      [
        "error: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: duplicate manifest for resource shop/a with resource type v1.ConfigMap
      ManifestWork w at spec.workload.manifests[2]
      remove one of the two manifests",
      ]
    `);
    expect(findings([twice], '1.1').map(({ code }) => code)).not.toContain('FW8301');
    expect(findings([twice], '1.2').map(({ code }) => code)).toContain('FW8301');
  });
  test('a set is accepted, and its works are rejected', () => {
    expect(findingTexts('FW8301', [replicaSet([configMap('a'), configMap('a')])])).toMatchInlineSnapshot(`
      [
        "error: the hub accepts the set, and rejects each of its works: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: duplicate manifest for resource shop/a with resource type v1.ConfigMap
      ManifestWorkReplicaSet s at spec.manifestWorkTemplate.workload.manifests[1]
      remove one of the two manifests",
      ]
    `);
  });
  test('an executor without an account', () => {
    const executor = { subject: { type: 'ServiceAccount' } };
    expect(findingTexts('FW8301', [work([configMap('a')], { executor })])).toMatchInlineSnapshot(`
      [
        "error: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: executor service account can not be nil
      ManifestWork w at spec.executor.subject
      add serviceAccount with the namespace and the name of an account of the managed cluster",
      ]
    `);
  });
  test('other works and sets have no finding', () => {
    expect(
      findingTexts('FW8301', [work([configMap('a'), configMap('b')]), replicaSet([configMap('a')])]),
    ).toEqual([]);
  });
});

describe('the verdict on manifests', () => {
  const verdict = (...manifests: readonly object[]): string | undefined =>
    manifestsRejection(manifests, hubVersion('1.3'))?.message;
  test('counts the bytes that the API server sends, to the last one', () => {
    // 85 bytes of JSON besides the data, and 4 of protobuf
    const fill = 512_000 - Buffer.byteLength(JSON.stringify(configMap('a'))) - 4;
    expect(verdict(configMap('a', 'x'.repeat(fill)))).toBeUndefined();
    expect(verdict(configMap('a', 'x'.repeat(fill + 1)))).toBe(
      'the size of manifests is 512001 bytes which exceeds the 512000 limit',
    );
    // Go's encoder writes six bytes for it
    expect(verdict(configMap('a', `${'x'.repeat(fill - 6)}<`))).toBeUndefined();
    expect(verdict(configMap('a', `${'x'.repeat(fill - 5)}<`))).toContain('512001');
  });
  test('needs a name that is not generated', () => {
    const named = (metadata: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    expect(verdict(named({}))).toBe('name must be set in manifest');
    expect(verdict(named({ generateName: 'a-' }))).toBe('name must be set in manifest');
    expect(verdict(named({ name: 'a', generateName: 'a-' }))).toBe(
      'generateName must not be set in manifest',
    );
  });
  test('distinguishes versions and namespaces', () => {
    const other = { ...configMap('a'), apiVersion: 'v2' };
    expect(verdict(configMap('a'), other)).toBeUndefined();
    expect(verdict(configMap('a'), { ...configMap('a'), metadata: { name: 'a' } })).toBeUndefined();
  });
});

function cluster(name: string, spec: object): object {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name },
    spec: { hubAcceptsClient: true, ...spec },
  };
}

describe('FW8302', () => {
  test('a name that is not a name of a namespace, and a URL without https', () => {
    const clients = { managedClusterClientConfigs: [{ url: 'http://10.0.0.1:8080' }] };
    expect(findingTexts('FW8302', [cluster('edge.site-1', clients)])).toMatchInlineSnapshot(`
      [
        "error: admission webhook "managedclustervalidators.admission.cluster.open-cluster-management.io" denied the request: metadata.name format is not correct: must not contain dots
      ManagedCluster edge.site-1 at metadata.name
      the hub creates a namespace with the name of the cluster: use lower case letters, digits and dashes",
        "error: admission webhook "managedclustervalidators.admission.cluster.open-cluster-management.io" denied the request: url "http://10.0.0.1:8080" is invalid in client configs
      ManagedCluster edge.site-1 at spec.managedClusterClientConfigs[0].url
      write the https URL of the API server of the cluster",
      ]
    `);
  });
  test('without client configurations, the webhook checks nothing', () => {
    expect(findingTexts('FW8302', [cluster('edge.site-1', {})])).toEqual([]);
    const clients = { managedClusterClientConfigs: [{ url: 'HTTPS://10.0.0.1' }] };
    expect(findingTexts('FW8302', [cluster('edge', clients)])).toEqual([]);
  });
});
