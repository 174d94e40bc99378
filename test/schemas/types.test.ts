import { expect, expectTypeOf, it } from 'vitest';
import type { KubernetesObject, ObjectMeta } from '../../src/base/objects/object-meta.ts';
import type {
  ClusterManagementAddOnV1alpha1RolloutStrategy,
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1RolloutStrategy,
  Condition,
  LabelSelector,
  ManagedClusterSetV1beta2,
  ManagedClusterV1,
  ManifestWorkReplicaSetV1alpha1RolloutStrategy,
  ManifestWorkV1,
  PlacementV1beta1,
} from '../../schemas/types.gen.ts';

it('types an object as it is written, with apiVersion and kind as literals', () => {
  const addOn: ClusterManagementAddOnV1beta1 = {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'helloworld' },
    spec: {
      installStrategy: {
        type: 'Placements',
        placements: [
          {
            namespace: 'default',
            name: 'placement-aws',
            rolloutStrategy: {
              type: 'Progressive',
              progressive: {
                maxConcurrency: '25%',
                maxFailures: 2,
                mandatoryDecisionGroups: [{ groupName: 'canary' }],
              },
            },
          },
        ],
      },
    },
  };
  expect(addOn.kind).toBe('ClusterManagementAddOn');
  expectTypeOf<ClusterManagementAddOnV1beta1>().toExtend<KubernetesObjectLike>();
});

interface KubernetesObjectLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

it('requires the same fields as the API server, and no others', () => {
  expectTypeOf<PlacementV1beta1['metadata']>().toEqualTypeOf<ObjectMeta>();
  // @ts-expect-error An object has metadata.
  const nameless: PlacementV1beta1 = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    spec: {},
  };
  // @ts-expect-error A field is left out, not undefined.
  const spec: PlacementV1beta1['spec'] = { numberOfClusters: undefined };
  // @ts-expect-error A strategy is one of three.
  const strategy: ClusterManagementAddOnV1beta1RolloutStrategy = { type: 'Canary' };
  expect([nameless, spec, strategy]).toHaveLength(3);
});

it('has one type for shapes that kinds of Kubernetes share', () => {
  type ConditionOf<T extends { readonly status?: { readonly conditions?: readonly unknown[] } }> =
    NonNullable<NonNullable<T['status']>['conditions']>[number];
  expectTypeOf<ConditionOf<ManagedClusterV1>>().toEqualTypeOf<Condition>();
  expectTypeOf<ConditionOf<PlacementV1beta1>>().toEqualTypeOf<Condition>();
  type SetSelector = NonNullable<
    NonNullable<ManagedClusterSetV1beta2['spec']>['clusterSelector']
  >['labelSelector'];
  expectTypeOf<NonNullable<SetSelector>>().toEqualTypeOf<LabelSelector>();
});

it('lets code for one rollout strategy handle all of them', () => {
  expectTypeOf<ClusterManagementAddOnV1alpha1RolloutStrategy>().toEqualTypeOf<ClusterManagementAddOnV1beta1RolloutStrategy>();
  expectTypeOf<ManifestWorkReplicaSetV1alpha1RolloutStrategy>().toEqualTypeOf<ClusterManagementAddOnV1beta1RolloutStrategy>();
});

it('types embedded objects, quantities, maps and nullable fields', () => {
  type Manifests = NonNullable<NonNullable<NonNullable<ManifestWorkV1['spec']>['workload']>['manifests']>;
  expectTypeOf<Manifests>().toEqualTypeOf<readonly KubernetesObject[]>();
  type Status = NonNullable<ManagedClusterV1['status']>;
  expectTypeOf<NonNullable<Status['capacity']>>().toEqualTypeOf<Readonly<Record<string, number | string>>>();
  type Taint = NonNullable<NonNullable<ManagedClusterV1['spec']>['taints']>[number];
  expectTypeOf<Taint['timeAdded']>().toEqualTypeOf<string | null | undefined>();
});
