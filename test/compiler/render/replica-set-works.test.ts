import { describe, expect, test } from 'vitest';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const clusterGroup = 'cluster.open-cluster-management.io';

const fleet = fleetOf({
  c1: { env: 'dev', ring: 'first' },
  c2: { env: 'dev' },
  p1: { env: 'prod', ring: 'first' },
  p2: { env: 'prod' },
});

const placement = (name: string, label: string, more = ''): string => `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { ${label} } } } }]
${more}`;

const template = `workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default }, data: { b: c } }] }`;

/** The template with a condition rule for its ConfigMap. */
const withRule = (name: string, condition = 'Progressing'): string =>
  `${template}, manifestConfigs: [{ resourceIdentifier: { resource: configmaps, name: "${name}", namespace: default }, conditionRules: [{ type: CEL, condition: ${condition}, celExpressions: ['false'] }] }]`;

const set = (
  refs: string,
  { name = 'works', spec = template, labels = '' } = {},
): string => `apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: ${name}, namespace: default${labels} }
spec:
  placementRefs: [${refs}]
  manifestWorkTemplate: { ${spec} }
`;

const dev = placement('dev', 'env: dev');
const prod = placement('prod', 'env: prod');
const first = placement('first', 'ring: first');

interface Made {
  readonly works: readonly KubernetesObject[];
  readonly findings: readonly string[];
}

function made(...objects: readonly string[]): Made {
  return madeOn('1.3', ...objects);
}

function madeOn(release: HubVersionName, ...objects: readonly string[]): Made {
  const { resolution, diagnostics } = resolveText(objects.join('---\n'), { fleet, hub: release });
  const hub = { hub: hubVersion(release), addOnApiVersion: 'v1alpha1' } as const;
  return {
    works: [...hubObjects(resolution, hub)].filter(({ kind }) => kind === 'ManifestWork'),
    findings: diagnostics.map(({ code, path, message }) => `${code} ${path}: ${message}`),
  };
}

/** `c1 for dev`: the cluster, and the Placement that the work is labeled with. */
const places = ({ works }: Made): string[] =>
  works.map(
    ({ metadata: { namespace, labels } }) =>
      `${namespace} for ${labels?.['work.open-cluster-management.io/placementname']}`,
  );

describe('the works of a ManifestWorkReplicaSet', () => {
  test('have generated names from that of the set, and are labeled with it, its Placement and its own labels', () => {
    const { works, findings } = made(dev, set('{ name: dev }', { labels: ', labels: { team: a }' }));
    expect(findings).toEqual([]);
    expect(works).toHaveLength(2);
    expect(works[0]).toEqual({
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: {
        generateName: 'works',
        namespace: 'c1',
        labels: {
          team: 'a',
          'work.open-cluster-management.io/manifestworkreplicaset': 'default.works',
          'work.open-cluster-management.io/placementname': 'dev',
        },
      },
      spec: {
        workload: {
          manifests: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: 'a', namespace: 'default' },
              data: { b: 'c' },
            },
          ],
        },
      },
    });
  });

  test('report their configuration as the hub writes it, including empty groups and namespaces', () => {
    const spec = `${template}, deleteOption: { propagationPolicy: SelectivelyOrphan, selectivelyOrphans: { orphaningRules: [{ resource: namespaces, name: a }] } }, manifestConfigs: [{ resourceIdentifier: { resource: configmaps, name: a }, updateStrategy: { type: ServerSideApply } }], executor: { subject: { type: ServiceAccount, serviceAccount: { name: a, namespace: b } } }`;
    const { works } = made(dev, set('{ name: dev }', { spec }));
    expect(works[0]?.['spec']).toMatchObject({
      deleteOption: {
        selectivelyOrphans: {
          orphaningRules: [{ group: '', resource: 'namespaces', name: 'a', namespace: '' }],
        },
      },
      manifestConfigs: [
        {
          resourceIdentifier: { group: '', resource: 'configmaps', name: 'a', namespace: '' },
          updateStrategy: { type: 'ServerSideApply' },
        },
      ],
      executor: { subject: { type: 'ServiceAccount', serviceAccount: { name: 'a', namespace: 'b' } } },
    });
  });

  test('go to all clusters of all its Placements, whatever the rollout strategy, if agents report Progressing', () => {
    const progressive = `rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 5m } }`;
    const perGroup =
      'rolloutStrategy: { type: ProgressivePerGroup, progressivePerGroup: { progressDeadline: 10m } }';
    const refs = `{ name: dev, ${progressive} }, { name: prod, ${perGroup} }`;
    for (const name of ['a', '*', 'a*'])
      expect(places(made(dev, prod, set(refs, { spec: withRule(name) })))).toEqual([
        'c1 for dev',
        'c2 for dev',
        'p1 for prod',
        'p2 for prod',
      ]);
  });

  test('FW7030: stay in the first wave without a condition rule for Progressing, with any deadline', () => {
    const one = (more = ''): string =>
      `{ name: dev, rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1${more} } } }`;
    const stuck = made(dev, set(one()));
    expect(places(stuck)).toEqual(['c1 for dev']);
    expect(stuck.findings).toMatchInlineSnapshot(`
      [
        "FW7030 spec.placementRefs[0].rolloutStrategy: the rollout to Placement "dev" stays in its first wave and never reaches 1 cluster: "c2". The hub waits for the condition Progressing, which no agent reports without a condition rule",
      ]
    `);
    expect(places(made(dev, set(one(', progressDeadline: 10s'))))).toEqual(['c1 for dev']);
    // A rule for an object that the works do not have, another condition, and a type that has no rule for Progressing.
    for (const spec of [
      withRule('b'),
      withRule('a', 'Ready'),
      withRule('a').replace('type: CEL', 'type: WellKnownConditions'),
    ])
      expect(places(made(dev, set(one(), { spec })))).toEqual(['c1 for dev']);
    const all = 'rolloutStrategy: { type: All }';
    expect(made(dev, set(`{ name: dev, ${all} }`)).findings).toEqual([]);
    expect(made(dev, set(one().replace('1', '2'))).findings).toEqual([]);
  });

  test('of a rollout by group stay in the first group', () => {
    const groups = `  decisionStrategy: { groupStrategy: { decisionGroups: [{ groupName: canary, groupClusterSelector: { labelSelector: { matchLabels: { ring: first } } } }] } }\n`;
    const perGroup = '{ name: dev, rolloutStrategy: { type: ProgressivePerGroup } }';
    const grouped = placement('dev', 'env: dev', groups);
    expect(places(made(grouped, set(perGroup)))).toEqual(['c1 for dev']);
    expect(places(made(grouped, set(perGroup, { spec: withRule('a') })))).toEqual([
      'c1 for dev',
      'c2 for dev',
    ]);
  });

  test('stop at the first Placement that does not exist', () => {
    const stopped = made(dev, prod, set('{ name: dev }, { name: absent }, { name: prod }'));
    expect(places(stopped)).toEqual(['c1 for dev', 'c2 for dev']);
    expect(stopped.findings).toEqual([
      'FW7024 spec.placementRefs[1].name: Placement "default/absent" does not exist: the hub neither creates nor updates works for this Placement and those after it; existing works remain',
    ]);
  });

  test('FW6010: a value of a strategy stops one Placement, and not the next', () => {
    const odd = 'rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: "1" } }';
    const stopped = made(dev, prod, set(`{ name: dev, ${odd} }, { name: prod }`));
    expect(places(stopped)).toEqual(['p1 for prod', 'p2 for prod']);
    expect(stopped.findings).toMatchInlineSnapshot(`
      [
        "FW6010 spec.placementRefs[0].rolloutStrategy.progressive.maxConcurrency: maxConcurrency "1" stops the hub from creating, updating and deleting works for Placement "dev", after its mandatory groups: failed to parse the provided maxConcurrency: '1' is an invalid maximum threshold value: string is not a percentage",
      ]
    `);
  });

  test('FW6010: mandatory groups get their works before the hub reads the concurrency', () => {
    const groups = `  decisionStrategy: { groupStrategy: { decisionGroups: [{ groupName: canary, groupClusterSelector: { labelSelector: { matchLabels: { ring: first } } } }] } }\n`;
    const odd =
      'rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: "1", mandatoryDecisionGroups: [{ groupName: canary }] } }';
    expect(places(made(placement('dev', 'env: dev', groups), set(`{ name: dev, ${odd} }`)))).toEqual([
      'c1 for dev',
    ]);
  });

  test('are named like the set on older hubs', () => {
    const { works } = madeOn('1.2', dev, set('{ name: dev }'));
    expect(works.map(({ metadata: { name, generateName } }) => [name, generateName])).toEqual([
      ['works', undefined],
      ['works', undefined],
    ]);
  });

  test('FW6009: a cluster of two Placements has a work for each', () => {
    const contested = made(dev, first, set('{ name: dev }, { name: first }'));
    expect(places(contested)).toEqual(['c1 for dev', 'c1 for first', 'c2 for dev', 'p1 for first']);
    expect(contested.findings).toMatchInlineSnapshot(`
      [
        "FW6009 spec.placementRefs: Placements "dev" and "first" both select cluster "c1": the hub creates works for each, hundreds in seconds while one is not applied, and an edit leaves works with the earlier manifests",
      ]
    `);
  });

  test('FW6009: on older hubs, it has one work, over which they fight', () => {
    const contested = madeOn('1.2', dev, first, set('{ name: dev }, { name: first }'));
    expect(places(contested)).toEqual(['c1 for first', 'c2 for dev', 'p1 for first']);
    expect(contested.findings).toMatchInlineSnapshot(`
      [
        "FW6009 spec.placementRefs: Placements "dev" and "first" both select cluster "c1": the hub alternates between the two works, and never stops",
      ]
    `);
  });

  test('FW6011: a name that is not a label value', () => {
    const refused = made(dev, set('{ name: dev }', { name: 'w'.repeat(60) }));
    expect(places(refused)).toEqual([]);
    expect(refused.findings).toMatchInlineSnapshot(`
      [
        "FW6011 metadata.name: the API server rejects the works of this set: metadata.labels: the label work.open-cluster-management.io/manifestworkreplicaset would be "default.wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", which must be no more than 63 bytes",
      ]
    `);
  });
});
