import { isGoJsonList, isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../json/go-json.ts';
import { canonicalString, parseQuantity } from '../quantity.ts';
import { normalizeTime, zeroTime } from '../time/rfc3339.ts';

/** The properties of a Go type that the converter reads. */
export interface GoType {
  /** Reads a value that is not null and writes it out. Throws `notConvertible` if Go cannot read it. */
  convert(value: GoJsonValue): GoJsonValue;
  /** The written form of the zero value. */
  readonly zero: GoJsonValue;
  /** Whether `omitempty` omits a written value. Structs and types with their own marshaller never count as empty. */
  isEmpty(written: GoJsonValue, given: GoJsonValue | undefined): boolean;
  /** Returns the parts of a value of the type. */
  parts?(value: GoJsonValue): readonly Part[];
}

/** A part of a value, with the path step that leads to it. */
export interface Part {
  readonly step: string | number;
  readonly type: GoType;
  readonly value: GoJsonValue | undefined;
}

/** A field of a struct. */
export interface Field {
  readonly name: string;
  readonly type: GoType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
}

/** Thrown if a value does not match its type. */
export const notConvertible = new Error('the value does not fit the Go type');

const never = (): boolean => false;

function scalar<T extends GoJsonValue>(zero: T, accepts: (value: GoJsonValue) => value is T): GoType {
  return {
    convert: (value) => (accepts(value) ? value : fail()),
    zero,
    isEmpty: (written) => written === zero,
  };
}

function fail(): never {
  throw notConvertible;
}

function integer(bits: 32 | 64): GoType {
  return { convert: (value) => toInteger(value, bits), zero: 0, isEmpty: (written) => written === 0 };
}

// As converter.go fromUnstructured: floats without a fraction are accepted, and values that are too large are truncated silently.
function toInteger(value: GoJsonValue, bits: 32 | 64): number | bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') return fail();
  if (typeof value === 'number') {
    if (value === (value | 0)) return value | 0;
    if (!Number.isInteger(value)) return fail();
  }
  const whole = Math.abs(Number(value)) < 2 ** 63 ? BigInt(value) : -(2n ** 63n);
  const cut = BigInt.asIntN(bits, whole);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}

const quantity: GoType = {
  convert(value) {
    // As Quantity.UnmarshalJSON, which reads a number by its text.
    const text = typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value);
    const parsed = parseQuantity(text);
    return parsed.quantity === undefined ? fail() : canonicalString(parsed.quantity);
  },
  zero: '0',
  isEmpty: never,
};

const intOrString: GoType = {
  convert(value) {
    if (typeof value === 'string') return value;
    return typeof value === 'number' && value === (value | 0) ? value | 0 : fail();
  },
  zero: 0,
  isEmpty: never,
};

const time: GoType = {
  convert(value) {
    const text = typeof value === 'string' ? normalizeTime(value) : undefined;
    if (text === undefined) return fail();
    return text === zeroTime ? null : text;
  },
  zero: null,
  isEmpty: never,
};

/** The types that are not structs, by name. */
export const builtIn: Readonly<Record<string, GoType>> = {
  string: scalar('', (value) => typeof value === 'string'),
  bool: scalar(false, (value) => typeof value === 'boolean'),
  int32: integer(32),
  int64: integer(64),
  Quantity: quantity,
  IntOrString: intOrString,
  Time: time,
  // Both keep the bytes unchanged.
  FieldsV1: { convert: (value) => value, zero: null, isEmpty: never },
  RawExtension: { convert: (value) => value, zero: null, isEmpty: never },
};

export function pointer(to: GoType): GoType {
  return {
    convert: (value) => to.convert(value),
    zero: null,
    isEmpty: (_, given) => isNil(given),
    parts: (value) => to.parts?.(value) ?? [],
  };
}

export function slice(of: GoType): GoType {
  return {
    convert: (value) => (isGoJsonList(value) ? value.map((item) => convertOrZero(of, item)) : fail()),
    zero: null,
    isEmpty: (written) => written === null || (isGoJsonList(written) && written.length === 0),
    parts: (value) =>
      isGoJsonList(value) ? value.map((item, step) => ({ step, type: of, value: item })) : [],
  };
}

export function map(of: GoType): GoType {
  return {
    convert: (value) =>
      Object.fromEntries(
        Object.entries(fieldsOf(value)).map(([key, item]) => [key, convertOrZero(of, item)]),
      ),
    zero: null,
    isEmpty: (written) => written === null || Object.keys(written).length === 0,
    parts: (value) =>
      isGoJsonObject(value)
        ? Object.entries(value).map(([step, item]) => ({ step, type: of, value: item }))
        : [],
  };
}

/** @param fields read on first use, because structs can contain themselves */
export function struct(fields: () => readonly Field[]): GoType {
  let cached: readonly Field[] | undefined;
  let zero: GoJsonValue | undefined;
  const declared = (): readonly Field[] => (cached ??= fields());
  return {
    convert: (value) => write(declared(), fieldsOf(value)),
    get zero() {
      return (zero ??= write(declared(), {}));
    },
    isEmpty: never,
    parts: (value) =>
      isGoJsonObject(value)
        ? declared().map(({ name, type }) => ({ step: name, type, value: value[name] }))
        : [],
  };
}

function write(fields: readonly Field[], source: GoJsonObject): GoJsonValue {
  const result: Record<string, GoJsonValue> = {};
  for (const { name, type, omitEmpty, omitZero } of fields) {
    const value = convertOrZero(type, source[name]);
    if (omitEmpty && type.isEmpty(value, source[name])) continue;
    if (omitZero && value === type.zero) continue;
    result[name] = value;
  }
  return result;
}

function convertOrZero(type: GoType, value: GoJsonValue | undefined): GoJsonValue {
  return isNil(value) ? type.zero : type.convert(value);
}

export function isNil(value: GoJsonValue | undefined): value is null | undefined {
  return value === null || value === undefined;
}

function fieldsOf(value: GoJsonValue): GoJsonObject {
  return isGoJsonObject(value) ? value : fail();
}
