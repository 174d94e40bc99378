import { isScalar, visit, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { DiagnosticCollector } from '../diagnostic-collector.ts';
import type { Stretch } from '../json/json-scan.ts';
import type { YamlTree } from './yaml-tree.ts';

// Most texts contain none of this, and the tree need not be searched.
const suspicious = /\t|:[,\]}]|\n *:|\\[/uU]|&|(?:''|\\")\s*$/;

// A quote at the end of the text that belongs to the value, but that the library reads as the closing quote.
const unclosed = /^'(?:[^']|'')*$|^"(?:[^"\\]|\\[^])*$/;

/**
 * Reports syntax that the library, a YAML 1.2 parser, accepts, and that go-yaml rejects or reads differently: some tabs and
 * escapes, colons that do not directly follow their key, names of anchors.
 *
 * @param text - the text that the tree was parsed from
 * @param base - the offset of that text in its file
 */
export function reportStrictness(
  tree: YamlTree,
  text: string,
  base: number,
  findings: DiagnosticCollector,
): void {
  if (!suspicious.test(text)) return;
  const reader = new StrictReader(text, base, findings);
  visit(tree.contents, {
    Scalar: (_, node) => reader.scalar(node),
    Collection: (_, node) => reader.collection(node),
    Pair: (_, pair) => reader.pair(pair),
  });
  reader.tabs();
}

class StrictReader {
  readonly #text: string;
  readonly #base: number;
  readonly #findings: DiagnosticCollector;
  /** Returns the positions where a tab at the start of a line is not indentation, in the order of the text. */
  readonly #free: Stretch[] = [];

  constructor(text: string, base: number, findings: DiagnosticCollector) {
    this.#text = text;
    this.#base = base;
    this.#findings = findings;
  }

  scalar(node: Scalar): void {
    const { start, end } = this.#place(node);
    this.#free.push({ start, end });
    this.#checkAnchor(node, start);
    const source = this.#text.slice(start, end);
    if (node.type === 'QUOTE_DOUBLE') this.#checkEscapes(source, start);
    if (unclosed.test(source)) this.#add('FW1001', start, `the closing ${source.charAt(0)} is missing`);
  }

  collection(node: YAMLMap | YAMLSeq): void {
    const { start, end } = this.#place(node);
    if (node.flow === true) this.#free.push({ start, end });
    this.#checkAnchor(node, start);
  }

  pair({ key }: Pair): void {
    if (!isScalar(key)) return;
    const { start, end } = this.#place(key);
    const behind = this.#text.slice(end, end + 100);
    if (key.type === 'PLAIN' && /^:[,\]}]/.test(behind)) {
      this.#add(
        'FW1001',
        end,
        'kubectl takes this colon as part of the key',
        'write a space after the colon',
      );
    }
    const explicit = /\?\s*$/.test(this.#text.slice(Math.max(0, start - 100), start));
    if (!explicit && /^[ \t]*\r?\n\s*:/.test(behind)) {
      this.#add(
        'FW1001',
        end,
        'the colon after this key is on another line',
        'write key and colon on one line',
      );
    }
  }

  /** Returns every tab before the first character of a line that is neither text nor inside brackets. */
  tabs(): void {
    let next = 0;
    let freeUntil = 0;
    for (const match of this.#text.matchAll(/(?<=^|\n)(?: |[-?](?=[ \t]))*\t/g)) {
      const tab = match.index + match[0].length - 1;
      for (let free = this.#free[next]; free !== undefined && free.start <= tab; free = this.#free[++next]) {
        freeUntil = Math.max(freeUntil, free.end);
      }
      if (tab >= freeUntil) this.#addTab(tab);
    }
  }

  #checkEscapes(source: string, start: number): void {
    for (const { 0: escape, index } of source.matchAll(
      /\\(?:u[dD][89a-fA-F][\da-fA-F]{2}|U0000[dD][89a-fA-F][\da-fA-F]{2}|[^])/g,
    )) {
      if (escape.length === 2 && escape !== '\\/') continue;
      const hint = escape === '\\/' ? 'write / without a backslash' : 'write the character itself';
      this.#add('FW1001', start + index, `kubectl does not support the escape ${escape}`, hint);
    }
  }

  #checkAnchor({ anchor }: { readonly anchor?: string }, start: number): void {
    if (anchor === undefined || /^[\w-]+$/.test(anchor)) return;
    this.#add(
      'FW1001',
      start,
      `kubectl does not support anchors such as &${anchor}`,
      'use letters, digits, - and _',
    );
  }

  #addTab(offset: number): void {
    this.#add('FW1002', offset, 'a tab is used for indentation', 'indent with spaces');
  }

  #add(code: 'FW1001' | 'FW1002', offset: number, message: string, hint?: string): void {
    this.#findings.add(code, this.#base + offset, message, hint === undefined ? {} : { hint });
  }

  #place({ range }: { readonly range?: readonly number[] | null }): Stretch {
    const [start = 0, end = start] = range ?? [];
    return { start, end };
  }
}
