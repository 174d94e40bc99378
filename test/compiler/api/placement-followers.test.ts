import { describe, expect, test } from 'vitest';
import { placementFollowers } from '../../../src/compiler/api/placement-followers.ts';
import { inventoryOf } from '../place/hub-fixture.ts';

const followers = (...objects: readonly object[]): string[] =>
  placementFollowers(inventoryOf(...objects)).map(
    ({ kind, name, references }) =>
      `${kind} ${name} -> ${references.map((reference) => `${reference.kind} ${reference.key}`).join(', ')}`,
  );

const policy = (name: string, spec: object = {}): object => ({
  apiVersion: 'policy.open-cluster-management.io/v1',
  kind: 'Policy',
  metadata: { name, namespace: 'policies' },
  spec,
});

const binding = (name: string, subjects: unknown, more: object = {}): object => ({
  apiVersion: 'policy.open-cluster-management.io/v1',
  kind: 'PlacementBinding',
  metadata: { name, namespace: 'policies' },
  placementRef: { apiGroup: 'cluster.open-cluster-management.io', kind: 'Placement', name: `of-${name}` },
  subjects,
  ...more,
});

const applicationSet = (generators: unknown): object => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'apps', namespace: 'argocd' },
  spec: { generators },
});

const decision = (selector: object): object => ({
  clusterDecisionResource: { configMapRef: 'decisions', ...selector },
});
const byLabel = (name: string): object => ({
  labelSelector: { matchLabels: { 'cluster.open-cluster-management.io/placement': name } },
});

describe('policies', () => {
  test('go to the clusters that any of their bindings selects, whether or not the inputs have them', () => {
    const subjects = [{ kind: 'Policy', name: 'etcd' }];
    expect(
      followers(binding('a', subjects), binding('b', [...subjects, { kind: 'PolicySet', name: 's' }])),
    ).toEqual([
      'Policy policies/etcd -> Placement policies/of-a, Placement policies/of-b',
      'PolicySet policies/s -> Placement policies/of-b',
    ]);
  });

  test('are on no cluster while they are disabled', () => {
    const subjects = [{ kind: 'Policy', name: 'etcd' }];
    expect(followers(policy('etcd', { disabled: true }), binding('a', subjects))).toEqual([
      'Policy policies/etcd -> ',
    ]);
  });

  test('get nothing new from a restricted binding, which counts by itself', () => {
    const subjects = [{ kind: 'Policy', name: 'etcd' }];
    expect(followers(binding('a', subjects, { subFilter: 'restricted' }))).toEqual([
      'PlacementBinding policies/a -> Placement policies/of-a',
    ]);
  });

  test('of a set are part of the set', () => {
    const set = {
      apiVersion: 'policy.open-cluster-management.io/v1beta1',
      kind: 'PolicySet',
      metadata: { name: 's', namespace: 'policies' },
      spec: { policies: ['etcd', 'absent', 7] },
    };
    const [follower] = placementFollowers(
      inventoryOf(set, policy('etcd'), binding('a', [{ kind: 'PolicySet', name: 's' }])),
    );
    expect(
      follower?.parts.map(({ holder }) => `${holder.object.kind} ${holder.object.metadata.name}`),
    ).toEqual(['PolicySet s', 'Policy etcd', 'PlacementBinding a']);
  });
});

describe('ApplicationSets', () => {
  test('follow the Placements whose decisions their generators read, nested ones too', () => {
    expect(
      followers(
        applicationSet([
          { list: { elements: [] } },
          decision(byLabel('one')),
          { matrix: { generators: [{ git: {} }, { merge: { generators: [decision(byLabel('two'))] } }] } },
          decision({
            labelSelector: {
              matchExpressions: [
                { key: 'cluster.open-cluster-management.io/placement', operator: 'In', values: ['three', 4] },
                { key: 'cluster.open-cluster-management.io/placement', operator: 'NotIn', values: ['five'] },
              ],
            },
          }),
          decision({ name: 'six-decision-12' }),
        ]),
      ),
    ).toEqual([
      'ApplicationSet argocd/apps -> Placement argocd/one, Placement argocd/two, Placement argocd/three, Placement argocd/six',
    ]);
  });

  test('follow no placement if their ConfigMap names another kind of decision', () => {
    const config = (kind: string): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'decisions', namespace: 'argocd' },
      data: { kind },
    });
    const set = applicationSet([decision(byLabel('one'))]);
    expect(followers(set, config('ducks'))).toEqual([]);
    expect(followers(set, config('placementdecisions'))).toHaveLength(1);
  });
});

test('other kinds name their Placement in their own namespace; a Subscription may name another one', () => {
  const reference = { kind: 'Placement', name: 'p', namespace: 'other' };
  const of = (kind: string, version: string, spec: object): object => ({
    apiVersion: `apps.open-cluster-management.io/${version}`,
    kind,
    metadata: { name: 'x', namespace: 'own' },
    spec,
  });
  expect(
    followers(
      of('GitOpsCluster', 'v1beta1', { placementRef: reference }),
      of('Subscription', 'v1', { placement: { placementRef: reference } }),
      {
        apiVersion: 'operators.coreos.com/v1alpha1',
        kind: 'Subscription',
        metadata: { name: 'operator', namespace: 'own' },
        spec: { placement: { placementRef: reference } },
      },
    ),
  ).toEqual(['GitOpsCluster own/x -> Placement own/p', 'Subscription own/x -> Placement other/p']);
});

test('malformed objects follow nothing', () => {
  const odd: readonly unknown[] = [undefined, null, 7, 'text', [], {}, [null], [7], [[]], [{}]];
  const objects = odd.flatMap((value, index): object[] => {
    const metadata = { name: `o${index}`, namespace: 'odd' };
    const of = (apiVersion: string, kind: string, fields: object): object => ({
      apiVersion,
      kind,
      metadata: { ...metadata, name: `${metadata.name}-${kind.toLowerCase()}` },
      ...fields,
    });
    return [
      of('policy.open-cluster-management.io/v1', 'PlacementBinding', {
        placementRef: value,
        subjects: value,
      }),
      of('policy.open-cluster-management.io/v1', 'Policy', { spec: value }),
      of('policy.open-cluster-management.io/v1', 'PolicySet', { spec: { policies: value } }),
      of('argoproj.io/v1alpha1', 'ApplicationSet', { spec: { generators: value } }),
      of('apps.open-cluster-management.io/v1beta1', 'GitOpsCluster', { spec: value }),
      of('apps.open-cluster-management.io/v1', 'Subscription', { spec: { placement: value } }),
    ];
  });
  const nested = applicationSet(
    Array.from({ length: 30 }).reduce<unknown>(
      (inner) => [{ matrix: { generators: inner } }],
      [decision(byLabel('deep'))],
    ),
  );
  expect(followers(...objects, nested)).toEqual([]);
});

test('a binding without usable subjects counts by itself', () => {
  expect(
    followers(binding('a', undefined), binding('b', [null, { kind: 'Policy' }, { kind: 'Role', name: 'r' }])),
  ).toEqual([
    'PlacementBinding policies/a -> Placement policies/of-a',
    'PlacementBinding policies/b -> Placement policies/of-b',
  ]);
});
