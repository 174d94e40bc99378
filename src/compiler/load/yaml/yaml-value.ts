import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Pair,
  type ParsedNode,
  type Scalar,
} from 'yaml';
import type { FieldPath } from '../../model/field-path.ts';
import { AliasBudget } from './alias-budget.ts';
import type { DiagnosticAtOffset, DiagnosticCollector } from '../diagnostic-collector.ts';
import { deepestNesting, tooDeep, tooDeepHint } from '../nesting.ts';
import { ScalarReader, type Reading } from './yaml-scalar.ts';
import { readGoBlockScalar } from './go-block-scalar.ts';
import { parseYamlTree, type YamlTree } from './yaml-tree.ts';

const mergeTag = 'tag:yaml.org,2002:merge';

/** Whether a key merges other mappings into its mapping: `<<` without quotes. */
export function isMergeKey(key: ParsedNode): boolean {
  if (!isScalar(key) || key.value !== '<<') return false;
  return key.tag === mergeTag || (key.tag === undefined && key.type === 'PLAIN');
}

/** Returns the mappings that a merge key merges, in the order of go-yaml merge: the one that overrides the others is last. */
export function mergeSources(value: ParsedNode | null): readonly (ParsedNode | null)[] {
  return value !== null && isSeq(value) ? value.items.toReversed() : [value];
}

/**
 * Returns the value of a document as JSON can hold it, with findings for nodes without a value and for values that kubectl
 * (sigs.k8s.io/yaml) would read differently. Merge keys and duplicates are handled as in kubectl.
 *
 * @param base - the offset, in its file, of the text that the tree was parsed from
 * @param path - the path from the root of the document to the root of the tree
 */
export function readYamlValue(
  tree: YamlTree,
  base: number,
  findings: DiagnosticCollector,
  path: FieldPath = [],
): unknown {
  return new ValueReader(tree, base, findings, path).read(tree.contents);
}

interface Mapping {
  [key: string]: unknown;
}

class ValueReader {
  readonly #tree: YamlTree;
  readonly #base: number;
  readonly #findings: DiagnosticCollector;
  readonly #scalars: ScalarReader;
  readonly #budget = new AliasBudget();
  readonly #path: (string | number)[];
  /** The aliases that are being followed, outermost first. */
  readonly #following: Alias.Parsed[] = [];
  #depth = 0;
  /** The indentation of the mapping or list that is being read; -1 outside of all. */
  #column = -1;
  #stopped = false;

  constructor(tree: YamlTree, base: number, findings: DiagnosticCollector, path: FieldPath) {
    this.#path = [...path];
    this.#tree = tree;
    this.#base = base;
    this.#findings = findings;
    this.#scalars = new ScalarReader(base, findings);
  }

  read(node: ParsedNode | null): unknown {
    if (node === null || !this.#mayRead(node)) return null;
    if (isAlias(node)) return this.#follow(node, (target) => this.read(target)) ?? null;
    if (isScalar(node)) {
      if (this.#following.length === 0) this.#readLines(node);
      return this.#scalars.value(node, this.#reading());
    }
    this.#depth++;
    const column = this.#column;
    this.#column = columnOf(this.#tree.text, node.range[0]);
    const value = isMap(node) ? this.#mapping(node.items) : this.#sequence(node.items);
    this.#column = column;
    this.#depth--;
    return value;
  }

  /** Reads the lines of a scalar as go-yaml does. */
  #readLines(node: Scalar.Parsed): void {
    if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') this.#readBlock(node);
    if (node.type !== 'QUOTE_DOUBLE') return;
    const source = this.#tree.text.slice(node.range[0], node.range[1]);
    const written = withBlankLines(source);
    const value = written === source ? undefined : parseYamlTree(written).contents;
    if (isScalar(value)) node.value = value.value;
  }

  #readBlock(node: Scalar.Parsed): void {
    const { text } = this.#tree;
    const [, valueEnd] = node.range;
    const block = readGoBlockScalar(text, node.range[0], this.#column);
    if ('tab' in block) {
      this.#findings.add('FW1002', this.#base + block.tab, 'a tab is used for indentation', {
        hint: 'indent with spaces',
      });
      return;
    }
    const [from, to] = [Math.min(block.end, valueEnd), Math.max(block.end, valueEnd)];
    const isSame = /^(?:[^\S\n]*(?:#.*)?(?:\n|$))*$/.test(text.slice(from, to));
    if (isSame) node.value = block.value;
    else
      this.#findings.add(
        'FW1001',
        this.#base + from,
        'kubectl reads other lines as part of this block scalar',
        {
          path: this.#path,
          hint: 'indent all of its lines deeper than the key or dash, and alike',
        },
      );
  }

  #reading(): Reading {
    return { path: this.#path, again: this.#following.length > 0 };
  }

  #mayRead(node: ParsedNode): boolean {
    if (this.#stopped) return false;
    const [alias] = this.#following;
    if (!this.#budget.spend(alias !== undefined)) {
      this.#stop('FW1006', alias ?? node, 'the aliases of this document expand to too many values');
    } else if (this.#depth >= deepestNesting && isCollection(node)) {
      // The path is too long to be readable.
      this.#stop('FW1001', node, tooDeep, { path: [], hint: tooDeepHint });
    }
    return !this.#stopped;
  }

  #stop(
    code: 'FW1001' | 'FW1005' | 'FW1006',
    node: ParsedNode,
    message: string,
    { path = this.#path, hint }: DiagnosticAtOffset = {},
  ): void {
    this.#findings.add(code, this.#offset(node), message, { path, ...(hint !== undefined && { hint }) });
    this.#stopped = true;
  }

  #follow<T>(alias: Alias.Parsed, read: (target: ParsedNode) => T): T | undefined {
    const target = this.#tree.anchors.get(alias);
    if (target === undefined) {
      this.#findings.add(
        'FW1005',
        this.#offset(alias),
        `there is no anchor &${alias.source} before this alias`,
        {
          path: this.#path,
          hint: 'an anchor is valid from its definition to the end of its document',
        },
      );
      return undefined;
    }
    if (this.#following.includes(alias)) {
      this.#stop('FW1005', alias, `the value of the anchor &${alias.source} contains itself`);
      return undefined;
    }
    this.#following.push(alias);
    const value = read(target);
    this.#following.pop();
    return value;
  }

  #sequence(items: readonly ParsedNode[]): unknown[] {
    return items.map((item, index) => this.#inside(index, item));
  }

  #inside(step: string | number, node: ParsedNode | null): unknown {
    this.#path.push(step);
    const value = this.read(node);
    this.#path.pop();
    return value;
  }

  #mapping(pairs: readonly Pair<ParsedNode, ParsedNode | null>[]): Mapping {
    const mapping: Mapping = {};
    const keyNodes = new Map<string, ParsedNode>();
    for (const { key: node, value } of pairs) {
      const merges = isMergeKey(node);
      const key = merges ? '<<' : this.#key(node);
      if (key === undefined) continue;
      const first = keyNodes.get(key);
      if (first !== undefined) this.#reportTwice(key, node, first);
      keyNodes.set(key, node);
      if (merges) this.#merge(node, value, mapping, keyNodes);
      else setField(mapping, key, this.#inside(key, value));
    }
    return mapping;
  }

  #key(node: ParsedNode): string | undefined {
    if (!this.#mayRead(node)) return undefined;
    if (isAlias(node)) return this.#follow(node, (target) => this.#key(target));
    if (isScalar(node)) return this.#scalars.key(node, this.#reading());
    this.#findings.add(
      'FW1009',
      this.#offset(node),
      `a ${isMap(node) ? 'mapping' : 'list'} is used as a key`,
      {
        path: this.#path,
        hint: 'put a text that begins with { or [ in quotes',
      },
    );
    return undefined;
  }

  #reportTwice(key: string, node: ParsedNode, first: ParsedNode): void {
    this.#findings.add(
      'FW1003',
      this.#offset(node),
      `the key "${key}" is repeated in one mapping, and the last value is used`,
      {
        path: [...this.#path, key],
        hint: 'remove one of the two: kubectl and Argo CD take the last one, kustomize rejects the file',
        related: { offset: this.#offset(first), message: 'the first one' },
      },
    );
  }

  /** as go-yaml merge: in the order of the text, so merged values replace the keys before them */
  #merge(
    node: ParsedNode,
    value: ParsedNode | null,
    into: Mapping,
    keyNodes: ReadonlyMap<string, ParsedNode>,
  ): void {
    for (const source of mergeSources(value)) {
      const target = source !== null && isAlias(source) ? this.#tree.anchors.get(source) : source;
      if (target !== undefined && !isMap(target)) {
        this.#findings.add(
          'FW1009',
          this.#offset(node),
          'the value of << is neither a mapping nor a list of mappings',
          {
            path: this.#path,
          },
        );
        continue;
      }
      for (const [key, field] of Object.entries(this.read(source) ?? {})) {
        const before = keyNodes.get(key);
        if (before !== undefined) this.#reportMergedOver(key, node, before);
        setField(into, key, field);
      }
    }
  }

  #reportMergedOver(key: string, node: ParsedNode, before: ParsedNode): void {
    this.#findings.add(
      'FW1003',
      this.#offset(node),
      `<< comes after the key "${key}" and replaces its value`,
      {
        path: [...this.#path, key],
        hint: 'write << first: kubectl takes the merged value here, other tools take that of the key',
        related: { offset: this.#offset(before), message: 'the key' },
      },
    );
  }

  #offset(node: ParsedNode): number {
    return this.#base + node.range[0];
  }
}

/** Writes the blank lines behind a backslash at the end of a line as `\\n`: the library would drop them. */
function withBlankLines(source: string): string {
  return source.replaceAll(
    /(\\[^\r\n])|\\\r?\n((?:[ \t]*\r?\n)+)/g,
    (text, escape: string | undefined, blank: string | undefined) =>
      escape === undefined && blank !== undefined
        ? `${'\\n'.repeat(blank.split('\n').length - 1)}\\\n`
        : text,
  );
}

function columnOf(text: string, offset: number): number {
  return offset - (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);
}

function setField(mapping: Mapping, key: string, value: unknown): void {
  // a plain assignment of this key would set the prototype
  if (key === '__proto__') Object.defineProperty(mapping, key, { value, ...ordinaryField });
  else mapping[key] = value;
}

const ordinaryField = { enumerable: true, configurable: true, writable: true };
