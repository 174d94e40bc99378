import { Fact } from './fact.ts';
import type { Parameter, ValueOf } from './parameter.ts';

/** The parameters of an add-on, by name. */
export type ParametersByName = Readonly<Record<string, Parameter<unknown>>>;

/**
 * What a layer sets: values of the parameters' types, facts, and `null` to remove a value. Objects merge by key; a layer may set a
 * part of one. Lists replace, unless they are in `Merge.append`.
 */
export type LayerValues<Parameters extends ParametersByName> = {
  readonly [Name in keyof Parameters]?: LayerValue<ValueOf<Parameters[Name]>> | null;
};

/** The value of a parameter, or of a field in it, in a layer. */
export type LayerValue<Value> =
  Fact | (Value extends readonly (infer Item)[] ? LayerList<Item> : LayerObject<Value>);

/** A list in a layer. */
export type LayerList<Item> = readonly (Item | Fact)[] | Merge<readonly Item[]>;

/** An object in a layer, or a plain value. */
export type LayerObject<Value> = Value extends object
  ? { readonly [Key in keyof Value]?: LayerValue<Value[Key]> | null } | Merge<Value>
  : Value;

declare const mergedType: unique symbol;

/**
 * A value that merges in another way than its type does.
 *
 * @example
 * const parameters = new AddOnParameters(chart, 'parameters', {
 *   addOn: ClusterManagementAddOn.reference('logs'),
 *   parameters: { HOSTS: Parameter.list({ items: { type: 'string' } }) },
 * });
 * parameters.where({ region: 'eu' }, { HOSTS: Merge.append(['eu.example.com']) });
 */
export class Merge<Value> {
  /** Appends to the list of the weaker layers. */
  static append<const Item>(items: readonly Item[]): Merge<readonly Item[]> {
    return new Merge({ $append: items });
  }

  /** Replaces the object of the weaker layers as a whole. */
  static replace<const Value extends object>(value: Value): Merge<Value> {
    return new Merge({ $replace: value });
  }

  /** Only for the type of values. */
  declare readonly [mergedType]?: Value;

  /** @internal */
  readonly instruction: Readonly<Record<string, unknown>>;

  private constructor(instruction: Readonly<Record<string, unknown>>) {
    this.instruction = instruction;
  }
}

/** Returns values as they are written in the manifest. */
export function toWrittenValues(value: unknown): unknown {
  if (value instanceof Fact) return value.expression;
  if (value instanceof Merge) return toWrittenValues(value.instruction);
  if (Array.isArray(value)) return value.map(toWrittenValues);
  // cdk8s omits fields that are null.
  if (value === null) return { $remove: true };
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, toWrittenValues(item)]));
}
