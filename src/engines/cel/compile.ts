import type { CelBehaviour } from './behaviour.ts';
import { check } from './check/checker.ts';
import type { Environment } from './check/checked.ts';
import type { Compute } from './run/evaluation.ts';
import type { Expression } from './syntax/expression.ts';
import { checkFormats } from './check/format-check.ts';
import { parse } from './syntax/parser.ts';
import { InstantiationError, plan } from './run/planner.ts';
import type { ExpressionFault, Source } from './syntax/source.ts';
import { dynType, type CelType } from './check/types.ts';
import { CannotTell } from './error.ts';

/** A compiled expression, or the stage at which the hub stops. */
export type Compilation =
  /** `type` is the type that the checker found. */
  | {
      readonly outcome: 'program';
      readonly compute: Compute;
      readonly type: CelType;
      readonly expression: Expression;
      /** Returns the program of a part that uses no variable of a loop around it. */
      readonly computeOf: (part: Expression) => Compute;
    }
  /** It does not compile. */
  | { readonly outcome: 'faults'; readonly faults: readonly ExpressionFault[] }
  /** It compiles, but no program can be created from it. */
  | { readonly outcome: 'no program'; readonly message: string }
  /** The hub may have a result, but Fleetwright cannot determine it. */
  | { readonly outcome: 'unsupported'; readonly message: string };

/** Compiles an expression in the steps of cel-go. Each step only runs if the previous one succeeds. */
export function compile(source: Source, environment: Environment, behaviour: CelBehaviour): Compilation {
  const { expression, faults } = parse(source, behaviour);
  if (expression === undefined) return { outcome: 'faults', faults };
  const checked = check(expression, environment);
  if (checked.unsupported !== undefined) return { outcome: 'unsupported', message: checked.unsupported };
  if (checked.faults.length > 0) return { outcome: 'faults', faults: checked.faults };
  const formatFaults = checkFormats(expression, checked, behaviour.maxPrecision);
  if (formatFaults.length > 0) return { outcome: 'faults', faults: formatFaults };
  try {
    const computeOf = (part: Expression): Compute => plan(part, checked, environment, behaviour);
    const compute = computeOf(expression);
    const type = checked.types.get(expression) ?? dynType;
    return { outcome: 'program', compute, type, expression, computeOf };
  } catch (error) {
    if (error instanceof InstantiationError) return { outcome: 'no program', message: error.message };
    if (error instanceof CannotTell) return { outcome: 'unsupported', message: error.message };
    throw error;
  }
}
