import { FunctionError } from '../error.ts';
import { isTrue } from '../execution/truth.ts';
import { print, printFormat, printLine } from '../format/format.ts';
import { isAssignable, typeName } from '../type-name.ts';
import { GoFunction, Integer, withoutInterface, type Call, type Value } from '../value.ts';
import { equals, isAtMost, isLess } from './comparison.ts';
import { escapeHtml, escapeQuery, escapeScript } from './escaping.ts';
import { index, length, slice } from './indexing.ts';
import { goFunction } from './signature.ts';

/** The functions of every template. The executor evaluates `and` and `or` itself. */
export const builtins: ReadonlyMap<string, GoFunction> = new Map(
  Object.entries({
    and: goFunction('value, ...value -> value', shortCircuit),
    call: ofValues('value, ...value -> value', callFunction),
    html: goFunction('...any -> string', (args) => escapeHtml(print(args.map(printable)))),
    index: ofValues('value, ...value -> value', index),
    slice: goFunction('value, ...value -> value', slice),
    js: goFunction('...any -> string', (args) => escapeScript(print(args.map(printable)))),
    len: ofValues('value -> int', ([item]) => new Integer(BigInt(length(item)))),
    not: ofValues('value -> bool', ([value]) => !isTrue(value)),
    or: goFunction('value, ...value -> value', shortCircuit),
    print: goFunction('...any -> string', print),
    printf: goFunction('string, ...any -> string', ([format, ...args]) =>
      printFormat(format as string, args),
    ),
    println: goFunction('...any -> string', printLine),
    urlquery: goFunction('...any -> string', (args) => escapeQuery(print(args.map(printable)))),
    eq: ofValues('value, ...value -> bool', equals),
    ge: ofValues('value, value -> bool', ([a, b]) => !isLess(a, b)),
    gt: ofValues('value, value -> bool', ([a, b]) => !isAtMost(a, b)),
    le: ofValues('value, value -> bool', ([a, b]) => isAtMost(a, b)),
    lt: ofValues('value, value -> bool', ([a, b]) => isLess(a, b)),
    ne: ofValues('value, value -> bool', (args) => !equals(args)),
  }),
);

/** Defines a function with parameters of type `reflect.Value` that treats values in interfaces as others. */
function ofValues(signature: string, call: (args: readonly Value[], call: Call) => Value): GoFunction {
  return goFunction(signature, (args, execution) => call(args.map(withoutInterface), execution));
}

function shortCircuit(): never {
  throw new Error('the executor evaluates and and or');
}

/** Escaping functions print a missing value as templates do. */
function printable(value: Value): Value {
  return value === null || value === undefined ? '<no value>' : value;
}

/** `call`: the executor puts the text of the called operand before the arguments. */
function callFunction([name, called, ...args]: readonly Value[], call: Call): Value {
  if (called === null || called === undefined) throw new FunctionError('call of nil');
  const callee = name as string;
  if (!(called instanceof GoFunction))
    throw new FunctionError(`non-function ${callee} of type ${typeName(called)}`);
  const { parameters, isVariadic } = called;
  const fixed = isVariadic ? parameters.length - 1 : parameters.length;
  const got = `wrong number of args for ${callee}: got ${String(args.length)}`;
  if (isVariadic && args.length < fixed) throw new FunctionError(`${got} want at least ${String(fixed)}`);
  if (!isVariadic && args.length !== fixed) throw new FunctionError(`${got} want ${String(fixed)}`);
  for (const [at, arg] of args.entries()) {
    const type = parameters[Math.min(at, parameters.length - 1)] ?? '';
    if (!isAssignable(arg, type))
      throw new FunctionError(`arg ${String(at)}: value has type ${typeName(arg)}; should be ${type}`);
  }
  return called.call(args, call);
}
