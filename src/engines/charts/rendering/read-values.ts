import {
  listItems,
  mapEntries,
  type ReadListener,
  type Value,
  type ValueMap,
} from '../../gotemplate/index.ts';
import { withoutCharts, type ValuePath } from './value-path.ts';

/** A value with its path from the values of the root chart. */
export interface ReadValue {
  readonly path: ValuePath;
  /** Undefined if the values have none at the path. */
  readonly value: Value;
}

/** Records the values that templates read, by their paths. */
export class ReadValues {
  readonly #paths = new Map<unknown, ValuePath>();
  /** By the text of the path, in the order in which they were last read. */
  readonly #read = new Map<string, ReadValue>();

  /** @param values - what the templates see as `.Values` of the root chart; subcharts see the maps in it */
  constructor(values: ValueMap) {
    this.#index(values, []);
  }

  readonly listener: ReadListener = (container, keys, value) => {
    const whole = this.#paths.get(mapEntries(value) ?? value);
    const around = this.#paths.get(mapEntries(container) ?? container);
    if (whole !== undefined) this.#add(whole, value);
    else if (around !== undefined) this.#add([...around, ...keys], value);
  };

  /**
   * Returns the values that were read and are neither maps nor lists with items, the last one first.
   *
   * @param charts - the names of the charts around the template: a global value is not below their names
   */
  leaves(charts: readonly string[]): readonly ReadValue[] {
    return [...this.#read.values()]
      .filter(({ value }) => mapEntries(value) === undefined && (listItems(value)?.length ?? 0) === 0)
      .map(({ path, value }) => ({ path: withoutCharts(path, charts), value }))
      .toReversed();
  }

  #add(path: ValuePath, value: Value): void {
    const key = JSON.stringify(path);
    this.#read.delete(key);
    this.#read.set(key, { path, value });
  }

  #index(value: Value, path: ValuePath): void {
    if (!(value instanceof Map)) return;
    this.#paths.set(value, path);
    for (const [key, inner] of value) this.#index(inner, [...path, key]);
  }
}
