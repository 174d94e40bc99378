import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { cel028 } from '../../../engines/cel/behaviour.ts';
import type { CelBehaviour } from '../../../engines/cel/behaviour.ts';
import type { Environment } from '../../../engines/cel/check/checked.ts';
import { compile, type Compilation } from '../../../engines/cel/compile.ts';
import { expressionCostLimit } from '../../../engines/cel/run/cost.ts';
import { kubernetesEnvironment } from '../../../engines/cel/check/environment.ts';
import { CostLimitExceeded, Run } from '../../../engines/cel/run/evaluation.ts';
import type { Compute } from '../../../engines/cel/run/evaluation.ts';
import { qualifiedName, type Expression } from '../../../engines/cel/syntax/expression.ts';
import { mapType, stringType, dynType } from '../../../engines/cel/check/types.ts';
import { placementFunctions, type PlacementContext } from './placement-functions.ts';
import { Source } from '../../../engines/cel/syntax/source.ts';
import { CelOptional, typeName } from '../../../engines/cel/values/value.ts';
import { CannotTell, CelError, CelPanic } from '../../../engines/cel/error.ts';
import type { CelResult, CelValue } from '../../../engines/cel/values/value.ts';

/** A compiled expression, to be evaluated for many clusters. */
export interface Program {
  readonly expression: string;
  readonly compute: Compute;
  /** The only cluster that it can be true for, if it only compares the name of the cluster. */
  readonly clusterName?: string;
  readonly source: Expression;
  /** Returns the program of a part of `source` that is not inside of a loop. */
  readonly part: (source: Expression) => Program;
}

/**
 * The result of compiling: a program; the error that makes the placement misconfigured, in the hub's words; or the reason why the
 * result is unknown.
 */
export type Compiled =
  | { readonly program: Program; readonly error?: undefined; readonly unsupported?: undefined }
  | { readonly error: string; readonly program?: undefined; readonly unsupported?: undefined }
  | { readonly unsupported: string; readonly program?: undefined; readonly error?: undefined };

/** The input of selectors: one cluster. */
export interface SelectorInput extends PlacementContext {
  /** See `managedClusterVariables`: created once per cluster, and used for all expressions. */
  readonly variables: ReadonlyMap<string, CelValue>;
}

/** Whether a cluster satisfies an expression, and the cost of the evaluation on the hub. */
export type Evaluation =
  | {
      readonly verdict: 'match';
      readonly cost: number;
      /** Above `cost` if the hub may have a higher cost, depending on the order in which it iterates over a map. */
      readonly highestCost: number;
    }
  | { readonly verdict: 'no match'; readonly cost: number; readonly reason: NoMatchReason }
  | { readonly verdict: 'cannot tell'; readonly reason: string };

/** Why an expression does not match: it is false, it fails, it is not a boolean, or it exceeds its cost limit. */
export type NoMatchReason =
  | { readonly kind: 'false' }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'not a boolean'; readonly type: string }
  | { readonly kind: 'cost limit' };

/** Compiles one expression of `celSelector.celExpressions`, for the hub with this `behaviour`. */
export function compileSelector(expression: string, behaviour: CelBehaviour = cel028): Compiled {
  const source = new Source(expression);
  const compilation = compile(source, environmentOf(behaviour), behaviour);
  switch (compilation.outcome) {
    case 'program':
      return { program: programOf(expression, compilation) };
    case 'faults':
      return { error: `compilation failed: ${source.describe(compilation.faults)}` };
    case 'no program':
      return { error: `instantiation failed: ${compilation.message}` };
    case 'unsupported':
      break;
  }
  return { unsupported: compilation.message };
}

function programOf(
  text: string,
  { compute, expression, computeOf }: Extract<Compilation, { outcome: 'program' }>,
): Program {
  const name = comparedName(expression);
  const part = (source: Expression): Program => ({
    expression: text,
    compute: computeOf(source),
    source,
    part,
  });
  return {
    expression: text,
    compute,
    source: expression,
    part,
    ...(name !== undefined && { clusterName: name }),
  };
}

/** Returns the text of `managedCluster.metadata.name == "…"`. */
function comparedName(expression: Expression): string | undefined {
  if (expression.kind !== 'call' || expression.name !== '_==_') return undefined;
  const [field, literal] = expression.args;
  if (field === undefined || qualifiedName(field)?.name !== 'managedCluster.metadata.name') return undefined;
  return literal?.kind === 'literal' && typeof literal.value === 'string' ? literal.value : undefined;
}

const environments = new WeakMap<CelBehaviour, Environment>();

function environmentOf(behaviour: CelBehaviour): Environment {
  return getOrInsertComputed(environments, behaviour, () =>
    kubernetesEnvironment(behaviour, selectorVariables, placementFunctions),
  );
}

const selectorVariables = new Map([['managedCluster', mapType(stringType, dynType)]]);

/** The maximum cost of all expressions of one predicate together on one cluster (`RuntimeCELCostBudget`). */
const predicateCostBudget = 10_000_000;

const costUnknown = 'whether it costs too much depends on the order of a map';

/** Evaluates one expression for one cluster. */
export function evaluate(program: Program, input: SelectorInput): Evaluation {
  const evaluation = new Run(input.variables, input, expressionCostLimit);
  try {
    const result = program.compute(evaluation);
    if (evaluation.highestCost > expressionCostLimit) return { verdict: 'cannot tell', reason: costUnknown };
    return conclude(result, evaluation);
  } catch (error) {
    const { cost } = evaluation;
    if (error instanceof CannotTell) return { verdict: 'cannot tell', reason: error.message };
    if (error instanceof CostLimitExceeded)
      return { verdict: 'no match', cost, reason: { kind: 'cost limit' } };
    if (error instanceof CelPanic)
      return { verdict: 'no match', cost, reason: { kind: 'error', message: error.message } };
    // too deep or too large for this implementation, but not necessarily for the hub
    if (error instanceof RangeError) return { verdict: 'cannot tell', reason: error.message };
    throw error;
  }
}

/** As OCM's isResultValid: true, or an optional that holds true. */
function conclude(result: CelResult, { cost, highestCost }: Run): Evaluation {
  if (result instanceof CelError)
    return { verdict: 'no match', cost, reason: { kind: 'error', message: result.message } };
  let value: CelValue | undefined = result;
  while (value instanceof CelOptional) ({ value } = value);
  if (value === true) return { verdict: 'match', cost, highestCost };
  if (value === false) return { verdict: 'no match', cost, reason: { kind: 'false' } };
  return { verdict: 'no match', cost, reason: { kind: 'not a boolean', type: typeName(result) } };
}

/** Whether a cluster satisfies all expressions of a predicate. */
export type SelectorEvaluation =
  | { readonly verdict: 'match' }
  | {
      readonly verdict: 'no match';
      /** The expression that failed; absent if all of them together exceed the budget. */
      readonly expression?: string;
      readonly reason: NoMatchReason;
    }
  | { readonly verdict: 'cannot tell'; readonly expression: string; readonly reason: string };

/**
 * Evaluates the expressions of a predicate in order, as OCM's evaluateAllExpressions: each has its own limit, and all together
 * share a budget. If one certainly fails, the result is known, even if the results of the others are not.
 */
export function evaluateAll(programs: readonly Program[], input: SelectorInput): SelectorEvaluation {
  let cost = 0;
  let highestCost = 0;
  let open: SelectorEvaluation | undefined;
  for (const program of programs) {
    const { expression } = program;
    const evaluation = evaluate(program, input);
    if (evaluation.verdict === 'no match')
      return { verdict: 'no match', expression, reason: evaluation.reason };
    if (evaluation.verdict === 'cannot tell') {
      open ??= { verdict: 'cannot tell', expression, reason: evaluation.reason };
      continue;
    }
    cost += evaluation.cost;
    highestCost += evaluation.highestCost;
    if (cost > predicateCostBudget)
      return { verdict: 'no match', expression, reason: { kind: 'cost limit' } };
    if (highestCost > predicateCostBudget)
      open ??= { verdict: 'cannot tell', expression, reason: costUnknown };
  }
  return open ?? { verdict: 'match' };
}
