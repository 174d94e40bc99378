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

/** The parts of the hub that have features to switch, and their configuration. */
interface HubConfigurations {
  /**
   * How clusters and their agents are let in.
   *
   * @default - as the release has it
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
   * @default - as the release has it
   */
  readonly placementConfiguration?: WithFeatureGates<ClusterManagerV1PlacementConfiguration>;

  /**
   * How add-ons are managed.
   *
   * @default - as the release has it
   */
  readonly addOnManagerConfiguration?: WithFeatureGates<ClusterManagerV1AddOnManagerConfiguration>;

  /**
   * The server that agents talk to instead of the API server.
   *
   * @default - none
   */
  readonly serverConfiguration?: WithFeatureGates<ClusterManagerV1ServerConfiguration>;
}

/** The images, the way of installation and the nodes: as the API has them. */
type HubInstallation = Omit<ClusterManagerV1Spec, keyof HubConfigurations>;

/** What a hub has otherwise than the release. */
export interface ClusterManagerProps extends ObjectProps, HubConfigurations, HubInstallation {}

/**
 * The installation of a hub. OCM's operator wants it to have the name `cluster-manager`.
 *
 * @see https://open-cluster-management.io/docs/getting-started/installation/start-the-control-plane/
 */
export class ClusterManager extends OcmObject {
  private readonly installation: HubConfigurations & HubInstallation;

  constructor(scope: Construct, id: string, props: ClusterManagerProps = {}) {
    const { name, labels, annotations, ...rest } = props;
    const type = { apiVersion: 'operator.open-cluster-management.io/v1', kind: 'ClusterManager' };
    super(scope, id, type, defined({ name, labels, annotations }));
    this.installation = rest;
  }

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
