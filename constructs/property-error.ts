import type { PropertyFault } from './property-fault.ts';
import { calledName, typeText, unknownPropertyHint, valueHint } from './property-hints.ts';

/** The values of `code` in the errors below. Apps may load another copy of the class than the command that runs them. */
export const propertyErrorCodes = {
  unknown: 'FLEETWRIGHT_UNKNOWN_PROPERTY',
  value: 'FLEETWRIGHT_PROPERTY_VALUE',
} as const;

/** An error in the properties that an app passes on. */
export class PropertyError extends Error {
  readonly code: string;
  /** One sentence without a full stop. */
  readonly problem: string;
  readonly hint: string | undefined;
  /** Path of the construct that gets the properties. @default - they are not those of a construct */
  construct: string | undefined;

  constructor(code: keyof typeof propertyErrorCodes, problem: string, hint?: string) {
    super(hint === undefined ? problem : `${problem}: ${hint}`);
    this.code = propertyErrorCodes[code];
    this.problem = problem;
    this.hint = hint;
  }
}

/** Returns the error for a fault of the properties of a call. */
export function propertyError(call: string, fault: PropertyFault): PropertyError {
  const name = calledName(call);
  const { path, unknown, value, types } = fault;
  if (unknown !== undefined)
    return new PropertyError(
      'unknown',
      `${name} takes no property ${path}`,
      unknownPropertyHint(call, fault),
    );
  const expected = [...new Set(types.map(typeText))].join(' or ');
  const place = path === '' ? '' : ` as ${path}`;
  return new PropertyError(
    'value',
    `${name} takes ${expected}${place}, not ${show(value)}`,
    valueHint(fault),
  );
}

const mostCharacters = 80;

function show(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = Array.isArray(value) ? 'a list' : 'an object';
  }
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}
