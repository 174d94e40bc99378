import type { Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ManagedClusterV1ClientConfig, ManagedClusterV1Spec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { IManagedClusterSet } from './managed-cluster-set.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import type { Taint } from './taint.ts';
import { checkedDuration } from './checked-prop.ts';

/** A managed cluster, wherever it is registered. Its name is also its namespace on the hub. */
export interface IManagedCluster {
  /** Its name. */
  readonly clusterName: string;
}

/** The name of a cluster, as a fleet snapshot has it, or the cluster itself. */
export type ClusterReference = string | IManagedCluster;

/** The name of a cluster, which is its namespace on the hub as well. */
export function clusterName(cluster: ClusterReference): string {
  return typeof cluster === 'string' ? cluster : cluster.clusterName;
}

/** How a cluster is registered. */
export interface ManagedClusterProps extends ObjectProps {
  /**
   * Whether the hub lets the agent of the cluster in.
   *
   * @default false
   */
  readonly hubAcceptsClient?: boolean;

  /**
   * How often the agent renews its lease; after five times as long the cluster counts as unreachable. Whole
   * seconds.
   *
   * @default Duration.minutes(1)
   */
  readonly leaseDuration?: Duration;

  /**
   * The set that the cluster is assigned to: one that does not select by labels.
   *
   * @default - none; the hub then assigns it to the set `default`
   */
  readonly clusterSet?: IManagedClusterSet;

  /**
   * What keeps Placements from selecting the cluster.
   *
   * @default - nothing
   */
  readonly taints?: readonly Taint[];

  /**
   * How to reach the cluster's API server.
   *
   * @default - not known to the hub
   */
  readonly clientConfigs?: readonly ManagedClusterV1ClientConfig[];
}

/**
 * The registration of a cluster on the hub. Its claims, capacity and conditions are what the cluster reports;
 * a fleet snapshot has them.
 *
 * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/managedcluster/
 */
export class ManagedCluster extends OcmObject implements IManagedCluster {
  /** Whether the hub lets the agent of the cluster in. */
  readonly hubAcceptsClient: boolean;

  /** How often the agent renews its lease; undefined for the hub's default of a minute. */
  readonly leaseDuration: Duration | undefined;

  private readonly clusterSet: IManagedClusterSet | undefined;
  private readonly taints: Taint[];
  private readonly clientConfigs: readonly ManagedClusterV1ClientConfig[];

  constructor(scope: Construct, id: string, props: ManagedClusterProps = {}) {
    super(scope, id, { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster' }, props);
    this.hubAcceptsClient = props.hubAcceptsClient ?? false;
    this.leaseDuration = props.leaseDuration;
    this.clusterSet = props.clusterSet;
    this.taints = [...(props.taints ?? [])];
    this.clientConfigs = props.clientConfigs ?? [];
    if (props.clusterSet !== undefined) {
      this.metadata.addLabel(
        'cluster.open-cluster-management.io/clusterset',
        props.clusterSet.clusterSetName,
      );
    }
  }

  get clusterName(): string {
    return this.name;
  }

  /** Adds something that keeps Placements from selecting the cluster. */
  addTaint(taint: Taint): void {
    this.taints.push(taint);
  }

  protected override faults(): string[] {
    if (this.clusterSet?.selectsByLabels !== true) return super.faults();
    const set = `ManagedClusterSet '${this.clusterSet.clusterSetName}'`;
    return [
      ...super.faults(),
      `ManagedCluster '${this.name}' cannot be assigned to ${set}, which selects by labels`,
    ];
  }

  protected override toSpec(): ManagedClusterV1Spec {
    return defined({
      hubAcceptsClient: this.hubAcceptsClient,
      leaseDurationSeconds:
        this.leaseDuration && checkedDuration(this.leaseDuration, 'leaseDuration').toSeconds(),
      taints: unlessEmpty(this.taints.map(({ taint }) => taint)),
      managedClusterClientConfigs: unlessEmpty(this.clientConfigs),
    });
  }
}
