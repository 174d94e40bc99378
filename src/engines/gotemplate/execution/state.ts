import { TemplateError, TemplateLimitError, type TemplatePosition } from '../error.ts';
import { quoted } from '../quote.ts';
import type { Node } from '../syntax/node.ts';
import { nodeText } from '../syntax/node.ts';
import type { Tree } from '../syntax/parser.ts';
import { byteLength } from '../text.ts';
import type { Call, GoFunction, Operand, ReadListener } from '../value.ts';
import type { Meter } from './limits.ts';
import type { Output } from './output.ts';

/** What all templates of one execution share. */
export interface Run {
  readonly meter: Meter;
  /** What happens where a map has no entry for a field. */
  readonly missingKey: 'default' | 'zero' | 'error';
  lookup(name: string): Tree | undefined;
  findFunction(name: string): { readonly function: GoFunction; readonly isBuiltin: boolean } | undefined;
  /** What functions see of the execution. */
  readonly call: Call;
  /** Receives what each chain of fields reads. */
  readonly onRead?: ReadListener | undefined;
}

/** The execution of one template: its variables, and the node that messages name. */
export class State {
  readonly run: Run;
  readonly tree: Tree;
  readonly output: Output;
  node: Node | undefined;
  readonly #names: string[] = ['$'];
  readonly #values: Operand[];

  constructor(run: Run, tree: Tree, output: Output, dot: Operand) {
    this.run = run;
    this.tree = tree;
    this.output = output;
    this.#values = [dot];
  }

  /** The number of variables, for `pop`. */
  mark(): number {
    return this.#names.length;
  }

  pop(mark: number): void {
    this.#names.length = mark;
    this.#values.length = mark;
  }

  push(name: string, value: Operand): void {
    this.#names.push(name);
    this.#values.push(value);
  }

  /** Sets the variable that was declared last with a name. */
  set(name: string, value: Operand): void {
    this.#values[this.#indexOf(name)] = value;
  }

  /** Sets a variable by its position from the end, counted from 1. */
  setTop(position: number, value: Operand): void {
    this.#values[this.#values.length - position] = value;
  }

  variable(name: string): Operand {
    return this.#values[this.#indexOf(name)];
  }

  #indexOf(name: string): number {
    const index = this.#names.lastIndexOf(name);
    return index < 0 ? this.fail(`undefined variable: ${name}`) : index;
  }

  /** @throws {TemplateError} with the position of the current node */
  fail(message: string, cause?: Error): never {
    const { node, tree } = this;
    if (node === undefined)
      throw new TemplateError(`template: ${tree.name}: ${message}`, 'execute', undefined, cause);
    const position = positionOf(tree, node.position);
    const location = `${position.template}:${String(position.line)}:${String(position.column)}`;
    throw new TemplateError(
      `template: ${location}: executing ${quoted(tree.name)} at <${nodeText(node)}>: ${message}`,
      'execute',
      position,
      cause,
    );
  }

  /** Returns a limit's error with the position of the current node. */
  located(error: TemplateLimitError): TemplateLimitError {
    if (error.position !== undefined || this.node === undefined) return error;
    return new TemplateLimitError(error.message, positionOf(this.tree, this.node.position));
  }
}

/** Returns where a node is, as Go counts. */
export function positionOf(tree: Tree, position: number): Required<TemplatePosition> {
  const before = tree.text.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    template: tree.source,
    line: before.split('\n').length,
    column: byteLength(before.slice(lineStart)),
  };
}
