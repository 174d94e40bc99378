/** A result, and the inputs from which it was computed. */
interface Entry<T> {
  readonly inputs: readonly unknown[];
  readonly result: T;
}

/** How many results are kept: those of the states that a plan compares, while one of them is edited. */
const keptResults = 4;

/**
 * The last results of a pure function for each owner. A result is used again while every input is the same object or value, so a caller
 * names everything on which the result depends.
 */
export class Remembered<T> {
  readonly #byOwner = new WeakMap<object, Entry<T>[]>();

  /**
   * Returns an earlier result for the same inputs, or computes it.
   *
   * @param owner - keeps the results as long as it exists: the cache of an app, or one of the inputs. Undefined to keep none
   * @param isCurrent - whether a result for the same inputs still holds. @default - it does
   */
  of(
    owner: object | undefined,
    inputs: readonly unknown[],
    compute: () => T,
    isCurrent: (result: T) => boolean = () => true,
  ): T {
    if (owner === undefined) return compute();
    const entries = this.#byOwner.get(owner) ?? [];
    const index = entries.findIndex((entry) => isSameList(entry.inputs, inputs) && isCurrent(entry.result));
    const [earlier] = index === -1 ? [] : entries.splice(index, 1);
    const entry = earlier ?? { inputs, result: compute() };
    entries.unshift(entry);
    entries.splice(keptResults);
    this.#byOwner.set(owner, entries);
    return entry.result;
  }
}

/** Returns one of the last results of an owner that has the same content as a new one; otherwise the new one. */
export class RememberedSame<T> {
  readonly #isSame: (one: T, other: T) => boolean;
  readonly #byOwner = new WeakMap<object, T[]>();

  constructor(isSame: (one: T, other: T) => boolean) {
    this.#isSame = isSame;
  }

  of(owner: object | undefined, value: T): T {
    if (owner === undefined) return value;
    const values = this.#byOwner.get(owner) ?? [];
    const index = values.findIndex((each) => this.#isSame(each, value));
    const [same = value] = index === -1 ? [] : values.splice(index, 1);
    values.unshift(same);
    values.splice(keptResults);
    this.#byOwner.set(owner, values);
    return same;
  }
}

/** Whether two lists have the same items in the same order, by identity. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** Whether two maps have the same entries in the same order, by identity. */
export function isSameMap(one: ReadonlyMap<unknown, unknown>, other: ReadonlyMap<unknown, unknown>): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  const others = other.entries();
  for (const [key, value] of one) {
    const next = others.next();
    if (next.done === true || next.value[0] !== key || next.value[1] !== value) return false;
  }
  return true;
}
