import { Construct } from 'constructs';
import { checkArguments, ofConstruct } from './check-properties.ts';

/** Matches the frames that guarded functions add to a stack, of any copy of this file. */
export const guardFrame = /^ {4}at \S*\bguardOfProperties\b/;

/** Returns a function that checks the properties that it takes before it calls the original. */
export function guardedFunction(
  call: string,
  original: (...args: unknown[]) => unknown,
): (...args: unknown[]) => unknown {
  return function guardOfProperties(this: unknown, ...args: unknown[]): unknown {
    try {
      checkArguments(call, args, guardOfProperties);
    } catch (error) {
      throw Construct.isConstruct(this) ? ofConstruct(error, this) : error;
    }
    return Reflect.apply(original, this, args);
  };
}
