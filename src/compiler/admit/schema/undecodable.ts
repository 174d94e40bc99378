import type { StructuralSchema } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { parseGoDuration } from '../../../base/time/duration.ts';
import { normalizeTime } from '../../../base/time/rfc3339.ts';
import { show, type Fault } from '../fault.ts';
import { formats } from './formats.ts';
import { fieldSchema } from './field-schema.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { subtreeTest } from './subtree.ts';

// The schemas accept any text here; OCM's Go types use metav1.Duration.
const durations: ReadonlySet<string> = new Set([
  'appliedManifestWorkEvictionGracePeriod',
  'minSuccessTime',
  'statusSyncInterval',
]);
// The schemas accept integers of any size here; OCM's Go types use intstr.IntOrString.
const intOrStrings: ReadonlySet<string> = new Set([
  'clustersPerDecisionGroup',
  'maxConcurrency',
  'maxFailures',
]);
const duration = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;

const canBeUndecodable = subtreeTest(
  ({ format, properties = {} }) =>
    format === 'date-time' ||
    format === 'byte' ||
    Object.keys(properties).some((name) => durations.has(name) || intOrStrings.has(name)),
);

/** A value that is valid in its schema, but that OCM's Go type cannot represent. */
export interface Undecodable {
  readonly field: FieldPath;
  /** The value and the required type: `"5 minutes" as a duration`. */
  readonly what: string;
  readonly hint: string;
}

/** Returns all values of an object that OCM's Go types cannot hold. */
export function undecodable(value: unknown, schema: StructuralSchema, path: FieldPath = []): Undecodable[] {
  if (!canBeUndecodable(schema)) return [];
  if (isJsonMap(value)) {
    return Object.keys(value).flatMap((key) => {
      const field = fieldSchema(schema, key);
      const at = [...path, key];
      if (durations.has(key) && typeof value[key] === 'string') return durationFault(value[key], at);
      if (intOrStrings.has(key)) return integerFault(value[key], at);
      return field === undefined ? [] : undecodable(value[key], field, at);
    });
  }
  if (isJsonList(value) && schema.items !== undefined) {
    const { items } = schema;
    return value.flatMap((item, index) => undecodable(item, items, [...path, index]));
  }
  return textFault(value, schema, path);
}

function durationFault(text: string, path: FieldPath): Undecodable[] {
  if (!(parseGoDuration(text) instanceof Error)) return [];
  // It is a duration, but too long: Go counts nanoseconds in 64 bits.
  if (duration.test(text))
    return [undecoded(path, text, 'a duration', 'write less than 2562047h, which is 292 years')];
  return [
    undecoded(path, text, 'a duration', 'write numbers with the units h, m and s, such as 1h30m or 90s'),
  ];
}

function integerFault(value: unknown, path: FieldPath): Undecodable[] {
  if (typeof value !== 'bigint' && (typeof value !== 'number' || formats.int32(value))) return [];
  return [undecoded(path, value, 'an integer of 32 bits', 'write a smaller number, or a percentage')];
}

function textFault(value: unknown, { format }: StructuralSchema, path: FieldPath): Undecodable[] {
  if (format === 'byte' && isJsonList(value)) return [undecoded(path, value, 'text in base64')];
  if (format !== 'date-time' || value === null) return [];
  if (typeof value === 'string' && normalizeTime(value) !== undefined) return [];
  return [undecoded(path, value, 'a time', 'write it as 2026-01-31T12:00:00Z')];
}

function undecoded(
  field: FieldPath,
  value: unknown,
  wanted: string,
  hint = 'write it as a string',
): Undecodable {
  return { field, what: `${show(value)} as ${wanted}`, hint };
}

/** Returns the fault of a stored value: OCM's controllers then fail to read every object of the kind, not only this one. */
export function unreadable({ field, what, hint }: Undecodable): Fault {
  const message = `OCM's controllers cannot read ${what}, and then cannot read any object of this kind`;
  return { code: 'FW2028', field, message, hint };
}

/** Returns the fault of a value that the API server converts before it is stored: the object is rejected. */
export function unconvertible({ field, what, hint }: Undecodable): Fault {
  const message = `OCM's conversion webhook cannot read ${what}, so the hub rejects the object`;
  return { code: 'FW2028', field, message, hint };
}
