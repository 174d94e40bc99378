import type { CelError } from './error.ts';

/** A value of a type that a library adds, such as a quantity. */
export interface CelBox {
  /** Such as `kubernetes.Quantity`. */
  readonly typeName: string;
  /** What the cost of comparing it goes by; absent where it counts as one. */
  readonly size?: number;
  /** Whether it equals a value; an error where Kubernetes' library does not compare the two. */
  equals(other: unknown): boolean | CelError;
}
