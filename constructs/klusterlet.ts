import type { Construct } from 'constructs';
import type {
  KlusterletV1RegistrationConfiguration,
  KlusterletV1Spec,
  KlusterletV1WorkAgentConfiguration,
} from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import type { WithFeatureGates } from './feature-gates.ts';
import { toFeatureGateList } from './feature-gates.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import { checkProps } from './check-properties.ts';

/** The settings of a Klusterlet that differ from the API. */
export interface AgentConfigurations {
  /**
   * Where the agents run. It cannot be changed later.
   *
   * @default 'Default' - on the managed cluster, with separate registration and work agents
   */
  readonly mode?: 'Default' | 'Hosted' | 'Singleton' | 'SingletonHosted';

  /**
   * The namespace of the agents, or of the Klusterlet if the agents run elsewhere.
   *
   * @default 'open-cluster-management-agent'
   */
  readonly namespace?: `open-cluster-management-${string}`;

  /**
   * How the cluster registers, and which properties it reports.
   *
   * @default - the default of the release
   */
  readonly registrationConfiguration?: WithFeatureGates<KlusterletV1RegistrationConfiguration>;

  /**
   * How works are applied.
   *
   * @default - the default of the release
   */
  readonly workConfiguration?: WithFeatureGates<KlusterletV1WorkAgentConfiguration>;
}

/** The name of the cluster, the images, the nodes and the server URLs, as in the API. */
export type AgentInstallation = Omit<KlusterletV1Spec, keyof AgentConfigurations | 'deployOption'>;

/** The settings of the agents that differ from the release. */
export interface KlusterletProps extends ObjectProps, AgentConfigurations, AgentInstallation {}

/**
 * The installation of OCM's agents on a managed cluster.
 *
 * @example
 * new Klusterlet(chart, 'klusterlet', {
 *   clusterName: 'cluster1',
 *   workConfiguration: { featureGates: { RawFeedbackJsonString: true } },
 * });
 *
 * @see https://open-cluster-management.io/docs/getting-started/installation/register-a-cluster/
 */
export class Klusterlet extends OcmObject {
  private readonly installation: AgentConfigurations & AgentInstallation;

  constructor(scope: Construct, id: string, props: KlusterletProps = {}) {
    checkProps({ Klusterlet }, new.target, scope, id, props);
    const { name, labels, annotations, ...rest } = props;
    const type = { apiVersion: 'operator.open-cluster-management.io/v1', kind: 'Klusterlet' };
    // `namespace` is a field of the Klusterlet's spec; the object itself is cluster-scoped.
    super(scope, id, type, defined({ name, labels, annotations }));
    this.installation = rest;
  }

  /** @internal */
  protected override toSpec(): KlusterletV1Spec {
    const { mode, ...rest } = this.installation;
    return defined({
      ...rest,
      deployOption: mode && { mode },
      registrationConfiguration: toFeatureGateList(this.installation.registrationConfiguration),
      workConfiguration: toFeatureGateList(this.installation.workConfiguration),
    });
  }
}
