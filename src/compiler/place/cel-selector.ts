import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { CelBehaviour } from '../../engines/cel/behaviour.ts';
import { managedClusterVariables } from './cel/managed-cluster-value.ts';
import {
  compileSelector,
  evaluateAll,
  type Program,
  type SelectorEvaluation,
  type SelectorInput,
} from './cel/selector.ts';
import { ChainColumns } from '../../engines/cel/run/chain-columns.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { AddOnScores } from './prioritizers/add-on.ts';
import type { ClusterTest } from './selectors.ts';

/** The result of the expressions for one cluster. Only `match` selects it. */
export type CelOutcome = 'match' | 'false' | 'error' | 'not a boolean' | 'cost limit' | 'cannot tell';

/** A compiled list of CEL expressions. A cluster matches if all of them are true. */
export interface CelSelector {
  readonly matches: ClusterTest;
  /** Returns the result for a cluster, including clusters that do not match. */
  readonly outcome: (cluster: number) => CelOutcome;
  /** Whether the result for any evaluated cluster is unknown. */
  readonly isUncertain: () => boolean;
  /** Evaluates the expressions again for one cluster, to report which expression decided and why. */
  readonly evaluate: (cluster: number) => SelectorEvaluation;
  readonly expressions: readonly string[];
}

/** Why a list of expressions has no result. */
export type CelFault =
  /** The hub rejects an expression; the message is in the hub's words. */
  | { readonly error: string; readonly index: number }
  /** The hub may have a result, but Fleetwright cannot determine it. */
  | { readonly unknown: string; readonly index: number };

/** Compiles lists of expressions. Equal lists are compiled, and evaluated for a cluster, only once. */
export type CelSelectors = (expressions: readonly string[]) => CelSelector | CelFault;

/** The index plus 1 is the number in a byte array; 0 is a cluster that has not been evaluated. */
const outcomes: readonly CelOutcome[] = [
  'match',
  'false',
  'error',
  'not a boolean',
  'cost limit',
  'cannot tell',
];

/** Returns CEL selectors over the clusters of an index, for the hub with this `behaviour`. */
export function celSelectors(
  index: ClusterIndex,
  scores: AddOnScores,
  behaviour: CelBehaviour,
): CelSelectors {
  const compiled = new Map<string, CelSelector | CelFault>();
  const inputs: SelectorInput[] = [];
  const chains = new ChainColumns();
  const find: SelectorInput['scores'] = (cluster, name) => {
    const object = scores.find(name, cluster);
    return object === undefined ? undefined : (object.status?.scores ?? []);
  };

  /** Converts each cluster to a CEL value once, regardless of the number of selectors. */
  function inputOf(cluster: number): SelectorInput {
    const input = inputs[cluster];
    if (input !== undefined) return input;
    const object = index.clusters[cluster];
    if (object === undefined) throw new RangeError(`there is no cluster ${cluster}`);
    return (inputs[cluster] = {
      variables: managedClusterVariables(object),
      scores: find,
      chains,
      row: cluster,
    });
  }

  function compile(expressions: readonly string[]): CelSelector | CelFault {
    const programs: Program[] = [];
    for (const [position, expression] of expressions.entries()) {
      const { program, error, unsupported } = compileSelector(expression, behaviour);
      if (error !== undefined) return { error, index: position };
      if (unsupported !== undefined) return { unknown: unsupported, index: position };
      programs.push(program);
    }
    return selector(programs);
  }

  function selector(programs: readonly Program[]): CelSelector {
    const memory = new Uint8Array(index.size);
    const names = programs.flatMap(({ clusterName = [] }) => clusterName);
    // there is one placement of a single cluster per such cluster: most of these need no evaluation
    const isNamed = (cluster: number): boolean => names.every((name) => name === index.names[cluster]);
    let isUncertain = false;
    const evaluate = (cluster: number): SelectorEvaluation => evaluateAll(programs, inputOf(cluster));
    const outcome = (cluster: number): CelOutcome => {
      const remembered = outcomes[(memory[cluster] ?? 0) - 1];
      if (remembered !== undefined) return remembered;
      const found = isNamed(cluster) ? outcomeOf(evaluate(cluster)) : 'false';
      isUncertain ||= found === 'cannot tell';
      memory[cluster] = outcomes.indexOf(found) + 1;
      return found;
    };
    return {
      evaluate,
      isUncertain: () => isUncertain,
      outcome,
      matches: (cluster) => outcome(cluster) === 'match',
      expressions: programs.map(({ expression }) => expression),
    };
  }

  return (expressions) => {
    const key = JSON.stringify(expressions);
    return getOrInsertComputed(compiled, key, () => compile(expressions));
  };
}

function outcomeOf(evaluation: SelectorEvaluation): CelOutcome {
  return evaluation.verdict === 'no match' ? evaluation.reason.kind : evaluation.verdict;
}
