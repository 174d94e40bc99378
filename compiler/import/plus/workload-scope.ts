import type { Expression } from '../expression.ts';

/** Where an object is created, and which objects were created there before. */
export interface ObjectScope {
  /** The variable of the scope. */
  readonly variable: string;
  /** The namespace of objects that name none. */
  readonly namespace: string | undefined;
  /** The id of the object that is written. */
  readonly id: string;
  /** The name of the object if it is not written; undefined where it must be. */
  readonly defaultName: string | undefined;
  /** A text of a manifest, with variables of templates where it has some. */
  text(value: string): Expression;
  /**
   * `object.name` for an object that was written before; undefined for others.
   *
   * @param kind - with its apiVersion, such as `v1/Secret`
   */
  nameOf(kind: string, namespace: string | undefined, name: string): Expression | undefined;
}

/** The scope of an object of a workload. */
export interface WorkloadScope extends ObjectScope {
  /** The variable of an object of the workload that a construct of cdk8s-plus creates; undefined for others. */
  construct(kind: string, namespace: string | undefined, name: string): Expression | undefined;
  /** The variable of a construct whose pods carry labels. */
  podsWith(labels: Readonly<Record<string, string>>): Expression | undefined;
  /** An id for a further construct, such as a volume. */
  takeId(...wishes: readonly [string, ...string[]]): Expression;
  /** Puts a further construct before the object, in a variable. */
  define(wish: string, value: Expression): Expression;
}
