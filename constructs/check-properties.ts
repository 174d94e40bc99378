import type { Construct } from 'constructs';
import { closestNames } from '../src/base/collections/closest-names.ts';
import { guardedCalls } from './accepted-properties.gen.ts';
import { PropertyError, propertyError } from './property-error.ts';
import { propertyFault, type Exemption } from './property-fault.ts';
import { alternativesOf } from './property-types.ts';

/** A class by its name, which a minifier may change. */
type NamedClass<Name extends string> = Readonly<Record<Name, abstract new (...args: never[]) => unknown>>;

/** The classes whose constructors take properties. */
type ConstructName = keyof typeof guardedCalls extends infer Call
  ? Call extends `new ${infer Name}`
    ? Name
    : never
  : never;

const calls: Readonly<Record<string, readonly string[]>> = guardedCalls;

/**
 * Checks the properties of a construct. Apps run without a type check, and a misspelled property would be ignored: the construct
 * would then select all clusters, or roll out at once.
 *
 * @param owner - the class that takes the properties: `{ Placement }`
 * @param target - `new.target`. A class of the app that extends ours may pass on its own properties.
 * @throws {PropertyError} for the first unknown property, and for a value that the property cannot have
 */
export function checkProps<Name extends ConstructName>(
  owner: NamedClass<Name>,
  target: abstract new (...args: never[]) => unknown,
  scope: Construct | undefined,
  id: string | undefined,
  props: unknown,
): void {
  const [name = ''] = Object.keys(owner);
  const isExtended = target !== Object.values(owner)[0];
  const types = calls[`new ${name}`]?.at(-1);
  if (types === undefined) return;
  const fault = propertyFault(props, alternativesOf(types), '', isExtended ? resemblesNone : undefined);
  if (fault === undefined) return;
  const error = propertyError(`new ${name}`, fault);
  error.construct = [scope?.node?.path, id].filter((part) => part !== undefined && part !== '').join('/');
  Error.captureStackTrace(error, target);
  throw error;
}

const resemblesNone: Exemption = (name, names) => closestNames(name, names).length === 0;

/**
 * Checks the arguments of a function that takes properties.
 *
 * @param hidden - the function that the stack of the error leaves out
 * @throws {PropertyError} for the first unknown property, and for a value that the property cannot have
 */
export function checkArguments(
  call: string,
  args: readonly unknown[],
  hidden: (...args: never[]) => unknown,
): void {
  for (const [index, written] of (calls[call] ?? []).entries()) {
    const isRest = written.startsWith('...');
    const value = isRest ? args.slice(index) : args[index];
    const fault = propertyFault(value, alternativesOf(isRest ? written.slice(3) : written));
    if (fault === undefined) continue;
    const error = propertyError(call, fault);
    Error.captureStackTrace(error, hidden);
    throw error;
  }
}

/** Adds to an error in the properties the construct whose method throws it. */
export function ofConstruct(error: unknown, construct: Construct): unknown {
  if (error instanceof PropertyError) error.construct ??= construct.node.path;
  return error;
}
