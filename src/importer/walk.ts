import type { Expression, Statement } from './code/expression.ts';

/** Returns the names that statements use, without those that a function defines itself. */
export function namesIn(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>();
  for (const { value } of statements) collect(value, names);
  return names;
}

function collect(expression: Expression, into: Set<string>): void {
  switch (expression.type) {
    case 'name':
      into.add(expression.name);
      return;
    case 'member':
      collect(expression.object, into);
      return;
    case 'new':
    case 'call':
      collect(expression.callee, into);
      for (const argument of expression.arguments) collect(argument, into);
      return;
    case 'list':
      for (const { value } of expression.items) collect(value, into);
      return;
    case 'object':
      for (const { value } of expression.properties) collect(value, into);
      return;
    case 'template':
      for (const part of expression.parts) if (typeof part === 'object') collect(part, into);
      return;
    case 'function': {
      const bound = new Set([expression.parameter, ...expression.body.flatMap(({ name }) => name ?? [])]);
      for (const used of namesIn(expression.body)) if (!bound.has(used)) into.add(used);
      return;
    }
    case 'literal':
  }
}
