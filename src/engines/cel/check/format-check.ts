import type { Checked } from './checked.ts';
import { partsOf, type Expression } from '../syntax/expression.ts';
import { expandFormat, verbErrors } from '../library/string-format.ts';
import type { FormatClause } from '../library/string-format.ts';
import type { ExpressionFault } from '../syntax/source.ts';
import type { CelType, TypeKind } from './types.ts';
import { CelError } from '../error.ts';

/**
 * Checks literal format strings against the types of literal argument lists. cel-go does this after the checker:
 * `'%d'.format(['a'])` does not compile.
 */
export function checkFormats(
  expression: Expression,
  checked: Checked,
  maxPrecision: number,
): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(expression, (call) => {
    if (call.kind !== 'call' || call.name !== 'format' || call.target?.kind !== 'literal') return;
    const { value } = call.target;
    const [list] = call.args;
    if (typeof value !== 'string' || list?.kind !== 'list') return;
    const elements = list.elements.map((element) => element.value);
    let culprit: Expression = call;
    const result = expandFormat(value, elements.length, maxPrecision, (index, { verb }) => {
      const argument = elements[index];
      const misfit = argument && findMisfit(argument, verb, checked);
      if (misfit === undefined) return '';
      culprit = misfit;
      return new CelError(verbErrors[verb] + (checked.types.get(misfit)?.name ?? ''));
    });
    if (result instanceof CelError) faults.push({ offset: culprit.offset, message: result.message });
    else if (elements.length > result.used) {
      const message = `too many arguments supplied to string.format (expected ${result.used}, got ${elements.length})`;
      faults.push({ offset: call.offset, message });
    }
  });
  return faults;
}

const numbers: readonly TypeKind[] = ['int', 'uint', 'double'];
const formattable: Readonly<Record<FormatClause['verb'], readonly TypeKind[]>> = {
  s: [...numbers, 'list', 'map', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: numbers,
  f: numbers,
  e: numbers,
  b: ['bool', 'int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

/** Returns the argument, or the part of it, that the verb does not support. */
function findMisfit(
  argument: Expression,
  verb: FormatClause['verb'],
  checked: Checked,
): Expression | undefined {
  if (!fits(checked.types.get(argument), verb)) return argument;
  if (verb !== 's') return undefined;
  let parts: readonly Expression[] = [];
  if (argument.kind === 'list') parts = argument.elements.map((element) => element.value);
  if (argument.kind === 'map') parts = argument.entries.flatMap(({ key, value }) => [key, value]);
  for (const part of parts) {
    const misfit = findMisfit(part, verb, checked);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function fits(type: CelType | undefined, verb: FormatClause['verb']): boolean {
  return type === undefined || type.kind === 'dyn' || formattable[verb].includes(type.kind);
}

function visit(expression: Expression, see: (expression: Expression) => void): void {
  see(expression);
  for (const part of partsOf(expression)) visit(part, see);
}
