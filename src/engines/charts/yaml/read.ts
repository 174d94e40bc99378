import { floatText, Integer, printFormat, textOf, TypedMap, type Value } from '../../gotemplate/index.ts';
import { resolveAsKubectl } from '../../../base/yaml/go-scalar.ts';
import { readNode, type YamlNode } from './node-reader.ts';
import { YamlError } from './yaml-error.ts';

const standardTag = 'tag:yaml.org,2002:';
const control =
  // oxlint-disable-next-line no-control-regex -- what YAML does not allow
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
const invalidText = new RegExp(`${control.source}|\\p{Surrogate}`, 'u');

/**
 * Reads the first document of a text as sigs.k8s.io/yaml does before it writes JSON: scalars as YAML 1.1, the last one of equal
 * keys, integers as `Integer`.
 *
 * @throws {YamlError} with Go's message
 */
export function readYaml(text: string): Value {
  const invalid = control.test(text) || !text.isWellFormed() ? invalidText.exec(text)?.[0] : undefined;
  if (invalid !== undefined)
    throw new YamlError(
      /\p{Surrogate}/u.test(invalid)
        ? 'yaml: invalid leading UTF-8 octet'
        : 'yaml: control characters are not allowed',
    );
  const node = readNode(text.startsWith('\ufeff') ? text.slice(1) : text);
  return node === undefined ? null : new Decoder().document(node);
}

/** A document with fewer nodes than this may repeat most of them with aliases. */
const fewNodes = 400_000;
const manyNodes = 4_000_000;

class Decoder {
  readonly #open = new Set<YamlNode>();
  #count = 0;
  #aliasCount = 0;
  #aliasDepth = 0;
  /** Of a key that JSON cannot have. Go writes JSON after it decoded the document. */
  #keyError: YamlError | undefined;

  document(node: YamlNode): Value {
    const value = this.value(node);
    if (this.#keyError !== undefined) throw this.#keyError;
    return value;
  }

  value(node: YamlNode): Value {
    this.#checkAliases();
    if (node.kind === 'alias') return this.#alias(node, (target) => this.value(target));
    if (node.kind === 'scalar') return scalarValue(node);
    if (node.kind === 'sequence') return node.children.map((child) => this.value(child));
    const entries = new Map<string, Value>();
    this.#addEntries(node, entries);
    return entries;
  }

  /** As go-yaml's allowedAliasRatio. */
  #checkAliases(): void {
    this.#count += 1;
    if (this.#aliasDepth > 0) this.#aliasCount += 1;
    if (this.#aliasCount <= 100 || this.#count <= 1000) return;
    const share = Math.min(1, Math.max(0, (this.#count - fewNodes) / (manyNodes - fewNodes)));
    if (this.#aliasCount / this.#count > 0.99 - 0.89 * share)
      throw new YamlError('yaml: document contains excessive aliasing');
  }

  #alias<T>(node: YamlNode, read: (target: YamlNode) => T): T {
    if (this.#open.has(node)) throw new YamlError(`yaml: anchor '${node.text}' value contains itself`);
    this.#open.add(node);
    this.#aliasDepth += 1;
    const result = read(node.target as YamlNode);
    this.#aliasDepth -= 1;
    this.#open.delete(node);
    return result;
  }

  #addEntries({ children }: YamlNode, entries: Map<string, Value>): void {
    for (let at = 0; at < children.length; at += 2) {
      const [key, value] = [children[at] as YamlNode, children[at + 1] as YamlNode];
      if (isMerge(key)) this.#merge(value, entries);
      else {
        const name = keyText(this.value(key));
        const item = this.value(value);
        if (typeof name === 'string') entries.set(name, item);
        else this.#keyError = unsupportedKey(name, item);
      }
    }
  }

  /** Adds the entries of a map, or of several of which the first wins. Keys before the merge do not win, as in Go. */
  #merge(node: YamlNode, entries: Map<string, Value>): void {
    const maps = node.kind === 'sequence' ? node.children.toReversed() : [node];
    for (const map of maps) {
      const target = map.kind === 'alias' ? map.target : map;
      if (target?.kind !== 'mapping')
        throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
      this.#checkAliases();
      if (map.kind === 'alias') this.#alias(map, (each) => this.#addEntries(each, entries));
      else this.#addEntries(map, entries);
    }
  }
}

function isMerge({ kind, text, isImplicit, tag }: YamlNode): boolean {
  return kind === 'scalar' && text === '<<' && (isImplicit || tag === `${standardTag}merge`);
}

const types: Readonly<Record<string, string>> = {
  string: 'str',
  boolean: 'bool',
  integer: 'int',
  float: 'float',
  infinite: 'float',
  null: 'null',
};
const resolvable = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);

function scalarValue({ text, tag, isImplicit }: YamlNode): Value {
  if (tag === '') return isImplicit ? resolved(text) : text;
  const wanted = tag.startsWith(standardTag) ? tag.slice(standardTag.length) : undefined;
  if (wanted === 'binary') return binary(text);
  if (wanted === undefined || !resolvable.has(wanted) || wanted === 'str') return text;
  const { kind } = resolveAsKubectl(text);
  const type = types[kind] ?? 'str';
  if (wanted === 'timestamp' && type === 'str' && /^\d{4}-\d/.test(text)) return text;
  if (wanted === 'float' && kind === 'integer') return Number((resolved(text) as Integer).value);
  if (wanted !== type) throw new YamlError(`yaml: cannot decode !!${type} \`${text}\` as a !!${wanted}`);
  return resolved(text);
}

function binary(text: string): string {
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(digits))
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  return textOf(Buffer.from(digits, 'base64'));
}

function resolved(text: string): Value {
  const scalar = resolveAsKubectl(text);
  if (scalar.kind === 'integer') return new Integer(BigInt(scalar.value));
  if (scalar.kind !== 'infinite') return scalar.value;
  return /nan/i.test(text) ? NaN : text.startsWith('-') ? -Infinity : Infinity;
}

/** Returns the key that JSON has, or a value that cannot be a key. */
function keyText(key: Value): string | null {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean') return String(key);
  if (key instanceof Integer) return String(key.value);
  if (typeof key === 'number') return floatKey(key);
  if (key === null) return null;
  throw new YamlError(`yaml: invalid map key: ${printFormat('%#v', [goValue(key)])}`);
}

/** The shortest text that a float32 has. */
function floatKey(key: number): string {
  if (Number.isNaN(key)) return '.nan';
  if (!Number.isFinite(key)) return key > 0 ? '.inf' : '-.inf';
  const single = Math.fround(key);
  for (let digits = 1; digits < 9; digits++) {
    const text = single.toPrecision(digits);
    if (Math.fround(Number(text)) === single) return floatText(Number(text), 'g', -1);
  }
  return floatText(Number(single.toPrecision(9)), 'g', -1);
}

function unsupportedKey(key: null, value: Value): YamlError {
  return new YamlError(
    printFormat('unsupported map key of type: %s, key: %+#v, value: %+#v', [key, key, goValue(value)]),
  );
}

/** Returns a value with go-yaml's type of maps, for messages. */
function goValue(value: Value): Value {
  if (Array.isArray(value)) return (value as readonly Value[]).map(goValue);
  if (!(value instanceof Map)) return value;
  const entries = new Map([...value].map(([key, item]) => [key, goValue(item)]));
  return new TypedMap('map[interface {}]interface {}', entries, 'interface {}');
}

/**
 * Returns a value as Go's decoder of JSON returns it: every number is a float64.
 *
 * @throws {YamlError} for a number that JSON cannot hold
 */
export function asJson(value: Value): Value {
  if (value instanceof Integer) return Number(value.value);
  if (typeof value === 'number') return checkFinite(value);
  if (typeof value === 'string')
    return value.isWellFormed() ? value : value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return (value as readonly Value[]).map(asJson);
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([key, item]) => [key, asJson(item)]));
}

/** @throws {YamlError} for a number that JSON cannot hold */
export function checkFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new YamlError(`json: unsupported value: ${floatText(value, 'g', -1)}`);
}
