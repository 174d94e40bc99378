import type { Construct } from 'constructs';
import type {
  AddOnDeploymentConfigV1alpha1ImageMirror,
  AddOnDeploymentConfigV1alpha1ProxyConfig,
  AddOnDeploymentConfigV1alpha1ResourceRequirements,
  AddOnDeploymentConfigV1alpha1Spec,
  AddOnDeploymentConfigV1alpha1Toleration,
} from '../schemas/types.gen.ts';
import type { IAddOnConfig } from './add-on-config.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { ResourceReference } from './named-object.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { RevisionProps } from './revision.ts';
import { addOnGroup } from '../schemas/groups.ts';
import { defaultInstallNamespace } from '../src/ocm/install-namespace.ts';
import { checkProps } from './check-properties.ts';

/** The nodes that the agent can run on. */
export interface NodePlacement {
  /**
   * The labels that a node must have; `{}` for any node. It is required, because without it the hub's template
   * renderer ignores the tolerations.
   */
  readonly nodeSelector: Readonly<Record<string, string>>;

  /**
   * Tolerations of the agent for taints of nodes.
   *
   * @default - none
   */
  readonly tolerations?: readonly AddOnDeploymentConfigV1alpha1Toleration[];
}

/**
 * Selects containers: the kind of their workload, the name of the workload and the name of the container, as in
 * `deployments:helloworld-agent:agent`. `*` matches any value; all other parts are regular expressions.
 */
export type ContainerID =
  `${'deployments' | 'daemonsets' | 'statefulsets' | 'replicasets' | 'jobs' | 'cronjobs' | 'pods' | '*'}:${string}:${string}`;

/** The resources of the selected containers. */
export interface ContainerResources {
  readonly containerID: ContainerID;
  readonly resources: AddOnDeploymentConfigV1alpha1ResourceRequirements;
}

/**
 * Selects workloads: their kind and their name, as in `deployments:helloworld-agent`. `*` matches any value; all other parts are
 * regular expressions.
 */
export type WorkloadID = `${'deployments' | 'statefulsets' | '*'}:${string}`;

/** The number of replicas of the selected workloads. */
export interface WorkloadReplicas {
  readonly workloadID: WorkloadID;
  readonly replicas: number;
}

/** The settings for the deployment of an agent. */
export interface AddOnDeploymentConfigProps extends NamespacedObjectProps, RevisionProps {
  /**
   * The namespace of the agent on the cluster. For an add-on with an AddOnTemplate, the hub moves every object of the
   * template that has a namespace, and renames each Namespace in it. `''` leaves them in the namespaces of the
   * template.
   *
   * @default 'open-cluster-management-agent-addon' - the hub's default, so each AddOnDeploymentConfig moves the
   * template's objects there unless it sets another value
   */
  readonly agentInstallNamespace?: string;

  /**
   * Values for the variables of the add-on, by name.
   *
   * @default - none
   */
  readonly customizedVariables?: Readonly<Record<string, string>>;

  /**
   * The nodes that the agent can run on.
   *
   * @default - as defined by the add-on
   */
  readonly nodePlacement?: NodePlacement;

  /**
   * The mirrors of images: if an image begins with `source`, this part is replaced by `mirror`. If several match, the
   * last one wins. With an empty list, no mirrors are used.
   *
   * @default - the cluster's annotation open-cluster-management.io/image-registries
   */
  readonly registries?: readonly AddOnDeploymentConfigV1alpha1ImageMirror[];

  /**
   * The proxy of the agent.
   *
   * @default - none
   */
  readonly proxyConfig?: AddOnDeploymentConfigV1alpha1ProxyConfig;

  /**
   * The resources of containers. If several entries match a container, the last one wins.
   *
   * @default - as defined by the add-on
   */
  readonly resourceRequirements?: readonly ContainerResources[];

  /**
   * The number of replicas of workloads, on hubs of OCM 1.5, which is a preview: other hubs reject the object. If several
   * entries match a workload, the last one wins.
   *
   * @default - as defined by the add-on
   */
  readonly replicaConfigs?: readonly WorkloadReplicas[];
}

/**
 * An AddOnDeploymentConfig: settings for the deployment of an add-on's agent.
 *
 * @example
 * const config = new AddOnDeploymentConfig(chart, 'production', {
 *   namespace: 'hello',
 *   agentInstallNamespace: 'hello-agent',
 *   customizedVariables: { LOG_LEVEL: 'info' },
 *   registries: [{ source: 'quay.io/example', mirror: 'registry.example.com/example' }],
 * });
 * config.addCustomizedVariable('REGION', 'eu-west-1');
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/#add-on-configurations
 */
export class AddOnDeploymentConfig extends NamespacedObject implements IAddOnConfig {
  /** The API group, for `AddOnConfig.supported(AddOnDeploymentConfig)`. */
  static readonly group = addOnGroup;

  /** The plural name of the kind in the API. */
  static readonly resource = 'addondeploymentconfigs';

  /** The namespace of the agent; empty if the template defines it. */
  readonly agentInstallNamespace: string;

  private readonly nodePlacement: NodePlacement | undefined;
  private readonly proxyConfig: AddOnDeploymentConfigV1alpha1ProxyConfig | undefined;
  private readonly variables: Map<string, string>;
  private registries: AddOnDeploymentConfigV1alpha1ImageMirror[] | undefined;
  private readonly resourceRequirements: ContainerResources[];
  private readonly replicaConfigs: WorkloadReplicas[];

  constructor(scope: Construct, id: string, props: AddOnDeploymentConfigProps = {}) {
    checkProps({ AddOnDeploymentConfig }, new.target, scope, id, props);
    const type = { apiVersion: 'addon.open-cluster-management.io/v1alpha1', kind: 'AddOnDeploymentConfig' };
    super(scope, id, type, props);
    this.agentInstallNamespace = props.agentInstallNamespace ?? defaultInstallNamespace;
    this.nodePlacement = props.nodePlacement;
    this.proxyConfig = props.proxyConfig;
    this.variables = new Map(Object.entries(props.customizedVariables ?? {}));
    this.registries = props.registries && [...props.registries];
    this.resourceRequirements = [...(props.resourceRequirements ?? [])];
    this.replicaConfigs = [...(props.replicaConfigs ?? [])];
  }

  get configReference(): ResourceReference {
    const { group, resource } = AddOnDeploymentConfig;
    return { group, resource, namespace: this.namespace, name: this.emittedName };
  }

  /** Sets a variable of the add-on. */
  addCustomizedVariable(name: string, value: string): void {
    this.variables.set(name, value);
  }

  /** Adds mirrors of images. */
  addRegistry(registry: AddOnDeploymentConfigV1alpha1ImageMirror): void {
    this.registries = [...(this.registries ?? []), registry];
  }

  /** Sets the resources of more containers. */
  addResourceRequirement(requirement: ContainerResources): void {
    this.resourceRequirements.push(requirement);
  }

  /** Sets the number of replicas of more workloads, on hubs of OCM 1.5. */
  addReplicaConfig(replicas: WorkloadReplicas): void {
    this.replicaConfigs.push(replicas);
  }

  /** @internal */
  protected override toSpec(): AddOnDeploymentConfigV1alpha1Spec {
    return defined({
      agentInstallNamespace: this.agentInstallNamespace,
      customizedVariables: unlessEmpty([...this.variables].map(([name, value]) => ({ name, value }))),
      nodePlacement: this.nodePlacement,
      registries: this.registries,
      proxyConfig: this.proxyConfig,
      resourceRequirements: unlessEmpty(this.resourceRequirements),
      replicaConfigs: unlessEmpty(this.replicaConfigs),
    });
  }
}
