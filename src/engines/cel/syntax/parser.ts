import type { CelBehaviour } from '../behaviour.ts';
import type { Expression, ListElement, MapEntry } from './expression.ts';
import { tokenize } from './lexer.ts';
import type { Token, TokenKind } from './lexer.ts';
import { parseBytes, parseDouble, parseInt64, parseString, parseUint64 } from './literal.ts';
import type { ParsedLiteral } from './literal.ts';
import { expandMacro } from './macro.ts';
import { balanced, call, deepest, type Node } from './node.ts';
import type { ExpressionFault, Source } from './source.ts';
import { ParsingEnd, TokenReader, recursionLimit } from './token-reader.ts';

const sizeLimit = 100_000;

/** Names that no variable or function can have; fields can have them. */
const reserved = new Set([
  'as', 'break', 'const', 'continue', 'else', 'false', 'for', 'function', 'if', 'import', 'in', 'let', 'loop',
  'package', 'namespace', 'null', 'return', 'true', 'var', 'void', 'while',
]); // prettier-ignore

const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const products = new Set(['*', '/', '%']);
const sums = new Set(['+', '-']);

/** The parser of each kind of literal. */
const literals: Partial<Record<TokenKind, (text: string) => ParsedLiteral>> = {
  int: parseInt64,
  uint: parseUint64,
  double: parseDouble,
  string: parseString,
  bytes: parseBytes,
};

/** An expression, or all its syntax errors. */
export type Parsed =
  | { readonly expression: Expression; readonly faults?: undefined }
  | { readonly expression?: undefined; readonly faults: readonly ExpressionFault[] };

/** Parses an expression and expands its macros, as cel-go's parser with optional syntax. */
export function parse(source: Source, behaviour: CelBehaviour): Parsed {
  const size = source.characters.length;
  if (size > sizeLimit) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${sizeLimit}`;
    return { faults: [{ offset: -1, message }] };
  }
  const { tokens, faults } = tokenize(source);
  const parser = new Parser(tokens, behaviour);
  const expression = parser.parse();
  const all = [...faults, ...parser.faults];
  return expression === undefined || all.length > 0 ? { faults: all } : { expression };
}

class Parser {
  readonly #in: TokenReader;
  readonly #behaviour: CelBehaviour;

  constructor(tokens: readonly Token[], behaviour: CelBehaviour) {
    this.#in = new TokenReader(tokens);
    this.#behaviour = behaviour;
  }

  get faults(): readonly ExpressionFault[] {
    return this.#in.faults;
  }

  parse(): Expression | undefined {
    try {
      const node = this.#expression();
      if (this.#in.peek().kind !== 'end') this.#in.unexpected(['<EOF>'], this.#in.peek(1).kind === 'end');
      if (node.depth > recursionLimit) this.#in.stop(-1, 'max recursion depth exceeded');
      return node.expression;
    } catch (error) {
      if (error instanceof ParsingEnd) return undefined;
      throw error;
    }
  }

  #report(offset: number, message: string): void {
    this.#in.faults.push({ offset, message });
  }

  #expression(): Node {
    return this.#in.nested('expression', () => {
      const condition = this.#disjunction();
      const question = this.#in.take('?');
      if (question === undefined) return condition;
      const positive = this.#disjunction();
      this.#in.expect(':');
      const negative = this.#expression();
      return call(question, '_?_:_', [condition, positive, negative], 1);
    });
  }

  #disjunction(): Node {
    return this.#balanced('||', '_||_', () => this.#balanced('&&', '_&&_', () => this.#relation()));
  }

  /** Converts chains of `&&` and `||` to balanced trees. */
  #balanced(operator: string, name: string, parse: () => Node): Node {
    const terms = [parse()];
    const operators: Token[] = [];
    for (let token = this.#in.take(operator); token !== undefined; token = this.#in.take(operator)) {
      operators.push(token);
      terms.push(parse());
    }
    return balanced(name, terms, operators);
  }

  #relation(): Node {
    return this.#in.nested('relation', () => {
      let left = this.#calculation(sums);
      while (this.#in.isOneOf(relations)) {
        const operator = this.#in.next();
        const name = operator.text === 'in' ? '@in' : `_${operator.text}_`;
        const right = this.#in.nested('relation', () => this.#calculation(sums));
        left = call(operator, name, [left, right], 1);
      }
      return left;
    });
  }

  #calculation(operators: ReadonlySet<string>): Node {
    const operand = () => (operators === sums ? this.#calculation(products) : this.#unary());
    const parse = () => {
      let left = operand();
      while (this.#in.isOneOf(operators)) {
        const operator = this.#in.next();
        left = call(operator, `_${operator.text}_`, [left, this.#in.nested('calculation', operand)], 1);
      }
      return left;
    };
    // sums and products are one rule of the grammar
    return operators === sums ? this.#in.nested('calculation', parse) : parse();
  }

  #unary(): Node {
    const first = this.#in.peek();
    const isNumber = ['int', 'double'].includes(this.#in.peek(1).kind);
    if (!this.#in.is('!') && (!this.#in.is('-') || isNumber)) return this.#member();
    let count = 0;
    while (this.#in.take(first.text)) count += 1;
    const operand = this.#member();
    return count % 2 === 0 ? operand : call(first, first.text === '!' ? '!_' : '-_', [operand], 0);
  }

  #member(): Node {
    let node = this.#primary();
    for (;;) {
      const dot = this.#in.take('.');
      if (dot !== undefined) {
        node = this.#field(node, dot);
        continue;
      }
      const bracket = this.#in.take('[');
      if (bracket === undefined) return node;
      const optional = this.#in.take('?') !== undefined;
      const index = this.#operand(['?']);
      this.#in.expect(']');
      node = call(bracket, optional ? '_[?_]' : '_[_]', [node, index], 1);
    }
  }

  #field(target: Node, dot: Token): Node {
    const optional = this.#in.take('?') !== undefined;
    const name = this.#fieldName(optional);
    if (!optional && name.kind === 'identifier' && this.#in.is('('))
      return this.#call(this.#in.next(), name.text, target);
    const field = name.kind === 'identifier' ? name.text : name.text.slice(1, -1);
    if (name.kind !== 'identifier' && !this.#behaviour.escapedIdentifiers)
      this.#report(name.offset, "unsupported syntax: '`'");
    const depth = target.depth + 1;
    if (!optional) {
      const operand = target.expression;
      return { expression: { kind: 'select', offset: dot.offset, operand, field, testOnly: false }, depth };
    }
    const literal: Expression = { kind: 'literal', offset: name.offset, value: field };
    const expression: Expression = {
      kind: 'call',
      offset: dot.offset,
      name: '_?._',
      args: [target.expression, literal],
    };
    return { expression, depth };
  }

  #fieldName(optional: boolean): Token {
    const { kind, text, offset } = this.#in.peek();
    if (kind === 'identifier' || kind === 'escaped identifier') return this.#in.next();
    if (optional) return this.#in.unexpected(['IDENTIFIER', 'ESC_IDENTIFIER']);
    if (['true', 'false', 'null'].includes(text)) return this.#in.unexpected(['IDENTIFIER']);
    const input = kind === 'end' ? '' : text;
    return this.#in.stop(offset, `Syntax error: no viable alternative at input '.${input}'`);
  }

  /** Parses a call, after its opening parenthesis. */
  #call(open: Token, name: string, target?: Node): Node {
    const args: Node[] = [];
    if (!this.#in.take(')')) {
      do args.push(this.#operand(args.length === 0 ? [')'] : []));
      while (this.#in.take(','));
      this.#in.expect(')');
    }
    const { offset } = open;
    const operands = args.map((arg) => arg.expression);
    const depth =
      Math.max(0, target?.depth ?? 0, ...args.map((arg) => arg.depth)) + (target === undefined ? 0 : 1);
    const expanded = expandMacro(offset, name, target?.expression, operands);
    if (expanded === undefined) {
      const plain = { kind: 'call', offset, name, args: operands } as const;
      return { expression: target === undefined ? plain : { ...plain, target: target.expression }, depth };
    }
    if ('kind' in expanded) return { expression: expanded, depth };
    this.#report(expanded.fault.offset, expanded.fault.message);
    return { expression: { kind: 'literal', offset, value: null }, depth };
  }

  /** Parses an expression within brackets; `also` lists the alternatives for error messages. */
  #operand(also: readonly string[] = []): Node {
    this.#in.expectStart(also);
    return this.#expression();
  }

  #primary(): Node {
    this.#in.expectStart();
    const token = this.#in.next();
    const { offset } = token;
    if (token.kind === 'identifier') return this.#name(token, '');
    const parseLiteral = literals[token.kind];
    if (parseLiteral !== undefined) return this.#literal(offset, parseLiteral(token.text));
    switch (token.text) {
      case '(': {
        const inner = this.#operand();
        this.#in.expect(')');
        return inner;
      }
      case '[':
        return this.#list(offset);
      case '{':
        return this.#map(offset);
      case '.':
        if (this.#in.peek().kind !== 'identifier') this.#in.unexpected(['IDENTIFIER'], false);
        return this.#name(this.#in.next(), '.');
      case '-': {
        if (!['int', 'double'].includes(this.#in.peek().kind))
          this.#in.unexpected(['NUM_FLOAT', 'NUM_INT'], false);
        const number = this.#in.next();
        const text = `-${number.text}`;
        return this.#literal(offset, number.kind === 'int' ? parseInt64(text) : parseDouble(text));
      }
      default:
        return this.#literal(offset, { value: token.text === 'null' ? null : token.text === 'true' });
    }
  }

  #literal(offset: number, { value, error }: ParsedLiteral): Node {
    if (error !== undefined) this.#report(offset, error);
    return { expression: { kind: 'literal', offset, value: value ?? null }, depth: 0 };
  }

  /** Parses a variable, a function or the type of a message. */
  #name(token: Token, dot: string): Node {
    const message = this.#messageName(token, dot);
    if (message !== undefined) return message;
    const name = dot + token.text;
    const open = this.#in.take('(');
    if (reserved.has(token.text)) this.#report(token.offset, `reserved identifier: ${token.text}`);
    if (open !== undefined) return this.#call(open, name);
    return { expression: { kind: 'ident', offset: token.offset, name }, depth: 0 };
  }

  /** Parses `a.b.C{…}`; undefined if no brace follows the name. */
  #messageName(token: Token, dot: string): Node | undefined {
    let ahead = 0;
    while (this.#in.is('.', ahead) && this.#in.peek(ahead + 1).kind === 'identifier') ahead += 2;
    if (!this.#in.is('{', ahead)) return undefined;
    const name = [token.text, ...Array.from({ length: ahead }, () => this.#in.next().text)];
    const { offset } = this.#in.next();
    const values = this.#items('}', () => {
      this.#in.take('?');
      this.#fieldName(false);
      this.#in.expect(':');
      return this.#operand();
    });
    return {
      expression: {
        kind: 'struct',
        offset,
        typeName: dot + name.join(''),
        values: values.map((value) => value.expression),
      },
      depth: deepest(values),
    };
  }

  #list(offset: number): Node {
    const nodes: Node[] = [];
    const elements = this.#items(']', (): ListElement => {
      const optional = this.#in.take('?') !== undefined;
      const node = this.#operand();
      nodes.push(node);
      return { value: node.expression, optional };
    });
    return { expression: { kind: 'list', offset, elements }, depth: deepest(nodes) };
  }

  #map(offset: number): Node {
    const nodes: Node[] = [];
    const entries = this.#items('}', (): MapEntry => {
      const optional = this.#in.take('?') !== undefined;
      const key = this.#operand();
      this.#in.expect(':');
      const value = this.#operand();
      nodes.push(key, value);
      return { key: key.expression, value: value.expression, optional };
    });
    return { expression: { kind: 'map', offset, entries }, depth: deepest(nodes) };
  }

  /** Parses the list between brackets. A trailing comma is allowed. */
  #items<T>(close: string, parse: () => T): T[] {
    const items: T[] = [];
    for (;;) {
      const comma = items.length > 0 || this.#in.is(',', 0) ? this.#in.take(',') : undefined;
      if (this.#in.take(close)) return items;
      if (items.length > 0 && comma === undefined) this.#in.expect(close, ["','"]);
      const ends = this.#in.peek().kind === 'end';
      if (comma !== undefined && (items.length === 0 || ends)) this.#in.expect(close);
      items.push(parse());
    }
  }
}
