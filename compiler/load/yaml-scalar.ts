import type { Scalar } from 'yaml';
import type { FieldPath } from '../field-path.ts';
import type { Findings } from './findings.ts';
import { isReadOtherwise, keyText, resolvePlain, resolveTagged, type GoScalar } from './go-scalar.ts';

/** What a scalar stands for, by its quotes and its tag; undefined where the tag does not fit the text. */
export function resolveScalar(node: Scalar): GoScalar | undefined {
  const text = String(node.value);
  if (node.tag !== undefined) return resolveTagged(node.tag, text);
  return node.type === 'PLAIN' ? resolvePlain(text) : { kind: 'string', value: text };
}

/** Where a scalar is read: its field, and whether it was read before, so that warnings would come twice. */
export interface Reading {
  readonly path: FieldPath;
  readonly again: boolean;
}

/** Reads the scalars of one document, with findings for those that JSON cannot hold or that are not what they seem. */
export class ScalarReader {
  readonly #base: number;
  readonly #findings: Findings;

  /** @param base - the offset, in its file, of the text that the nodes were parsed from */
  constructor(base: number, findings: Findings) {
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

  /** Undefined where it cannot be a key, which is reported. */
  key(node: Scalar.Parsed, { path, again }: Reading): string | undefined {
    const scalar = this.#resolve(node, { path, again });
    if (scalar === undefined) return undefined;
    const key = keyText(scalar);
    if (key === undefined)
      this.#findings.add('FW1009', this.#offset(node), 'null stands as a key', { path, hint: quoteIt });
    else if (!again) this.#warnOfKey(node, scalar, key, path);
    return key;
  }

  #resolve(node: Scalar.Parsed, { path }: Reading): GoScalar | undefined {
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

  #warn(node: Scalar.Parsed, scalar: GoScalar, path: FieldPath): void {
    const written = String(node.value);
    if (!isReadOtherwise(written, scalar)) return;
    const isBoolean = scalar.kind === 'boolean';
    const read = isBoolean ? String(scalar.value) : `the number ${scalar.value}`;
    this.#findings.add(isBoolean ? 'FW1007' : 'FW1008', this.#offset(node), `${written} is read as ${read}`, {
      path,
      hint: `put it in quotes if it is meant as text; write ${scalar.value} if not`,
    });
  }

  #warnOfKey(node: Scalar.Parsed, scalar: GoScalar, key: string, path: FieldPath): void {
    const written = String(node.value);
    if (written === key || (scalar.kind === 'boolean' && !isReadOtherwise(written, scalar))) return;
    const code = scalar.kind === 'boolean' ? 'FW1007' : 'FW1008';
    this.#findings.add(code, this.#offset(node), `the key ${written} is read as "${key}"`, {
      path: [...path, key],
      hint: quoteIt,
    });
  }

  #offset(node: Scalar.Parsed): number {
    return this.#base + node.range[0];
  }
}

const quoteIt = 'put it in quotes';
