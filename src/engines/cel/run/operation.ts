import type { CelBehaviour } from '../behaviour.ts';
import { noSuchOverload } from '../values/comparison.ts';
import { callCost, comparisonCost, listCost, mapCost } from './cost.ts';
import { equal } from '../values/equality.ts';
import type { Compute, Run } from './evaluation.ts';
import { noSuchOverloadOf } from '../function.ts';
import type { FunctionDeclaration, Overload } from '../function.ts';
import { CelEntries, CelList, CelOptional, typeName } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** `&&` and `||`: a term that decides ends the evaluation; errors count only if no term decides. They cost nothing. */
export function logical(left: Compute, right: Compute, deciding: boolean): Compute {
  return (run) => {
    const a = left(run);
    if (a === deciding) return deciding;
    const b = right(run);
    if (b === deciding) return deciding;
    if (typeof a !== 'boolean') return a instanceof CelError ? a : noSuchOverload;
    if (typeof b !== 'boolean') return b instanceof CelError ? b : noSuchOverload;
    return !deciding;
  };
}

/** Computes a condition of `all` or `exists`: errors do not end the loop. */
export function notStrictlyFalse(operand: Compute): Compute {
  return (run) => {
    const value = operand(run);
    run.charge(1);
    return typeof value === 'boolean' ? value : true;
  };
}

/** `or` and `orValue`: the second operand is computed only if the first is empty. They cost nothing. */
export function optionalOr(
  left: Compute,
  right: Compute,
  present: (optional: CelOptional) => CelResult,
): Compute {
  return (run) => {
    const optional = left(run);
    if (optional instanceof CelError) return optional;
    if (!(optional instanceof CelOptional)) return noSuchOverload;
    return optional.value === undefined ? right(run) : present(optional);
  };
}

/** `==`, or `!=`, for which an error of the comparison itself counts as a difference. */
export function equality(left: Compute, right: Compute, negated: boolean): Compute {
  return (run) => {
    const a = left(run);
    const b = right(run);
    const result = equalityOf(a, b, negated);
    run.charge(comparisonCost(a, b));
    return result;
  };
}

function equalityOf(a: CelResult, b: CelResult, negated: boolean): CelResult {
  if (a instanceof CelError) return a;
  if (b instanceof CelError) return b;
  const result = equal(a, b);
  return negated ? result !== true : result;
}

/**
 * A call of any other function, with the overloads that the checker selected. If there are several, or if cel-go has prepared the
 * call, it stops at the first argument that fails. Other calls with up to two arguments compute both.
 */
export function call(
  behaviour: CelBehaviour,
  declaration: FunctionDeclaration,
  overloads: readonly Overload[],
  args: readonly Compute[],
  prepared: boolean,
): Compute {
  const { name, implement, cost } = declaration;
  const id = overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
  // if several are selected, cel-go tries all overloads of the function
  const candidates = id === '' ? declaration.overloads : overloads;
  const sequential =
    prepared ||
    (implement === undefined &&
      (candidates.length > 1 || candidates.some((candidate) => candidate.sequential)));
  return (run) => {
    const results: CelResult[] = [];
    const values: CelValue[] = [];
    let result: CelResult | undefined;
    for (const arg of args) {
      const value = arg(run);
      results.push(value);
      if (!(value instanceof CelError)) values.push(value);
      else {
        result ??= value;
        if (sequential) break;
      }
    }
    result ??= implement === undefined ? dispatch(name, candidates, values, run) : implement(values);
    // a call that stops before all its arguments are computed is not counted
    if (results.length === args.length)
      run.charge(cost?.(results, result) ?? callCost(behaviour, id, results, result));
    return result;
  };
}

function dispatch(
  name: string,
  candidates: readonly Overload[],
  args: readonly CelValue[],
  run: Run,
): CelResult {
  for (const candidate of candidates) {
    const result = candidate.call?.(args, run.context);
    if (result !== undefined) return result;
  }
  return noSuchOverloadOf(name, args);
}

/** `[a, ?b]` */
export function createList(
  elements: readonly { readonly value: Compute; readonly optional: boolean }[],
): Compute {
  return (run) => {
    const result = collectList(run, elements);
    run.charge(listCost);
    return result;
  };
}

function collectList(
  run: Run,
  elements: readonly { readonly value: Compute; readonly optional: boolean }[],
): CelResult {
  const values: CelValue[] = [];
  for (const element of elements) {
    const value = element.value(run);
    if (value instanceof CelError) return value;
    if (!element.optional) values.push(value);
    else if (!(value instanceof CelOptional))
      return new CelError(
        `cannot initialize optional list element from non-optional value ${describe(value)}`,
      );
    else if (value.value !== undefined) values.push(value.value);
  }
  return new CelList(values);
}

/** An entry of a map, to be computed. */
export interface PlannedEntry {
  readonly key: Compute;
  readonly value: Compute;
  readonly optional: boolean;
}

/** `{a: b, ?c: d}` */
export function createMap(entries: readonly PlannedEntry[]): Compute {
  return (run) => {
    const result = collectMap(run, entries);
    run.charge(mapCost);
    return result;
  };
}

function collectMap(run: Run, entries: readonly PlannedEntry[]): CelResult {
  let collected: (readonly [CelValue, CelValue])[] = [];
  for (const entry of entries) {
    const key = entry.key(run);
    if (key instanceof CelError) return key;
    const value = entry.value(run);
    if (value instanceof CelError) return value;
    if (!entry.optional) collected.push([key, value]);
    else if (!(value instanceof CelOptional))
      return new CelError(
        `cannot initialize optional entry '${describe(key)}' from non-optional value ${describe(value)}`,
      );
    else if (value.value !== undefined) collected.push([key, value.value]);
    // an empty optional also removes the value of an earlier entry
    else collected = collected.filter(([other]) => other !== key);
  }
  return new CelEntries(collected);
}

function describe(value: CelValue): string {
  return typeof value === 'object' ? typeName(value) : String(value);
}
