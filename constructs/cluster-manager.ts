import type { Construct } from 'constructs';
import type {
  ClusterManagerV1AddOnManagerConfiguration,
  ClusterManagerV1PlacementConfiguration,
  ClusterManagerV1RegistrationHubConfiguration,
  ClusterManagerV1ServerConfiguration,
  ClusterManagerV1Spec,
  ClusterManagerV1WorkConfiguration,
} from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import type { WithFeatureGates } from './feature-gates.ts';
import { toFeatureGateList } from './feature-gates.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import { checkProps } from './check-properties.ts';

/** The components of the hub with feature gates, and their configuration. */
export interface HubConfigurations {
  /**
   * How clusters and their agents are accepted.
   *
   * @default - the default of the release
   */
  readonly registrationConfiguration?: WithFeatureGates<ClusterManagerV1RegistrationHubConfiguration>;

  /**
   * How works reach the clusters.
   *
   * @default - through the API of the hub
   */
  readonly workConfiguration?: WithFeatureGates<ClusterManagerV1WorkConfiguration>;

  /**
   * How Placements are decided.
   *
   * @default - the default of the release
   */
  readonly placementConfiguration?: WithFeatureGates<ClusterManagerV1PlacementConfiguration>;

  /**
   * How add-ons are managed.
   *
   * @default - the default of the release
   */
  readonly addOnManagerConfiguration?: WithFeatureGates<ClusterManagerV1AddOnManagerConfiguration>;

  /**
   * The server that agents connect to instead of the API server.
   *
   * @default - none
   */
  readonly serverConfiguration?: WithFeatureGates<ClusterManagerV1ServerConfiguration>;
}

/** The images, the deployment option and the nodes, as in the API. */
export type HubInstallation = Omit<ClusterManagerV1Spec, keyof HubConfigurations>;

/** The settings of a hub that differ from the release. */
export interface ClusterManagerProps extends ObjectProps, HubConfigurations, HubInstallation {}

/**
 * The installation of a hub. OCM's operator requires the name `cluster-manager`.
 *
 * @example
 * new ClusterManager(chart, 'cluster-manager', {
 *   registrationConfiguration: { featureGates: { DefaultClusterSet: true } },
 * });
 *
 * @see https://open-cluster-management.io/docs/getting-started/installation/start-the-control-plane/
 */
export class ClusterManager extends OcmObject {
  private readonly installation: HubConfigurations & HubInstallation;

  constructor(scope: Construct, id: string, props: ClusterManagerProps = {}) {
    checkProps({ ClusterManager }, new.target, scope, id, props);
    const { name, labels, annotations, ...rest } = props;
    const type = { apiVersion: 'operator.open-cluster-management.io/v1', kind: 'ClusterManager' };
    super(scope, id, type, defined({ name, labels, annotations }));
    this.installation = rest;
  }

  /** @internal */
  protected override toSpec(): ClusterManagerV1Spec {
    return defined({
      ...this.installation,
      registrationConfiguration: toFeatureGateList(this.installation.registrationConfiguration),
      workConfiguration: toFeatureGateList(this.installation.workConfiguration),
      placementConfiguration: toFeatureGateList(this.installation.placementConfiguration),
      addOnManagerConfiguration: toFeatureGateList(this.installation.addOnManagerConfiguration),
      serverConfiguration: toFeatureGateList(this.installation.serverConfiguration),
    });
  }
}
