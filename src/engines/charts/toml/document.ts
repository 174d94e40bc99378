import { FunctionError, mapType, TypedList, type Value, type ValueMap } from '../../gotemplate/index.ts';
import { keyText } from './key.ts';

type Key = readonly string[];

const tablesType = `[]${mapType}`;

function isTables(value: Value): value is TypedList {
  return value instanceof TypedList && value.type === tablesType;
}

/** The tables of a document while it is read. Which keys may be defined again is decided as in github.com/BurntSushi/toml. */
export class TomlDocument {
  readonly root: ValueMap = new Map();
  context: Key = [];
  /** The last part of the key whose value is read, or was read last in an inline table. */
  currentKey = '';
  /** Tables that a longer key implies. They can be defined once more. */
  readonly #implicit = new Set<string>();
  readonly #arrays = new Set<string>();
  readonly #fail: (message: string) => never;

  /** @param fail - reports a key that is defined twice */
  constructor(fail: (message: string) => never) {
    this.#fail = fail;
  }

  /** What messages name as the last key. */
  get lastKey(): string {
    if (this.currentKey === '') return keyText(this.context);
    return this.context.length === 0 ? this.currentKey : `${keyText(this.context)}.${this.currentKey}`;
  }

  /** Enters a table, which `[key]` or `[[key]]` defines. */
  enter(key: Key, isItem: boolean): void {
    const parents = key.slice(0, -1);
    const last = key.at(-1) ?? '';
    const table = this.#tableOf(
      parents,
      (path) => `Key '${keyText(path)}' was already created as a hash.`,
      true,
    );
    this.context = parents;
    if (isItem) this.#addItem(table, key, last);
    else this.set(last, new Map<string, Value>());
    this.context = [...this.context, last];
  }

  #addItem(table: ValueMap, key: Key, last: string): void {
    const tables = table.get(last) ?? new TypedList(tablesType, []);
    if (!isTables(tables))
      this.#fail(`Key '${keyText(key)}' was already created and cannot be used as an array.`);
    table.set(last, tables);
    (tables.items as Value[]).push(new Map<string, Value>());
  }

  enterImplicit(key: Key): void {
    this.#implicit.add(keyText(key));
    this.enter(key, false);
  }

  /** Enters an inline table. */
  enterInline(isItem: boolean): void {
    const key = [...this.context, this.currentKey];
    this.context = key;
    this.currentKey = '';
    this.#implicit.add(keyText(key));
    this.enter(key, isItem);
  }

  /** Returns the table at a path, of an array its last one. */
  #tableOf(path: Key, problem: (path: Key) => string, makesTables: boolean): ValueMap {
    let table = this.root;
    for (const [index, part] of path.entries()) {
      const at = path.slice(0, index + 1);
      if (!table.has(part)) {
        if (!makesTables)
          throw new FunctionError(`BUG: Context for key '${keyText(at)}' has not been established.\n\n`);
        this.#implicit.add(keyText(at));
        table.set(part, new Map<string, Value>());
      }
      const value = table.get(part);
      if (isTables(value)) table = value.items.at(-1) as ValueMap;
      else if (value instanceof Map) table = value;
      else this.#fail(problem(at));
    }
    return table;
  }

  /** Sets a value in the current table. */
  set(key: string, value: Value): void {
    const table = this.#tableOf(
      this.context,
      (path) => `Key '${keyText(path)}' has already been defined.`,
      false,
    );
    const path = [...this.context, key];
    const name = keyText(path);
    if (!table.has(key) || this.#arrays.has(name)) {
      if (table.has(key)) this.#implicit.delete(name);
      table.set(key, value);
    } else if (!this.#implicit.delete(name)) this.#fail(`Key '${name}' has already been defined.`);
  }

  /** Remembers whether the value of a key is an array. */
  setType(key: string, isArray: boolean): void {
    const path = key === '' ? this.context : [...this.context, key];
    const name = keyText(path.length === 0 ? [''] : path);
    if (isArray) this.#arrays.add(name);
    else this.#arrays.delete(name);
  }
}
