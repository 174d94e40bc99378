import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { GoFunction, type Call, type Value } from '../value.ts';

const aliases: Readonly<Record<string, string>> = {
  any: 'interface {}',
  dict: 'map[string]interface {}',
  list: '[]interface {}',
  value: 'reflect.Value',
};

/**
 * Defines a function of templates.
 *
 * @param signature - Go's types, such as `string, ...any -> bool`; `any`, `dict`, `list` and `value` are short for
 * `interface {}`, `map[string]interface {}`, `[]interface {}` and `reflect.Value`
 * @param call - receives arguments of these types
 */
export function goFunction(
  signature: string,
  call: (args: readonly Value[], call: Call) => Value,
): GoFunction {
  const { parameters, isVariadic, result } = getOrInsertComputed(signatures, signature, parsed);
  return new GoFunction(parameters, isVariadic, result, call);
}

/** The methods of a map of values are made again for each map. */
const signatures = new Map<string, Pick<GoFunction, 'parameters' | 'isVariadic' | 'result'>>();

function parsed(signature: string): Pick<GoFunction, 'parameters' | 'isVariadic' | 'result'> {
  const [left = '', result = ''] = signature.split(' -> ');
  const names = left === '' ? [] : left.split(', ');
  return {
    parameters: names.map(typeOf),
    isVariadic: names.at(-1)?.startsWith('...') ?? false,
    result: typeOf(result),
  };
}

function typeOf(name: string): string {
  const plain = name.replace(/^\.\.\./, '');
  return aliases[plain] ?? plain;
}
