import type { Sample } from './sample.ts';

/**
 * A value of a template, as Go holds it. Plain data is what Go's decoders of JSON and YAML return: `number` is a float64, an
 * array is a `[]interface {}`, a `Map` is a `map[string]interface {}`. Other Go types have a class. `null` is a nil interface;
 * `undefined` is a missing value, which prints as `<no value>`.
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | Integer
  | Complex
  | readonly Value[]
  | ValueMap
  | TypedList
  | TypedMap
  | GoObject
  | GoFunction;

/** A `map[string]interface {}`. Templates change maps in place, as sprig's `set` does. */
export type ValueMap = Map<string, Value>;

/** An integer of one of Go's types, such as `int` or `uint8`. */
export class Integer {
  readonly value: bigint;
  readonly type: string;
  /** Differs from the type where the type has a name, such as `time.Duration`. */
  readonly kind: string;

  constructor(value: bigint, type = 'int', kind = type) {
    this.value = value;
    this.type = type;
    this.kind = kind;
  }

  get isUnsigned(): boolean {
    return this.kind.startsWith('uint');
  }
}

/** An integer of a type with methods, such as `time.Duration`. */
export class NamedInteger extends Integer {
  /** What its `String` method returns. */
  readonly text: string;
  readonly methods: ReadonlyMap<string, GoFunction>;

  constructor(
    value: bigint,
    type: string,
    parts: {
      readonly kind: string;
      readonly text: string;
      readonly methods?: ReadonlyMap<string, GoFunction>;
    },
  ) {
    super(value, type, parts.kind);
    this.text = parts.text;
    this.methods = parts.methods ?? noMethods;
  }
}

/** A `complex128`. */
export class Complex {
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

const noMethods: ReadonlyMap<string, GoFunction> = new Map();
const noFields: ReadonlyMap<string, Value> = new Map();

/** A slice with another element type than `interface {}`, or a nil slice. */
export class TypedList {
  readonly type: string;
  readonly isNil: boolean;
  readonly elementType: string;
  readonly methods: ReadonlyMap<string, GoFunction>;
  /** Undefined if the list is not made of bytes. */
  readonly bytes: Uint8Array | undefined;
  #items: readonly Value[] | undefined;

  /** @param items - bytes are seldom read one by one, so the values are made when they are first read */
  constructor(
    type: string,
    items: readonly Value[] | Uint8Array,
    isNil = false,
    parts: { readonly elementType?: string; readonly methods?: ReadonlyMap<string, GoFunction> } = {},
  ) {
    this.type = type;
    this.bytes = items instanceof Uint8Array ? items : undefined;
    this.#items = items instanceof Uint8Array ? undefined : items;
    this.isNil = isNil;
    this.elementType = parts.elementType ?? type.replace(/^\[\]/, '');
    this.methods = parts.methods ?? noMethods;
  }

  get items(): readonly Value[] {
    this.#items ??= Array.from(this.bytes ?? [], (byte) => new Integer(BigInt(byte), 'uint8'));
    return this.#items;
  }

  get size(): number {
    return this.bytes?.length ?? this.items.length;
  }
}

/** A map with string keys that is no `map[string]interface {}`, or a nil map. */
export class TypedMap {
  readonly type: string;
  readonly entries: ValueMap;
  readonly elementType: string;
  readonly isNil: boolean;
  readonly methods: ReadonlyMap<string, GoFunction>;

  constructor(
    type: string,
    entries: ValueMap,
    elementType: string,
    parts: { readonly isNil?: boolean; readonly methods?: ReadonlyMap<string, GoFunction> } = {},
  ) {
    this.type = type;
    this.entries = entries;
    this.elementType = elementType;
    this.isNil = parts.isNil ?? false;
    this.methods = parts.methods ?? noMethods;
  }
}

/** A struct, or a pointer to one, with the fields and methods that templates can use. */
export class GoObject {
  readonly type: string;
  readonly fields: ReadonlyMap<string, Value>;
  /** The fields of an embedded struct, which templates can name without it. */
  readonly promoted: ReadonlyMap<string, Value>;
  /** What encoding/json writes, in the order of the fields. */
  readonly jsonFields: ReadonlyMap<string, Value>;
  readonly methods: ReadonlyMap<string, GoFunction>;
  /** What its `String` or `Error` method returns; undefined if it has neither. */
  readonly text: string | undefined;
  /** What encoding/json writes instead of fields. */
  readonly encodedText: string | undefined;
  /** What the `String` method of its pointer returns: an action prints it, and functions do not. */
  readonly pointerText: string | undefined;
  /** What the object is to the functions that take it. */
  readonly content: unknown;
  /** Equal for objects with the same fields, also those that templates do not see. Undefined if only the object itself is equal. */
  readonly contentKey: string | undefined;
  /** Whether a field is a pointer, so that `==` can find objects with the same fields different. */
  readonly hasPointer: boolean;

  constructor(
    type: string,
    parts: {
      readonly fields?: ReadonlyMap<string, Value>;
      readonly promoted?: ReadonlyMap<string, Value>;
      readonly jsonFields?: ReadonlyMap<string, Value>;
      readonly methods?: ReadonlyMap<string, GoFunction>;
      readonly text?: string;
      readonly encodedText?: string;
      readonly pointerText?: string;
      readonly content?: unknown;
      readonly contentKey?: string;
      readonly hasPointer?: boolean;
    } = {},
  ) {
    this.type = type;
    this.fields = parts.fields ?? noFields;
    this.promoted = parts.promoted ?? noFields;
    this.jsonFields = parts.jsonFields ?? this.fields;
    this.methods = parts.methods ?? noMethods;
    this.text = parts.text;
    this.encodedText = parts.encodedText ?? (this.jsonFields.size === 0 ? parts.text : undefined);
    this.pointerText = parts.pointerText;
    this.content = parts.content;
    this.contentKey = parts.contentKey;
    this.hasPointer = parts.hasPointer ?? false;
  }
}

/** What a function can use of the execution that calls it. */
export interface Call {
  /** Counts work that grows with the arguments, and ends the execution at its bound. */
  spend(steps: number): void;
  /** Executes another template of the set and returns its output. */
  execute(name: string, dot: Value): string;
  /** The time of the execution, in nanoseconds since 1970; undefined without a clock. */
  readonly now: bigint | undefined;
  /** What functions return that are random or read the clock; undefined if they fail. */
  readonly sample: Sample | undefined;
  /** Executes a text as a template of the same set and returns its output. */
  executeText(text: string, dot: Value): string;
  /** Counts how many calls of `include` are in progress, by template. */
  readonly includes: Map<string, number>;
  /** Receives what functions read by key. */
  readonly onRead: ReadListener | undefined;
}

/**
 * Receives what a template reads: a container, the keys that lead from it to a value, and the value. It is undefined if the container has
 * none.
 */
export type ReadListener = (container: Value, keys: readonly string[], value: Value) => void;

/** A function of a template, with Go's parameter types. */
export class GoFunction {
  readonly parameters: readonly string[];
  /** Whether the last parameter takes any number of arguments. */
  readonly isVariadic: boolean;
  readonly result: string;
  readonly call: (args: readonly Value[], call: Call) => Value;

  constructor(
    parameters: readonly string[],
    isVariadic: boolean,
    result: string,
    call: (args: readonly Value[], call: Call) => Value,
  ) {
    this.parameters = parameters;
    this.isVariadic = isVariadic;
    this.result = result;
    this.call = call;
  }
}

/** A value that an execution holds in a variable or a map of type `interface {}`; error messages differ for it. */
export class Interface {
  readonly inner: Exclude<Value, null | undefined>;

  constructor(inner: Exclude<Value, null | undefined>) {
    this.inner = inner;
  }
}

/** As reflect.Value: what the executor passes on. */
export type Operand = Value | Interface;

/** As reflect's Elem of an interface: a nil interface has no value. */
export function concrete(operand: Operand): Value {
  if (operand instanceof Interface) return operand.inner;
  return operand ?? undefined;
}

/** Returns a value as Go holds it in a place of a type. */
export function asElement(value: Value, type: string): Operand {
  return type === 'interface {}' && value !== null && value !== undefined
    ? new Interface(value)
    : (value ?? null);
}

/** Returns what an interface holds; a nil interface stays `null`. */
export function withoutInterface(operand: Operand): Value {
  return operand instanceof Interface ? operand.inner : operand;
}
