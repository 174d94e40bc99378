import { describe, expect, test } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { line, loaded } from './loaded.ts';

const addOn = 'addon.open-cluster-management.io';
const cluster = 'cluster.open-cluster-management.io';
const work = 'work.open-cluster-management.io';

/** Returns the text of each finding about an object. */
function findingTexts(object: object): string[] {
  return admitObject(loaded(object)).diagnostics.map(line);
}

function placement(spec: unknown): object {
  return {
    apiVersion: `${cluster}/v1beta1`,
    kind: 'Placement',
    metadata: { name: 'p', namespace: 'ns' },
    spec,
  };
}

function managedCluster(spec: object, status?: object): object {
  const object = {
    apiVersion: `${cluster}/v1`,
    kind: 'ManagedCluster',
    metadata: { name: 'cluster1' },
    spec,
  };
  return status === undefined ? object : { ...object, status };
}

function manifestWork(spec: object): object {
  return {
    apiVersion: `${work}/v1`,
    kind: 'ManifestWork',
    metadata: { name: 'w', namespace: 'cluster1' },
    spec,
  };
}

function clusterManagementAddOn(spec: object, version = 'v1beta1'): object {
  return {
    apiVersion: `${addOn}/${version}`,
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'helloworld' },
    spec,
  };
}

describe('apiVersion and kind', () => {
  test('are needed', () => {
    expect(findingTexts({ metadata: { name: 'x' } })).toEqual([
      'error FW2001 apiVersion at object/apiVersion: apiVersion is missing',
      'error FW2001 kind at object/kind: kind is missing',
    ]);
    expect(findingTexts({ apiVersion: 1, kind: '', metadata: { name: 'x' } })).toEqual([
      'error FW2001 apiVersion at object/apiVersion: apiVersion must be a string, but is the number 1',
      'error FW2001 kind at object/kind: kind is missing',
    ]);
  });

  test.each([
    [
      `${cluster}/v1beta1`,
      'placement',
      `error FW2002 kind at object/kind: the API group ${cluster} has no kind "placement"\n  hint: did you mean "Placement"?`,
    ],
    [
      `${cluster}/v1`,
      'ManagedClusterAddOn',
      `error FW2002 kind at object/kind: the API group ${cluster} has no kind "ManagedClusterAddOn"\n  hint: ManagedClusterAddOn is in ${addOn}/v1beta1`,
    ],
    [
      `${cluster}/v1beta1`,
      'ClusterManagementAddon',
      `error FW2002 kind at object/kind: the API group ${cluster} has no kind "ClusterManagementAddon"\n  hint: did you mean "ClusterManagementAddOn"?`,
    ],
    [
      `${addOn}/v1alpha1`,
      'addonDeploymentConfig',
      `error FW2002 kind at object/kind: the API group ${addOn} has no kind "addonDeploymentConfig"\n  hint: did you mean "AddOnDeploymentConfig"?`,
    ],
    [
      `${cluster}/v1`,
      'No_Kind',
      `error FW2002 kind at object/kind: kind "No_Kind" must consist of letters, digits and '-', begin with a letter and end with a letter or digit`,
    ],
    [
      'addon.open-cluster-managment.io/v1alpha1',
      'AddOnTemplate',
      `error FW2002 apiVersion at object/apiVersion: the hub has no API group "addon.open-cluster-managment.io" with AddOnTemplate\n  hint: did you mean ${addOn}/v1alpha1?`,
    ],
    [
      `${cluster}/v1alpha1`,
      'Placement',
      `error FW2003 apiVersion at object/apiVersion: the hub does not serve Placement in "${cluster}/v1alpha1"\n  hint: write apiVersion: ${cluster}/v1beta1`,
    ],
    [
      `${addOn}/v1`,
      'ManagedClusterAddOn',
      `error FW2003 apiVersion at object/apiVersion: the hub does not serve ManagedClusterAddOn in "${addOn}/v1"\n  hint: write apiVersion: ${addOn}/v1alpha1 or ${addOn}/v1beta1`,
    ],
    [
      'a/b/c',
      'Thing',
      'error FW2003 apiVersion at object/apiVersion: apiVersion "a/b/c" is not a valid API version\n' +
        "  hint: write a group, '/' and a version, or v1 for the core kinds",
    ],
    [
      'v1',
      '../../.github/workflows/x',
      `error FW2002 kind at object/kind: kind "../../.github/workflows/x" must consist of letters, digits and '-', begin with a letter and end with a letter or digit`,
    ],
    [
      'v1',
      'Thing\n\u001b[31m',
      String.raw`error FW2002 kind at object/kind: kind "Thing\n\u001b[31m" must consist of letters, digits and '-', begin with a letter and end with a letter or digit`,
    ],
    [
      'v1',
      '\u212aind',
      `error FW2002 kind at object/kind: kind "\u212aind" must consist of letters, digits and '-', begin with a letter and end with a letter or digit`,
    ],
    [
      '../v1',
      'Thing',
      `error FW2003 apiVersion at object/apiVersion: API group ".." must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
    ],
    [
      'example.com/..',
      'Thing',
      `error FW2003 apiVersion at object/apiVersion: API version ".." must consist of letters, digits and '-', begin with a letter and end with a letter or digit`,
    ],
    [
      'example.com/',
      'Thing',
      'error FW2003 apiVersion at object/apiVersion: API version "" must not be empty',
    ],
  ])('must be ones that the hub serves: %s %s', (apiVersion, kind, expected) => {
    const { valid, object, diagnostics } = admitObject(loaded({ apiVersion, kind, metadata: { name: 'x' } }));
    expect(diagnostics.map(line)).toEqual([expected]);
    expect(valid).toBe(false);
    expect(object).toBeUndefined();
  });

  test.each([
    [
      `${work}/v1`,
      'Deployment',
      `warning FW2029 kind at object/kind: OCM has no kind "Deployment" in ${work}, so only the metadata was checked\n  hint: correct the kind, or make sure that another product on the hub serves it`,
    ],
    [
      'operator.open-cluster-management.io/v1',
      'MulticlusterHub2',
      'warning FW2029 kind at object/kind: OCM has no kind "MulticlusterHub2" in operator.open-cluster-management.io, so only the metadata was checked\n  hint: did you mean "MultiClusterHub"?',
    ],
  ])('of other products pass with a warning: %s %s', (apiVersion, kind, expected) => {
    const { valid, object, diagnostics } = admitObject(loaded({ apiVersion, kind, metadata: { name: 'x' } }));
    expect(diagnostics.map(line)).toEqual([expected]);
    expect({ valid, kind: object?.object.kind }).toEqual({ valid: true, kind });
  });

  test.each([
    ['operator.open-cluster-management.io/v1', 'MultiClusterHub'],
    ['operator.open-cluster-management.io/v1alpha4', 'MulticlusterGlobalHub'],
    ['operator.open-cluster-management.io/v1alpha1', 'MulticlusterGlobalHubAgent'],
    [`${cluster}/v1beta1`, 'BackupSchedule'],
    [`${cluster}/v1beta1`, 'Restore'],
    [`${cluster}/v1beta1`, 'ClusterCurator'],
  ])('of Red Hat ACM pass as those of other groups do: %s %s', (apiVersion, kind) => {
    const written = { apiVersion, kind, metadata: { name: 'x' }, spec: { any: ['thing'] } };
    expect(admitObject(loaded(written))).toMatchObject({
      valid: true,
      object: { object: written },
      diagnostics: [],
    });
  });
});

describe('unknown fields', () => {
  test('are rejected with a suggestion, in the order of their names', () => {
    expect(findingTexts(placement({ toleration: [], predicates: [{ x: 1, y: 2 }] }))).toEqual([
      'error FW2005 spec.predicates[0].x at object/spec/predicates/0/x: unknown field "spec.predicates[0].x"\n  hint: spec.predicates[0] has requiredClusterSelector',
      'error FW2005 spec.predicates[0].y at object/spec/predicates/0/y: unknown field "spec.predicates[0].y"\n  hint: spec.predicates[0] has requiredClusterSelector',
      'error FW2005 spec.toleration at object/spec/toleration: unknown field "spec.toleration"\n  hint: did you mean "tolerations"?',
    ]);
  });

  test('name the version that has them', () => {
    expect(findingTexts(clusterManagementAddOn({ supportedConfigs: [] }))).toEqual([
      `error FW2005 spec.supportedConfigs at object/spec/supportedConfigs: unknown field "spec.supportedConfigs"\n  hint: ${addOn}/v1alpha1 has this field, v1beta1 does not`,
    ]);
  });

  test('are also rejected if no object is expected at all', () => {
    expect(findingTexts(managedCluster({ hubAcceptsClient: { a: true } }))).toEqual([
      'error FW2005 spec.hubAcceptsClient.a at object/spec/hubAcceptsClient/a: unknown field "spec.hubAcceptsClient.a"\n  hint: spec.hubAcceptsClient is not an object',
      'error FW2007 spec.hubAcceptsClient at object/spec/hubAcceptsClient: hubAcceptsClient must be true or false, but is the object {}',
    ]);
  });

  test('are refused in metadata', () => {
    expect(
      findingTexts({ ...placement({}), metadata: { name: 'p', namespace: 'ns', lables: {}, tier: 1 } }),
    ).toEqual([
      'error FW2005 metadata.lables at object/metadata/lables: unknown field "metadata.lables"\n  hint: did you mean "labels"?',
      'error FW2005 metadata.tier at object/metadata/tier: unknown field "metadata.tier"\n  hint: metadata allows only the fields of ObjectMeta; store other data in annotations',
    ]);
  });

  test('that are undefined do not exist', () => {
    const { object, valid } = admitObject(
      loaded(managedCluster({ hubAcceptsClient: true, oops: undefined })),
    );
    expect(valid).toBe(true);
    expect(object?.object['spec']).toEqual({ hubAcceptsClient: true, leaseDurationSeconds: 60 });
  });
});

describe('values', () => {
  test.each([
    [
      'of the wrong type',
      placement({ clusterSets: [1], sortBy: {} }),
      [
        'error FW2007 spec.clusterSets[0] at object/spec/clusterSets/0: clusterSets[0] must be a string, but is the number 1\n  hint: put it in quotes: "1"',
        'error FW2009 spec.sortBy at object/spec/sortBy: sortBy must be "ClusterName" or "Score", but is {}',
      ],
    ],
    [
      'null in a list',
      placement({ predicates: [null] }),
      [
        'error FW2007 spec.predicates[0] at object/spec/predicates/0: predicates[0] must be an object, but is null',
      ],
    ],
    [
      'of neither type',
      placement({ decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: true } } }),
      [
        'error FW2007 spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup at object/spec/decisionStrategy/groupStrategy/clustersPerDecisionGroup: clustersPerDecisionGroup must be an integer or a string, but is the boolean true\n  hint: put it in quotes: "true"',
      ],
    ],
    [
      'missing',
      clusterManagementAddOn({ installStrategy: { type: 'Placements', placements: [{ name: 'p' }] } }),
      [
        'error FW2008 spec.installStrategy.placements[0].namespace at object/spec/installStrategy/placements/0: required field namespace is missing in placements[0]\n  hint: add namespace, which is a string',
      ],
    ],
    [
      'missing at the top',
      { ...clusterManagementAddOn({}), spec: undefined },
      ['error FW2008 spec at object: required field spec is missing\n  hint: add spec, which is an object'],
    ],
    [
      'not among the allowed ones',
      clusterManagementAddOn({ installStrategy: { type: 'placements' } }),
      [
        'error FW2009 spec.installStrategy.type at object/spec/installStrategy/type: type must be "Manual" or "Placements", but is "placements"\n  hint: did you mean "Placements"?',
      ],
    ],
    [
      'that do not match',
      placement({ scoreRateLimit: '1 minute' }),
      [
        'error FW2010 spec.scoreRateLimit at object/spec/scoreRateLimit: scoreRateLimit "1 minute" is not a duration\n  hint: write one number with h, m or s, such as 90m',
      ],
    ],
    [
      'too great, too small',
      placement({
        prioritizerPolicy: {
          configurations: [
            { weight: 11, scoreCoordinate: {} },
            { weight: -11, scoreCoordinate: {} },
          ],
        },
      }),
      [
        'error FW2011 spec.prioritizerPolicy.configurations[0].weight at object/spec/prioritizerPolicy/configurations/0/weight: weight must be at most 10, but is 11',
        'error FW2011 spec.prioritizerPolicy.configurations[1].weight at object/spec/prioritizerPolicy/configurations/1/weight: weight must be at least -10, but is -11',
      ],
    ],
    [
      'too long, too short',
      managedCluster({
        taints: [
          { key: 'k', effect: 'NoSelect', value: 'ä'.repeat(1025) },
          { key: '', effect: 'NoSelect' },
        ],
        managedClusterClientConfigs: [],
      }),
      [
        'error FW2011 spec.taints[0].value at object/spec/taints/0/value: value must have at most 1024 characters, but has 1025',
        'error FW2010 spec.taints[1].key at object/spec/taints/1/key: key "" is not a key\n  hint: write letters, digits, -, _ and ., such as gpu or example.com/gpu',
      ],
    ],
    [
      'too many',
      placement({
        spreadPolicy: {
          spreadConstraints: Array.from({ length: 9 }, () => ({
            topologyKey: 'zone',
            topologyKeyType: 'Label',
          })),
        },
      }),
      [
        'error FW2011 spec.spreadPolicy.spreadConstraints at object/spec/spreadPolicy/spreadConstraints: spreadConstraints must have at most 8 entries, but has 9',
      ],
    ],
    [
      'empty',
      clusterManagementAddOn({ defaultConfigs: [{ resource: 'configmaps', name: '' }] }),
      [
        'error FW2011 spec.defaultConfigs[0].name at object/spec/defaultConfigs/0/name: name must not be empty',
      ],
    ],
    [
      'that are no text in base64',
      managedCluster({ managedClusterClientConfigs: [{ url: 'https://x', caBundle: 'no base64' }] }),
      [
        'error FW2012 spec.managedClusterClientConfigs[0].caBundle at object/spec/managedClusterClientConfigs/0/caBundle: caBundle must be text in base64, but is "no base64"',
      ],
    ],
    [
      'that are no time',
      managedCluster({ taints: [{ key: 'k', effect: 'NoSelect', timeAdded: '2026-02-29T00:00:00Z' }] }),
      [
        'error FW2012 spec.taints[0].timeAdded at object/spec/taints/0/timeAdded: timeAdded must be a time such as 2026-01-31T12:00:00Z, but is "2026-02-29T00:00:00Z"',
      ],
    ],
    [
      'that no integer of their size can hold',
      managedCluster({ leaseDurationSeconds: 2 ** 31 }),
      [
        'error FW2012 spec.leaseDurationSeconds at object/spec/leaseDurationSeconds: leaseDurationSeconds must be an integer of 32 bits, but is 2147483648',
      ],
    ],
    [
      'twice in a list with keys',
      clusterManagementAddOn({
        defaultConfigs: [
          { resource: 'configmaps', name: 'a' },
          { group: 'g', resource: 'configmaps', name: 'a' },
          { group: '', resource: 'configmaps', name: 'b' },
        ],
      }),
      [
        'error FW2013 spec.defaultConfigs[2] at object/spec/defaultConfigs/2: defaultConfigs[2] repeats {"group":"","resource":"configmaps"}\n' +
          '  the first one: {"construct":"object/spec/defaultConfigs/0"}\n' +
          '  hint: no two entries may have the same group and resource',
      ],
    ],
  ])('%s are refused', (_, object, expected) => {
    expect(findingTexts(object)).toEqual(expected);
    expect(admitObject(loaded(object)).valid).toBe(false);
  });

  test('that a double cannot represent are integers up to 64 bits', () => {
    const toleration = (tolerationSeconds: unknown): object =>
      placement({ tolerations: [{ tolerationSeconds }] });
    expect(findingTexts(toleration(2n ** 63n - 1n))).toEqual([]);
    const beyond = (value: string): string =>
      `error FW2012 spec.tolerations[0].tolerationSeconds at object/spec/tolerations/0/tolerationSeconds: tolerationSeconds must be an integer of 64 bits, but is ${value}`;
    expect(findingTexts(toleration(2n ** 63n))).toEqual([beyond('9223372036854775808')]);
    // as files are read: what no int64 holds is a double
    expect(findingTexts(toleration(2 ** 63))).toEqual([beyond('9223372036854776000')]);
    expect(findingTexts(toleration(1e20))).toEqual([beyond('100000000000000000000')]);
    expect(findingTexts(placement({ numberOfClusters: 2n ** 60n }))).toEqual([
      'error FW2012 spec.numberOfClusters at object/spec/numberOfClusters: numberOfClusters must be an integer of 32 bits, but is 1152921504606846976',
    ]);
    expect(findingTexts(placement({ clusterSets: [2n ** 60n] }))).toEqual([
      'error FW2007 spec.clusterSets[0] at object/spec/clusterSets/0: clusterSets[0] must be a string, but is the number 1152921504606846976\n  hint: put it in quotes: "1152921504606846976"',
    ]);
  });

  test('are reported once, also if several rules are broken', () => {
    expect(findingTexts(managedCluster({ leaseDurationSeconds: 1.5 }))).toEqual([
      'error FW2007 spec.leaseDurationSeconds at object/spec/leaseDurationSeconds: leaseDurationSeconds must be an integer, but is the number 1.5',
    ]);
  });
});

describe('rules of the schema', () => {
  const rule = { type: 'CEL', condition: '' };
  const rules = (conditionRules: unknown): object =>
    manifestWork({ manifestConfigs: [{ resourceIdentifier: { resource: 'x', name: 'y' }, conditionRules }] });

  test('are evaluated', () => {
    expect(findingTexts(rules([rule]))).toEqual([
      'error FW2014 spec.manifestConfigs[0].conditionRules[0] at object/spec/manifestConfigs/0/conditionRules/0: Condition is required for CEL rules\n' +
        `  hint: the schema asks for self.type != 'CEL' || self.condition != ""`,
    ]);
    expect(findingTexts(rules([{ ...rule, type: 'WellKnownConditions' }]))).toEqual([]);
  });

  test('are not evaluated if the object otherwise violates its schema', () => {
    expect(findingTexts(rules([rule, { type: 'CEL', condition: 1 }]))).toEqual([
      'error FW2007 spec.manifestConfigs[0].conditionRules[1].condition at object/spec/manifestConfigs/0/conditionRules/1/condition: condition must be a string, but is the number 1\n  hint: put it in quotes: "1"',
    ]);
  });
});

describe('embedded objects', () => {
  test('must be objects', () => {
    const manifests = [
      { kind: 1, metadata: { name: 'a' } },
      { apiVersion: 'a/b/c', kind: '' },
      { apiVersion: 'v1', kind: 'My_Kind', metadata: { labels: { a: 1 }, owner: 'x' } },
    ];
    expect(findingTexts(manifestWork({ workload: { manifests } }))).toEqual([
      'error FW2006 spec.workload.manifests[0].kind at object/spec/workload/manifests/0/kind: kind must be a string, but is the number 1',
      'error FW2004 spec.workload.manifests[2].metadata at object/spec/workload/manifests/2/metadata/labels/a: metadata.labels["a"] must be a string, but is the number 1\n  hint: put it in quotes: "1"',
      'error FW2005 spec.workload.manifests[2].metadata.owner at object/spec/workload/manifests/2/metadata/owner: unknown field "spec.workload.manifests[2].metadata.owner"\n  hint: metadata allows only the fields of ObjectMeta; store other data in annotations',
      'error FW2006 spec.workload.manifests[0].apiVersion at object/spec/workload/manifests/0/apiVersion: apiVersion is missing: each manifest must be a whole Kubernetes object',
      'error FW2006 spec.workload.manifests[1].apiVersion at object/spec/workload/manifests/1/apiVersion: apiVersion "a/b/c" must be a group, \'/\' and a version, or a version alone',
      'error FW2006 spec.workload.manifests[1].kind at object/spec/workload/manifests/1/kind: kind must not be empty',
      'error FW2006 spec.workload.manifests[2].kind at object/spec/workload/manifests/2/kind: kind "My_Kind" must consist of letters, digits and \'-\', begin with a letter and end with a letter or digit',
    ]);
  });

  test('keep everything except what their metadata cannot contain', () => {
    const manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: '',
        labels: {},
        annotations: { empty: null },
        creationTimestamp: null,
        generation: 0,
        deletionTimestamp: '2026-01-01T01:00:00.5+01:00',
      },
      data: { nothing: null },
      unknown: [null, { x: null }],
    };
    const { object } = admitObject(loaded(manifestWork({ workload: { manifests: [manifest] } })));
    expect(object?.object['spec']).toEqual({
      workload: {
        manifests: [
          {
            ...manifest,
            metadata: { name: 'a', annotations: { empty: '' }, deletionTimestamp: '2026-01-01T00:00:00Z' },
          },
        ],
      },
    });
  });

  test('have their managedFields and generation looked at, unlike whole objects', () => {
    const metadata = {
      name: 'a',
      namespace: 'cluster1',
      generation: -1,
      managedFields: [
        { manager: 'a\nb', operation: 'Merge', fieldsType: 'FieldsV2', subresource: 's'.repeat(257) },
        { manager: 'kubectl', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } },
      ],
    };
    const manifests = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }];
    expect(
      findingTexts(manifestWork({ workload: { manifests } })).map((text) =>
        text.split(': ').slice(1).join(': '),
      ),
    ).toEqual([
      'generation must not be negative, but is -1',
      'operation must be "Apply" or "Update", but is "Merge"',
      'fieldsType must be "FieldsV1", but is "FieldsV2"',
      'manager "a\\nb" must have at most 128 bytes, all of them printable',
      'subresource must have at most 256 bytes, but has 257',
    ]);
    const { object } = admitObject(loaded({ ...manifestWork({}), metadata }));
    expect(object?.object.metadata).toEqual({ name: 'a', namespace: 'cluster1', generation: -1 });
  });
});

describe('defaults', () => {
  test('are set if the object around them is written, also for nulls', () => {
    const { object } = admitObject(
      loaded(
        clusterManagementAddOn({
          addOnMeta: null,
          installStrategy: {
            type: null,
            placements: [
              { namespace: 'ns', name: 'p', rolloutStrategy: { type: 'Progressive', progressive: {} } },
            ],
          },
        }),
      ),
    );
    expect(object?.object['spec']).toEqual({
      installStrategy: {
        type: 'Manual',
        placements: [
          {
            namespace: 'ns',
            name: 'p',
            rolloutStrategy: {
              type: 'Progressive',
              progressive: { maxFailures: 0, minSuccessTime: '0', progressDeadline: 'None' },
            },
          },
        ],
      },
    });
  });

  test('leave an object alone that has them all', () => {
    const written = managedCluster({ hubAcceptsClient: true, leaseDurationSeconds: 60 });
    const { object } = admitObject(loaded(written));
    expect(object?.object).toEqual(written);
    expect(object?.object['spec']).toBe((written as { spec: object }).spec);
  });
});

describe('a null', () => {
  const removed =
    'the value is null, and the API server removes the field, as if it were not written\n' +
    '  hint: write a value, or remove the field';

  test('is reported where the API server removes the field', () => {
    const spec = {
      numberOfClusters: null,
      predicates: [
        { requiredClusterSelector: { labelSelector: { matchLabels: { env: null, region: 'eu' } } } },
      ],
    };
    const { valid, object, diagnostics } = admitObject(loaded(placement(spec)));
    expect(valid).toBe(true);
    expect(diagnostics.map(line)).toEqual([
      `warning FW2032 spec.numberOfClusters at object/spec/numberOfClusters: ${removed}`,
      `warning FW2032 spec.predicates[0].requiredClusterSelector.labelSelector.matchLabels.env at object/spec/predicates/0/requiredClusterSelector/labelSelector/matchLabels/env: ${removed}`,
    ]);
    expect(object?.object['spec']).toMatchObject({
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { region: 'eu' } } } }],
    });
  });

  test('is not reported where a default replaces it, in the metadata and in the status', () => {
    const { object, diagnostics } = admitObject(
      loaded({
        ...clusterManagementAddOn({ installStrategy: { type: null } }),
        metadata: { name: 'helloworld', creationTimestamp: null },
        status: { installProgressions: null },
      }),
    );
    expect(diagnostics).toEqual([]);
    expect(object?.object['spec']).toEqual({ installStrategy: { type: 'Manual' } });
  });
});

describe('the status', () => {
  test('does not make an object of the fleet invalid, but must be one that a hub can store', () => {
    const wrong = managedCluster({}, { conditions: [{ type: 'Ready' }], capacity: { cpu: 'much' } });
    const { valid, object, diagnostics } = admitObject(loaded(wrong, 'fleet'));
    expect(valid).toBe(true);
    expect(object).toBeUndefined();
    expect(diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'FW2026 status.capacity.cpu',
      'FW2026 status.conditions[0].lastTransitionTime',
      'FW2026 status.conditions[0].message',
      'FW2026 status.conditions[0].reason',
      'FW2026 status.conditions[0].status',
    ]);
    expect(diagnostics.map(line)[0]).toBe(
      'error FW2026 status.capacity.cpu at object/status/capacity/cpu: cpu "much" is not a quantity\n' +
        '  hint: take the object from a hub with fleetwright fleet pull, correct the field, or remove the status',
    );
  });

  test('of an object of the app is dropped if it is invalid, with one warning', () => {
    const wrong = managedCluster({}, { conditions: [{ type: 'Ready' }], capacity: { cpu: 'much' } });
    const { valid, object, diagnostics } = admitObject(loaded(wrong));
    expect(valid).toBe(true);
    expect(object?.object).not.toHaveProperty('status');
    expect(diagnostics.map(({ code, severity, path }) => `${severity} ${code} ${path}`)).toEqual([
      'warning FW2030 status.capacity.cpu',
    ]);
  });

  test('has no unknown fields, because decoding comes before the status is dropped', () => {
    expect(admitObject(loaded(managedCluster({}, { conditons: [] }))).valid).toBe(false);
  });

  test('of an admitted object is preserved', () => {
    const status = { clusterClaims: [{ name: 'platform', value: 'aws' }] };
    expect(admitObject(loaded(managedCluster({}, status))).object?.object['status']).toEqual(status);
  });
});

describe('values that OCM cannot read', () => {
  test('are reported though the API server takes them', () => {
    const strategy = { type: 'Progressive', progressive: { minSuccessTime: '5 minutes' } };
    const placements = [{ namespace: 'ns', name: 'p', rolloutStrategy: strategy }];
    const object = clusterManagementAddOn({ installStrategy: { placements } }, 'v1alpha1');
    const { valid, object: admitted, diagnostics } = admitObject(loaded(object));
    expect(valid).toBe(true);
    expect(admitted).toBeUndefined();
    const at = 'installStrategy/placements/0/rolloutStrategy/progressive/minSuccessTime';
    expect(diagnostics.map(line)).toEqual([
      `error FW2028 spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime at object/spec/${at}: OCM's controllers cannot read "5 minutes" as a duration, and then cannot read any object of this kind\n` +
        '  hint: write numbers with the units h, m and s, such as 1h30m or 90s',
    ]);
  });

  test('are durations that Go cannot count in 64 bits', () => {
    const durationFaults = (minSuccessTime: string): string[] => {
      const rolloutStrategy = { type: 'Progressive', progressive: { minSuccessTime } };
      const placements = [{ namespace: 'ns', name: 'p', rolloutStrategy }];
      const object = clusterManagementAddOn({ installStrategy: { placements } }, 'v1alpha1');
      return admitObject(loaded(object)).diagnostics.map(({ message, hint }) => `${message}; ${hint}`);
    };
    expect(durationFaults('2562047h')).toEqual([]);
    expect(durationFaults('-9223372036854775808ns')).toEqual([]);
    expect(durationFaults('2562048h')).toEqual([
      `OCM's controllers cannot read "2562048h" as a duration, and then cannot read any object of this kind; write less than 2562047h, which is 292 years`,
    ]);
    expect(durationFaults('9223372036854775808ns')).toHaveLength(1);
  });

  test('make an object invalid that is converted before it is stored', () => {
    const strategy = { type: 'All', all: { minSuccessTime: '5 minutes', maxFailures: 2 ** 31 } };
    const placements = [{ namespace: 'ns', name: 'p', rolloutStrategy: strategy }];
    const { valid, object, diagnostics } = admitObject(
      loaded(clusterManagementAddOn({ installStrategy: { placements } }, 'v1beta1')),
    );
    expect({ valid, object }).toEqual({ valid: false });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `OCM's conversion webhook cannot read "5 minutes" as a duration, so the hub rejects the object`,
      `OCM's conversion webhook cannot read 2147483648 as an integer of 32 bits, so the hub rejects the object`,
    ]);
  });

  test('in the status do not: the hub drops it before it converts the object', () => {
    const conditions = [
      { type: 'a', status: 'True', reason: 'a', message: '', lastTransitionTime: '2026-01-01t00:00:00z' },
    ];
    const addOn = {
      ...clusterManagementAddOn({}, 'v1beta1'),
      status: { installProgressions: [{ namespace: 'ns', name: 'p', conditions }] },
    };
    const { valid, diagnostics } = admitObject(loaded(addOn));
    expect(valid).toBe(true);
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW2028']);
  });

  test('are also lists in place of texts with a format, and times that only the API server reads', () => {
    const taint = (timeAdded: unknown): object =>
      managedCluster({ taints: [{ key: 'k', effect: 'NoSelect', timeAdded }] });
    const message = (value: string): string =>
      `OCM's controllers cannot read ${value} as a time, and then cannot read any object of this kind`;
    const firstMessage = (object: object): unknown => admitObject(loaded(object)).diagnostics[0]?.message;
    expect(firstMessage(taint([]))).toBe(message('[]'));
    expect(firstMessage(taint('2026-01-01t00:00:00z'))).toBe(message('"2026-01-01t00:00:00z"'));
    expect(firstMessage(taint(null))).toBeUndefined();
    expect(
      firstMessage(managedCluster({ managedClusterClientConfigs: [{ url: 'https://x', caBundle: [] }] })),
    ).toBe(
      "OCM's controllers cannot read [] as text in base64, and then cannot read any object of this kind",
    );
  });

  test.each(['0', '90s', '1h30m', '-1.5h', '+5m', '.5s', '3us'])(
    'are not durations such as %s',
    (minSuccessTime) => {
      const rolloutStrategy = { type: 'All', all: { minSuccessTime } };
      const placements = [{ namespace: 'ns', name: 'p', rolloutStrategy }];
      expect(findingTexts(clusterManagementAddOn({ installStrategy: { placements } }))).toEqual([]);
    },
  );
});

describe('fields that the hub no longer reads', () => {
  test('are reported', () => {
    expect(
      findingTexts(clusterManagementAddOn({ addOnConfiguration: { crdName: 'x' } }, 'v1alpha1')),
    ).toEqual([
      'warning FW2027 spec.addOnConfiguration at object/spec/addOnConfiguration: addOnConfiguration has no effect: the hub reads v1beta1, which does not have this field\n' +
        '  hint: set the default configuration in spec.supportedConfigs[].defaultConfig',
    ]);
    expect(findingTexts(clusterManagementAddOn({ addOnConfiguration: {} }, 'v1alpha1'))).toEqual([
      'warning FW2027 spec.addOnConfiguration at object/spec/addOnConfiguration: addOnConfiguration has no effect: the hub reads v1beta1, which does not have this field\n  hint: remove it',
    ]);
  });
});

describe('objects of other kinds', () => {
  test('are not changed, but their metadata is checked', () => {
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'b' },
      data: { x: null },
    };
    const { object, diagnostics } = admitObject(loaded(configMap));
    expect(diagnostics).toEqual([]);
    expect(object?.object).toEqual(configMap);
    expect(findingTexts({ ...configMap, metadata: { name: 'A', labels: 'x', own: 1 } })).toEqual([
      'error FW2004 metadata.labels at object/metadata/labels: metadata.labels must be a map of strings, but is the string "x"',
      'error FW2005 metadata.own at object/metadata/own: unknown field "metadata.own"\n  hint: metadata allows only the fields of ObjectMeta; store other data in annotations',
      'error FW2016 metadata.name at object/metadata/name: name "A" must consist of lower-case letters, digits, \'-\' and \'.\', and begin and end with a letter or digit\n  hint: write "a"',
    ]);
  });

  test('may have names that only some kinds have', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:x' },
    };
    expect(findingTexts(role)).toEqual([]);
    expect(findingTexts({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } })).toEqual([
      'error FW2016 metadata.name at object/metadata/name: name "a.b" must not contain dots',
    ]);
  });
});
