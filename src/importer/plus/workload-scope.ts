import type { Expression } from '../code/expression.ts';

/** Where an object is created, and which objects were created there before. */
export interface ObjectScope {
  /** The variable of the scope. */
  readonly variable: string;
  /** The namespace of objects that name none. */
  readonly namespace: string | undefined;
  /** The id of the object that is written. */
  readonly id: string;
  /** The name of the object if it is not written; undefined if it must be written. */
  readonly defaultName: string | undefined;
  /** Returns a string of a manifest, with the variables of templates that it contains. */
  text(value: string): Expression;
  /**
   * Returns `object.name` for an object that was written before; undefined for others.
   *
   * @param kind - with its apiVersion, such as `v1/Secret`
   */
  nameOf(kind: string, namespace: string | undefined, name: string): Expression | undefined;
}

/** The scope of an object of a workload. */
export interface WorkloadScope extends ObjectScope {
  /** Returns the variable of an object of the workload that a construct of cdk8s-plus creates; undefined for others. */
  construct(kind: string, namespace: string | undefined, name: string): Expression | undefined;
  /** Returns the variable of a construct whose pods have the labels. */
  podsWith(labels: Readonly<Record<string, string>>): Expression | undefined;
  /** Returns an id for an additional construct, such as a volume. */
  takeId(...wishes: readonly [string, ...string[]]): Expression;
  /** Writes an additional construct before the object and returns its variable. */
  define(wish: string, value: Expression): Expression;
}
