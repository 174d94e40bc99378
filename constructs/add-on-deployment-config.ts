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

/** On which nodes the agent runs. */
export interface NodePlacement {
  /**
   * The labels that a node must have; `{}` for any node. It has to be given: without it the hub's template
   * renderer leaves out the tolerations too.
   */
  readonly nodeSelector: Readonly<Record<string, string>>;

  /**
   * The taints of nodes that do not keep the agent away.
   *
   * @default - none
   */
  readonly tolerations?: readonly AddOnDeploymentConfigV1alpha1Toleration[];
}

/**
 * Names containers: the kind of their workload, its name and theirs, as in
 * `deployments:helloworld-agent:agent`. A part that is `*` stands for any; all others are regular
 * expressions.
 */
export type ContainerID =
  `${'deployments' | 'daemonsets' | 'statefulsets' | 'replicasets' | 'jobs' | 'cronjobs' | 'pods' | '*'}:${string}:${string}`;

/** The resources of some containers. */
export interface ContainerResources {
  readonly containerID: ContainerID;
  readonly resources: AddOnDeploymentConfigV1alpha1ResourceRequirements;
}

/** How an agent is deployed. */
export interface AddOnDeploymentConfigProps extends NamespacedObjectProps, RevisionProps {
  /**
   * Where the agent is installed on the cluster. For an add-on with an AddOnTemplate this moves every object
   * of the template that has a namespace, and renames each Namespace in it; `''` leaves them where the
   * template has them.
   *
   * @default 'open-cluster-management-agent-addon' - the hub fills this in, so any AddOnDeploymentConfig
   * moves the template's objects there unless it says otherwise
   */
  readonly agentInstallNamespace?: string;

  /**
   * Values for the variables of the add-on, by name.
   *
   * @default - none
   */
  readonly customizedVariables?: Readonly<Record<string, string>>;

  /**
   * On which nodes the agent runs.
   *
   * @default - as the add-on says
   */
  readonly nodePlacement?: NodePlacement;

  /**
   * Where images are pulled from instead: the start of an image that equals `source` is replaced by `mirror`.
   * Of several that fit the last one holds. An empty list says that images are not pulled from elsewhere.
   *
   * @default - as the cluster's annotation open-cluster-management.io/image-registries says
   */
  readonly registries?: readonly AddOnDeploymentConfigV1alpha1ImageMirror[];

  /**
   * The proxy between the agent and the world.
   *
   * @default - none
   */
  readonly proxyConfig?: AddOnDeploymentConfigV1alpha1ProxyConfig;

  /**
   * The resources of containers. Of several that name a container the last one holds.
   *
   * @default - as the add-on says
   */
  readonly resourceRequirements?: readonly ContainerResources[];
}

/**
 * How the agent of an add-on is deployed.
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/#add-on-configurations
 */
export class AddOnDeploymentConfig extends NamespacedObject implements IAddOnConfig {
  /** The API group, for `AddOnConfig.supported(AddOnDeploymentConfig)`. */
  static readonly group = 'addon.open-cluster-management.io';

  /** The name under which the API serves the kind. */
  static readonly resource = 'addondeploymentconfigs';

  /** Where the agent is installed; empty where the template says it. */
  readonly agentInstallNamespace: string;

  private readonly nodePlacement: NodePlacement | undefined;
  private readonly proxyConfig: AddOnDeploymentConfigV1alpha1ProxyConfig | undefined;
  private readonly variables: Map<string, string>;
  private registries: AddOnDeploymentConfigV1alpha1ImageMirror[] | undefined;
  private readonly resourceRequirements: ContainerResources[];

  constructor(scope: Construct, id: string, props: AddOnDeploymentConfigProps = {}) {
    const type = { apiVersion: 'addon.open-cluster-management.io/v1alpha1', kind: 'AddOnDeploymentConfig' };
    super(scope, id, type, props);
    this.agentInstallNamespace = props.agentInstallNamespace ?? 'open-cluster-management-agent-addon';
    this.nodePlacement = props.nodePlacement;
    this.proxyConfig = props.proxyConfig;
    this.variables = new Map(Object.entries(props.customizedVariables ?? {}));
    this.registries = props.registries && [...props.registries];
    this.resourceRequirements = [...(props.resourceRequirements ?? [])];
  }

  get configReference(): ResourceReference {
    const { group, resource } = AddOnDeploymentConfig;
    return { group, resource, namespace: this.namespace, name: this.emittedName };
  }

  /** Sets a variable of the add-on. */
  addCustomizedVariable(name: string, value: string): void {
    this.variables.set(name, value);
  }

  /** Pulls further images from elsewhere. */
  addRegistry(registry: AddOnDeploymentConfigV1alpha1ImageMirror): void {
    this.registries = [...(this.registries ?? []), registry];
  }

  /** Sets the resources of further containers. */
  addResourceRequirement(requirement: ContainerResources): void {
    this.resourceRequirements.push(requirement);
  }

  protected override toSpec(): AddOnDeploymentConfigV1alpha1Spec {
    return defined({
      agentInstallNamespace: this.agentInstallNamespace,
      customizedVariables: unlessEmpty([...this.variables].map(([name, value]) => ({ name, value }))),
      nodePlacement: this.nodePlacement,
      registries: this.registries,
      proxyConfig: this.proxyConfig,
      resourceRequirements: unlessEmpty(this.resourceRequirements),
    });
  }
}
