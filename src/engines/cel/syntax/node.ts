import type { Expression } from './expression.ts';
import type { Token } from './lexer.ts';

/** A part of the tree, with the recursion depth of cel-go's visitor in it. */
export interface Node {
  readonly expression: Expression;
  readonly depth: number;
}

/** Returns the depth of the deepest of some nodes. */
export function deepest(nodes: readonly Node[]): number {
  return Math.max(0, ...nodes.map((node) => node.depth));
}

/** Returns the call of an operator; its own depth is added in `levels`. */
export function call({ offset }: Token, name: string, args: readonly Node[], levels: number): Node {
  return {
    expression: { kind: 'call', offset, name, args: args.map((arg) => arg.expression) },
    depth: deepest(args) + levels,
  };
}

/** Returns terms of `&&` or `||` as a balanced tree. As cel-go's logicManager. */
export function balanced(name: string, terms: readonly Node[], operators: readonly Token[]): Node {
  const middle = Math.trunc(operators.length / 2);
  const operator = operators[middle];
  const [only] = terms;
  if (operator === undefined && only !== undefined) return only;
  const left = balanced(name, terms.slice(0, middle + 1), operators.slice(0, middle));
  const right = balanced(name, terms.slice(middle + 1), operators.slice(middle + 1));
  return call(operator ?? { kind: 'end', text: '', offset: -1 }, name, [left, right], 0);
}
