import type { Value, ValueMap } from '../gotemplate/index.ts';
import type { ReadValue } from './rendering/read-values.ts';
import { copiedMap } from './values/coalesce.ts';

/** A value to set, so that a chart does not call a function. */
export interface AvoidingValue {
  /** From the values of the root chart. */
  readonly path: readonly string[];
  /** Undefined for any text, such as a password or the name of a Secret. */
  readonly value: boolean | string | undefined;
  /** Whether the text is the only item of a list. @default false */
  readonly isItem?: boolean;
}

/** Names of values that replace what a template would otherwise make by chance. */
export const secretName =
  /password|passwd|secret|token|cert|key|ca$|salt|cookie|uuid|credential|htpasswd|crt/i;
const existingName = /existing|secret(?:name|ref)/i;
/** A switch with such a name turns off a part of the chart. */
const partName = /^(?:enabled?|create|install)$/i;

/** Names of Secrets that exist first, then secrets, then other texts. */
export function byName({ path: a }: AvoidingValue, { path: b }: AvoidingValue): number {
  const rank = (path: readonly string[]): number => {
    const name = path.at(-1) ?? '';
    return existingName.test(name) ? 0 : secretName.test(name) ? 1 : 2;
  };
  return rank(a) - rank(b);
}

export function rankOfSwitch({ path, value }: AvoidingValue): number {
  if (typeof value === 'string') return 0;
  if (!partName.test(path.at(-1) ?? '')) return 1;
  return value === true ? 2 : 3;
}

/** Any text in place of an empty value, in a list if the value is one. */
export function asText({ path, value }: ReadValue): AvoidingValue {
  return { path: path.map(String), value: undefined, isItem: Array.isArray(value) };
}

export function keyOf(path: readonly unknown[]): string {
  return JSON.stringify(path);
}

/** Whether a value can be set beside others. Below the name of a subchart, global values are copies. */
export function isFree({ path }: ReadValue, chosen: readonly AvoidingValue[]): boolean {
  return (
    path.every((step) => typeof step === 'string') &&
    path.lastIndexOf('global') <= 0 &&
    !chosen.some((each) => keyOf(each.path) === keyOf(path))
  );
}

/** Whether a text can take the place of a value. Templates ask for many values that a chart does not have, and read many lists. */
export function isEmpty({ path, value }: ReadValue): boolean {
  if (value === '' || value === null) return true;
  const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
  return isMissing && secretName.test(nameOf({ path, value }));
}

export function nameOf({ path }: ReadValue): string {
  return String(path.at(-1));
}

export function distinct(values: readonly ReadValue[]): ReadValue[] {
  const byPath = new Map<string, ReadValue>();
  for (const each of values) {
    const key = keyOf(each.path);
    if (!byPath.has(key)) byPath.set(key, each);
  }
  return [...byPath.values()];
}

export function leavesOf(values: ValueMap, parent: readonly string[]): ReadValue[] {
  return [...values].flatMap(([key, value]) => {
    const path = [...parent, key];
    return value instanceof Map ? leavesOf(value, path) : [{ path, value }];
  });
}

/**
 * Returns a copy of values with others set.
 *
 * @param text - the value that is any text
 */
export function withValues(values: ValueMap, others: readonly AvoidingValue[], text: string): ValueMap {
  const all = copiedMap(values);
  for (const { path, value = text, isItem = false } of others) setAt(all, path, isItem ? [value] : value);
  return all;
}

function setAt(values: ValueMap, path: readonly string[], value: Value): void {
  let inside = values;
  for (const step of path.slice(0, -1)) {
    const next = inside.get(step);
    const map = next instanceof Map ? next : new Map<string, Value>();
    inside.set(step, map);
    inside = map;
  }
  inside.set(path.at(-1) ?? '', value);
}
