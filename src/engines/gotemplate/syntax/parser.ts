import { TemplateError, TemplateLimitError } from '../error.ts';
import { quoted, unquote } from '../quote.ts';
import { byteLength } from '../text.ts';
import { Lexer } from './lexer.ts';
import { nodeText } from './node.ts';
import type {
  BranchNode,
  CommandNode,
  EndNode,
  Expression,
  ListNode,
  NumberNode,
  PipeNode,
  Statement,
  TemplateNode,
  VariableNode,
} from './node.ts';
import { parseCharacterLiteral, parseComplexLiteral, parseNumberLiteral } from './number-literal.ts';
import { isKeywordToken, type Token, type TokenKind } from './token.ts';

/** A parsed template: a whole text, or one of its `define` and `block` actions. */
export interface Tree {
  readonly name: string;
  /** The name of the text that it is part of. */
  readonly source: string;
  readonly text: string;
  readonly root: ListNode;
}

/** How deep actions and parentheses may be nested. */
const mostNested = 500;

/** The state of one `define`, `block` or whole text: Go has a tree for each. */
interface Scope {
  readonly name: string;
  variables: string[];
  rangeDepth: number;
}

/**
 * Parses a template and what it defines. As text/template/parse, with the same messages.
 *
 * @throws {TemplateError} for a syntax error
 */
export function parseTemplate(
  source: string,
  text: string,
  isFunction: (name: string) => boolean,
): ReadonlyMap<string, Tree> {
  return new Parser(source, text, isFunction).parse();
}

class Parser {
  readonly #source: string;
  readonly #text: string;
  readonly #isFunction: (name: string) => boolean;
  readonly #lexer: Lexer;
  readonly #trees = new Map<string, Tree>();
  /** The last token read, and those that were put back. */
  readonly #tokens: Token[] = [];
  #putBack = 0;
  #scope: Scope;
  /** The line of the action that is parsed; 0 outside of actions. */
  #actionLine = 0;
  #depth = 0;

  constructor(source: string, text: string, isFunction: (name: string) => boolean) {
    this.#source = source;
    this.#text = text;
    this.#isFunction = isFunction;
    this.#lexer = new Lexer(text);
    this.#scope = { name: source, variables: ['$'], rangeDepth: 0 };
  }

  parse(): ReadonlyMap<string, Tree> {
    const root: ListNode = { kind: 'list', position: this.#peek().position, nodes: [] };
    while (this.#peek().kind !== 'eof') {
      if (this.#peek().kind === 'leftDelimiter') {
        const delimiter = this.#next();
        if (this.#nextNonSpace().kind === 'define') {
          this.#definition();
          continue;
        }
        this.#backup2(delimiter);
      }
      const node = this.#textOrAction();
      if (isEnd(node)) this.#fail(`unexpected ${nodeText(node)}`);
      root.nodes.push(node);
    }
    this.#add(this.#source, root);
    return this.#trees;
  }

  #next(): Token {
    if (this.#putBack > 0) this.#putBack -= 1;
    else this.#tokens[0] = this.#lexer.next();
    return this.#tokens[this.#putBack] as Token;
  }

  #backup(): void {
    this.#putBack += 1;
  }

  #backup2(first: Token): void {
    this.#tokens[1] = first;
    this.#putBack = 2;
  }

  #backup3(first: Token, second: Token): void {
    this.#tokens[1] = second;
    this.#tokens[2] = first;
    this.#putBack = 3;
  }

  #peek(): Token {
    const token = this.#next();
    this.#backup();
    return token;
  }

  #nextNonSpace(): Token {
    let token = this.#next();
    while (token.kind === 'space') token = this.#next();
    return token;
  }

  #peekNonSpace(): Token {
    const token = this.#nextNonSpace();
    this.#backup();
    return token;
  }

  #fail(message: string): never {
    const line = this.#tokens[0]?.line ?? 1;
    throw new TemplateError(`template: ${this.#source}:${String(line)}: ${message}`, 'parse', {
      template: this.#source,
      line,
    });
  }

  #unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') this.#fail(`unexpected ${tokenText(token)} in ${context}`);
    if (this.#actionLine === 0 || this.#actionLine === token.line) this.#fail(token.text);
    const started = `started at ${this.#source}:${String(this.#actionLine)}`;
    this.#fail(`${token.text}${token.text.endsWith(' action') ? ' ' : ' in action '}${started}`);
  }

  #expect(kind: TokenKind, context: string): Token {
    const token = this.#nextNonSpace();
    if (token.kind !== kind) this.#unexpected(token, context);
    return token;
  }

  #nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > mostNested) {
      const position = { template: this.#source, line: this.#tokens[0]?.line ?? 1 };
      throw new TemplateLimitError(`more than ${String(mostNested)} nested actions`, position);
    }
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  #definition(): void {
    const context = 'define clause';
    const token = this.#nextNonSpace();
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#unexpected(token, context);
    const name = this.#unquoted(token);
    this.#expect('rightDelimiter', context);
    this.#add(name, this.#body(name, context));
  }

  /** Parses the list of a `define` or `block`, which has its own variables. */
  #body(name: string, context: string): ListNode {
    const outer = this.#scope;
    const outerLine = this.#actionLine;
    const outerToken = this.#tokens[0];
    this.#scope = { name, variables: ['$'], rangeDepth: 0 };
    this.#actionLine = 0;
    const { list, end } = this.#nested(() => this.#list());
    if (end.kind !== 'end') {
      // In Go the action around a block reports this, with its own last token.
      if (context === 'block clause' && outerToken !== undefined) this.#tokens[0] = outerToken;
      this.#fail(`unexpected ${nodeText(end)} in ${context}`);
    }
    this.#scope = outer;
    this.#actionLine = outerLine;
    return list;
  }

  #add(name: string, root: ListNode): void {
    const earlier = this.#trees.get(name);
    if (earlier === undefined || isEmptyTree(earlier.root))
      this.#trees.set(name, { name, source: this.#source, text: this.#text, root });
    else if (!isEmptyTree(root)) this.#fail(`template: multiple definition of template ${quoted(name)}`);
  }

  #list(): { list: ListNode; end: EndNode } {
    const list: ListNode = { kind: 'list', position: this.#peekNonSpace().position, nodes: [] };
    while (this.#peekNonSpace().kind !== 'eof') {
      const node = this.#textOrAction();
      if (isEnd(node)) return { list, end: node };
      list.nodes.push(node);
    }
    return this.#fail('unexpected EOF');
  }

  #textOrAction(): Statement | EndNode {
    const token = this.#nextNonSpace();
    if (token.kind === 'text') return { kind: 'text', position: token.position, text: token.text };
    if (token.kind !== 'leftDelimiter') this.#unexpected(token, 'input');
    this.#actionLine = token.line;
    const action = this.#action();
    this.#actionLine = 0;
    return action;
  }

  #action(): Statement | EndNode {
    const token = this.#nextNonSpace();
    switch (token.kind as string) {
      case 'block':
        return this.#block();
      case 'break':
        return this.#jump(token, 'break');
      case 'continue':
        return this.#jump(token, 'continue');
      case 'else':
        return this.#else();
      case 'end':
        return { kind: 'end', position: this.#expect('rightDelimiter', 'end').position };
      case 'if':
        return this.#branch('if');
      case 'range':
        return this.#branch('range');
      case 'with':
        return this.#branch('with');
      case 'template':
        return this.#template();
      default: {
        this.#backup();
        const { position } = this.#peek();
        return { kind: 'action', position, pipe: this.#pipeline('command', 'rightDelimiter') };
      }
    }
  }

  #jump({ position }: Token, kind: 'break' | 'continue'): Statement {
    const next = this.#nextNonSpace();
    if (next.kind !== 'rightDelimiter') this.#unexpected(next, `{{${kind}}}`);
    if (this.#scope.rangeDepth === 0) this.#fail(`{{${kind}}} outside {{range}}`);
    return { kind, position };
  }

  #else(): EndNode {
    const next = this.#peekNonSpace();
    if (next.kind === 'if' || next.kind === 'with') return { kind: 'else', position: next.position };
    return { kind: 'else', position: this.#expect('rightDelimiter', 'else').position };
  }

  #branch(kind: BranchNode['kind']): BranchNode {
    const outerVariables = this.#scope.variables.length;
    const pipe = this.#pipeline(kind, 'rightDelimiter');
    if (kind === 'range') this.#scope.rangeDepth += 1;
    const { list, end } = this.#nested(() => this.#list());
    if (kind === 'range') this.#scope.rangeDepth -= 1;
    const elseList = end.kind === 'else' ? this.#elseList(kind, end) : undefined;
    this.#scope.variables.length = outerVariables;
    return { kind, position: pipe.position, pipe, list, elseList };
  }

  #elseList(kind: BranchNode['kind'], { position }: EndNode): ListNode {
    // `{{else if}}` ends with the `{{end}}` of the whole chain.
    if (kind !== 'range' && this.#peek().kind === kind) {
      this.#next();
      return { kind: 'list', position, nodes: [this.#nested(() => this.#branch(kind))] };
    }
    const { list, end } = this.#nested(() => this.#list());
    if (end.kind !== 'end') this.#fail(`expected end; found ${nodeText(end)}`);
    return list;
  }

  #block(): TemplateNode {
    const context = 'block clause';
    const token = this.#nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipeline(context, 'rightDelimiter');
    this.#add(name, this.#body(name, context));
    return { kind: 'template', position: token.position, name, pipe };
  }

  #template(): TemplateNode {
    const context = 'template clause';
    const token = this.#nextNonSpace();
    const name = this.#templateName(token, context);
    if (this.#nextNonSpace().kind === 'rightDelimiter')
      return { kind: 'template', position: token.position, name, pipe: undefined };
    this.#backup();
    return {
      kind: 'template',
      position: token.position,
      name,
      pipe: this.#pipeline(context, 'rightDelimiter'),
    };
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#unexpected(token, context);
    return this.#unquoted(token);
  }

  #unquoted({ text }: Token): string {
    return unquote(text) ?? this.#fail('invalid syntax');
  }

  #pipeline(context: string, end: TokenKind): PipeNode {
    const { position } = this.#peekNonSpace();
    const pipe: PipeNode = { kind: 'pipe', position, isAssignment: false, variables: [], commands: [] };
    while (this.#declaration(pipe, context));
    for (;;) {
      const token = this.#nextNonSpace();
      if (token.kind === end) break;
      if (!beginsOperand.has(token.kind)) this.#unexpected(token, context);
      this.#backup();
      pipe.commands.push(this.#command());
    }
    this.#checkPipeline(pipe, context);
    return pipe;
  }

  /** Parses a variable that the pipeline sets; returns whether another one may follow. */
  #declaration(pipe: PipeNode, context: string): boolean {
    const variable = this.#peekNonSpace();
    if (variable.kind !== 'variable') return false;
    this.#next();
    const adjacent = this.#peek();
    const next = this.#peekNonSpace();
    if (next.kind === 'assign' || next.kind === 'declare') {
      pipe.isAssignment = next.kind === 'assign';
      this.#nextNonSpace();
      this.#declare(pipe, variable);
    } else if (next.kind === 'character' && next.text === ',') {
      this.#nextNonSpace();
      this.#declare(pipe, variable);
      if (context === 'range' && pipe.variables.length < 2) {
        if (['variable', 'rightDelimiter', 'rightParen'].includes(this.#peekNonSpace().kind)) return true;
        this.#fail('range can only initialize variables');
      }
      this.#fail(`too many declarations in ${context}`);
    } else if (adjacent.kind === 'space') this.#backup3(variable, adjacent);
    else this.#backup2(variable);
    return false;
  }

  #declare(pipe: PipeNode, { position, text }: Token): void {
    pipe.variables.push({ kind: 'variable', position, names: text.split('.') });
    this.#scope.variables.push(text);
  }

  #checkPipeline({ commands }: PipeNode, context: string): void {
    if (commands.length === 0) this.#fail(`missing value for ${context}`);
    for (const [index, { args }] of commands.entries())
      if (index > 0 && ['bool', 'dot', 'nil', 'number', 'string'].includes(args[0]?.kind ?? ''))
        this.#fail(`non executable command in pipeline stage ${String(index + 1)}`);
  }

  #command(): CommandNode {
    const command: CommandNode = { kind: 'command', position: this.#peekNonSpace().position, args: [] };
    for (;;) {
      this.#peekNonSpace();
      const operand = this.#operand();
      if (operand !== undefined) command.args.push(operand);
      const token = this.#next();
      if (token.kind === 'space') continue;
      if (token.kind === 'rightDelimiter' || token.kind === 'rightParen') this.#backup();
      else if (token.kind !== 'pipe') this.#unexpected(token, 'operand');
      break;
    }
    if (command.args.length === 0) this.#fail('empty command');
    return command;
  }

  /** Parses a term and the fields after it; undefined if the next token begins no term. */
  #operand(): Expression | undefined {
    const node = this.#term();
    if (node === undefined || this.#peek().kind !== 'field') return node;
    const { position } = this.#peek();
    const names: string[] = [];
    while (this.#peek().kind === 'field') names.push(this.#next().text.slice(1));
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, position, names: [...node.names, ...names] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.#fail(`unexpected . after term ${quoted(nodeText(node))}`);
      case 'chain':
      case 'identifier':
      case 'pipe':
        break;
    }
    return { kind: 'chain', position, node, names };
  }

  #term(): Expression | undefined {
    const token = this.#nextNonSpace();
    const { position, text } = token;
    switch (token.kind as string) {
      case 'identifier':
        if (!this.#isFunction(text)) this.#fail(`function ${quoted(text)} not defined`);
        return { kind: 'identifier', position, name: text };
      case 'dot':
        return { kind: 'dot', position };
      case 'nil':
        return { kind: 'nil', position };
      case 'variable':
        return this.#variable(token);
      case 'field':
        return { kind: 'field', position, names: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', position, value: text === 'true' };
      case 'characterConstant':
      case 'complex':
      case 'number':
        return this.#number(token);
      case 'leftParen':
        return this.#nested(() => this.#pipeline('parenthesized pipeline', 'rightParen'));
      case 'string':
      case 'rawString':
        return { kind: 'string', position, literal: text, text: this.#unquoted(token) };
      default:
        this.#backup();
        return undefined;
    }
  }

  #variable({ position, text }: Token): VariableNode {
    if (!this.#scope.variables.includes(text)) this.#fail(`undefined variable ${quoted(text)}`);
    return { kind: 'variable', position, names: [text] };
  }

  #number({ kind, position, text }: Token): NumberNode {
    const parse =
      kind === 'complex'
        ? parseComplexLiteral
        : kind === 'number'
          ? parseNumberLiteral
          : parseCharacterLiteral;
    const value = parse(text);
    if (typeof value === 'string') this.#fail(value);
    return { kind: 'number', position, text, value };
  }
}

const beginsOperand: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'bool',
  'characterConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

function isEnd(node: Statement | EndNode): node is EndNode {
  return node.kind === 'end' || node.kind === 'else';
}

/** Whether a template has nothing but space, so that another definition of its name replaces it. */
export function isEmptyTree({ nodes }: ListNode): boolean {
  return nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
}

/** Returns a token as messages show it. */
function tokenText(token: Token): string {
  if (token.kind === 'eof') return 'EOF';
  if (isKeywordToken(token)) return `<${token.text}>`;
  if (byteLength(token.text) <= 10) return quoted(token.text);
  return `${quoted(Array.from(token.text).slice(0, 10).join(''))}...`;
}
