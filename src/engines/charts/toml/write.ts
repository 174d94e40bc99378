import {
  checkSize,
  compareBytes,
  FunctionError,
  floatText,
  GoObject,
  Integer,
  kindName,
  listItems,
  mapEntries,
  NamedInteger,
  TypedList,
  TypedMap,
  typeName,
  type Value,
} from '../../gotemplate/index.ts';
import { rfc3339Nano } from '../../../base/time/format.ts';
import { formatted, instantOf } from '../functions/time-value.ts';
import { keyPart, keyText, tomlString } from './key.ts';

/** A value that TOML cannot hold. Helm writes the message into the manifest. */
export class TomlWriteError extends Error {
  override readonly name = 'TomlWriteError';
}

/**
 * Returns the TOML of a value. As github.com/BurntSushi/toml, whose Encoder Helm uses.
 *
 * @throws {TomlWriteError} with its message
 */
export function writeToml(value: Value): string {
  if (value === null || value === undefined)
    throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
  checkSize(value);
  const writer = new TomlWriter();
  writer.value([], value);
  return writer.text;
}

/** How TOML writes a value: within a line, as a table, or as an array of tables. */
type Form = 'none' | 'inline' | 'table' | 'tables';

class TomlWriter {
  text = '';

  value(key: readonly string[], value: Value): void {
    if (isNil(value)) return;
    const table = tableOf(value);
    if (table !== undefined) this.#table(key, table);
    else if (formOf(value) === 'tables') this.#tables(key, listItems(value) ?? []);
    else this.#entry(key, value);
  }

  #newLine(): void {
    if (this.text !== '') this.text += '\n';
  }

  #entry(key: readonly string[], value: Value): void {
    if (key.length === 0) {
      this.text += this.#element(value);
      return;
    }
    this.text += `${indentation(key)}${keyPart(key.at(-1) ?? '')} = ${this.#element(value)}`;
    this.#newLine();
  }

  #table(key: readonly string[], table: Table): void {
    if (key.length === 1) this.#newLine();
    if (key.length > 0) {
      this.text += `${indentation(key)}[${keyText(key)}]`;
      this.#newLine();
    }
    this.#entries(key, table);
  }

  #tables(key: readonly string[], items: readonly Value[]): void {
    if (key.length === 0) throw new TomlWriteError('toml: top-level values must be Go maps or structs');
    for (const item of items) {
      if (isNil(item)) continue;
      this.#newLine();
      this.text += `${indentation(key)}[[${keyText(key)}]]`;
      this.#newLine();
      this.#entries(key, tableOf(item) ?? { entries: new Map(), names: [] });
    }
  }

  #entries(key: readonly string[], table: Table): void {
    const { direct, tables } = ordered(table);
    for (const name of [...direct, ...tables]) this.value([...key, name], table.entries.get(name));
  }

  /** A value within a line. */
  #element(value: Value): string {
    if (typeof value === 'string') return tomlString(value);
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number') return floatElement(value);
    if (value instanceof NamedInteger && value.type === 'time.Duration') return tomlString(value.text);
    if (value instanceof Integer) return String(value.value);
    if (value instanceof GoObject && tableOf(value) === undefined) return objectElement(value);
    const items = listItems(value);
    if (items !== undefined) return `[${items.map((item) => this.#element(item)).join(', ')}]`;
    const table = tableOf(value);
    if (table !== undefined) return this.#inlineTable(table);
    throw new TomlWriteError(`unexpected type: ${typeName(value)}`);
  }

  /** A skipped nil leaves its comma, which is invalid TOML, as in Go. */
  #inlineTable({ entries, names: all }: Table): string {
    const { direct, tables } = ordered({ entries, names: all });
    let text = '{';
    for (const [names, hasMore] of [
      [direct, tables.length > 0],
      [tables, false],
    ] as const)
      for (const [index, name] of names.entries()) {
        const value = entries.get(name);
        if (isNil(value)) continue;
        text += `${keyPart(name)} = ${this.#element(value)}`;
        if (hasMore || index !== names.length - 1) text += ', ';
      }
    return `${text}}`;
  }
}

function indentation(key: readonly string[]): string {
  return '  '.repeat(key.length - 1);
}

function isNil(value: Value): boolean {
  if (value === null || value === undefined) return true;
  return (value instanceof TypedList || value instanceof TypedMap) && value.isNil;
}

/** A map or a struct. */
interface Table {
  readonly entries: ReadonlyMap<string, Value>;
  /** Those of a map are sorted, and those of a struct in the order of its fields. */
  readonly names: readonly string[];
}

/** Returns the table that a map or a struct is; undefined for other values, such as times and versions. */
function tableOf(value: Value): Table | undefined {
  const entries = mapEntries(value);
  if (entries !== undefined) return { entries, names: [...entries.keys()].toSorted(compareBytes) };
  if (!(value instanceof GoObject) || value.encodedText !== undefined) return undefined;
  // The fields of an embedded struct are written as those of the struct around it.
  const { fields, promoted } = value;
  const own = [...fields].filter(([, field]) => !(field instanceof GoObject && field.fields === promoted));
  const all = new Map([...promoted, ...own]);
  return { entries: all, names: [...all.keys()] };
}

/** Keys with tables come last, because all keys after a table's header belong to it. */
function ordered({ entries, names }: Table): { readonly direct: string[]; readonly tables: string[] } {
  const tables = new Set(names.filter((key) => ['table', 'tables'].includes(formOf(entries.get(key)))));
  return { direct: names.filter((key) => !tables.has(key)), tables: names.filter((key) => tables.has(key)) };
}

function formOf(value: Value): Form {
  if (isNil(value)) return 'none';
  if (tableOf(value) !== undefined) return 'table';
  const items = listItems(value);
  if (items !== undefined) return listForm(items);
  const kind = kindName(value);
  if (kind === 'func' || kind === 'complex128') throw new TomlWriteError(`unsupported type: ${kind}`);
  return 'inline';
}

function listForm(items: readonly Value[]): Form {
  let form: Form = items.length === 0 ? 'inline' : 'tables';
  for (const item of items) {
    const each = formOf(item);
    if (each === 'none') throw new TomlWriteError('toml: cannot encode array with nil element');
    if (each !== 'table') form = 'inline';
  }
  return form;
}

function floatElement(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const text = floatText(value, 'f', -1);
  return text.includes('.') ? text : `${text}.0`;
}

/** How times are written that fromToml reads without an offset, by the names of their zones. */
const localLayouts: Readonly<Record<string, string>> = {
  'datetime-local': '2006-01-02T15:04:05.999999999',
  'date-local': '2006-01-02',
  'time-local': '15:04:05.999999999',
};

function objectElement(value: GoObject): string {
  const time = instantOf(value);
  if (time !== undefined) return formatted(time, localLayouts[time.zone.name] ?? rfc3339Nano);
  return tomlString(value.encodedText ?? value.text ?? '');
}
