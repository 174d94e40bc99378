import { kubernetesEnvironment } from '../../engines/cel/check/environment.ts';
import { dynType, formatType, isDyn, mapType, stringType } from '../../engines/cel/check/types.ts';
import { cel028 } from '../../engines/cel/behaviour.ts';
import { compile } from '../../engines/cel/compile.ts';
import { expressionCostLimit } from '../../engines/cel/run/cost.ts';
import { CostLimitExceeded, Run, type Compute } from '../../engines/cel/run/evaluation.ts';
import { Source } from '../../engines/cel/syntax/source.ts';
import { CannotTell, CelPanic } from '../../engines/cel/error.ts';
import { CelList, CelObject, type CelValue } from '../../engines/cel/values/value.ts';
import type { InstalledAddOn } from './add-on-outcomes.ts';

/** An expression over the add-ons of one cluster, or why it does not compile. */
export type CompiledRequirement = { readonly program: Compute } | { readonly message: string };

/** What an expression reads of one add-on. */
export interface AddOnValue {
  readonly addOn: InstalledAddOn;
  /** The values of its variables. */
  readonly values: ReadonlyMap<string, string>;
}

const environment = kubernetesEnvironment(
  cel028,
  new Map([['addOns', mapType(stringType, mapType(stringType, dynType))]]),
  [],
);

/** Compiles an expression over `addOns`: the installed add-ons by name, each with `placements`, `configs` and `values`. */
export function compileRequirement(expression: string): CompiledRequirement {
  const source = new Source(expression);
  const compilation = compile(source, environment, cel028);
  if (compilation.outcome === 'faults') return { message: source.describe(compilation.faults) };
  if (compilation.outcome !== 'program') return { message: compilation.message };
  const { compute, type } = compilation;
  return type.kind === 'bool' || isDyn(type)
    ? { program: compute }
    : { message: `it returns a ${formatType(type)}, but must return true or false` };
}

/** Whether an expression is true. One that fails is not met. */
export function meetsRequirement(program: Compute, addOns: ReadonlyMap<string, AddOnValue>): boolean {
  const value = new CelObject(
    () => new Map(Array.from(addOns, ([name, each]): [string, CelValue] => [name, celValue(each)])),
  );
  try {
    return program(new Run(new Map([['addOns', value]]), {}, expressionCostLimit)) === true;
  } catch (error) {
    if (error instanceof CostLimitExceeded || error instanceof CelPanic || error instanceof CannotTell)
      return false;
    throw error;
  }
}

function celValue({ addOn, values }: AddOnValue): CelValue {
  const configs = addOn.references.map(({ namespace, name }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
  return new CelObject(
    () =>
      new Map<string, CelValue>([
        ['placements', new CelList(addOn.placements)],
        ['configs', new CelList(configs)],
        ['values', new CelObject(() => values)],
      ]),
  );
}
