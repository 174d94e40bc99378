import { FunctionError, TemplateError, TemplateLimitError, UnsupportedFunctionError } from '../error.ts';
import type { CommandNode, Expression } from '../syntax/node.ts';
import { nodeText } from '../syntax/node.ts';
import { anyType, typeName } from '../type-name.ts';
import { concrete, type GoFunction, Interface, type Operand, type Value } from '../value.ts';
import { evaluateArgument, validated } from './argument.ts';
import type { Final } from './evaluate.ts';
import type { State } from './state.ts';
import { isTrue } from './truth.ts';

/** A call of a function or method, as the template writes it. */
interface CallSite {
  readonly function: GoFunction;
  readonly isBuiltin: boolean;
  readonly name: string;
  /** The node that error messages name. */
  readonly node: CommandNode | Expression;
  /** Without the function. */
  readonly args: readonly Expression[];
  readonly final: Final;
}

/** Evaluates the arguments and calls a function. As text/template's evalCall. */
export function evaluateCall(state: State, dot: Operand, site: CallSite): Operand {
  const { name, args, final, isBuiltin } = site;
  const { parameters, isVariadic } = site.function;
  const given = args.length + (final === undefined ? 0 : 1);
  const fixed = isVariadic ? parameters.length - 1 : parameters.length;
  if (isVariadic && given < fixed)
    state.fail(`wrong number of args for ${name}: want at least ${String(fixed)} got ${String(args.length)}`);
  if (!isVariadic && given !== fixed)
    state.fail(`wrong number of args for ${name}: want ${String(fixed)} got ${String(given)}`);
  if (isBuiltin && (name === 'and' || name === 'or')) return logic(state, dot, site);

  const values: Value[] = [];
  for (const index of args.keys()) {
    try {
      values.push(evaluatedAt(state, dot, site, index));
    } catch (error) {
      if (index > 0 || name !== 'default' || given !== 2 || !isUnsupported(error)) throw error;
      // Go computes the fallback and drops it.
      const value = final === undefined ? evaluatedAt(state, dot, site, 1) : final.value;
      if (isTrue(value)) return value;
      throw error;
    }
  }
  if (final !== undefined)
    values.push(validated(state, final.value, parameterAt(site.function, args.length)) as Value);
  if (isBuiltin && name === 'call') values.unshift(calleeName(args, final));
  const result = invoke(state, site, values);
  const isInterface = site.function.result === anyType && result !== null && result !== undefined;
  return isInterface ? new Interface(result) : result;
}

/** Returns the value of an argument. */
function evaluatedAt(state: State, dot: Operand, { function: called, args }: CallSite, index: number): Value {
  return evaluateArgument(state, dot, parameterAt(called, index), args[index] as Expression) as Value;
}

/** Returns the type of a parameter; the last one of a variadic function repeats. */
function parameterAt({ parameters }: GoFunction, index: number): string {
  return parameters[Math.min(index, parameters.length - 1)] ?? anyType;
}

function isUnsupported(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof UnsupportedFunctionError) return true;
  return false;
}

/** `and` and `or` evaluate no more arguments than they need. */
function logic(state: State, dot: Operand, { name, args, final }: CallSite): Operand {
  let value: Operand;
  for (const arg of args) {
    value = evaluateArgument(state, dot, 'reflect.Value', arg);
    if (isTrue(value) === (name === 'or')) return value;
  }
  return final === undefined ? value : validated(state, final.value, 'reflect.Value');
}

function calleeName(args: readonly Expression[], final: Final): string {
  const [first] = args;
  if (first !== undefined) return nodeText(first);
  if (typeof final?.value === 'string') return final.value;
  const value = concrete(final?.value);
  return value === undefined ? '<invalid Value>' : `<${typeName(value)} Value>`;
}

/** What a call costs beside the work of the function. */
const callSteps = 6;

function invoke(state: State, { function: called, name, node }: CallSite, values: readonly Value[]): Value {
  try {
    state.run.meter.spend(callSteps);
    for (const value of values) if (typeof value === 'string') state.run.meter.spend(value.length >> 4);
    const result = called.call(values, state.run.call);
    if (typeof result === 'string') state.run.meter.checkText(result.length);
    return result;
  } catch (error) {
    if (error instanceof TemplateLimitError) throw error;
    if (!(error instanceof FunctionError || error instanceof TemplateError)) throw error;
    state.node = node;
    return state.fail(`error calling ${name}: ${error.message}`, error);
  }
}
