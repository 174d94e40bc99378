import { goJson } from '../../../base/json/go-json.ts';
import {
  bytesOf,
  checkSize,
  Complex,
  floatText,
  FunctionError,
  GoFunction,
  GoObject,
  Integer,
  listItems,
  mapEntries,
  NamedInteger,
  TypedList,
  TypedMap,
  typeName,
  UnsupportedFunctionError,
  type Value,
} from '../../gotemplate/index.ts';
import { compareKeys, compareKeysOfV3 } from './key-order.ts';
import { isUnprintable, needsQuotes, textStyles, type TextStyles } from './plain-text.ts';

/** How a version of go-yaml writes. */
interface Dialect {
  /** Whether the items of a list in a mapping are indented. */
  readonly indentsLists: boolean;
  /** Lines are folded at the first space after this column. */
  readonly width: number;
  readonly compareKeys: (a: string, b: string) => number;
  /** Whether values are converted to JSON first, in which a nil list is null and bytes are base64. */
  readonly isJson: boolean;
}

const v2: Dialect = { indentsLists: false, width: 80, compareKeys, isJson: true };
const v3: Dialect = { indentsLists: true, width: Infinity, compareKeys: compareKeysOfV3, isJson: false };

/**
 * Returns the YAML of a value, with a line end. As sigs.k8s.io/yaml, which writes JSON first.
 *
 * @throws {FunctionError} for what JSON cannot hold
 */
export function writeYaml(value: Value): string {
  return written(value, v2);
}

/**
 * Returns the YAML of a value, with a line end. As go-yaml v3 with an indentation of two, which Helm's toYamlPretty uses.
 *
 * @throws {FunctionError} for what it cannot write
 */
export function writePrettyYaml(value: Value): string {
  return written(value, v3);
}

function written(value: Value, dialect: Dialect): string {
  checkSize(value);
  const writer = new YamlWriter(dialect);
  writer.node(value, -1, 'root');
  return writer.finished();
}

/** What a node is part of: that decides where it begins. */
type Place = 'root' | 'entry' | 'item';

class YamlWriter {
  readonly #dialect: Dialect;
  #text = '';
  #column = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  finished(): string {
    return this.#column === 0 ? this.#text : `${this.#text}\n`;
  }

  #put(text: string): void {
    this.#text += text;
    this.#column = columnAfter(text, this.#column);
  }

  #newLine(indent: number): void {
    if (this.#column > 0) this.#put('\n');
    this.#put(' '.repeat(Math.max(0, indent)));
  }

  /** @param indent - of the collection that the node is in; -1 at the root */
  node(value: Value, indent: number, place: Place): void {
    const { isJson } = this.#dialect;
    const isScalar = isJson && (isNull(value) || isBytes(value));
    const items = isScalar ? undefined : listItems(value);
    const fields =
      isJson && value instanceof GoObject && value.jsonFields.size > 0 ? value.jsonFields : undefined;
    const entries = isScalar ? undefined : (mapEntries(value) ?? fields);
    if (items !== undefined && items.length > 0) this.#sequence(items, indent, place);
    else if (entries !== undefined && entries.size > 0) this.#mapping(entries, indent, place);
    else {
      if (place === 'entry') this.#put(' ');
      if (items !== undefined) this.#put('[]');
      else if (entries !== undefined) this.#put('{}');
      else this.#scalar(value, indent);
    }
  }

  #sequence(items: readonly Value[], outer: number, place: Place): void {
    const isIndented = place !== 'entry' || this.#dialect.indentsLists;
    const indent = outer < 0 ? 0 : isIndented ? outer + 2 : outer;
    for (const [index, item] of items.entries()) {
      if (index > 0 || place !== 'item') this.#newLine(indent);
      this.#put('- ');
      this.node(item, indent, 'item');
    }
  }

  #mapping(entries: ReadonlyMap<string, Value>, outer: number, place: Place): void {
    const indent = outer < 0 ? 0 : outer + 2;
    for (const [index, key] of [...entries.keys()].toSorted(this.#dialect.compareKeys).entries()) {
      if (index > 0 || place !== 'item') this.#newLine(indent);
      const text = this.#readable(key, true);
      const isSimple = bytesOf(text).length <= 128 && !this.#styles(text).isMultiline;
      if (isSimple) this.#string(text, indent, true);
      else this.#longKey(text, indent);
      this.#put(isSimple ? ':' : ': ');
      this.node(entries.get(key), indent, isSimple ? 'entry' : 'item');
    }
  }

  #longKey(text: string, indent: number): void {
    this.#put('? ');
    this.#string(text, indent, false);
    this.#newLine(indent);
  }

  #scalar(value: Value, indent: number): void {
    if (typeof value === 'string') this.#string(this.#readable(value), indent, false);
    else if (!this.#dialect.isJson) this.#plainScalar(value, indent);
    else if (value instanceof GoObject && value.encodedText !== undefined)
      this.#string(value.encodedText, indent, false);
    else this.#put(literal(value));
  }

  /** A scalar that does not pass through JSON. */
  #plainScalar(value: Value, indent: number): void {
    const { type } = value instanceof GoObject ? value : { type: '' };
    if (value instanceof NamedInteger && value.type === 'time.Duration')
      this.#string(value.text, indent, false);
    else if (value instanceof GoObject && type === 'time.Time') this.#put(value.encodedText ?? '');
    else if (value instanceof GoObject && type.endsWith('semver.Version'))
      this.#string(value.text ?? '', indent, false);
    else if (typeof value === 'number') this.#put(floatScalar(value));
    else if (value instanceof Complex || value instanceof GoFunction)
      throw new FunctionError(`cannot marshal type: ${typeName(value)}`);
    else this.#put(literal(value));
  }

  #readable(text: string, isKey = false): string {
    if (this.#dialect.isJson) return readBack(text, isKey);
    if (/\p{Surrogate}/u.test(text))
      throw new UnsupportedFunctionError('not supported: a text with bytes that are not UTF-8');
    return text;
  }

  #string(text: string, indent: number, isKey: boolean): void {
    const inner = indent < 0 ? 2 : indent + 2;
    const styles = this.#styles(text);
    if (text.includes('\n') && styles.block && !isKey) this.#literalBlock(text, inner);
    else if (text.includes('\n') || needsQuotes(text)) this.#doubleQuoted(text, inner, isKey);
    else if (styles.plain) this.#folded(text, inner, isKey, 'plain');
    else if (styles.single) this.#folded(text, inner, isKey, 'single');
    else this.#doubleQuoted(text, inner, isKey);
  }

  #styles(text: string): TextStyles {
    return textStyles(text, !this.#dialect.isJson);
  }

  #literalBlock(text: string, indent: number): void {
    const hint = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
    const isKept = /^[\n\u2028\u2029]$|[\n\u2028\u2029]{2}$/.test(text);
    const chomp = !/[\n\u2028\u2029]$/.test(text) ? '-' : isKept ? '+' : '';
    this.#put(`|${hint}${chomp}\n`);
    this.#put(indented(text, indent));
  }

  /** Writes a text that is plain or in single quotes, and breaks lines at single spaces. */
  #folded(text: string, indent: number, isKey: boolean, style: 'plain' | 'single'): void {
    const quote = style === 'single' ? "'" : '';
    this.#put(quote);
    const isSingle = style === 'single';
    const shown = isSingle ? afterBreaks(text.replaceAll("'", "''"), indent) : text;
    this.#words(shown, indent, isKey, (at) => shown[at + 1] !== ' ', '');
    this.#put(quote);
  }

  #doubleQuoted(text: string, indent: number, isKey: boolean): void {
    this.#put('"');
    // go-yaml looks for a byte order mark at the beginning of the text whenever it writes a character.
    const isMarked = text.startsWith('\ufeff');
    const shown = Array.from(text, (each) => escaped(each, isMarked)).join('');
    this.#words(shown, indent, isKey, () => true, '\\');
    this.#put('"');
  }

  /**
   * @param canBreak - whether the space at an index can become a line end
   * @param escape - what the next line begins with if the text goes on with a space
   */
  #words(
    text: string,
    indent: number,
    isKey: boolean,
    canBreak: (at: number) => boolean,
    escape: string,
  ): void {
    if (isKey || this.#column + text.length <= this.#dialect.width) {
      this.#put(text);
      return;
    }
    let isAfterSpace = false;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      if (text[at] !== ' ') {
        isAfterSpace = false;
        continue;
      }
      const column = columnAfter(text.slice(start, at), this.#column);
      if (!isAfterSpace && column > this.#dialect.width && at > 0 && at < text.length - 1 && canBreak(at)) {
        this.#put(text.slice(start, at));
        this.#newLine(indent);
        if (text[at + 1] === ' ') this.#put(escape);
        start = at + 1;
      }
      isAfterSpace = true;
    }
    this.#put(text.slice(start));
  }
}

/** The line ends that go-yaml writes as they are. */
const lineEnds = /[\n\u2028\u2029]/;

function columnAfter(text: string, before: number): number {
  const line = text.split(lineEnds).at(-1) ?? '';
  return (line.length === text.length ? before : 0) + Array.from(line).length;
}

/** Indents each line that is not empty. */
function indented(text: string, indent: number): string {
  return (lineEnds.test(text[0] ?? '') ? '' : ' '.repeat(indent)) + afterBreaks(text, indent);
}

/** Indents what follows a line end, unless it is another one. */
function afterBreaks(text: string, indent: number): string {
  return text.replaceAll(/(?<=[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, ' '.repeat(indent));
}

const escapes: Readonly<Record<string, string>> = {
  '\u0000': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** @param isAlways - whether characters are escaped that need not be */
function escaped(character: string, isAlways: boolean): string {
  const isLineBreak = /[\u0085\u2028\u2029\n\r]/.test(character);
  const isSpecial = character === '"' || character === '\\' || isLineBreak || isUnprintable(character);
  if (!isSpecial && !isAlways) return character;
  const short = escapes[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) ?? 0;
  const [letter, length] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(length, '0')}`;
}

function isNull(value: Value): boolean {
  if (value === null || value === undefined) return true;
  return (value instanceof TypedList || value instanceof TypedMap) && value.isNil;
}

function isBytes(value: Value): boolean {
  return value instanceof TypedList && value.type === '[]uint8';
}

/** A number as go-yaml writes a float64. */
function floatScalar(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf';
  return floatText(value, 'g', -1);
}

/** A number, a boolean or null. */
function literal(value: Value): string {
  if (isNull(value)) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (value instanceof TypedList)
    return Buffer.from(value.items.map((item) => Number((item as Integer).value))).toString('base64');
  if (value instanceof Integer) return String(value.value);
  if (value instanceof Complex || value instanceof GoFunction || typeof value !== 'number')
    throw new UnsupportedFunctionError(`no YAML for a value of type ${typeName(value)}`);
  if (!Number.isFinite(value)) throw new FunctionError('json: unsupported value');
  const json = goJson(value);
  if (json === '-0') return '0';
  const isInteger = /^-?\d+$/.test(json) && BigInt(json) >= -(2n ** 63n) && BigInt(json) < 2n ** 64n;
  return isInteger ? json : floatText(value, 'g', -1);
}

/**
 * Returns a text as go-yaml reads it in JSON. Bytes that are no UTF-8 are replaced, and U+0085, which JSON does not escape, is a line
 * end, which go-yaml folds.
 *
 * @throws {FunctionError} for a key with a line end
 */
function readBack(text: string, isKey: boolean): string {
  // oxlint-disable-next-line no-control-regex -- go-yaml reads none of them
  if (/[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/.test(text))
    throw new UnsupportedFunctionError('a text has control characters that go-yaml does not read');
  const readable = text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  if (!readable.includes('\u0085')) return readable;
  if (isKey) throw new FunctionError('yaml: mapping values are not allowed in this context');
  return readable.replaceAll(/ *\u0085[ \u0085]*/g, (folded) => {
    const lines = folded.replaceAll(' ', '').length;
    return lines === 1 ? ' ' : '\n'.repeat(lines - 1);
  });
}
