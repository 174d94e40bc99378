import { describe, expect, test } from 'vitest';
import { configMap, object, strategy, texts, work } from '../cluster/cluster-fixture.ts';

const manifests = [
  object('v1', 'Namespace', 'shop'),
  configMap('settings', 'shop'),
  object('v1', 'PersistentVolumeClaim', 'data', 'shop'),
];

describe('FW8327: an entry of manifestConfigs of a work', () => {
  const by = (...identifier: readonly [string, string, string, string]): string[] =>
    texts('FW8327', work(manifests, strategy(...identifier, 'CreateOnly')));

  test('that matches no manifest', () => {
    expect(by('', 'configmaps', 'shop', 'setting')).toMatchInlineSnapshot(`
      [
        "warning: no manifest is configmaps "shop/setting", so this entry has no effect
      ManifestWork w at spec.manifestConfigs[0].resourceIdentifier
      did you mean configmaps "shop/settings"? Otherwise write the group, the resource, the namespace and the name of a manifest",
      ]
    `);
    expect(by('', 'configmaps', '', 'settings')[0]).toContain('did you mean configmaps "shop/settings"?');
    const [text] = by('v1', 'configmaps', 'shop', 'settings');
    expect(text).toContain('no manifest is configmaps "shop/settings" of group "v1"');
    expect(text).toContain('did you mean configmaps "shop/settings" of group ""?');
    expect(by('', 'configmaps', 'prod-*', '*')[0]).toContain('no manifest is configmaps "prod-*/*"');
    expect(by('apps', 'deployments', 'shop', 'web')[0]).toContain(
      'write the group, the resource, the namespace and the name of a manifest',
    );
  });
  test('that matches one, also with a wildcard', () => {
    expect(by('', 'configmaps', 'shop', 'settings')).toEqual([]);
    expect(by('', 'configmaps', '*', 'set*')).toEqual([]);
    expect(by('', 'namespaces', '', 'shop')).toEqual([]);
  });
  test('the plural of a custom resource is not known, and a kind has another finding', () => {
    const custom = [object('example.com/v1', 'Datum', 'a', 'shop')];
    const options = strategy('example.com', 'data', 'shop', 'a', 'CreateOnly');
    expect(texts('FW8327', work(custom, options))).toEqual([]);
    expect(by('', 'ConfigMap', 'shop', 'settings')).toEqual([]);
  });
  test('of a ManifestWorkReplicaSet', () => {
    const set = object('work.open-cluster-management.io/v1alpha1', 'ManifestWorkReplicaSet', 's', 'default', {
      spec: {
        placementRefs: [{ name: 'pl' }],
        manifestWorkTemplate: {
          workload: { manifests },
          ...strategy('', 'configmaps', 'shop', 'other', 'CreateOnly'),
        },
      },
    });
    expect(texts('FW8327', set)[0]).toContain(
      'ManifestWorkReplicaSet s at spec.manifestWorkTemplate.manifestConfigs[0].resourceIdentifier',
    );
  });
});

describe('FW8327: an orphaning rule', () => {
  const keeping = (...orphaningRules: readonly object[]): string[] =>
    texts(
      'FW8327',
      work(manifests, {
        deleteOption: { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: { orphaningRules } },
      }),
    );

  test('that matches no manifest', () => {
    expect(keeping({ resource: 'persistentvolumeclaims', name: 'data' })).toMatchInlineSnapshot(`
      [
        "warning: no manifest is persistentvolumeclaims "data", so this rule keeps nothing: the objects are deleted with the work
      ManifestWork w at spec.deleteOption.selectivelyOrphans.orphaningRules[0]
      did you mean persistentvolumeclaims "shop/data"? Otherwise write the group, the resource, the namespace and the name of a manifest",
      ]
    `);
    expect(keeping({ resource: 'namespaces', namespace: 'shop', name: 'shop' })).toHaveLength(1);
    expect(keeping({ group: 'core', resource: 'namespaces', name: 'shop' })).toHaveLength(1);
    // a rule has no wildcards
    expect(keeping({ resource: 'namespaces', name: '*' })[0]).toContain('which has no wildcards');
  });
  test('that matches one, or that the policy does not read', () => {
    const rule = { group: '', resource: 'persistentvolumeclaims', namespace: 'shop', name: 'data' };
    expect(keeping(rule, { resource: 'namespaces', name: 'shop' })).toEqual([]);
    const deleteOption = {
      propagationPolicy: 'Orphan',
      selectivelyOrphans: { orphaningRules: [{ ...rule, name: 'other' }] },
    };
    expect(texts('FW8327', work(manifests, { deleteOption }))).toEqual([]);
  });
});
