import { TemplateLimitError } from '../../gotemplate/index.ts';
import { TokenScanner } from './token-scanner.ts';
import type { Mark, Token, TokenKind } from './token.ts';
import { YamlError } from './yaml-error.ts';

/** A node of a document. */
export interface YamlNode {
  readonly kind: 'scalar' | 'mapping' | 'sequence' | 'alias';
  /** Counted from 0. */
  readonly line: number;
  /** Of a scalar or an alias. */
  readonly text: string;
  /** Empty without one. */
  readonly tag: string;
  /** Whether a scalar has no quotes and no tag, so that its text decides about its type. */
  readonly isImplicit: boolean;
  /** Of a sequence, or keys and values of a mapping in turn. */
  readonly children: YamlNode[];
  readonly target: YamlNode | undefined;
}

/** What is before the content of a node. */
interface NodeProperties {
  readonly start: Mark;
  readonly anchor: string | undefined;
  /** Empty without one. */
  readonly tag: string;
}

const standardTag = 'tag:yaml.org,2002:';
/** How many nodes a document may have. Go has no such bound. */
const mostNodes = 300_000;
const noChildren: YamlNode[] = [];
/** How deep nodes may be nested. */
const deepest = 1000;

/**
 * Reads the first document of a text. As the parser of go-yaml v2.
 *
 * @returns undefined for a text without a document
 * @throws {YamlError}
 * @throws {TemplateLimitError} for a document with too many nodes
 */
export function readNode(text: string): YamlNode | undefined {
  return new NodeReader(text).document();
}

class NodeReader {
  readonly #scanner: TokenScanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #handles = new Map<string, string>();
  #depth = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#scanner = new TokenScanner(text);
  }

  document(): YamlNode | undefined {
    let token = this.#scanner.peek();
    if (token.kind === 'stream end') return undefined;
    if (['version directive', 'tag directive', 'document start'].includes(token.kind)) {
      this.#directives();
      token = this.#scanner.peek();
      if (token.kind !== 'document start') fail('did not find expected <document start>', token.start);
      this.#scanner.skip();
      token = this.#scanner.peek();
      const isEmpty = ['version directive', 'tag directive', 'document start', 'document end', 'stream end'];
      if (isEmpty.includes(token.kind)) return emptyNode(token.start);
    } else this.#directives();
    const node = this.#node(true, false);
    // Go reads the token behind the document, too.
    this.#scanner.peek();
    return node;
  }

  #directives(): void {
    let hasVersion = false;
    for (;;) {
      const { kind, start, value, suffix } = this.#scanner.peek();
      if (kind === 'version directive') {
        if (hasVersion) fail('found duplicate %YAML directive', start);
        if (value !== '1.1') fail('found incompatible YAML document', start);
        hasVersion = true;
      } else if (kind === 'tag directive') {
        if (this.#handles.has(value)) fail('found duplicate %TAG directive', start);
        this.#handles.set(value, suffix);
      } else break;
      this.#scanner.skip();
    }
    for (const [handle, prefix] of [
      ['!', '!'],
      ['!!', standardTag],
    ] as const)
      if (!this.#handles.has(handle)) this.#handles.set(handle, prefix);
  }

  /** Whether the next token has one of the kinds. */
  #peekIs(one: TokenKind, two = one, three = one, four = one): boolean {
    const { kind } = this.#scanner.peek();
    return kind === one || kind === two || kind === three || kind === four;
  }

  #node(isBlock: boolean, mayBeIndentless: boolean): YamlNode {
    this.#depth += 1;
    this.#nodes += 1;
    if (this.#nodes > mostNodes)
      throw new TemplateLimitError(`a YAML document has more than ${String(mostNodes)} nodes`);
    if (this.#depth > deepest) throw new YamlError(`yaml: exceeded max depth of ${String(deepest)}`);
    const node = this.#content(isBlock, mayBeIndentless);
    this.#depth -= 1;
    return node;
  }

  #content(isBlock: boolean, mayBeIndentless: boolean): YamlNode {
    let token = this.#scanner.peek();
    if (token.kind === 'alias') {
      this.#scanner.skip();
      const target = this.#anchors.get(token.value);
      if (target === undefined) throw new YamlError(`yaml: unknown anchor '${token.value}' referenced`);
      return nodeOf('alias', token.start, { text: token.value, isImplicit: true, target });
    }
    const { start } = token;
    let anchor: string | undefined;
    let tagToken: Token | undefined;
    for (let count = 0; count < 2; count++) {
      if (token.kind === 'anchor' && anchor === undefined) anchor = token.value;
      else if (token.kind === 'tag' && tagToken === undefined) tagToken = token;
      else break;
      this.#scanner.skip();
      token = this.#scanner.peek();
    }
    const properties = { start, anchor, tag: tagToken === undefined ? '' : this.#tag(tagToken) };
    const { tag } = properties;
    if (mayBeIndentless && token.kind === 'block entry')
      return this.#indentless(this.#make('sequence', properties));
    if (token.kind === 'scalar') {
      this.#scanner.skip();
      const isImplicit = (tag === '' && token.isPlain) || tag === '!';
      return this.#make('scalar', properties, token.value, isImplicit);
    }
    if (token.kind === 'flow sequence') return this.#flowSequence(this.#make('sequence', properties));
    if (token.kind === 'flow mapping') return this.#flowMapping(this.#make('mapping', properties));
    if (isBlock && token.kind === 'block sequence')
      return this.#blockSequence(this.#make('sequence', properties));
    if (isBlock && token.kind === 'block mapping')
      return this.#blockMapping(this.#make('mapping', properties));
    if (anchor !== undefined || tag !== '') return this.#make('scalar', properties, '', tag === '');
    return fail('did not find expected node content', token.start, start);
  }

  #make(
    kind: YamlNode['kind'],
    { start, anchor, tag }: NodeProperties,
    text = '',
    isImplicit = false,
  ): YamlNode {
    const node = nodeOf(kind, start, { text, tag, isImplicit });
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #tag({ value: handle, suffix, start }: Token): string {
    if (handle === '') return suffix;
    const prefix = this.#handles.get(handle);
    return prefix === undefined ? fail('found undefined tag handle', start) : prefix + suffix;
  }

  #blockSequence(node: YamlNode): YamlNode {
    const { start } = this.#scanner.peek();
    this.#scanner.skip();
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === 'block end') break;
      if (token.kind !== 'block entry') fail("did not find expected '-' indicator", token.start, start);
      this.#scanner.skip();
      node.children.push(this.#nodeUnless(token, this.#peekIs('block entry', 'block end')));
    }
    this.#scanner.skip();
    return node;
  }

  /** A block node, or an empty one. */
  #nodeUnless({ start }: Token, isEmpty: boolean): YamlNode {
    return isEmpty ? emptyNode(start) : this.#node(true, false);
  }

  #indentless(node: YamlNode): YamlNode {
    while (this.#peekIs('block entry')) {
      const token = this.#scanner.peek();
      this.#scanner.skip();
      node.children.push(this.#nodeUnless(token, this.#peekIs('block entry', 'key', 'value', 'block end')));
    }
    return node;
  }

  #blockMapping(node: YamlNode): YamlNode {
    const { start } = this.#scanner.peek();
    this.#scanner.skip();
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === 'block end') break;
      if (token.kind !== 'key') fail('did not find expected key', token.start, start);
      this.#scanner.skip();
      node.children.push(this.#blockPart(token.start));
      const value = this.#scanner.peek();
      if (value.kind === 'value') {
        this.#scanner.skip();
        node.children.push(this.#blockPart(value.start));
      } else node.children.push(emptyNode(value.start));
    }
    this.#scanner.skip();
    return node;
  }

  #blockPart(mark: Mark): YamlNode {
    return this.#peekIs('key', 'value', 'block end') ? emptyNode(mark) : this.#node(true, true);
  }

  #flowSequence(node: YamlNode): YamlNode {
    const { start } = this.#scanner.peek();
    this.#scanner.skip();
    for (let isFirst = true; !this.#peekIs('flow sequence end'); isFirst = false) {
      if (!isFirst) {
        this.#flowSeparator("did not find expected ',' or ']'", start);
        if (this.#peekIs('flow sequence end')) break;
      }
      node.children.push(this.#peekIs('key') ? this.#pair() : this.#node(false, false));
    }
    this.#scanner.skip();
    return node;
  }

  #flowSeparator(problem: string, start: Mark): void {
    const token = this.#scanner.peek();
    if (token.kind !== 'flow entry') fail(problem, token.start, start);
    this.#scanner.skip();
  }

  /** `a: b` as an item of a flow sequence. */
  #pair(): YamlNode {
    const token = this.#scanner.peek();
    this.#scanner.skip();
    const node = nodeOf('mapping', token.start);
    if (this.#peekIs('value', 'flow entry', 'flow sequence end')) {
      // As Go, which skips the token here.
      node.children.push(emptyNode(this.#scanner.peek().start));
      this.#scanner.skip();
    } else node.children.push(this.#node(false, false));
    node.children.push(this.#flowValue('flow sequence end'));
    return node;
  }

  #flowValue(end: TokenKind): YamlNode {
    const token = this.#scanner.peek();
    if (token.kind !== 'value') return emptyNode(token.start);
    this.#scanner.skip();
    return this.#peekIs('flow entry', end) ? emptyNode(this.#scanner.peek().start) : this.#node(false, false);
  }

  #flowMapping(node: YamlNode): YamlNode {
    const { start } = this.#scanner.peek();
    this.#scanner.skip();
    for (let isFirst = true; !this.#peekIs('flow mapping end'); isFirst = false) {
      if (!isFirst) {
        this.#flowSeparator("did not find expected ',' or '}'", start);
        if (this.#peekIs('flow mapping end')) break;
      }
      if (!this.#peekIs('key')) {
        node.children.push(this.#node(false, false), emptyNode(this.#scanner.peek().start));
        continue;
      }
      this.#scanner.skip();
      node.children.push(
        this.#peekIs('value', 'flow entry', 'flow mapping end')
          ? emptyNode(this.#scanner.peek().start)
          : this.#node(false, false),
      );
      node.children.push(this.#flowValue('flow mapping end'));
    }
    this.#scanner.skip();
    return node;
  }
}

function emptyNode(start: Mark): YamlNode {
  return nodeOf('scalar', start, { isImplicit: true });
}

function nodeOf(
  kind: YamlNode['kind'],
  { line }: Mark,
  {
    text = '',
    tag = '',
    isImplicit = false,
    target,
  }: Partial<Pick<YamlNode, 'text' | 'tag' | 'isImplicit' | 'target'>> = {},
): YamlNode {
  const hasChildren = kind === 'mapping' || kind === 'sequence';
  return { kind, line, text, tag, isImplicit, children: hasChildren ? [] : noChildren, target };
}

/** As Go, whose lines of these errors are counted from 0. */
function fail(problem: string, mark: Mark, context: Mark = mark): never {
  const line = mark.line === 0 ? context.line : mark.line;
  throw new YamlError(`yaml: ${line === 0 ? '' : `line ${String(line)}: `}${problem}`, mark.line + 1);
}
