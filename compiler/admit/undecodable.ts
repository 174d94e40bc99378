import type { StructuralSchema } from '../../schemas/index.ts';
import type { FieldPath } from '../field-path.ts';
import { normalizeTime } from '../rfc3339.ts';
import { show, type Fault } from './fault.ts';
import { isJsonList, isJsonMap, ownField } from './json-map.ts';
import { valuesOf } from './prune.ts';
import { subtreeTest } from './subtree.ts';

// The schemas know these as any text, OCM's Go types know them as metav1.Duration.
const durations: ReadonlySet<string> = new Set([
  'appliedManifestWorkEvictionGracePeriod',
  'minSuccessTime',
  'statusSyncInterval',
]);
const duration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

const canBeUndecodable = subtreeTest(
  ({ format, properties = {} }) =>
    format === 'date-time' ||
    format === 'byte' ||
    Object.keys(properties).some((name) => durations.has(name)),
);

/**
 * Values that the API server takes, but that OCM's Go types cannot hold: its controllers then fail to read not only the
 * object, but every object of its kind.
 */
export function undecodable(value: unknown, schema: StructuralSchema, path: FieldPath = []): Fault[] {
  if (!canBeUndecodable(schema)) return [];
  if (isJsonMap(value)) {
    return Object.keys(value).flatMap((key) => {
      const field = ownField(schema.properties, key) ?? valuesOf(schema);
      const at = [...path, key];
      if (durations.has(key) && typeof value[key] === 'string') return durationFault(value[key], at);
      return field === undefined ? [] : undecodable(value[key], field, at);
    });
  }
  if (isJsonList(value) && schema.items !== undefined) {
    const { items } = schema;
    return value.flatMap((item, index) => undecodable(item, items, [...path, index]));
  }
  return textFault(value, schema, path);
}

function durationFault(text: string, path: FieldPath): Fault[] {
  if (duration.test(text)) return [];
  return [fault(path, text, 'a duration', 'write numbers with the units h, m and s, such as 1h30m or 90s')];
}

function textFault(value: unknown, { format }: StructuralSchema, path: FieldPath): Fault[] {
  if (format === 'byte' && isJsonList(value)) return [fault(path, value, 'text in base64')];
  if (format !== 'date-time' || value === null) return [];
  if (typeof value === 'string' && normalizeTime(value) !== undefined) return [];
  return [fault(path, value, 'a time', 'write it as 2026-01-31T12:00:00Z')];
}

function fault(field: FieldPath, value: unknown, wanted: string, hint = 'write it as a text'): Fault {
  const message = `OCM's controllers cannot read ${show(value)} as ${wanted}, and then read no object of this kind`;
  return { code: 'FW2028', field, message, hint };
}
