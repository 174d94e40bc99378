import type { FieldPath } from '../field-path.ts';

/** Why the hub calls a placement misconfigured. It then selects nothing, and writes that down. */
export interface Misconfiguration {
  /** As the hub's condition names it: `Predicate`, `TaintToleration`, or empty for prioritizers and groups. */
  readonly plugin: '' | 'Predicate' | 'TaintToleration';
  /** In the hub's words. */
  readonly message: string;
  /** The field of the placement that is at fault. */
  readonly path: FieldPath;
}

/** Why the hub writes no decision, so that the earlier one stays. */
export interface Standstill {
  readonly reason:
    | 'scheduling disabled'
    | 'being deleted'
    | 'name too long'
    | 'negative number of clusters'
    | 'unreadable cluster set'
    /** The hub does write one; we cannot tell which. */
    | 'unknown expression'
    /** The inputs have its decisions only. */
    | 'known by its decisions';
  readonly message: string;
  /** The field of the placement that is at fault. */
  readonly path: FieldPath;
}
