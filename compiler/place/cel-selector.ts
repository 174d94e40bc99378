import type { ClusterTest } from './selectors.ts';

/** A list of CEL expressions that compiled; a cluster matches where every one of them is true. */
export interface CelSelector {
  readonly matches: ClusterTest;
  /** What a cluster says to the expressions, up to the first that is not true. */
  readonly explain: (cluster: number) => readonly CelTerm[];
}

/** What a cluster says to one expression. */
export interface CelTerm {
  readonly met: boolean;
  /** One sentence without a full stop. */
  readonly words: string;
}

/** Why there is no answer for a list of expressions. */
export type CelFault =
  /** The hub refuses an expression, in its words. */
  | { readonly error: string; readonly index: number }
  /** The hub may know an answer; we do not. */
  | { readonly unknown: string; readonly index: number };

/** Compiles lists of expressions. Equal lists are compiled, and evaluated for a cluster, only once. */
export type CelSelectors = (expressions: readonly string[]) => CelSelector | CelFault;
import type { ClusterIndex } from './cluster-index.ts';
import type { AddOnScores } from './prioritizers/add-on.ts';
export function celSelectors(_index: ClusterIndex, _scores: AddOnScores): CelSelectors {
  return () => ({ unknown: 'not wired', index: 0 });
}
