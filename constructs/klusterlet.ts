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

/** What a Klusterlet says otherwise than the API has it. */
interface AgentConfigurations {
  /**
   * Where the agents run. It cannot be changed later.
   *
   * @default 'Default' - on the managed cluster, registration and work agent apart
   */
  readonly mode?: 'Default' | 'Hosted' | 'Singleton' | 'SingletonHosted';

  /**
   * The namespace of the agents, or of the Klusterlet where these run elsewhere.
   *
   * @default 'open-cluster-management-agent'
   */
  readonly namespace?: `open-cluster-management-${string}`;

  /**
   * How the cluster registers, and what it says about itself.
   *
   * @default - as the release has it
   */
  readonly registrationConfiguration?: WithFeatureGates<KlusterletV1RegistrationConfiguration>;

  /**
   * How works are applied.
   *
   * @default - as the release has it
   */
  readonly workConfiguration?: WithFeatureGates<KlusterletV1WorkAgentConfiguration>;
}

/** The name of the cluster, the images, the nodes and the ways to the servers: as the API has them. */
type AgentInstallation = Omit<KlusterletV1Spec, keyof AgentConfigurations | 'deployOption'>;

/** What the agents of a cluster have otherwise than the release. */
export interface KlusterletProps extends ObjectProps, AgentConfigurations, AgentInstallation {}

/**
 * The installation of OCM's agents on a managed cluster.
 *
 * @see https://open-cluster-management.io/docs/getting-started/installation/register-a-cluster/
 */
export class Klusterlet extends OcmObject {
  private readonly installation: AgentConfigurations & AgentInstallation;

  constructor(scope: Construct, id: string, props: KlusterletProps = {}) {
    const { name, labels, annotations, ...rest } = props;
    const type = { apiVersion: 'operator.open-cluster-management.io/v1', kind: 'Klusterlet' };
    // `namespace` is a field of the Klusterlet's spec; the object itself is cluster-scoped.
    super(scope, id, type, defined({ name, labels, annotations }));
    this.installation = rest;
  }

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
