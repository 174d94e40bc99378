import { quoted } from '../quote.ts';
import type { NumberLiteral } from './number-literal.ts';

interface Positioned {
  /** Offset in the text of the template. */
  readonly position: number;
}

export interface TextNode extends Positioned {
  readonly kind: 'text';
  readonly text: string;
}

export interface ActionNode extends Positioned {
  readonly kind: 'action';
  readonly pipe: PipeNode;
}

/** `if`, `with` and `range`. */
export interface BranchNode extends Positioned {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}

export interface JumpNode extends Positioned {
  readonly kind: 'break' | 'continue';
}

export interface TemplateNode extends Positioned {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

/** What ends a list; only the parser sees it. */
export interface EndNode extends Positioned {
  readonly kind: 'end' | 'else';
}

export interface ListNode extends Positioned {
  readonly kind: 'list';
  readonly nodes: Statement[];
}

export type Statement = TextNode | ActionNode | BranchNode | JumpNode | TemplateNode;

export interface PipeNode extends Positioned {
  readonly kind: 'pipe';
  /** Whether it sets variables that exist, instead of declaring them. */
  isAssignment: boolean;
  readonly variables: VariableNode[];
  readonly commands: CommandNode[];
}

export interface CommandNode extends Positioned {
  readonly kind: 'command';
  readonly args: Expression[];
}

export interface IdentifierNode extends Positioned {
  readonly kind: 'identifier';
  readonly name: string;
}

/** A variable and fields of it; the first name begins with `$`. */
export interface VariableNode extends Positioned {
  readonly kind: 'variable';
  readonly names: readonly string[];
}

export interface FieldNode extends Positioned {
  readonly kind: 'field';
  readonly names: readonly string[];
}

/** Fields of something else than a field or variable, such as `(index .a 0).b`. */
export interface ChainNode extends Positioned {
  readonly kind: 'chain';
  readonly node: Expression;
  readonly names: string[];
}

export interface NumberNode extends Positioned {
  readonly kind: 'number';
  readonly text: string;
  readonly value: NumberLiteral;
}

export interface StringNode extends Positioned {
  readonly kind: 'string';
  /** The literal, as written. */
  readonly literal: string;
  readonly text: string;
}

export interface BoolNode extends Positioned {
  readonly kind: 'bool';
  readonly value: boolean;
}

export interface ConstantNode extends Positioned {
  readonly kind: 'dot' | 'nil';
}

export type Expression =
  | PipeNode
  | IdentifierNode
  | VariableNode
  | FieldNode
  | ChainNode
  | NumberNode
  | StringNode
  | BoolNode
  | ConstantNode;

export type Node = Statement | ListNode | CommandNode | Expression;

/** Returns the text of a node as Go's messages show it. */
export function nodeText(node: Node | EndNode): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'action':
      return `{{${nodeText(node.pipe)}}}`;
    case 'template':
      return `{{template ${quoted(node.name)}${node.pipe === undefined ? '' : ` ${nodeText(node.pipe)}`}}}`;
    case 'pipe':
      return pipeText(node);
    case 'command':
      return node.args.map(argumentText).join(' ');
    case 'identifier':
      return node.name;
    case 'variable':
      return node.names.join('.');
    case 'field':
      return node.names.map((name) => `.${name}`).join('');
    case 'chain':
      return argumentText(node.node) + node.names.map((name) => `.${name}`).join('');
    case 'number':
      return node.text;
    case 'string':
      return node.literal;
    case 'bool':
      return String(node.value);
    case 'dot':
      return '.';
    case 'list':
      return node.nodes.map(nodeText).join('');
    case 'nil':
      return 'nil';
    case 'if':
    case 'with':
    case 'range':
    case 'break':
    case 'continue':
    case 'end':
    case 'else':
      break;
  }
  return `{{${node.kind}}}`;
}

function pipeText({ variables, isAssignment, commands }: PipeNode): string {
  const names = variables.map(nodeText).join(', ');
  const declaration = variables.length === 0 ? '' : `${names} ${isAssignment ? '=' : ':='} `;
  return declaration + commands.map(nodeText).join(' | ');
}

function argumentText(node: Expression): string {
  return node.kind === 'pipe' ? `(${nodeText(node)})` : nodeText(node);
}
