/** A JSON type of a structural schema. */
export type SchemaType = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';

/** A JSON value in `default` and `enum`. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * A CEL rule of a schema: `rule` is evaluated with the value as `self`; `message` is the error for the user. OCM's
 * rules have no other fields of Kubernetes' rules.
 */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
}

/**
 * The part of a JSON Schema that Fleetwright reads: the part that Kubernetes calls structural, with its extensions.
 * Annotations (titles, descriptions) are in the JSON files only.
 *
 * Two points are more explicit than in a CustomResourceDefinition, so that other tools than the API server can read
 * them: an object that prunes unknown fields has `additionalProperties: false`, and a nullable field has `null` among
 * its types besides `nullable`.
 *
 * @see
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export interface StructuralSchema {
  readonly type?: SchemaType | readonly [SchemaType, 'null'];
  readonly nullable?: boolean;
  /** `byte` (base64), `date-time` (RFC 3339), `int32` or `int64`. */
  readonly format?: string;
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly anyOf?: readonly StructuralSchema[];
  /** A regular expression in Go's syntax, searched for anywhere in the value unless it has anchors. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: false | StructuralSchema;
  readonly items?: StructuralSchema;
  readonly 'x-kubernetes-int-or-string'?: true;
  /** Whether lists are replaced (`atomic`) or merged by the keys of their items (`map`). @default 'atomic' */
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  /** Fields that together identify an item of a `map` list: no two items may agree in all of them. */
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  /** The value is a whole Kubernetes object: `apiVersion`, `kind` and `metadata` are checked as such. */
  readonly 'x-kubernetes-embedded-resource'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** A schema with the annotations that the compiler does not need, as in its file. */
export interface AnnotatedSchema extends StructuralSchema {
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, AnnotatedSchema>>;
  readonly additionalProperties?: false | AnnotatedSchema;
  readonly items?: AnnotatedSchema;
}
