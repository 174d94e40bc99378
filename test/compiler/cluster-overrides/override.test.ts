import { describe, expect, test } from 'vitest';
import { formatFieldPath } from '../../../src/compiler/model/field-path.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const api = 'addon.open-cluster-management.io';

const config = (name: string): string => `---
apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default }
spec: { customizedVariables: [{ name: FROM, value: ${name} }] }
`;
const template = (name: string): string => `---
apiVersion: ${api}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name} }
spec: { addonName: hello, agentSpec: { workload: { manifests: [{ apiVersion: v1, kind: Namespace, metadata: { name: hello } }] } } }
`;
const placement = (name: string, spec: string): string => `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec: ${spec}
`;
const deployment = (name: string): string =>
  `{ group: ${api}, resource: addondeploymentconfigs, name: ${name}, namespace: default }`;

interface AddOnText {
  readonly annotations?: string;
  readonly version?: 'v1alpha1' | 'v1beta1';
  readonly strategy?: string;
  readonly rollout?: string;
}

function addOn({
  annotations = '{}',
  version = 'v1alpha1',
  strategy,
  rollout = '{}',
}: AddOnText = {}): string {
  const defaults =
    version === 'v1alpha1'
      ? `supportedConfigs:
  - { group: ${api}, resource: addontemplates, defaultConfig: { name: t1 } }
  - { group: ${api}, resource: addondeploymentconfigs, defaultConfig: { name: usual, namespace: default } }`
      : `defaultConfigs:
  - { group: ${api}, resource: addontemplates, name: t1 }
  - { group: ${api}, resource: addondeploymentconfigs, name: usual, namespace: default }`;
  return `---
apiVersion: ${api}/${version}
kind: ClusterManagementAddOn
metadata: { name: hello, annotations: ${annotations} }
spec:
  ${defaults}
  installStrategy: ${
    strategy ??
    `
    type: Placements
    placements:
    - { name: all, namespace: default }
    - name: prod
      namespace: default
      configs: [{ group: ${api}, resource: addontemplates, name: t2 }, ${deployment('prod')}]
      rolloutStrategy: ${rollout}`
  }
`;
}

const own = (cluster: string, spec = `{ configs: [${deployment('own')}] }`, metadata = ''): string => `---
apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster}${metadata} }
spec: ${spec}
`;

const byPlacement = '{ fleetwright.dev/override: placement }';
const byInventory = '{ fleetwright.dev/override: inventory }';
const fleet = fleetOf({ c1: {}, c2: { env: 'prod' }, c3: { env: 'prod' } });
const objects =
  template('t1') +
  template('t2') +
  ['usual', 'prod', 'own'].map(config).join('') +
  placement('all', '{ predicates: [] }') +
  placement(
    'prod',
    '{ clusterSets: [global], tolerations: [{ key: a, operator: Exists }], predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }, { requiredClusterSelector: { celSelector: { celExpressions: ["false"] } } }] }',
  );

/** `cluster: config …` of every cluster that has the add-on. */
function used({ configuration }: Resolution): object {
  return Object.fromEntries(
    [...(configuration.get('hello')?.clusters.values() ?? [])].map(({ cluster, effective }) => [
      cluster,
      effective.references.map(({ name }) => name).join(' '),
    ]),
  );
}

/** What is emitted, by kind and name. */
function sent({ inventory }: Resolution): Record<string, object> {
  return Object.fromEntries(
    inventory.objects
      .filter(({ source }) => source === 'app')
      .map(({ object: { kind, metadata, ...rest } }) => [
        `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
        { metadata, ...rest },
      ]),
  );
}

function findingTexts(text: string, code: string): string[] {
  return resolveText(objects + text, { fleet })
    .diagnostics.filter((found) => found.code === code)
    .map(
      ({ severity, message, hint, location }) =>
        `${severity}: ${message}\n${JSON.stringify(location)}\n${hint}`,
    );
}

describe('an override as a placement', () => {
  const text = objects + addOn({ annotations: byPlacement }) + own('c2');
  const { resolution, diagnostics } = resolveText(text, { fleet });

  test('configures the clusters as the ManagedClusterAddOn did', () => {
    expect(used(resolution)).toEqual({ c1: 'usual t1', c2: 'own t2', c3: 'prod t2' });
    expect(used(resolveText(objects + addOn() + own('c2'), { fleet }).resolution)).toEqual(used(resolution));
    const plain = resolveText(objects + addOn() + own('c2'), { fleet }).diagnostics;
    expect(diagnostics.map(({ code }) => code)).toEqual(plain.map(({ code }) => code));
  });

  test('is one Placement per placement of the add-on, which also requires the name, and no ManagedClusterAddOn', () => {
    const written = sent(resolution);
    expect(Object.keys(written).filter((name) => /^(Placement|Managed|ClusterM)/.test(name))).toEqual([
      'Placement default/all',
      'Placement default/prod',
      'ClusterManagementAddOn /hello',
      'Placement default/hello-c2-649a84f7',
      'Placement default/hello-c2-1137cd28',
    ]);
    expect(written['Placement default/hello-c2-649a84f7']).toMatchObject({
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      metadata: {
        name: 'hello-c2-649a84f7',
        namespace: 'default',
        annotations: { 'fleetwright.dev/override-of': 'c2/hello' },
      },
      spec: {
        predicates: [
          {
            requiredClusterSelector: {
              celSelector: { celExpressions: ['managedCluster.metadata.name == "c2"'] },
            },
          },
        ],
      },
    });
    expect(written['Placement default/hello-c2-1137cd28']).toMatchObject({
      spec: {
        clusterSets: ['global'],
        tolerations: [{ key: 'a', operator: 'Exists' }],
        predicates: [
          {
            requiredClusterSelector: {
              labelSelector: { matchLabels: { env: 'prod' } },
              celSelector: { celExpressions: ['managedCluster.metadata.name == "c2"'] },
            },
          },
          {
            requiredClusterSelector: {
              celSelector: { celExpressions: ['false', 'managedCluster.metadata.name == "c2"'] },
            },
          },
        ],
      },
    });
  });

  test.each(['v1alpha1', 'v1beta1'] as const)(
    'follows the placements that the add-on has in %s',
    (version) => {
      const { resolution: other } = resolveText(
        objects + addOn({ annotations: byPlacement, version }) + own('c2'),
        { fleet },
      );
      const { metadata, spec } = sent(other)['ClusterManagementAddOn /hello'] as {
        metadata: object;
        spec: { installStrategy: { placements: object[] } };
      };
      expect(metadata).toEqual({ name: 'hello' });
      expect(spec.installStrategy.placements.slice(2)).toEqual([
        {
          name: 'hello-c2-649a84f7',
          namespace: 'default',
          configs: [{ group: api, resource: 'addondeploymentconfigs', name: 'own', namespace: 'default' }],
          rolloutStrategy: { type: 'All' },
        },
        {
          name: 'hello-c2-1137cd28',
          namespace: 'default',
          configs: [
            { group: api, resource: 'addontemplates', name: 't2' },
            { group: api, resource: 'addondeploymentconfigs', name: 'own', namespace: 'default' },
          ],
          rolloutStrategy: { type: 'All' },
        },
      ]);
    },
  );

  test('has its configurations from their original locations', () => {
    const cluster = resolution.configuration.get('hello')?.clusters.get('c2');
    const line = (place: unknown): unknown => (place as { line: number }).line;
    const winners = cluster?.effective.kinds.flatMap(({ winners }) => winners) ?? [];
    const places = winners.map(({ origin, path }) => [formatFieldPath(path), line(origin.locate(path))]);
    const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
    expect(places).toEqual([
      ['spec.installStrategy.placements[3].configs[1]', lineOf(`{ configs: [${deployment('own')}`)],
      [
        'spec.installStrategy.placements[3].configs[0]',
        lineOf(`configs: [{ group: ${api}, resource: addontemplates, name: t2`),
      ],
    ]);
  });

  test('can be requested by a single ManagedClusterAddOn, and declined by one', () => {
    const one = resolveText(
      objects + addOn() + own('c1') + own('c2', undefined, `, annotations: ${byPlacement}`),
      { fleet },
    );
    expect([...one.resolution.inventory.managedClusterAddOns.keys()]).toEqual(['c1/hello']);
    const others = resolveText(
      objects +
        addOn({ annotations: byPlacement }) +
        own('c1') +
        own('c2', undefined, ', annotations: { fleetwright.dev/override: object }'),
      { fleet },
    );
    expect(sent(others.resolution)['ManagedClusterAddOn c2/hello']).toMatchObject({
      metadata: { name: 'hello', namespace: 'c2' },
    });
    expect([...others.resolution.inventory.managedClusterAddOns.keys()]).toEqual(['c2/hello']);
  });

  test('keeps the state of the fleet about the cluster', () => {
    const known = `---
apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c2 }
spec: {}
status: { conditions: [{ type: Available, status: "True", reason: A, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`;
    const { resolution: inFleet } = resolveText(text, { fleet: fleet + known });
    const kept = inFleet.inventory.managedClusterAddOns.get('c2/hello');
    expect(kept?.source).toBe('fleet');
    expect(kept?.object.status?.conditions?.[0]?.type).toBe('Available');
    expect(kept?.object.spec.configs).toBeUndefined();
    expect(used(inFleet)).toEqual(used(resolution));
  });

  test('has a name that fits a label, whatever the names of add-on and cluster', () => {
    const cluster = 'a-cluster-with-a-name-that-is-as-long-as-that-of-a-cluster-may';
    const { resolution: found } = resolveText(objects + addOn({ annotations: byPlacement }) + own(cluster), {
      fleet: fleetOf({ [cluster]: {} }),
    });
    const names = [...found.inventory.placements.keys()].filter((name) => name.includes('hello'));
    expect(names.map((name) => name.length - 'default/'.length)).toEqual([63, 63]);
    expect(used(found)).toEqual({ [cluster]: 'own t1' });
  });
});

describe('findings about overrides', () => {
  const hint =
    'exclude these with the annotation fleetwright.dev/override: object, or use another override mode for them';

  test.each([
    [
      'a label',
      addOn({ annotations: byPlacement }) + own('c2', undefined, ', labels: { a: b }'),
      '"c2" stays an ordinary ManagedClusterAddOn: a placement cannot have its label a',
    ],
    [
      'an annotation',
      addOn({ annotations: byPlacement }) + own('c2', undefined, `, annotations: { ${api}/values: "{}" }`),
      `"c2" stays an ordinary ManagedClusterAddOn: a placement cannot have its annotation ${api}/values`,
    ],
    [
      'two of a kind',
      addOn({ annotations: byPlacement }) +
        own('c2', `{ configs: [${deployment('own')}, ${deployment('prod')}] }`),
      '"c2" stays an ordinary ManagedClusterAddOn: it has several configurations of one kind',
    ],
    [
      'nothing',
      addOn({ annotations: byPlacement }) + own('c1', '{}') + own('c2', '{}'),
      '2 clusters, including "c1", stays an ordinary ManagedClusterAddOn: it has no configuration',
    ],
    [
      'an add-on that is installed by hand',
      addOn({ annotations: byPlacement, strategy: '{ type: Manual }' }) + own('c2'),
      '"c2" stays an ordinary ManagedClusterAddOn: the add-on is not installed by placements',
    ],
    [
      'an add-on with its own manager',
      addOn({ annotations: `{ fleetwright.dev/override: placement, ${api}/lifecycle: self }` }) + own('c2'),
      `"c2" stays an ordinary ManagedClusterAddOn: the hub's addon-manager does not manage the add-on`,
    ],
    [
      'a Placement that is missing',
      addOn({
        annotations: byPlacement,
        strategy: '{ type: Placements, placements: [{ name: none, namespace: default }] }',
      }) + own('c2'),
      '"c2" stays an ordinary ManagedClusterAddOn: Placement "default/none" is not in the inputs',
    ],
    [
      'a Placement that chooses',
      placement('some', '{ numberOfClusters: 3 }') +
        addOn({
          annotations: byPlacement,
          strategy: '{ type: Placements, placements: [{ name: some, namespace: default }] }',
        }) +
        own('c2'),
      '"c2" stays an ordinary ManagedClusterAddOn: Placement "default/some" chooses a number of clusters',
    ],
    [
      'an inventory without its add-on',
      own('c2', undefined, `, annotations: ${byInventory}`),
      '"c2" stays an ordinary ManagedClusterAddOn: its ClusterManagementAddOn, which would list it, is not in the same app',
    ],
  ])('FW4010: %s has no place in a placement', (_, text, message) => {
    const [found, ...others] = findingTexts(text, 'FW4010');
    expect(others).toEqual([]);
    expect(found?.split('\n')[0]).toBe(`warning: the override of "hello" on ${message}`);
    expect(found?.split('\n')[2]).toBe(hint);
  });

  test('FW4011: a way that there is not is an error', () => {
    expect(
      findingTexts(addOn({ annotations: '{ fleetwright.dev/override: placements }' }), 'FW4011'),
    ).toEqual([
      expect.stringMatching(
        /^error: "placements" is not an override mode\n.*\nuse one of object, placement, inventory$/,
      ),
    ]);
  });

  test('FW4012: an override that no placement of the add-on reaches', () => {
    const strategy = '{ type: Placements, placements: [{ name: prod, namespace: default }] }';
    const text = addOn({ annotations: byPlacement, strategy }) + own('c1') + own('c2') + own('gone');
    expect(findingTexts(text, 'FW4012').map((found) => found.split('\n')[0])).toEqual([
      'warning: no placement of "hello" selects "c1", so its override has no effect',
      'warning: the fleet has no cluster "gone", so its override has no effect',
    ]);
  });

  test('FW7210: clusters with an override as a placement take no part in waves', () => {
    const rollout = '{ type: Progressive, progressive: { maxConcurrency: 1, progressDeadline: 1h } }';
    const text = addOn({ annotations: byPlacement, rollout }) + own('c1') + own('c2');
    expect(findingTexts(text, 'FW7210').map((found) => found.split('\n')[0])).toEqual([
      'warning: 1 cluster with an override as a placement (c2) is not part of these waves: a change for all clusters reaches it at once',
    ]);
  });

  test('FW7205: groups that a rollout would never get past are an error', () => {
    const rollout = '{ type: ProgressivePerGroup, progressivePerGroup: {} }';
    const grouped = placement(
      'grouped',
      '{ decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } } }',
    );
    const strategy = `{ type: Placements, placements: [{ name: grouped, namespace: default, rolloutStrategy: ${rollout} }] }`;
    const [found] = findingTexts(
      grouped + addOn({ annotations: byPlacement, strategy }) + own('c1'),
      'FW7205',
    );
    expect(found).toMatch(
      /^error: the rollout never gets past decision group 0, so 2 clusters after it are never configured/,
    );
  });
});

describe('an inventory', () => {
  test('lists the clusters on the add-on, and marks their ManagedClusterAddOns', () => {
    const { resolution, diagnostics } = resolveText(
      objects + addOn({ annotations: byInventory }) + own('c2') + own('c1'),
      { fleet },
    );
    const written = sent(resolution);
    expect(diagnostics.filter(({ code }) => code.startsWith('FW4'))).toEqual([]);
    expect(written['ClusterManagementAddOn /hello']).toMatchObject({
      metadata: { name: 'hello', annotations: { 'fleetwright.dev/overrides': 'c1\nc2\n' } },
    });
    expect(written['ManagedClusterAddOn c1/hello']).toMatchObject({
      metadata: { annotations: { 'fleetwright.dev/override': 'inventory' } },
    });
    expect(used(resolution)).toEqual({ c1: 'own t1', c2: 'own t2', c3: 'prod t2' });
  });

  test('is present if the last override was removed', () => {
    const { resolution } = resolveText(objects + addOn({ annotations: byInventory }), { fleet });
    expect(sent(resolution)['ClusterManagementAddOn /hello']).toMatchObject({
      metadata: { annotations: { 'fleetwright.dev/overrides': '' } },
    });
  });
});
