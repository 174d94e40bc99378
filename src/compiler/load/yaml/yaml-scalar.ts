import type { Scalar } from 'yaml';
import { resolveAsKubectl, type YamlScalar } from '../../../base/yaml/go-scalar.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { DiagnosticCollector } from '../diagnostic-collector.ts';
import { resolveCore } from './yaml-1-2-scalar.ts';
import { keyText } from './scalar-key.ts';
import { resolveTagged } from './tagged-scalar.ts';

/**
 * Returns the value of a scalar, by its quotes and its tag; undefined if the tag does not fit the text. Plain scalars are read by
 * YAML 1.2: if it looks like a string, it is a string.
 */
export function resolveScalar(node: Scalar): YamlScalar | undefined {
  const text = String(node.value);
  if (node.tag !== undefined) return resolveTagged(node.tag, text);
  return node.type === 'PLAIN' ? resolveCore(text) : { kind: 'string', value: text };
}

/** Where a scalar is read: its field, and whether it was read before, so that warnings would be repeated. */
export interface Reading {
  readonly path: FieldPath;
  readonly again: boolean;
}

/**
 * Reads the scalars of one document, with findings for those that JSON cannot hold or whose value differs from their appearance.
 */
export class ScalarReader {
  readonly #base: number;
  readonly #findings: DiagnosticCollector;

  /** @param base - the offset, in its file, of the text that the nodes were parsed from */
  constructor(base: number, findings: DiagnosticCollector) {
    this.#base = base;
    this.#findings = findings;
  }

  value(node: Scalar.Parsed, reading: Reading): string | number | bigint | boolean | null {
    const scalar = this.#resolve(node, reading);
    if (scalar === undefined) return null;
    if (scalar.kind === 'infinite') {
      this.#findings.add('FW1009', this.#offset(node), `JSON has no number ${scalar.value}`, {
        path: reading.path,
        hint: quoteIt,
      });
      return null;
    }
    if (!reading.again) this.#warn(node, scalar, reading.path);
    return scalar.value;
  }

  /** Returns undefined if it cannot be a key, which is reported. */
  key(node: Scalar.Parsed, { path, again }: Reading): string | undefined {
    const scalar = this.#resolve(node, { path, again });
    if (scalar === undefined) return undefined;
    const key = keyText(scalar);
    if (key === undefined)
      this.#findings.add('FW1009', this.#offset(node), 'null is used as a key', { path, hint: quoteIt });
    else if (!again) this.#warnOfKey(node, key, path);
    return key;
  }

  #resolve(node: Scalar.Parsed, { path }: Reading): YamlScalar | undefined {
    const scalar = resolveScalar(node);
    if (scalar === undefined) {
      const tag = node.tag?.replace('tag:yaml.org,2002:', '!!') ?? '';
      this.#findings.add(
        'FW1009',
        this.#offset(node),
        `the tag ${tag} does not fit ${JSON.stringify(node.value)}`,
        {
          path,
          hint: 'remove the tag',
        },
      );
    }
    return scalar;
  }

  /** Reports a value that kubectl would read differently, and a number that is not kept as written. */
  #warn(node: Scalar.Parsed, scalar: YamlScalar, path: FieldPath): void {
    const text = String(node.value);
    const kubectl = isPlain(node) ? resolveAsKubectl(text) : scalar;
    if (!isSame(kubectl, scalar)) {
      const code = kubectl.kind === 'boolean' ? 'FW1007' : 'FW1008';
      const message = `${text} is ${words(scalar)}, but kubectl reads it as ${words(kubectl)}`;
      this.#findings.add(code, this.#offset(node), message, {
        path,
        hint: `put it in quotes if you mean text; otherwise write ${kubectl.value}`,
      });
    } else if (isNumber(scalar) && String(scalar.value) !== text && !isFileMode(text, path)) {
      this.#findings.add('FW1008', this.#offset(node), `${text} is read as ${words(scalar)}`, {
        path,
        hint: `put it in quotes if you mean text; otherwise write ${scalar.value}`,
      });
    }
  }

  #warnOfKey(node: Scalar.Parsed, key: string, path: FieldPath): void {
    const text = String(node.value);
    const kubectl = isPlain(node) ? resolveAsKubectl(text) : undefined;
    const read = kubectl === undefined ? key : (keyText(kubectl) ?? text);
    if (read !== key) {
      const code = kubectl?.kind === 'boolean' ? 'FW1007' : 'FW1008';
      const message = `the key ${text} is "${key}", but kubectl reads it as "${read}"`;
      this.#findings.add(code, this.#offset(node), message, { path: [...path, key], hint: quoteIt });
    } else if (text !== key) {
      this.#findings.add('FW1008', this.#offset(node), `the key ${text} is read as "${key}"`, {
        path: [...path, key],
        hint: quoteIt,
      });
    }
  }

  #offset(node: Scalar.Parsed): number {
    return this.#base + node.range[0];
  }
}

const quoteIt = 'put it in quotes';

/** Whether a number is a file mode in octal, in the usual form. */
function isFileMode(text: string, path: FieldPath): boolean {
  const field = path.at(-1);
  return (field === 'mode' || field === 'defaultMode') && /^0[0-7]+$/.test(text);
}

function isPlain(node: Scalar.Parsed): boolean {
  return node.tag === undefined && node.type === 'PLAIN';
}

function isNumber({ kind }: YamlScalar): boolean {
  return kind === 'integer' || kind === 'float';
}

function isSame(a: YamlScalar, b: YamlScalar): boolean {
  if (a.kind === 'infinite' || b.kind === 'infinite') return a.kind === b.kind;
  return Object.is(a.value, b.value) || (isNumber(a) && isNumber(b) && a.value === b.value);
}

function words({ kind, value }: YamlScalar): string {
  if (kind === 'string') return 'text';
  return kind === 'boolean' || kind === 'null' ? String(value) : `the number ${value}`;
}
