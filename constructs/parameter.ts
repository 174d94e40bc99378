import type {
  AddOnDeploymentConfigV1alpha1ImageMirror,
  AddOnDeploymentConfigV1alpha1ProxyConfig,
} from '../schemas/types.gen.ts';
import type { ContainerResources, NodePlacement } from './add-on-deployment-config.ts';
import { defined } from './defined.ts';

/** The common settings of parameters. */
export interface ParameterProps<Value> {
  /**
   * The value on clusters for which no layer sets one.
   *
   * @default - no value
   */
  readonly default?: Value;

  /**
   * Description of the parameter.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * Whether reports mask the value. Git, the AddOnDeploymentConfig and the works contain it in plain text, which is reported as
   * FW4117.
   *
   * @default false
   */
  readonly sensitive?: boolean;
}

/** Where the value of a parameter goes. */
export interface TargetProps {
  /**
   * The customized variable that gets the value. Lists and objects become JSON.
   *
   * @default - the name of the parameter
   */
  readonly variable?: string;

  /**
   * The path in the values of the add-on's charts and Go templates that gets the value, in its type: `image.tag`, or a list of
   * keys. `variable` is then the variable that brings the value there.
   *
   * @default - no chart gets the value
   */
  readonly chartValue?: string | readonly string[];
}

/** The limits of numbers. */
export interface NumberProps {
  /** The smallest value. @default - no limit */
  readonly min?: number;
  /** The largest value. @default - no limit */
  readonly max?: number;
}

/** The limits of texts. */
export interface TextProps {
  /** The smallest number of characters. @default 0 */
  readonly minLength?: number;
  /** The largest number of characters. @default - no limit but the hub's */
  readonly maxLength?: number;
  /** A regular expression that matches a part of the text, or all of it with `^` and `$`. @default - any text */
  readonly pattern?: string;
}

/** The JSON Schema of a list's items, or of an object: its structural keywords. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

declare const valueType: unique symbol;

/**
 * A parameter of an add-on: its type, default and limits. Layers set values of exactly this type.
 *
 * @typeParam Value - the type of its values
 *
 * @example
 * Parameter.integer({ default: 2, min: 0 });
 * Parameter.enum(['debug', 'info'], { default: 'info', variable: 'LOG_LEVEL' });
 */
export class Parameter<Value> {
  /** A text. */
  static string(props: ParameterProps<string> & TargetProps & TextProps = {}): Parameter<string> {
    return new Parameter({ type: 'string', ...props });
  }

  /** A whole number. */
  static integer(props: ParameterProps<number> & TargetProps & NumberProps = {}): Parameter<number> {
    return new Parameter({ type: 'integer', ...props });
  }

  /** A number. */
  static number(props: ParameterProps<number> & TargetProps & NumberProps = {}): Parameter<number> {
    return new Parameter({ type: 'number', ...props });
  }

  /** `true` or `false`. */
  static boolean(props: ParameterProps<boolean> & TargetProps = {}): Parameter<boolean> {
    return new Parameter({ type: 'boolean', ...props });
  }

  /** One of some texts. */
  static enum<const Text extends string>(
    values: readonly [Text, ...Text[]],
    props: ParameterProps<NoInfer<Text>> & TargetProps = {},
  ): Parameter<Text> {
    return new Parameter({ type: 'enum', values, ...props });
  }

  /**
   * A list.
   *
   * @typeParam Item - the type of its items
   */
  static list<Item = string>(
    props: ParameterProps<readonly Item[]> & TargetProps & { readonly items?: ParameterSchema } = {},
  ): Parameter<readonly Item[]> {
    return new Parameter({ type: 'list', ...props });
  }

  /**
   * An object. Layers merge by key.
   *
   * @typeParam Value - its type
   */
  static object<Value extends object = Readonly<Record<string, unknown>>>(
    props: ParameterProps<Value> & TargetProps & { readonly schema?: ParameterSchema } = {},
  ): Parameter<Value> {
    return new Parameter({ type: 'object', ...props });
  }

  /** The nodes that the agent can run on. */
  static nodePlacement(props: ParameterProps<NodePlacement> = {}): Parameter<NodePlacement> {
    return new Parameter({ type: 'object', field: 'nodePlacement', ...props });
  }

  /** The proxy of the agent. */
  static proxyConfig(
    props: ParameterProps<AddOnDeploymentConfigV1alpha1ProxyConfig> = {},
  ): Parameter<AddOnDeploymentConfigV1alpha1ProxyConfig> {
    return new Parameter({ type: 'object', field: 'proxyConfig', ...props });
  }

  /** The mirrors of images. */
  static registries(
    props: ParameterProps<readonly AddOnDeploymentConfigV1alpha1ImageMirror[]> = {},
  ): Parameter<readonly AddOnDeploymentConfigV1alpha1ImageMirror[]> {
    return new Parameter({ type: 'list', field: 'registries', ...props });
  }

  /** The resources of containers. */
  static resourceRequirements(
    props: ParameterProps<readonly ContainerResources[]> = {},
  ): Parameter<readonly ContainerResources[]> {
    return new Parameter({ type: 'list', field: 'resourceRequirements', ...props });
  }

  /** The namespace of the agent on the cluster. */
  static agentInstallNamespace(props: ParameterProps<string> = {}): Parameter<string> {
    return new Parameter({ type: 'string', field: 'agentInstallNamespace', ...props });
  }

  /** Only for the type of values. */
  declare readonly [valueType]?: Value;

  /** @internal */
  readonly declaration: Readonly<Record<string, unknown>>;

  private constructor(declaration: Readonly<Record<string, unknown>>) {
    this.declaration = defined(declaration);
  }
}

/** The type of a parameter's values. */
export type ValueOf<P> = P extends Parameter<infer Value> ? Value : never;
