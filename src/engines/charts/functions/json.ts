import { goJson } from '../../../base/json/go-json.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';
import {
  checkSize,
  FunctionError,
  goFunction,
  GoObject,
  Integer,
  Complex,
  listItems,
  mapEntries,
  sortedKeys,
  toValue,
  typeName,
  TypedList,
  TypedMap,
  mapType,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';

/** Functions that read and write JSON. Helm's read only objects, or only lists, and return errors as values. */
export const jsonFunctions: Readonly<Record<string, GoFunction>> = {
  toJson: goFunction('any -> string', ([value]) => orEmpty(() => toJson(value))),
  mustToJson: goFunction('any -> string', ([value]) => toJson(value)),
  toPrettyJson: goFunction('any -> string', ([value]) => orEmpty(() => indentedJson(value))),
  mustToPrettyJson: goFunction('any -> string', ([value]) => indentedJson(value)),
  toRawJson: goFunction('any -> string', ([value]) => unescaped(toJson(value))),
  mustToRawJson: goFunction('any -> string', ([value]) => unescaped(toJson(value))),
  mustFromJson: goFunction('string -> any', ([text]) => {
    const parsed = parse(text as string);
    if (typeof parsed === 'string') throw new FunctionError(parsed);
    return parsed.value;
  }),
  fromJson: goFunction('string -> dict', ([text]) => {
    const parsed = typedJson(text as string, mapType, (value) => mapEntries(value) !== undefined);
    return typeof parsed === 'string'
      ? new Map([['Error', parsed]])
      : (parsed.value ?? new TypedMap(mapType, new Map(), 'interface {}', { isNil: true }));
  }),
  fromJsonArray: goFunction('string -> list', ([text]) => {
    const parsed = typedJson(text as string, '[]interface {}', (value) => listItems(value) !== undefined);
    return typeof parsed === 'string'
      ? [parsed]
      : (parsed.value ?? new TypedList('[]interface {}', [], true));
  }),
};

function orEmpty(make: () => string): string {
  try {
    return make();
  } catch (error) {
    if (error instanceof FunctionError) return '';
    throw error;
  }
}

function parse(text: string): { value: Value } | string {
  const parsed = parseGoJson(text);
  return 'error' in parsed ? parsed.error : { value: fromJson(parsed.value) };
}

/** Every number of JSON is a float64. */
function fromJson(value: unknown): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return toValue(value);
  return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]));
}

function typedJson(text: string, type: string, isType: (value: Value) => boolean): { value: Value } | string {
  const parsed = parse(text);
  if (typeof parsed === 'string' || parsed.value === null || isType(parsed.value)) return parsed;
  return `json: cannot unmarshal ${jsonKind(parsed.value)} into Go value of type ${type}`;
}

/** What encoding/json calls a value in messages. */
export function jsonKind(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'object';
  return typeof value;
}

/** As json.Marshal. */
export function toJson(value: Value): string {
  checkSize(value);
  return encoded(value, '', '');
}

/** As json.MarshalIndent with two spaces. */
function indentedJson(value: Value): string {
  checkSize(value);
  return encoded(value, '\n', '  ');
}

/** @param newLine - the line end and indentation before each item; empty for one line */
function encoded(value: Value, newLine: string, indent: string): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Integer) return String(value.value);
  if (value instanceof GoObject && value.encodedText !== undefined) return goJson(value.encodedText);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new FunctionError(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    );
  if (typeof value !== 'object') return goJson(value);
  if ((value instanceof TypedList || value instanceof TypedMap) && value.isNil) return 'null';
  const items = listItems(value);
  if (value instanceof TypedList && value.type === '[]uint8')
    return goJson(
      Buffer.from(value.bytes ?? value.items.map((item) => Number((item as Integer).value))).toString(
        'base64',
      ),
    );
  const inner = newLine === '' ? '' : newLine + indent;
  if (items !== undefined)
    return bracketed(
      '[',
      ']',
      items.map((item) => encoded(item, inner, indent)),
      newLine,
      inner,
    );
  const entries = mapEntries(value) ?? (value instanceof GoObject ? new Map(value.jsonFields) : undefined);
  if (entries === undefined || value instanceof Complex)
    throw new FunctionError(`json: unsupported type: ${typeName(value)}`);
  const keys = value instanceof GoObject ? [...entries.keys()] : sortedKeys(entries);
  const colon = newLine === '' ? ':' : ': ';
  return bracketed(
    '{',
    '}',
    keys.map((key) => goJson(key) + colon + encoded(entries.get(key), inner, indent)),
    newLine,
    inner,
  );
}

function bracketed(
  open: string,
  close: string,
  items: readonly string[],
  newLine: string,
  inner: string,
): string {
  return items.length === 0 ? open + close : open + inner + items.join(`,${inner}`) + newLine + close;
}

/** Writes `<`, `>` and `&` as they are. */
function unescaped(json: string): string {
  return json.replaceAll(/\\\\|\\u003([ce])|\\u0026/g, (escape, bracket: string | undefined) => {
    if (escape === '\\\\') return escape;
    return bracket === undefined ? '&' : bracket === 'c' ? '<' : '>';
  });
}
