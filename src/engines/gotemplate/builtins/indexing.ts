import { FunctionError } from '../error.ts';
import { zeroOf } from '../execution/field.ts';
import { byteLength, byteSlice, bytesOf } from '../text.ts';
import { anyType, elementType, listItems, mapEntries, typeName } from '../type-name.ts';
import {
  Integer,
  Interface,
  TypedList,
  withoutInterface,
  type Call,
  type Operand,
  type Value,
} from '../value.ts';

/** `index`: an element of a map, slice or string, and so on with each further index. */
export function index([item, ...indexes]: readonly Value[], { onRead }: Call): Value {
  if (item === null || item === undefined) throw new FunctionError('index of untyped nil');
  let value: Value = item;
  for (const each of indexes) {
    const element = indexOne(value, each);
    if (typeof each === 'string') onRead?.(value, [each], element);
    value = element;
  }
  return value;
}

function indexOne(item: Value, key: Value): Value {
  if (item === null || item === undefined) throw new FunctionError('index of nil pointer');
  const items = listItems(item);
  if (items !== undefined) {
    const at = position(key ?? undefined, items.length);
    if (at >= items.length) throw new FunctionError('reflect: slice index out of range');
    return items[at] ?? null;
  }
  if (typeof item === 'string') {
    const bytes = bytesOf(item);
    const at = position(key ?? undefined, bytes.length);
    if (at >= bytes.length) throw new FunctionError('reflect: string index out of range');
    return new Integer(BigInt(bytes[at] ?? 0), 'uint8');
  }
  const entries = mapEntries(item);
  if (entries === undefined) throw new FunctionError(`can't index item of type ${typeName(item)}`);
  if (key === null || key === undefined) throw new FunctionError('value is nil; should be of type string');
  if (typeof key !== 'string') throw new FunctionError(`value has type ${typeName(key)}; should be string`);
  const element = elementType(item);
  return entries.has(key) ? entries.get(key) : ((element === anyType ? null : zeroOf(element)) as Value);
}

/** Returns an index, which may be the length: Go checks that later. */
function position(key: Operand, capacity: number): number {
  if (key === undefined) throw new FunctionError('cannot index slice/array with nil');
  if (key === null || key instanceof Interface)
    throw new FunctionError(`cannot index slice/array with type ${anyType}`);
  if (!(key instanceof Integer))
    throw new FunctionError(`cannot index slice/array with type ${typeName(key)}`);
  if (key.value < 0n || key.value > capacity)
    throw new FunctionError(`index out of range: ${String(BigInt.asIntN(64, key.value))}`);
  return Number(key.value);
}

/** `slice`: part of a string or slice. Unlike `index`, it takes no index from an interface. */
export function slice([operand, ...indexes]: readonly Operand[]): Value {
  const item = withoutInterface(operand);
  if (item === null || item === undefined) throw new FunctionError('slice of untyped nil');
  if (indexes.length > 3) throw new FunctionError(`too many slice indexes: ${String(indexes.length)}`);
  const items = listItems(item);
  if (typeof item === 'string' && indexes.length === 3)
    throw new FunctionError('cannot 3-index slice a string');
  if (typeof item !== 'string' && items === undefined)
    throw new FunctionError(`can't slice item of type ${typeName(item)}`);
  const size = typeof item === 'string' ? byteLength(item) : (items?.length ?? 0);
  const most = typeof item === 'string' || item instanceof TypedList ? size : capacityOf(size);
  const [start = 0, end = size, last = most] = indexes.map((each) => position(each, most));
  if (start > end) throw new FunctionError(`invalid slice index: ${String(start)} > ${String(end)}`);
  if (indexes.length === 3 && end > last)
    throw new FunctionError(`invalid slice index: ${String(end)} > ${String(last)}`);
  if (typeof item === 'string') return byteSlice(item, start, end);
  const part = [...(items ?? []), ...Array.from({ length: Math.max(0, end - size) }, () => null)].slice(
    start,
    end,
  );
  return item instanceof TypedList ? new TypedList(item.type, part) : part;
}

/** Returns the capacity that Go's decoder leaves a slice with: it doubles while it appends. */
function capacityOf(length: number): number {
  return length === 0 || length > 512 ? length : 2 ** Math.ceil(Math.log2(length));
}

/** `len`. */
export function length(item: Value): number {
  if (item === null) throw new FunctionError('len of nil pointer');
  if (item === undefined) throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
  if (typeof item === 'string') return byteLength(item);
  const size = listItems(item)?.length ?? mapEntries(item)?.size;
  if (size === undefined) throw new FunctionError(`len of type ${typeName(item)}`);
  return size;
}
