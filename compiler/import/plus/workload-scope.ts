import type { Expression } from '../expression.ts';

/** What the writer of one object of a workload knows of the others. */
export interface WorkloadScope {
  /** The namespace that objects have which name none. */
  readonly namespace: string | undefined;
  /** The id of the object that is written. */
  readonly id: string;
  /** A text of a manifest, with variables of templates where it has some. */
  text(value: string): Expression;
  /** `object.name` for an object of the workload that was written before; undefined for others. */
  nameOf(kind: string, namespace: string | undefined, name: string): Expression | undefined;
  /** The variable of an object of the workload that a construct of cdk8s-plus creates; undefined for others. */
  construct(kind: string, namespace: string | undefined, name: string): Expression | undefined;
  /** The variable of a construct whose pods carry labels. */
  podsWith(labels: Readonly<Record<string, string>>): Expression | undefined;
  /** An id for a further construct, such as a volume. */
  takeId(...wishes: readonly [string, ...string[]]): Expression;
  /** Puts a further construct before the object, in a variable. */
  define(wish: string, value: Expression): Expression;
}
