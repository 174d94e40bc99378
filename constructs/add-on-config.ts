import type { GroupResource, NamedObject, NamedResource, ResourceReference } from './named-object.ts';
import { referenceTo, resourceOf } from './named-object.ts';

/** An object that configures add-ons. Classes of your own configuration kinds implement this. */
export interface IAddOnConfig {
  /** Names the object as add-ons do. */
  readonly configReference: ResourceReference;
}

/** A kind of configuration that an add-on understands but has no default for. */
export interface SupportedConfig {
  /** Names the kind. */
  readonly supported: GroupResource;
}

/**
 * Refers to the configuration of an add-on, of whatever kind. AddOnDeploymentConfigs and AddOnTemplates need
 * no such reference: they stand for themselves.
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/#add-on-configurations
 */
export class AddOnConfig implements IAddOnConfig {
  /** Configuration that is defined elsewhere. */
  static of(reference: ResourceReference): AddOnConfig {
    return new AddOnConfig(reference);
  }

  /** Any object. The constructs of cdk8s-plus know under which name the API serves them. */
  static fromObject(object: NamedResource): AddOnConfig;
  /**
   * Any object. `resource` is the lower-case plural under which the API serves it, such as `exampleconfigs`.
   */
  static fromObject(object: NamedObject, resource: string): AddOnConfig;
  static fromObject(object: NamedObject | NamedResource, resource?: string): AddOnConfig {
    return new AddOnConfig(referenceTo(object, resourceOf(object, resource)));
  }

  /**
   * Says that the add-on understands this kind of configuration, without giving it a default.
   *
   * @example
   * defaultConfigs: [AddOnConfig.supported(AddOnDeploymentConfig)]
   */
  static supported({ group, resource }: GroupResource): SupportedConfig {
    return { supported: { group, resource } };
  }

  readonly configReference: ResourceReference;

  private constructor(reference: ResourceReference) {
    this.configReference = reference;
  }
}

/**
 * The name by which v1beta1 says that a kind of configuration has no default, as OCM's conversion webhook.
 */
const noDefault = '__reserved_no_default__';

/** As a ClusterManagementAddOn writes its defaults. */
export function toDefaultConfig(config: IAddOnConfig | SupportedConfig): ResourceReference {
  return 'supported' in config ? { ...config.supported, name: noDefault } : config.configReference;
}
