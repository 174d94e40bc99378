import { resolveAsKubectl } from '../../kubernetes/go/yaml-scalar.ts';
import { floatText, Integer, type Value } from '../../gotemplate/index.ts';
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node } from 'yaml';

/** A text that is not valid YAML, or that Go cannot read. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** Counted from 1. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads the first document of a text as sigs.k8s.io/yaml does before it converts it to JSON: scalars as YAML 1.1, the last one of
 * equal keys, integers as `Integer`.
 *
 * @throws {YamlError}
 */
export function readYaml(text: string): Value {
  const document = parseDocument(text, {
    schema: 'failsafe',
    version: '1.1',
    uniqueKeys: false,
    merge: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined && error.code !== 'MULTIPLE_DOCS')
    throw new YamlError(`yaml: ${error.message.split(' at line')[0] ?? ''}`, error.linePos?.[0].line);
  return new Reader(document).value(document.contents);
}

const mostValues = 1_000_000;

class Reader {
  readonly #document: Document;
  readonly #open = new Set<Node>();
  #count = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  value(node: unknown): Value {
    this.#count += 1;
    if (this.#count > mostValues) throw new YamlError('yaml: document contains excessive aliasing');
    if (isScalar(node)) return this.#scalar(node.source ?? '', node.type === 'PLAIN', node.tag);
    if (isAlias(node)) return this.#alias(node.source, node.resolve(this.#document));
    if (isSeq(node)) return node.items.map((item) => this.value(item));
    if (!isMap(node)) return null;
    const entries = new Map<string, Value>();
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.type === 'PLAIN' && key.source === '<<') this.#merge(entries, value);
      else entries.set(keyText(this.value(key)), this.value(value));
    }
    return entries;
  }

  #alias(name: string, target: Node | undefined): Value {
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#open.has(target)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    this.#open.add(target);
    const value = this.value(target);
    this.#open.delete(target);
    return value;
  }

  #merge(entries: Map<string, Value>, node: unknown): void {
    const value = this.value(node);
    const maps = Array.isArray(value) ? (value as readonly Value[]).toReversed() : [value];
    for (const map of maps) {
      if (!(map instanceof Map))
        throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
      for (const [key, item] of map) entries.set(key, item);
    }
  }

  #scalar(text: string, isPlain: boolean, tag: string | undefined): Value {
    if (tag === 'tag:yaml.org,2002:binary') return Buffer.from(text, 'base64').toString('latin1');
    if (!isPlain || tag === '!' || tag === 'tag:yaml.org,2002:str') return text;
    const scalar = resolveAsKubectl(text);
    if (scalar.kind === 'integer') return new Integer(BigInt(scalar.value));
    if (scalar.kind === 'infinite')
      return /nan/i.test(text) ? NaN : text.startsWith('-') ? -Infinity : Infinity;
    return scalar.value;
  }
}

/** As sigs.k8s.io/yaml, which writes keys of JSON. */
function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean') return String(key);
  if (key instanceof Integer) return String(key.value);
  if (typeof key === 'number') return floatText(key, 'g', -1);
  throw new YamlError('error converting YAML to JSON: unsupported map key');
}

/** Returns a value as Go's decoder of JSON returns it: every number is a float64. */
export function asJson(value: Value): Value {
  if (value instanceof Integer) return Number(value.value);
  if (typeof value === 'number') return checkFinite(value);
  if (Array.isArray(value)) return (value as readonly Value[]).map(asJson);
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([key, item]) => [key, asJson(item)]));
}

/** @throws {YamlError} for a number that JSON cannot hold */
export function checkFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new YamlError(`error converting YAML to JSON: json: unsupported value: ${floatText(value, 'g', -1)}`);
}
