import { CannotTell, CelPanic, type CelError } from '../error.ts';
import type { CelBox } from './box.ts';

/**
 * A value at run time. Integers are bigints and doubles are numbers. Null, booleans, strings, and bytes are the corresponding
 * JavaScript values.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelList
  | CelMap
  | CelDuration
  | CelTimestamp
  | CelTypeValue
  | CelOptional
  | CelBox;

/** The result of an evaluation: a value, or an error, which `||` and `&&` can still absorb. */
export type CelResult = CelValue | CelError;

export const minInt = -(2n ** 63n);
export const maxInt = 2n ** 63n - 1n;
export const maxUint = 2n ** 64n - 1n;

/** A 64-bit unsigned integer. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/**
 * A list. The hub iterates over maps in random order, so a list that is created from a map has an unknown order. `elements`
 * rejects such lists; `anyOrder` is for operations that do not depend on the order.
 */
export class CelList {
  readonly #elements: readonly CelValue[];
  readonly ordered: boolean;

  constructor(elements: readonly CelValue[], ordered = true) {
    this.#elements = elements;
    this.ordered = ordered || elements.length < 2;
  }

  get size(): number {
    return this.#elements.length;
  }

  get anyOrder(): readonly CelValue[] {
    return this.#elements;
  }

  /** @throws {CannotTell} if their order is random */
  get elements(): readonly CelValue[] {
    if (!this.ordered) throw new CannotTell('it depends on the order of a map, which is random on the hub');
    return this.anyOrder;
  }
}

/** A list with a known size and unknown elements. */
export class UnpredictableList extends CelList {
  readonly #reason: string;

  constructor(size: number, reason: string) {
    super(Array.from({ length: size }, () => null));
    this.#reason = reason;
  }

  override get anyOrder(): readonly CelValue[] {
    throw new CannotTell(this.#reason);
  }
}

/** The JavaScript key of a map entry: see `mapKey`. */
type Key = string | bigint | boolean | number | null | symbol | object;

/** A map. The hub iterates over it in random order, this implementation in the order in which it was written. */
export abstract class CelMap {
  abstract get size(): number;

  /**
   * Returns the value of a key. Numbers are equal to numbers of other types. Undefined if there is none.
   *
   * @throws {CelPanic} for keys that Go cannot hash
   * @throws {CannotTell} for keys whose values are unknown
   */
  abstract get(key: CelValue): CelValue | undefined;
  abstract keys(): readonly CelValue[];
  abstract entries(): Iterable<readonly [CelValue, CelValue]>;
}

/** A map with keys of any type, such as the map that an expression writes. */
export class CelEntries extends CelMap {
  readonly #entries: ReadonlyMap<Key, readonly [CelValue, CelValue]>;

  /** @throws {CelPanic} for keys that Go cannot hash */
  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    this.#entries = new Map(Array.from(entries, (entry) => [mapKey(entry[0]), entry]));
  }

  override get size(): number {
    return this.#entries.size;
  }

  override get(key: CelValue): CelValue | undefined {
    if (this.#entries.size === 0) return undefined;
    const entry = this.#entries.get(mapKey(key));
    if (entry !== undefined) return entry[1];
    for (const other of sameNumber(key)) {
      const entry = this.#entries.get(mapKey(other));
      if (entry !== undefined) return entry[1];
    }
    return undefined;
  }

  override keys(): readonly CelValue[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  override entries(): Iterable<readonly [CelValue, CelValue]> {
    return this.#entries.values();
  }
}

/**
 * A map with string keys, such as a JSON object; keys of other types are not in it. Its fields are created on first access. Some
 * fields can be unknown: the hub may have them, but with unknown values.
 */
export class CelObject extends CelMap {
  #make: (() => ReadonlyMap<string, CelValue>) | undefined;
  #fields: ReadonlyMap<string, CelValue> = new Map();
  readonly #unknown: ReadonlyMap<string, string> | undefined;

  /** @param unknown the unknown fields, with the reasons */
  constructor(make: () => ReadonlyMap<string, CelValue>, unknown?: ReadonlyMap<string, string>) {
    super();
    this.#make = make;
    this.#unknown = unknown;
  }

  #materialized(): ReadonlyMap<string, CelValue> {
    if (this.#make !== undefined) {
      this.#fields = this.#make();
      this.#make = undefined;
    }
    return this.#fields;
  }

  /** The same, but unknown fields count too. */
  #all(): ReadonlyMap<string, CelValue> {
    for (const reason of this.#unknown?.values() ?? []) throw new CannotTell(reason);
    return this.#materialized();
  }

  override get size(): number {
    return this.#all().size;
  }

  override get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const value = this.#materialized().get(key);
    if (value !== undefined || this.#unknown === undefined) return value;
    const reason = this.#unknown.get(key);
    if (reason !== undefined) throw new CannotTell(reason);
    return undefined;
  }

  override keys(): readonly CelValue[] {
    return Array.from(this.#all().keys());
  }

  override entries(): Iterable<readonly [CelValue, CelValue]> {
    return this.#all();
  }
}

/** Returns the JavaScript key: by value for plain values in Go, by identity for pointers in Go. */
function mapKey(key: CelValue): Key {
  if (key === null || typeof key !== 'object') return key;
  if (key instanceof CelUint) return Symbol.for(String(key.value));
  if (key instanceof CelDuration) return Symbol.for(`${key.nanoseconds}ns`);
  if (key instanceof CelTypeValue) return Symbol.for(`type ${key.name}`);
  if (key instanceof CelTimestamp && key.secondsEastOfUtc === 0)
    return Symbol.for(`time ${key.seconds} ${key.nanoseconds}`);
  if (key instanceof Uint8Array)
    throw new CelPanic('internal error: runtime error: hash of unhashable type types.Bytes');
  return key;
}

/** Returns the integers that a number may also be stored under. */
function* sameNumber(key: CelValue): Iterable<CelValue> {
  const whole =
    typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key instanceof CelUint ? key.value : key;
  if (typeof whole !== 'bigint') return;
  if (typeof key !== 'bigint' && whole >= minInt && whole <= maxInt) yield whole;
  if (!(key instanceof CelUint) && whole >= 0n && whole <= maxUint) yield new CelUint(whole);
}

/** A duration in nanoseconds. */
export class CelDuration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A point in time. */
export class CelTimestamp {
  /** Since 1970. */
  readonly seconds: number;
  /** 0 … 999,999,999 */
  readonly nanoseconds: number;
  /** The time zone of the original text; it is only visible if the timestamp is converted to a string. */
  readonly secondsEastOfUtc: number;

  constructor(seconds: number, nanoseconds: number, secondsEastOfUtc = 0) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
    this.secondsEastOfUtc = secondsEastOfUtc;
  }
}

/** A type as a value: the result of `type(x)` and the meaning of names such as `int`. */
export class CelTypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be absent. */
export class CelOptional {
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

export const none = new CelOptional(undefined);

/** Whether a value is of a type that a library adds. */
export function isBox(value: CelValue): value is CelBox {
  return value !== null && typeof value === 'object' && 'typeName' in value;
}

/** Returns the type of a value at run time: `list`, `google.protobuf.Timestamp`, `kubernetes.Quantity`. */
export function typeName(value: CelValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (value === null) return 'null_type';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelTypeValue) return 'type';
  if (value instanceof CelOptional) return 'optional_type';
  return value.typeName;
}
