import type { Expression } from './expression.ts';
import type { Token } from './lexer.ts';

/** A part of the tree with how deep cel-go's visitor goes into it. */
export interface Node {
  readonly expression: Expression;
  readonly depth: number;
}

/** How deep the deepest of some nodes goes. */
export function deepest(nodes: readonly Node[]): number {
  return Math.max(0, ...nodes.map((node) => node.depth));
}

/** The call that an operator stands for; its own depth is added in `levels`. */
export function call({ offset }: Token, name: string, args: readonly Node[], levels: number): Node {
  return {
    expression: { kind: 'call', offset, name, args: args.map((arg) => arg.expression) },
    depth: deepest(args) + levels,
  };
}

/** Terms of `&&` or `||` as a balanced tree. As cel-go's logicManager. */
export function balanced(name: string, terms: readonly Node[], operators: readonly Token[]): Node {
  const middle = Math.trunc(operators.length / 2);
  const operator = operators[middle];
  const [only] = terms;
  if (operator === undefined && only !== undefined) return only;
  const left = balanced(name, terms.slice(0, middle + 1), operators.slice(0, middle));
  const right = balanced(name, terms.slice(middle + 1), operators.slice(middle + 1));
  return call(operator ?? { kind: 'end', text: '', offset: -1 }, name, [left, right], 0);
}
