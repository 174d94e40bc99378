import type { GroupResource, NamedObject, NamedResource, ResourceReference } from './named-object.ts';
import { referenceTo, resourceOf } from './named-object.ts';
import { noDefaultConfigName } from '../src/ocm/default-config.ts';

/** An object that configures add-ons. Classes of custom configuration kinds implement this. */
export interface IAddOnConfig {
  /** Returns the reference that add-ons use for the object. */
  readonly configReference: ResourceReference;
}

/** A kind of configuration that an add-on supports without a default. */
export interface SupportedConfig {
  /** Returns the group and the plural name of the kind. */
  readonly supported: GroupResource;
}

/**
 * A reference to the configuration of an add-on, of any kind. AddOnDeploymentConfigs and AddOnTemplates need no such
 * reference, because they can be used directly.
 *
 * @example
 * const config = AddOnConfig.of({
 *   group: 'example.com',
 *   resource: 'helloconfigs',
 *   namespace: 'hello',
 *   name: 'production',
 * });
 * new ClusterManagementAddOn(chart, 'hello', { defaultConfigs: [config] });
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/#add-on-configurations
 */
export class AddOnConfig implements IAddOnConfig {
  /** Returns a reference to a configuration that is defined elsewhere. */
  static of(reference: ResourceReference): AddOnConfig {
    return new AddOnConfig(reference);
  }

  /** Returns a reference to any object. The constructs of cdk8s-plus have the plural name of their kind. */
  static fromObject(object: NamedResource): AddOnConfig;
  /**
   * Returns a reference to any object. `resource` is the lower-case plural name of the kind, such as
   * `exampleconfigs`.
   */
  static fromObject(object: NamedObject, resource: string): AddOnConfig;
  static fromObject(object: NamedObject | NamedResource, resource?: string): AddOnConfig {
    return new AddOnConfig(referenceTo(object, resourceOf(object, resource)));
  }

  /**
   * Declares that the add-on supports this kind of configuration, without a default.
   *
   * @example
   * new ClusterManagementAddOn(chart, 'hello', {
   *   defaultConfigs: [AddOnConfig.supported(AddOnDeploymentConfig)],
   * });
   */
  static supported({ group, resource }: GroupResource): SupportedConfig {
    return { supported: { group, resource } };
  }

  readonly configReference: ResourceReference;

  private constructor(reference: ResourceReference) {
    this.configReference = reference;
  }
}

/** The `defaultConfigs` of a ClusterManagementAddOn, as written in the manifest. */
export function toDefaultConfig(config: IAddOnConfig | SupportedConfig): ResourceReference {
  return 'supported' in config ? { ...config.supported, name: noDefaultConfigName } : config.configReference;
}
