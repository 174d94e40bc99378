import type { Expression, Item } from './expression.ts';

/** Returns the direct parts of an expression, without their own parts. */
export function partsOf(expression: Expression): readonly Item[] {
  switch (expression.type) {
    case 'object':
      return expression.properties;
    case 'list':
      return expression.items;
    case 'function':
      return expression.body;
    case 'new':
    case 'call':
      return [{ value: expression.callee }, ...expression.arguments.map((value): Item => ({ value }))];
    case 'member':
      return [{ value: expression.object }];
    case 'literal':
    case 'name':
    case 'template':
      break;
  }
  return [];
}

/** Returns the expression with other properties, items and statements, for the nearest of them on every path. */
export function withParts(expression: Expression, change: <T extends Item>(part: T) => T): Expression {
  switch (expression.type) {
    case 'object':
      return { ...expression, properties: expression.properties.map((property) => change(property)) };
    case 'list':
      return { ...expression, items: expression.items.map((item) => change(item)) };
    case 'function':
      return { ...expression, body: expression.body.map((statement) => change(statement)) };
    case 'new':
    case 'call':
      return {
        ...expression,
        callee: withParts(expression.callee, change),
        arguments: expression.arguments.map((argument) => withParts(argument, change)),
      };
    case 'member':
      return { ...expression, object: withParts(expression.object, change) };
    case 'literal':
    case 'name':
    case 'template':
      break;
  }
  return expression;
}
