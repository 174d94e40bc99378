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
  const [left = '', result = ''] = signature.split(' -> ');
  const names = left === '' ? [] : left.split(', ');
  const isVariadic = names.at(-1)?.startsWith('...') ?? false;
  return new GoFunction(names.map(typeOf), isVariadic, typeOf(result), call);
}

function typeOf(name: string): string {
  const plain = name.replace(/^\.\.\./, '');
  return aliases[plain] ?? plain;
}
