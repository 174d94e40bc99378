import { expect, test } from 'vitest';
import { managedClusterVariables } from '../../../../src/compiler/place/cel/managed-cluster-value.ts';
import { evaluate } from '../../../../src/compiler/place/cel/selector.ts';
import type { ManagedClusterV1 } from '../../../../schemas/types.gen.ts';
import { cluster, programOf, verdictOf } from '../../../engines/cel/cluster.ts';

function holds(object: ManagedClusterV1, expression: string): boolean {
  const input = { variables: managedClusterVariables(object), scores: () => undefined };
  return evaluate(programOf(expression), input).verdict === 'match';
}

test.each([
  'managedCluster.status.capacity.cpu == "8"',
  'managedCluster.status.capacity.memory == "32Gi"',
  'managedCluster.status.allocatable.memory == "32256Mi"',
  'managedCluster.status.allocatable.cpu == "7500m"',
])('quantities are in their canonical text: %s', (expression) => {
  expect(verdictOf(expression)).toBe('match');
});

test.each([
  'managedCluster.spec.taints[0].timeAdded == "2026-01-02T03:04:05Z"',
  'timestamp(managedCluster.status.conditions[0].lastTransitionTime) == timestamp("2026-01-02T03:04:05Z")',
])('times are texts, in UTC and without fractions: %s', (expression) => {
  expect(verdictOf(expression)).toBe('match');
});

const typeMeta = { apiVersion: cluster.apiVersion, kind: cluster.kind };

test('numbers are integers', () => {
  expect(verdictOf('type(managedCluster.spec.leaseDurationSeconds) == int')).toBe('match');
});

test.each([
  '!has(managedCluster.metadata.labels)',
  '!has(managedCluster.spec.taints)',
  '!has(managedCluster.status.clusterClaims)',
  '!has(managedCluster.status.version.kubernetes)',
  'managedCluster.status.conditions == null',
  'managedCluster.status.version == {}',
  'managedCluster.spec.hubAcceptsClient == false',
])('of a cluster without anything: %s', (expression) => {
  expect(holds({ ...typeMeta, metadata: { name: 'bare' } }, expression)).toBe(true);
});

test.each([
  '!has(managedCluster.metadata.labels)',
  '!has(managedCluster.spec.taints)',
  'managedCluster.status.conditions == []',
])('empty collections are absent, but for conditions: %s', (expression) => {
  const bare: ManagedClusterV1 = {
    ...typeMeta,
    metadata: { name: 'bare', labels: {} },
    spec: { taints: [] },
    status: { conditions: [] },
  };
  expect(holds(bare, expression)).toBe(true);
});

test('taints without a time have null', () => {
  // Go's zero time means that no time is set
  for (const time of [{}, { timeAdded: '0001-01-01T00:00:00Z' }]) {
    const tainted: ManagedClusterV1 = {
      ...cluster,
      spec: { taints: [{ key: 'gpu', effect: 'NoSelect', ...time }] },
    };
    expect(holds(tainted, 'managedCluster.spec.taints[0].timeAdded == null')).toBe(true);
    expect(holds(tainted, 'has(managedCluster.spec.taints[0].timeAdded)')).toBe(true);
  }
});

test('the value of the API server counts if the object has it', () => {
  const stored: ManagedClusterV1 = {
    ...cluster,
    metadata: { ...cluster.metadata, creationTimestamp: '2026-01-01T00:00:00Z', uid: 'u1', generation: 2 },
  };
  expect(
    holds(
      stored,
      'managedCluster.metadata.creationTimestamp == "2026-01-01T00:00:00Z" && managedCluster.metadata.uid == "u1" && managedCluster.metadata.generation == 2',
    ),
  ).toBe(true);
});
