import { goJson } from '../../encoding/go-json.ts';
import { isJsonMap, type JsonMap } from '../../encoding/json-map.ts';
import { formatFieldPath, type FieldPath } from '../field-path.ts';

/** A difference between two values. */
export interface Difference {
  /** With the names of list entries instead of their positions, where they have names. */
  readonly path: string;
  /** The way to the value where it is there: in the later value, or in the earlier one for what is gone. */
  readonly fieldPath: FieldPath;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Fields by which Kubernetes' lists are keyed. */
const listKeys = ['name', 'containerID', 'mountPath', 'key', 'type'];

/**
 * The differences between two JSON values, in the order of the later one, then what is gone. Lists whose entries are all
 * named differently are compared by name, others by position: an entry added in front is then no change of all others.
 */
export function compareValues(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  compare(before, after, '', [], [], found);
  return found;
}

function compare(
  before: unknown,
  after: unknown,
  path: string,
  beforePath: FieldPath,
  afterPath: FieldPath,
  found: Difference[],
): void {
  if (before === after) return;
  if (isJsonMap(before) && isJsonMap(after)) {
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
      compare(
        fieldOf(before, key),
        fieldOf(after, key),
        below(path, key),
        [...beforePath, key],
        [...afterPath, key],
        found,
      );
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, beforePath, afterPath, found);
    return;
  }
  if (goJson(before ?? null) === goJson(after ?? null) && (before === undefined) === (after === undefined))
    return;
  found.push({
    path,
    fieldPath: after === undefined ? beforePath : afterPath,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  beforePath: FieldPath,
  afterPath: FieldPath,
  found: Difference[],
): void {
  const key = listKeys.find((candidate) => isKeyedBy(before, candidate) && isKeyedBy(after, candidate));
  const earlier = positions(before, key);
  const later = positions(after, key);
  for (const name of new Set([...later.keys(), ...earlier.keys()])) {
    const from = earlier.get(name);
    const to = later.get(name);
    compare(
      from === undefined ? undefined : before[from],
      to === undefined ? undefined : after[to],
      `${path}[${name}]`,
      [...beforePath, from ?? 0],
      [...afterPath, to ?? 0],
      found,
    );
  }
}

/** A value that is no object and no list, with its way. */
export interface Leaf {
  /** As in `Difference`. */
  readonly path: string;
  readonly fieldPath: FieldPath;
  readonly value: unknown;
}

/** The values inside a value, in its order; empty objects and lists are values themselves. */
export function leavesOf(value: unknown): Leaf[] {
  const found: Leaf[] = [];
  collect(value, '', [], found);
  return found;
}

function collect(value: unknown, path: string, fieldPath: FieldPath, found: Leaf[]): void {
  if (Array.isArray(value) && value.length > 0) {
    const key = listKeys.find((candidate) => isKeyedBy(value, candidate));
    for (const [name, index] of positions(value, key)) {
      collect(value[index], `${path}[${name}]`, [...fieldPath, index], found);
    }
  } else if (isJsonMap(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value)) {
      collect(inner, below(path, name), [...fieldPath, name], found);
    }
  } else found.push({ path, fieldPath, value });
}

function below(path: string, key: string): string {
  const step = formatFieldPath([key]);
  return step.startsWith('[') || path === '' ? `${path}${step}` : `${path}.${step}`;
}

function positions(list: readonly unknown[], key: string | undefined): Map<string, number> {
  return new Map(
    list.map((entry, index) => [
      key !== undefined && isJsonMap(entry) ? String(entry[key]) : String(index),
      index,
    ]),
  );
}

function isKeyedBy(list: readonly unknown[], key: string): boolean {
  const seen = new Set<unknown>();
  return list.every((entry) => {
    const value = isJsonMap(entry) ? entry[key] : undefined;
    if (typeof value !== 'string' || seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

/** Keys such as `toString` are fields like any other. */
function fieldOf(fields: JsonMap, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
