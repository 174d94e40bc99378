import { deepestNesting, tooDeep, tooDeepHint } from '../nesting.ts';
import type { ValueFault } from '../objects.ts';

/** Returns the values in a construct's output that have no JSON form. */
export function findNonJson(value: unknown): ValueFault[] {
  const faults: ValueFault[] = [];
  collect(value, [], faults);
  return faults;
}

function collect(value: unknown, path: (string | number)[], faults: ValueFault[]): void {
  if (!Array.isArray(value) && !isPlainObject(value)) {
    if (isJsonScalar(value)) return;
    faults.push({ code: 'FW1009', path: [...path], message: `JSON cannot represent ${describe(value)}` });
  } else if (path.length >= deepestNesting) {
    faults.push({
      code: 'FW1009',
      path: [],
      message: tooDeep,
      hint: tooDeepHint,
    });
  } else {
    for (const [key, field] of Object.entries(value)) {
      // an undefined field counts as absent; an item of a list cannot
      if (field === undefined && !Array.isArray(value)) continue;
      path.push(Array.isArray(value) ? Number(key) : key);
      collect(field, path, faults);
      path.pop();
    }
  }
}

function isJsonScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint'
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'object' && value !== null) return `a ${value.constructor.name}`;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}
