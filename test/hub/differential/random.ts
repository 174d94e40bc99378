import { Seeded } from '../../../src/compiler/verify/index.ts';

/** Random choices that a seed repeats, and those that only generators of tests need. */
export class Random extends Seeded {
  /** One of the items. */
  override pick<const T>(items: readonly [T, ...T[]] | readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new Error('nothing to pick from');
    return item as T;
  }

  /** Each item with the given chance, in their order. */
  some<const T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share));
  }

  /** Fields, each with its own chance; those that do not come are absent. */
  maybe<T>(share: number, make: () => T): T | undefined {
    return this.chance(share) ? make() : undefined;
  }
}

/** The object without the fields that are undefined. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
