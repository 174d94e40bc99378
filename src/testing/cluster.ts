import type { KubernetesObject } from '../base/objects/object-meta.ts';
import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../schemas/types.gen.ts';

/** A cluster for what-if tests. */
export interface ClusterProps {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** ClusterClaims by name, as the cluster's agent would report them. */
  readonly claims?: Readonly<Record<string, string>>;
  readonly taints?: readonly ManagedClusterV1Taint[];
  /** The cluster set that it belongs to exclusively. @default - `default`, as the hub does */
  readonly clusterSet?: string;
  /** Such as `v1.35.0`. */
  readonly kubernetesVersion?: string;
  /** Whether the cluster is available to the hub. @default true */
  readonly available?: boolean;
}

/** Returns a ManagedCluster that has joined, for `Fleet.with`. */
export function cluster(props: ClusterProps): KubernetesObject {
  const {
    name,
    labels,
    annotations,
    claims = {},
    taints,
    clusterSet,
    kubernetesVersion,
    available = true,
  } = props;
  const set = clusterSet === undefined ? {} : { 'cluster.open-cluster-management.io/clusterset': clusterSet };
  const isAvailable = available ? 'True' : 'Unknown';
  const managed: ManagedClusterV1 = {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: { ...labels, ...set }, ...(annotations === undefined ? {} : { annotations }) },
    spec: { hubAcceptsClient: true, ...(taints === undefined ? {} : { taints }) },
    status: {
      conditions: [
        condition('ManagedClusterJoined', 'True'),
        condition('ManagedClusterConditionAvailable', isAvailable),
      ],
      clusterClaims: Object.entries(claims).map(([name, value]) => ({ name, value })),
      ...(kubernetesVersion === undefined ? {} : { version: { kubernetes: kubernetesVersion } }),
    },
  };
  return { ...managed };
}

function condition(type: string, status: 'True' | 'Unknown') {
  // The time has no effect, but the API server requires one.
  return { type, status, reason: 'WhatIf', message: '', lastTransitionTime: '1970-01-01T00:00:00Z' };
}
