import type { Expression, NumberNode } from '../syntax/node.ts';
import { nodeText } from '../syntax/node.ts';
import { anyType, canBeNil, isAssignable, nilOf, typeName } from '../type-name.ts';
import { Complex, concrete, Integer, type Operand, withoutInterface } from '../value.ts';
import { constantValue, evaluateFields, evaluateFunction, evaluatePipeline } from './evaluate.ts';
import type { State } from './state.ts';

/** A Go type, or `any operand` for a receiver, which may have any type. */
type ArgumentType = string;

/**
 * Returns the value of an argument as the parameter's type. As text/template's evalArg.
 *
 * @param type - a Go type, or `any operand`
 */
export function evaluateArgument(state: State, dot: Operand, type: ArgumentType, node: Expression): Operand {
  state.node = node;
  switch (node.kind) {
    case 'dot':
      return validated(state, dot, type);
    case 'nil':
      return canBeNil(type) ? nilOf(type) : state.fail(`cannot assign nil to ${type}`);
    case 'field':
    case 'variable':
    case 'chain':
      return validated(state, evaluateFields(state, dot, node, [node], undefined), type);
    case 'pipe':
      return validated(state, evaluatePipeline(state, dot, node), type);
    case 'identifier':
      return validated(state, evaluateFunction(state, dot, node, node, [], undefined), type);
    case 'bool':
    case 'number':
    case 'string':
      break;
  }
  return literal(state, dot, type, node);
}

function literal(
  state: State,
  dot: Operand,
  type: string,
  node: Extract<Expression, { readonly kind: 'bool' | 'number' | 'string' }>,
): Operand {
  switch (type) {
    case anyType:
    case 'reflect.Value':
    case 'any operand':
      return constantValue(state, dot, node);
    case 'bool':
      return node.kind === 'bool' ? node.value : state.fail(`expected bool; found ${nodeText(node)}`);
    case 'string':
      return node.kind === 'string' ? node.text : state.fail(`expected string; found ${nodeText(node)}`);
    case 'float64':
      if (node.kind === 'number' && node.value.float !== undefined) return node.value.float;
      return state.fail(`expected float; found ${nodeText(node)}`);
    case 'complex128':
      if (node.kind === 'number' && node.value.complex !== undefined)
        return new Complex(node.value.complex.real, node.value.complex.imaginary);
      return state.fail(`expected complex; found ${nodeText(node)}`);
  }
  if (/^u?int\d*$/.test(type)) return integer(state, type, node);
  return state.fail(`can't handle ${nodeText(node)} for arg of type ${type}`);
}

function integer(state: State, type: string, node: Expression): Integer {
  const number: Partial<NumberNode> = node.kind === 'number' ? node : {};
  const isUnsigned = type.startsWith('uint');
  const value = isUnsigned ? number.value?.unsigned : number.value?.integer;
  if (value === undefined)
    return state.fail(`expected ${isUnsigned ? 'unsigned ' : ''}integer; found ${nodeText(node)}`);
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 64);
  return new Integer(isUnsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value), type);
}

/** Returns a value where a type is required, or fails. As text/template's validateType. */
export function validated(state: State, operand: Operand, type: ArgumentType): Operand {
  if (type === 'any operand') return operand;
  if (operand === undefined) {
    if (canBeNil(type)) return nilOf(type);
    state.fail(`invalid value; expected ${type}`);
  }
  if (type === anyType) return withoutInterface(operand);
  if (type === 'reflect.Value') return operand;
  const value = concrete(operand);
  if (value !== undefined && isAssignable(value, type)) return value;
  const actual = value === undefined ? anyType : typeName(value);
  return state.fail(`wrong type for value; expected ${type}; got ${actual}`);
}
