import { noSuchOverload } from '../values/comparison.ts';
import type { Compute, Run } from './evaluation.ts';
import { CelList, CelMap } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** A loop: the slots of its variables, and its parts. */
export interface Fold {
  readonly range: Compute;
  /** The slots of its variables. */
  readonly accu: number;
  readonly item: number;
  /** Undefined if it always runs to the end. */
  readonly condition: Compute | undefined;
  readonly step: Compute;
  readonly result: Compute;
}

/**
 * Runs a loop as cel-go's evalFold: the accumulator is computed when it is first read, and the condition is evaluated before each
 * element.
 */
export function planFold(fold: Fold): Compute {
  return (run) => {
    const range = fold.range(run);
    if (range instanceof CelError) return range;
    const elements = elementsOf(range);
    if (elements === undefined) return noSuchOverload;
    run.locals[fold.accu] = undefined;
    iterate(run, fold, elements);
    const result = fold.result(run);
    return result instanceof CelList && !elements.ordered ? new CelList(result.anyOrder, false) : result;
  };
}

interface Elements {
  readonly values: readonly CelValue[];
  readonly ordered: boolean;
}

function elementsOf(range: CelValue): Elements | undefined {
  if (range instanceof CelList) return { values: range.anyOrder, ordered: range.ordered };
  return range instanceof CelMap ? { values: range.keys(), ordered: range.size < 2 } : undefined;
}

function iterate(run: Run, { condition, step, accu, item }: Fold, { values, ordered }: Elements): void {
  if (!ordered && condition !== undefined) run.leaveOrderOpen();
  let before: CelResult | undefined;
  for (let index = 0; index < values.length; index++) {
    run.locals[item] = values[index];
    if (condition?.(run) === false) {
      if (!ordered) tryOthers(run, { condition, step, accu, item }, values.slice(index), before);
      return;
    }
    before = run.locals[accu];
    run.locals[accu] = step(run);
  }
}

/** Runs the rest of a loop that has ended early. In another order of the map, it would have visited the other keys first. */
function tryOthers(
  run: Run,
  { condition, step, accu, item }: Omit<Fold, 'range' | 'result'>,
  values: readonly CelValue[],
  before: CelResult | undefined,
): void {
  const result = run.locals[accu];
  run.doOptionally(() => {
    for (const value of values) {
      run.locals[accu] = before;
      run.locals[item] = value;
      condition?.(run);
      step(run);
    }
  });
  run.locals[accu] = result;
}
