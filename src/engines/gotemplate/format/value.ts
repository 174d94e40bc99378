import { UnsupportedFunctionError } from '../error.ts';
import { checkSize } from '../size.ts';
import { elementType, listItems, mapEntries, typeName } from '../type-name.ts';
import { sortedKeys } from '../text.ts';
import {
  Complex,
  GoFunction,
  GoObject,
  Integer,
  NamedInteger,
  TypedList,
  TypedMap,
  type Value,
} from '../value.ts';
import { padded, type Flags } from './flags.ts';
import { formatFloatVerb } from './float.ts';
import { formatInteger } from './integer.ts';
import { formatText, hexadecimal } from './string.ts';

/** Returns an argument as a verb prints it. As fmt's printArg. */
export function formatArgument(value: Value, verb: string, flags: Flags): string {
  if (value === null || value === undefined)
    return verb === 'T' || verb === 'v' ? padded('<nil>', flags) : badVerb(value, verb, flags);
  if (verb === 'T') return formatText(typeName(value), 's', flags) ?? '';
  if (verb === 'p') return pointer(value, verb, flags);
  return formatInner(value, verb, flags, 0);
}

/** @throws {UnsupportedFunctionError} for what has an address: it is different each time */
function pointer(value: Value, verb: string, flags: Flags): string {
  if (value instanceof GoFunction || listItems(value) !== undefined || mapEntries(value) !== undefined)
    throw new UnsupportedFunctionError(`%p prints an address, which is different each time`);
  return badVerb(value, verb, flags);
}

/** `%!d(string=x)`: a verb that is not for the type of the value. */
function badVerb(value: Value, verb: string, flags: Flags): string {
  if (value === null || value === undefined) return `%!${verb}(<nil>)`;
  return `%!${verb}(${typeName(value)}=${formatInner(value, 'v', flags, 0, true)})`;
}

function formatInner(value: Value, verb: string, flags: Flags, depth: number, isBad = false): string {
  if (value === null || value === undefined)
    return verb === 'v' || depth > 0 ? nilText(verb, flags) : '<nil>';
  if (verb === 'w') return badVerb(value, verb, flags);
  return scalarText(value, verb, flags, isBad) ?? compositeText(value, verb, flags, depth);
}

/** A nil interface in a map or slice. */
function nilText(verb: string, flags: Flags): string {
  if (verb === 'v' && flags.sharpV) return 'interface {}(nil)';
  return '<nil>';
}

/** Returns the text of a value that is no collection; undefined for collections. */
function scalarText(value: Value, verb: string, flags: Flags, isBad: boolean): string | undefined {
  let text: string | undefined;
  if (typeof value === 'string') text = formatText(value, verb, flags);
  else if (typeof value === 'boolean') text = 'tv'.includes(verb) ? padded(String(value), flags) : undefined;
  else if (typeof value === 'number') text = formatFloatVerb(value, verb, flags);
  else if (hasText(value) && !isBad && 'vsxXq'.includes(verb) && !flags.sharpV)
    return formatText(value.text, verb, flags);
  else if (value instanceof Integer) text = formatInteger(value.value, value.isUnsigned, verb, flags);
  else if (value instanceof Complex) text = complexText(value, verb, flags);
  else return undefined;
  return text ?? badVerb(value, verb, flags);
}

/** Whether a value has a `String` or `Error` method. */
function hasText(value: Value): value is (GoObject | NamedInteger) & { readonly text: string } {
  return (value instanceof GoObject || value instanceof NamedInteger) && value.text !== undefined;
}

function complexText({ real, imaginary }: Complex, verb: string, flags: Flags): string | undefined {
  const first = formatFloatVerb(real, verb, flags);
  const second = formatFloatVerb(imaginary, verb, { ...flags, plus: true });
  return first === undefined || second === undefined ? undefined : `(${first}${second}i)`;
}

function compositeText(value: Value, verb: string, flags: Flags, depth: number): string {
  if (depth === 0) checkSize(value);
  const inner = (each: Value): string => formatInner(each, verb, flags, depth + 1);
  const isGoSyntax = flags.sharpV;
  const separator = isGoSyntax ? ', ' : ' ';
  const entries = mapEntries(value);
  if (entries !== undefined) {
    if (isGoSyntax && value instanceof TypedMap && value.isNil) return `${value.type}(nil)`;
    const pairs = sortedKeys(entries).map(
      (key) => `${inner(key)}:${elementText(entries.get(key), elementType(value), inner)}`,
    );
    return isGoSyntax ? `${typeName(value)}{${pairs.join(separator)}}` : `map[${pairs.join(separator)}]`;
  }
  const items = listItems(value);
  if (items !== undefined) return listText(value, items, verb, flags, inner);
  if (value instanceof GoObject) {
    if (depth > 0 && value.type.startsWith('*'))
      throw new UnsupportedFunctionError('Go prints the address of a pointer, which is different each time');
    return objectText(value, flags, inner);
  }
  return badVerb(value, verb, flags);
}

function elementText(value: Value, type: string, inner: (value: Value) => string): string {
  return type === 'interface {}' || value !== undefined ? inner(value) : '';
}

function listText(
  value: Value,
  items: readonly Value[],
  verb: string,
  flags: Flags,
  inner: (value: Value) => string,
): string {
  const type = typeName(value);
  if (type === '[]uint8' && 'sqxX'.includes(verb)) {
    const bytes = Uint8Array.from(items, (item) => Number((item as Integer).value));
    return verb === 'x' || verb === 'X' ? hexadecimal(bytes, verb, flags) : '';
  }
  if (!flags.sharpV) return `[${items.map(inner).join(' ')}]`;
  return value instanceof TypedList && value.isNil
    ? `${type}(nil)`
    : `${type}{${items.map(inner).join(', ')}}`;
}

function objectText(value: GoObject, flags: Flags, inner: (value: Value) => string): string {
  const named = flags.plusV || flags.sharpV;
  const fields = [...value.fields].map(([name, field]) => (named ? `${name}:` : '') + inner(field));
  const pointerMark = value.type.startsWith('*') ? '&' : '';
  const type = flags.sharpV ? value.type.replace(/^\*/, '') : '';
  return `${pointerMark}${type}{${fields.join(flags.sharpV ? ', ' : ' ')}}`;
}
