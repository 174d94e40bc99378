import { describe, expect, test } from 'vitest';
import { configMap, object, templateAddOn, texts, work } from '../cluster/cluster-fixture.ts';

const orphan = 'addon.open-cluster-management.io/deletion-orphan';

describe('FW8328', () => {
  const namespace = (metadata: object): object => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', ...metadata },
  });
  const inTemplate = (metadata: object): string[] =>
    texts('FW8328', ...templateAddOn('a', [configMap('c'), namespace(metadata)]));

  test('a misspelled annotation', () => {
    expect(inTemplate({ annotations: { [`${orphan}s`]: '' } })).toMatchInlineSnapshot(`
      [
        "warning: OCM does not read the annotation "addon.open-cluster-management.io/deletion-orphans" of Namespace shop
      AddOnTemplate a-1 at spec.agentSpec.workload.manifests[1].metadata.annotations[addon.open-cluster-management.io/deletion-orphans]
      did you mean the annotation "addon.open-cluster-management.io/deletion-orphan"?",
      ]
    `);
    for (const key of [
      'deletion-orphan',
      'open-cluster-management.io/deletion-orphan',
      'addons.open-cluster-management.io/deletion-orphan',
      'addon.open-cluster-management.io/delete-orphan',
    ])
      expect(inTemplate({ annotations: { [key]: '' } })[0]).toContain(
        `did you mean the annotation "${orphan}"?`,
      );
    expect(
      inTemplate({
        annotations: { 'addon.open-cluster-management.io/hosted-manifests-location': 'none' },
      })[0],
    ).toContain('did you mean the annotation "addon.open-cluster-management.io/hosted-manifest-location"?');
  });
  test('a label in place of an annotation', () => {
    expect(inTemplate({ labels: { [orphan]: '' } })[0]).toContain('write it as an annotation');
  });
  test('an annotation for add-ons in a work', () => {
    expect(texts('FW8328', work([namespace({ annotations: { [orphan]: '' } })]))).toMatchInlineSnapshot(`
      [
        "warning: OCM does not read the annotation "addon.open-cluster-management.io/deletion-orphan" of Namespace shop in a work
      ManifestWork w at spec.workload.manifests[0].metadata.annotations[addon.open-cluster-management.io/deletion-orphan]
      add an orphaning rule to deleteOption of the work",
      ]
    `);
  });
  test('what OCM reads, and what is not meant for it', () => {
    const prefix = 'addon.open-cluster-management.io';
    expect(
      inTemplate({
        annotations: { [orphan]: '', [`${prefix}/addon-pre-delete`]: '', 'example.com/deletion-orphan': '' },
        labels: {
          [`${prefix}/hosted-manifest-location`]: 'none',
          [`${prefix}/namespace`]: 'true',
          'open-cluster-management.io/addon-pre-delete': '',
        },
      }),
    ).toEqual([]);
  });
});

describe('FW8337', () => {
  const deployment = object('apps/v1', 'Deployment', 'web', 'default', {
    spec: { replicas: 2, template: { spec: { containers: [{ name: 'a', image: 'a' }] } } },
  });
  const configured = (updateStrategy: object): object => ({
    manifestConfigs: [
      {
        resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: 'default', name: 'web' },
        updateStrategy,
      },
    ],
  });
  const ignoring = (ignored: object, condition = 'OnSpokePresent'): string[] =>
    texts(
      'FW8337',
      work(
        [deployment],
        configured({
          type: 'ServerSideApply',
          serverSideApply: { ignoreFields: [{ condition, ...ignored }] },
        }),
      ),
    );

  test('a path that ignores nothing', () => {
    expect(ignoring({ jsonPaths: ['spec.replicas'] })).toMatchInlineSnapshot(`
      [
        "warning: "spec.replicas" of ignoreFields ignores nothing
      ManifestWork w at spec.manifestConfigs[0].updateStrategy.serverSideApply.ignoreFields[0].jsonPaths[0]
      a path begins with a dot, as .spec.replicas, and ends with the name of a field: use jsonPointers or jqPathExpressions for keys with dots and items of lists",
      ]
    `);
    expect(ignoring({ jsonPaths: ['.spec.template.spec.containers[0]'] })).toHaveLength(1);
    expect(ignoring({ jsonPaths: ['.metadata.annotations.example\\.com/a'] })).toHaveLength(1);
    expect(ignoring({ jsonPointers: ['spec/replicas'] })[0]).toContain('a pointer begins with a slash');
  });
  test('a path to a field that is misspelled', () => {
    expect(ignoring({ jsonPaths: ['.spec.replica'] })[0]).toContain('did you mean "replicas"?');
    expect(ignoring({ jsonPointers: ['/spec/replica'] })[0]).toContain('did you mean "replicas"?');
    expect(ignoring({ jqPathExpressions: ['.spec.replica'] })[0]).toContain('did you mean "replicas"?');
  });
  test('paths that ignore fields, that the manifest may not have, or that are not evaluated', () => {
    expect(
      ignoring({
        jsonPaths: [
          '.spec.replicas',
          '$.spec.replicas',
          '.metadata.annotations',
          '.spec.template.spec.containers[0].image',
        ],
        jsonPointers: ['/spec/replicas', '/metadata/annotations/example.com~1a'],
        jqPathExpressions: ['.spec.replicas', '.spec.template.spec.containers[] | select(.name == "a")'],
      }),
    ).toEqual([]);
    expect(ignoring({ jsonPaths: ['spec.replicas'] }, 'OnSpokeChange')).toEqual([]);
  });
  test('a setting beside another strategy, also in a template', () => {
    const options = configured({ type: 'Update', serverSideApply: { force: true } });
    expect(texts('FW8337', ...templateAddOn('a', [deployment], {}, options))).toMatchInlineSnapshot(`
      [
        "warning: the work agent does not read serverSideApply of the update strategy Update
      AddOnTemplate a-1 at spec.agentSpec.manifestConfigs[0].updateStrategy.serverSideApply
      write type: ServerSideApply, or remove serverSideApply",
      ]
    `);
  });
});
