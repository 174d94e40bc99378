import type { Expression } from '../syntax/node.ts';
import { anyType, elementType, mapEntries, nilOf, typeName } from '../type-name.ts';
import {
  asElement,
  concrete,
  GoObject,
  Interface,
  NamedInteger,
  type Operand,
  TypedList,
  TypedMap,
  type Value,
} from '../value.ts';
import { evaluateCall } from './call.ts';
import type { Final } from './evaluate.ts';
import type { State } from './state.ts';

/** One step of a field chain. */
interface FieldAccess {
  readonly name: string;
  /** The whole chain. */
  readonly node: Expression;
  readonly args: readonly Expression[];
  readonly final: Final;
  readonly receiver: Operand;
}

/** Returns a field, an entry of a map, or what a method returns. As text/template's evalField. */
export function evaluateField(state: State, dot: Operand, access: FieldAccess): Operand {
  const { name, node, args, final, receiver } = access;
  if (receiver === undefined) {
    if (state.run.missingKey === 'error') state.fail(`nil data; no entry for key "${name}"`);
    return undefined;
  }
  const value = concrete(receiver);
  if (value === undefined) return state.fail(`nil pointer evaluating ${typeOf(receiver)}.${name}`);

  const hasArguments = args.length > 0 || final !== undefined;
  if (value instanceof Map && !hasArguments) {
    // Nearly all fields are entries of plain maps.
    const entry = value.get(name);
    if (entry !== undefined) return asElement(entry, anyType);
  }
  const hasMethods =
    value instanceof GoObject ||
    value instanceof TypedMap ||
    value instanceof TypedList ||
    value instanceof NamedInteger;
  const method = hasMethods ? value.methods.get(name) : undefined;
  if (method !== undefined)
    return evaluateCall(state, dot, { function: method, isBuiltin: false, name, node, args, final });
  const fields = value instanceof GoObject ? fieldsWith(value, name) : undefined;
  if (fields !== undefined) {
    if (hasArguments) state.fail(`${name} has arguments but cannot be invoked as function`);
    return fields.get(name);
  }
  const entries = mapEntries(value);
  if (entries === undefined) return state.fail(`can't evaluate field ${name} in type ${typeOf(receiver)}`);
  if (hasArguments) state.fail(`${name} is not a method but has arguments`);
  const element = elementType(value);
  if (entries.has(name)) return asElement(entries.get(name), element);
  if (state.run.missingKey === 'error') state.fail(`map has no entry for key "${name}"`);
  return state.run.missingKey === 'zero' ? zeroOf(element) : undefined;
}

function typeOf(receiver: Operand): string {
  return receiver === null || receiver instanceof Interface ? anyType : typeName(concrete(receiver));
}

function fieldsWith({ fields, promoted }: GoObject, name: string): ReadonlyMap<string, Value> | undefined {
  if (fields.has(name)) return fields;
  return promoted.has(name) ? promoted : undefined;
}

/** Returns the zero of a type that maps have as elements. */
export function zeroOf(type: string): Operand {
  if (type === 'string') return '';
  return type === anyType ? null : nilOf(type);
}
