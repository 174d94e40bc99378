import type { StructuralSchema } from '../../../schemas/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Location, Origin } from '../model/origin.ts';

/** The fields of an AddOnDeploymentConfig that a parameter can set. */
export const deploymentFields = [
  'agentInstallNamespace',
  'nodePlacement',
  'proxyConfig',
  'registries',
  'resourceRequirements',
] as const;

/** A field of an AddOnDeploymentConfig that a parameter can set. */
export type DeploymentField = (typeof deploymentFields)[number];

/** Where the value of a parameter goes. */
export type ParameterTarget =
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'field'; readonly field: DeploymentField }
  /** A path in the values of a chart or of Go templates. A customized variable brings the value to them. */
  | { readonly kind: 'chartValue'; readonly path: readonly string[]; readonly variable: string };

/** Returns the customized variable that has the value. Undefined for a field. */
export function variableOf(target: ParameterTarget): string | undefined {
  return target.kind === 'field' ? undefined : target.variable;
}

export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'enum', 'list', 'object'] as const;

/** The type of a parameter. */
export type ParameterType = (typeof parameterTypes)[number];

/** A declared parameter of an add-on. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /**
   * The type with its limits, for any value of the parameter.
   *
   * @internal
   */
  readonly schema: StructuralSchema;
  /** Undefined if the parameter has no default. */
  readonly default: unknown;
  readonly description: string | undefined;
  /** Whether reports mask its value. */
  readonly sensitive: boolean;
  readonly target: ParameterTarget;
  /** The path of the declaration in the object of `ParameterSet.origin`. */
  readonly path: FieldPath;
}

/** The ranks of layers, weakest first. */
export const layerRanks = ['default', 'hub', 'add-on', 'placement', 'where', 'cluster'] as const;

/** How strong a layer is. */
export type LayerRank = (typeof layerRanks)[number];

/** Selects clusters by their properties. All conditions must match. */
export interface LayerCondition {
  readonly labels?: ClusterSelector;
  readonly claims?: ClusterSelector;
  /** The cluster is in one of the sets. */
  readonly sets?: readonly string[];
}

/** A selector over labels or claims, as written in Kubernetes. */
interface ClusterSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The clusters of a layer. */
export type LayerScope =
  | { readonly rank: 'default' | 'add-on' }
  | { readonly rank: 'hub'; readonly hub: string | undefined }
  | { readonly rank: 'placement'; readonly placement: string }
  | { readonly rank: 'where'; readonly where: LayerCondition }
  | { readonly rank: 'cluster'; readonly clusters: readonly string[] };

/** Values for some clusters. */
export interface Layer {
  readonly scope: LayerScope;
  /** As written: `region=eu`, `placement a/b`, `cluster c1`. */
  readonly title: string;
  /** Orders layers of equal rank. */
  readonly order: number;
  /** By parameter. Values can contain expressions. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The object that contains the layer. */
  readonly object: KubernetesObject;
  readonly origin: Origin;
  /** The path of the layer in the object of `origin`. */
  readonly path: FieldPath;
  /** The path of `values` in the object of `origin`. */
  readonly valuesPath: FieldPath;
}

/** The parameters of one add-on and all layers that set them, weakest first where their order is defined. */
export interface ParameterSet {
  readonly addOn: string;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly layers: readonly Layer[];
}

/** A layer that sets a value, and the location. */
export interface ValueSource {
  readonly rank: LayerRank;
  /** As `Layer.title`. */
  readonly layer: string;
  /** @internal */
  readonly definition: Layer;
  /** The parameter, followed by the path in its value. */
  readonly path: FieldPath;
  /** The value that the layer sets, with expressions as written. Undefined if it removes the value. */
  readonly value: unknown;
  /** Returns the file and line of the value. It is only computed when called. */
  readonly location: () => Location;
}

/** The layers that decide one value. */
export interface ValueTrace {
  /** The parameter, followed by the path in its value. */
  readonly path: FieldPath;
  /** The layers whose value counts: one, or several for a list to which layers append. Strongest last. */
  readonly winners: readonly ValueSource[];
  /** The layers whose value was replaced, weakest first. */
  readonly losers: readonly ValueSource[];
}

/** The values of an add-on's parameters on a cluster. Clusters with equal values and layers share the same object. */
export interface ParameterValues {
  /** By parameter. A parameter without a value is missing. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The layers that apply to the cluster, weakest first. @internal */
  readonly layers: readonly Layer[];
  /** Returns the layers of each value. They are only computed when called. */
  readonly traces: () => readonly ValueTrace[];
}
