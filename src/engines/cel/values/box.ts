import type { CelError } from '../error.ts';

/** A value of a type that a library adds, such as a quantity. */
export interface CelBox {
  /** The type name, such as `kubernetes.Quantity`. */
  readonly typeName: string;
  /** The size that determines the cost of comparing it; absent if it counts as one. */
  readonly size?: number;
  /** Whether it equals a value; an error if Kubernetes' library does not compare the two. */
  equals(other: unknown): boolean | CelError;
}
