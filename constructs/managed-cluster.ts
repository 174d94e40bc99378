import type { Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ManagedClusterV1ClientConfig, ManagedClusterV1Spec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { IManagedClusterSet } from './managed-cluster-set.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import type { Taint } from './taint.ts';
import { checkProps } from './check-properties.ts';

/** A managed cluster, in this app or registered elsewhere. Its name is also its namespace on the hub. */
export interface IManagedCluster {
  /** Name of the cluster. */
  readonly clusterName: string;
}

/** The name of a cluster as in the fleet snapshot, or the cluster itself. */
export type ClusterReference = string | IManagedCluster;

/** Returns the name of a cluster, which is also its namespace on the hub. */
export function clusterName(cluster: ClusterReference): string {
  return typeof cluster === 'string' ? cluster : cluster.clusterName;
}

/** The registration of a cluster. */
export interface ManagedClusterProps extends ObjectProps {
  /**
   * Whether the hub accepts the cluster.
   *
   * @default false
   */
  readonly hubAcceptsClient?: boolean;

  /**
   * How often the agent renews its lease. After five times this duration, the cluster counts as unreachable. Whole
   * seconds.
   *
   * @default Duration.minutes(1)
   */
  readonly leaseDuration?: Duration;

  /**
   * The set that the cluster is assigned to. It must not select by labels.
   *
   * @default - none; the hub then assigns it to the set `default`
   */
  readonly clusterSet?: IManagedClusterSet;

  /**
   * Taints that keep Placements from selecting the cluster.
   *
   * @default - none
   */
  readonly taints?: readonly Taint[];

  /**
   * The endpoints of the cluster's API server.
   *
   * @default - unknown to the hub
   */
  readonly clientConfigs?: readonly ManagedClusterV1ClientConfig[];
}

/**
 * The registration of a cluster on the hub. The cluster reports its claims, capacity and conditions; they are in the
 * fleet snapshot.
 *
 * @example
 * new ManagedCluster(chart, 'cluster1', {
 *   labels: { env: 'prod' },
 *   clusterSet: ManagedClusterSet.default,
 *   taints: [Taint.noSelect('maintenance')],
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/managedcluster/
 */
export class ManagedCluster extends OcmObject implements IManagedCluster {
  /** Whether the hub accepts the cluster. */
  readonly hubAcceptsClient: boolean;

  /** How often the agent renews its lease; `undefined` for the hub's default of a minute. */
  readonly leaseDuration: Duration | undefined;

  private readonly clusterSet: IManagedClusterSet | undefined;
  private readonly taints: Taint[];
  private readonly clientConfigs: readonly ManagedClusterV1ClientConfig[];

  constructor(scope: Construct, id: string, props: ManagedClusterProps = {}) {
    checkProps({ ManagedCluster }, new.target, scope, id, props);
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

  /** Adds a taint that keeps Placements from selecting the cluster. */
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

  /** @internal */
  protected override toSpec(): ManagedClusterV1Spec {
    return defined({
      hubAcceptsClient: this.hubAcceptsClient,
      leaseDurationSeconds: this.leaseDuration && this.leaseDuration.toSeconds(),
      taints: unlessEmpty(this.taints.map(({ taint }) => taint)),
      managedClusterClientConfigs: unlessEmpty(this.clientConfigs),
    });
  }
}
