import type { FieldPath } from '../model/field-path.ts';

/** Why the hub reports a placement as misconfigured. The placement then selects nothing, and its status says so. */
export interface Misconfiguration {
  /** The plugin in the hub's condition: `Predicate`, `TaintToleration`, or empty for prioritizers and groups. */
  readonly plugin: '' | 'Predicate' | 'TaintToleration';
  /** In the hub's words. */
  readonly message: string;
  /** The field of the placement that is at fault. */
  readonly path: FieldPath;
}

/** Why the hub writes no decision, so that the earlier one stays. */
export interface Unscheduled {
  readonly reason:
    | 'scheduling disabled'
    | 'being deleted'
    | 'name too long'
    | 'negative number of clusters'
    | 'unreadable cluster set'
    /** The hub writes a decision, but Fleetwright cannot determine which. */
    | 'unknown expression'
    /** The inputs only have its decisions. */
    | 'known by its decisions';
  readonly message: string;
  /** The field of the placement that is at fault. */
  readonly path: FieldPath;
}
