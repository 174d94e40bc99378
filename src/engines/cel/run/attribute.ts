import type { CelBehaviour } from '../behaviour.ts';
import { noSuchOverload } from '../values/comparison.ts';
import type { Compute, Run } from './evaluation.ts';
import {
  CelList,
  CelMap,
  CelOptional,
  CelTypeValue,
  CelUint,
  isBox,
  none,
  typeName,
} from '../values/value.ts';
import { CannotTell, CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';
import { toInt } from '../values/conversion.ts';

/** One step into a value: `.field`, `[index]`, or their optional forms. */
export interface Qualifier {
  /** The key; computed in each run if it is not a constant. */
  readonly key: CelValue | Compute;
  /** Written with `?`: if the key is missing, the whole chain is `optional.none()`. */
  readonly optional: boolean;
  /** The last step of `has(…)`: it only checks whether the key exists. */
  readonly testOnly: boolean;
}

/**
 * A variable, or any other operand, with the steps that lead into it. As cel-go's attributes: a chain of steps is resolved as a
 * unit, and each step costs 1. The caller that reads the value decides the cost of the chain itself.
 */
export interface Attribute {
  /** The cost of reading the attribute in addition to its steps. */
  readonly cost: 0 | 1;
  add(qualifier: Qualifier): void;
  resolve(run: Run): CelResult;
}

export class OperandAttribute implements Attribute {
  readonly cost = 1;
  readonly #operand: Compute;
  readonly #stripsOptionals: boolean;
  readonly #qualifiers: Qualifier[] = [];

  constructor(operand: Compute, { stripsOptionals }: CelBehaviour) {
    this.#operand = operand;
    this.#stripsOptionals = stripsOptionals;
  }

  add(qualifier: Qualifier): void {
    this.#qualifiers.push(qualifier);
  }

  resolve(run: Run): CelResult {
    let operand = this.#operand(run);
    if (operand instanceof CelOptional && this.#stripsOptionals) operand = stripOptional(operand);
    if (this.#qualifiers.length === 0 || operand instanceof CelError) return operand;
    return followQualifiers(run, operand, this.#qualifiers);
  }
}

/** Returns the value that cel-go 0.28 reads for an optional in a variable. */
function stripOptional({ value }: CelOptional): CelOptional {
  if (value === undefined) return none;
  if (value instanceof CelTypeValue) return new CelOptional(value.name);
  if (value instanceof CelOptional) return new CelOptional(stripOptional(value).value ?? null);
  if (isBox(value))
    throw new CannotTell(`a ${value.typeName} is read from an optional, which some hubs do not support`);
  return new CelOptional(value);
}

/** `condition ? a : b`, where the steps after it apply to either branch. It adds no cost, and neither do `a` and `b`. */
export class ConditionalAttribute implements Attribute {
  readonly cost = 0;
  readonly #condition: Compute;
  readonly #positive: Attribute;
  readonly #negative: Attribute;

  constructor(condition: Compute, positive: Attribute, negative: Attribute) {
    this.#condition = condition;
    this.#positive = positive;
    this.#negative = negative;
  }

  add(qualifier: Qualifier): void {
    this.#positive.add(qualifier);
    this.#negative.add(qualifier);
  }

  resolve(run: Run): CelResult {
    const condition = this.#condition(run);
    if (condition === true) return this.#positive.resolve(run);
    if (condition === false) return this.#negative.resolve(run);
    return condition instanceof CelError ? condition : noSuchOverload;
  }
}

function followQualifiers(run: Run, operand: CelValue, qualifiers: readonly Qualifier[]): CelResult {
  let optional = operand instanceof CelOptional;
  let current = operand instanceof CelOptional ? operand.value : operand;
  if (current === undefined) return none;
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    const next = step(run, current, qualifier, optional);
    if (next instanceof CelError) return next;
    if (next === undefined) return none;
    current = next;
  }
  return optional ? new CelOptional(current) : current;
}

/** Returns the value after one step; undefined if it is missing and may be missing. */
function step(
  run: Run,
  object: CelValue,
  qualifier: Qualifier,
  mayBeMissing: boolean,
): CelResult | undefined {
  const { testOnly } = qualifier;
  const key = typeof qualifier.key === 'function' ? checkKey(qualifier.key(run)) : qualifier.key;
  const element = key instanceof CelError ? key : find(object, key, mayBeMissing || testOnly);
  // an optional step counts only if its key exists
  if (!mayBeMissing || (element !== undefined && !(element instanceof CelError))) run.charge(1);
  if (!testOnly || mayBeMissing || element instanceof CelError) return element;
  return element !== undefined;
}

/** Whether a value can be a key. */
export function isKey(value: CelValue): boolean {
  return ['string', 'bigint', 'boolean', 'number'].includes(typeof value) || value instanceof CelUint;
}

function checkKey(key: CelResult): CelResult {
  return key instanceof CelError || isKey(key)
    ? key
    : new CelError(`invalid qualifier type: ${typeName(key)}`);
}

function find(object: CelValue, key: CelValue, mayBeMissing: boolean): CelResult | undefined {
  if (object instanceof CelMap) {
    const value = object.get(key);
    if (value !== undefined || mayBeMissing) return value;
    return new CelError(`no such key: ${keyText(key)}`);
  }
  if (object instanceof CelList) {
    const index = listIndex(key);
    if (index instanceof CelError) return index;
    if (index >= 0n && index < object.size) return object.elements[Number(index)];
    return mayBeMissing ? undefined : new CelError(`index out of bounds: ${keyText(key)}`);
  }
  return mayBeMissing ? undefined : new CelError(`no such key: ${keyText(key)}`);
}

/** Whole numbers of all types are valid as an index. */
function listIndex(key: CelValue): bigint | CelError {
  if (typeof key === 'bigint') return key;
  if (key instanceof CelUint || (typeof key === 'number' && Number.isInteger(key))) {
    const index = toInt(key);
    if (typeof index === 'bigint') return index;
  }
  return new CelError(`unsupported index type '${typeName(key)}' in list`);
}

function keyText(key: CelValue): string {
  if (key instanceof CelUint) return String(key.value);
  return typeof key === 'object' ? typeName(key) : String(key);
}
