import type { CelValue } from '../values/value.ts';

/** A parsed expression. `offset` is the position at which the hub reports errors, in code points. */
export type Expression =
  | LiteralExpression
  | IdentExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | ComprehensionExpression;

export interface LiteralExpression {
  readonly kind: 'literal';
  readonly offset: number;
  readonly value: CelValue;
}

/** A name; with a leading dot it is the global one. */
export interface IdentExpression {
  readonly kind: 'ident';
  readonly offset: number;
  readonly name: string;
}

/** `operand.field`; with `testOnly`, `has(operand.field)`. */
export interface SelectExpression {
  readonly kind: 'select';
  readonly offset: number;
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}

/** A function, method or operator. Operators have cel-go's names, such as `_+_` and `_?_:_`. */
export interface CallExpression {
  readonly kind: 'call';
  readonly offset: number;
  readonly name: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

export interface ListExpression {
  readonly kind: 'list';
  readonly offset: number;
  readonly elements: readonly ListElement[];
}

export interface ListElement {
  readonly value: Expression;
  /** Written `?value`: left out if the optional is empty. */
  readonly optional: boolean;
}

export interface MapExpression {
  readonly kind: 'map';
  readonly offset: number;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `typeName{field: value}`. */
export interface StructExpression {
  readonly kind: 'struct';
  readonly offset: number;
  readonly typeName: string;
  readonly values: readonly Expression[];
}

/**
 * The expansion of macros such as `all` and `map`: `accuInit`, then `step` for each element of `range` while `condition` holds,
 * and `result` at the end.
 */
export interface ComprehensionExpression {
  readonly kind: 'comprehension';
  readonly offset: number;
  readonly iterVar: string;
  readonly range: Expression;
  readonly accuVar: string;
  readonly accuInit: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** Returns a copy of the expression, so that both copies can be checked separately. */
export function copyExpression(expression: Expression): Expression {
  switch (expression.kind) {
    case 'literal':
    case 'ident':
      return { ...expression };
    case 'select':
      return { ...expression, operand: copyExpression(expression.operand) };
    case 'call': {
      const { target, ...call } = expression;
      const args = call.args.map(copyExpression);
      return target === undefined ? { ...call, args } : { ...call, target: copyExpression(target), args };
    }
    case 'list':
      return {
        ...expression,
        elements: expression.elements.map(({ value, optional }) => ({
          value: copyExpression(value),
          optional,
        })),
      };
    case 'map':
      return {
        ...expression,
        entries: expression.entries.map(({ key, value, optional }) => ({
          key: copyExpression(key),
          value: copyExpression(value),
          optional,
        })),
      };
    case 'struct':
      return { ...expression, values: expression.values.map(copyExpression) };
    case 'comprehension':
      break;
  }
  return {
    ...expression,
    range: copyExpression(expression.range),
    accuInit: copyExpression(expression.accuInit),
    condition: copyExpression(expression.condition),
    step: copyExpression(expression.step),
    result: copyExpression(expression.result),
  };
}

/** Returns the direct parts of an expression, without their own parts. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'list':
      return expression.elements.map((element) => element.value);
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.values;
    case 'comprehension':
      break;
  }
  const { range, accuInit, condition, step, result } = expression;
  return [range, accuInit, condition, step, result];
}

/** Returns `a.b.c` as one name, if it consists of names only. */
export function qualifiedName(expression: Expression): { name: string; first: string } | undefined {
  if (expression.kind === 'ident') return { name: expression.name, first: expression.name };
  if (expression.kind !== 'select' || expression.testOnly) return undefined;
  const operand = qualifiedName(expression.operand);
  return operand && { name: `${operand.name}.${expression.field}`, first: operand.first };
}
