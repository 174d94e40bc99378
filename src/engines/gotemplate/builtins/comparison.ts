import { FunctionError, UnsupportedFunctionError } from '../error.ts';
import { formatValue, printFormat } from '../format/format.ts';
import { compareBytes } from '../text.ts';
import { kindName, typeName } from '../type-name.ts';
import { Complex, GoObject, Integer, TypedList, TypedMap, type Value } from '../value.ts';

/** How text/template groups kinds for comparisons. */
type BasicKind = 'invalid' | 'bool' | 'complex' | 'int' | 'float' | 'string' | 'uint';

function basicKind(value: Value): BasicKind {
  const kind = kindName(value);
  if (kind.startsWith('uint')) return 'uint';
  if (kind.startsWith('int') && kind !== 'interface') return kind === 'invalid' ? 'invalid' : 'int';
  if (kind.startsWith('float')) return 'float';
  if (kind.startsWith('complex')) return 'complex';
  return kind === 'bool' || kind === 'string' ? kind : 'invalid';
}

/** `eq`: whether the first value equals one of the others. */
export function equals([first, ...others]: readonly Value[]): boolean {
  if (others.length === 0) throw new FunctionError('missing argument for comparison');
  return others.some((other) => equalsOne(first, other));
}

function equalsOne(a: Value, b: Value): boolean {
  const [kindA, kindB] = [basicKind(a), basicKind(b)];
  if (kindA === kindB) return kindA === 'invalid' ? equalsOther(a, b) : basicEquals(a, b);
  if (areIntegers(kindA, kindB)) return integer(a) === integer(b);
  if (isValid(a) && isValid(b)) throw incompatible(a, b);
  return false;
}

function isValid(value: Value): boolean {
  return value !== null && value !== undefined;
}

function areIntegers(a: BasicKind, b: BasicKind): boolean {
  return (a === 'int' && b === 'uint') || (a === 'uint' && b === 'int');
}

function integer(value: Value): bigint {
  return (value as Integer).value;
}

function incompatible(a: Value, b: Value): FunctionError {
  return new FunctionError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
}

function basicEquals(a: Value, b: Value): boolean {
  if (a instanceof Integer) return a.value === integer(b);
  if (a instanceof Complex && b instanceof Complex) return a.real === b.real && a.imaginary === b.imaginary;
  return a === b;
}

function equalsOther(a: Value, b: Value): boolean {
  const [kindA, kindB] = [kindName(a), kindName(b)];
  if (kindA !== kindB && kindA !== 'invalid' && kindB !== 'invalid')
    throw new FunctionError(
      `non-comparable types ${goText(a)}: ${typeName(a)}, ${typeName(b)}: ${withoutAddresses(() => formatValue(b))}`,
    );
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (['map', 'slice', 'func'].includes(kindB))
    throw new FunctionError(`non-comparable type ${goText(b)}: ${typeName(b)}`);
  return kindB === 'struct' && a !== b ? areStructsEqual(a, b) : a === b;
}

/** As Go's `==`: structs are equal if their fields are, and pointers in them if they are the same. */
function areStructsEqual(a: Value, b: Value): boolean {
  if (typeName(a) !== typeName(b)) return false;
  const [keyA, keyB] = [a, b].map((each) => (each instanceof GoObject ? each.contentKey : undefined));
  if (keyA !== undefined && keyB !== undefined) {
    if (keyA !== keyB) return false;
    if (!(b as GoObject).hasPointer) return true;
  }
  throw new UnsupportedFunctionError(
    `not supported: Go compares values of type ${typeName(b)} by fields that templates do not see`,
  );
}

/** As `%s` of a reflect.Value, which has the addresses of pointers. They are left out, because the comparison fails with any. */
function goText(value: Value): string {
  return withoutAddresses(() => printFormat('%s', [value]));
}

function withoutAddresses(print: () => string): string {
  try {
    return print();
  } catch (error) {
    if (error instanceof UnsupportedFunctionError) return '…';
    throw error;
  }
}

function isNil(value: Value): boolean {
  if (!isValid(value)) return true;
  return (value instanceof TypedList || value instanceof TypedMap) && value.isNil;
}

/** `lt`: whether the first value is less than the second. */
export function isLess(a: Value, b: Value): boolean {
  const [kindA, kindB] = [basicKind(a), basicKind(b)];
  if (kindA === 'invalid' || kindB === 'invalid') throw new FunctionError('invalid type for comparison');
  if (kindA !== kindB) {
    if (!areIntegers(kindA, kindB)) throw incompatible(a, b);
    return integer(a) < integer(b);
  }
  switch (kindA) {
    case 'bool':
    case 'complex':
      throw new FunctionError('invalid type for comparison');
    case 'string':
      return compareBytes(a as string, b as string) < 0;
    case 'float':
      return (a as number) < (b as number);
    case 'int':
    case 'uint':
      break;
  }
  return integer(a) < integer(b);
}

/** `le`: less or equal, and therefore false for NaN. */
export function isAtMost(a: Value, b: Value): boolean {
  return isLess(a, b) || equals([a, b]);
}
