import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { formatFieldPath, type FieldPath } from '../model/field-path.ts';
import { isSecretField, secretKind } from '../masks/secrets.ts';

/** A difference between two values. */
export interface Difference {
  /** Contains the names of list entries instead of their positions, if the entries have names. */
  readonly path: string;
  /** The path in the later value, or in the earlier value if the later one does not have it. */
  readonly fieldPath: FieldPath;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether both sides are content of a Secret. */
  readonly secret?: true;
}

/** The fields that are keys of lists in Kubernetes. */
const listKeys = ['name', 'containerID', 'mountPath', 'key', 'type'];

/**
 * Returns the differences between two JSON values: first those in the order of the later value, then the removed ones. Lists in
 * which every entry has a different name are compared by name, other lists by position, so that an entry inserted at the front
 * does not change all others. If the entries that both lists have are in another order, that is one more difference, with the
 * names as its values.
 *
 * @param kind - the kind of the object that contains the values, if the values do not contain it themselves
 */
export function compareValues(before: unknown, after: unknown, kind = ''): Difference[] {
  const differences: Difference[] = [];
  const secret = kind === secretKind;
  compare({ before, after, path: '', beforePath: [], afterPath: [], secret }, differences);
  return differences;
}

/** Two values of the same field. */
interface Sides {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
  readonly beforePath: FieldPath;
  readonly afterPath: FieldPath;
  readonly secret: boolean;
}

function compare(sides: Sides, differences: Difference[]): void {
  const { before, after, path, beforePath, afterPath, secret } = sides;
  if (before === after) return;
  if (isJsonMap(before) && isJsonMap(after)) {
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
      const [from, to] = [fieldOf(before, key), fieldOf(after, key)];
      if (from === to) continue;
      compare(
        {
          before: from,
          after: to,
          path: below(path, key),
          beforePath: [...beforePath, key],
          afterPath: [...afterPath, key],
          secret: secret || isSecretField(before, key) || isSecretField(after, key),
        },
        differences,
      );
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists({ ...sides, before, after }, differences);
    return;
  }
  if (goJson(before ?? null) === goJson(after ?? null) && (before === undefined) === (after === undefined))
    return;
  differences.push({
    path,
    fieldPath: after === undefined ? beforePath : afterPath,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(secret && { secret }),
  });
}

interface ListSides extends Sides {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

function compareLists(
  { before, after, path, beforePath, afterPath, secret }: ListSides,
  differences: Difference[],
): void {
  const key = listKeys.find((candidate) => isKeyedBy(before, candidate) && isKeyedBy(after, candidate));
  const earlier = positions(before, key);
  const later = positions(after, key);
  for (const name of new Set([...later.keys(), ...earlier.keys()])) {
    const from = earlier.get(name);
    const to = later.get(name);
    compare(
      {
        before: from === undefined ? undefined : before[from],
        after: to === undefined ? undefined : after[to],
        path: `${path}[${name}]`,
        beforePath: [...beforePath, from ?? 0],
        afterPath: [...afterPath, to ?? 0],
        secret,
      },
      differences,
    );
  }
  const order = {
    before: [...earlier.keys()].filter((name) => later.has(name)),
    after: [...later.keys()].filter((name) => earlier.has(name)),
  };
  if (order.before.some((name, index) => name !== order.after[index]))
    differences.push({ path: `${path} (order)`.trimStart(), fieldPath: afterPath, ...order });
}

/** A value that is neither an object nor a list, with its path. */
export interface Leaf {
  /** As in `Difference`. */
  readonly path: string;
  readonly fieldPath: FieldPath;
  readonly value: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
}

/**
 * Returns the leaves of a value, in its order. Empty objects and lists are leaves too.
 *
 * @param kind - as for `compareValues`
 */
export function leavesOf(value: unknown, kind = ''): Leaf[] {
  const leaves: Leaf[] = [];
  collect({ value, path: '', fieldPath: [], ...(kind === secretKind && { secret: true }) }, leaves);
  return leaves;
}

function collect({ value, path, fieldPath, secret }: Leaf, leaves: Leaf[]): void {
  if (Array.isArray(value) && value.length > 0) {
    const key = listKeys.find((candidate) => isKeyedBy(value, candidate));
    for (const [name, index] of positions(value, key)) {
      const entry = { value: value[index], path: `${path}[${name}]`, fieldPath: [...fieldPath, index] };
      collect({ ...entry, ...(secret && { secret }) }, leaves);
    }
  } else if (isJsonMap(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value)) {
      const field = { value: inner, path: below(path, name), fieldPath: [...fieldPath, name] };
      const isSecret = secret === true || isSecretField(value, name);
      collect({ ...field, ...(isSecret && { secret: true }) }, leaves);
    }
  } else leaves.push({ path, fieldPath, value, ...(secret && { secret }) });
}

/** Returns whether a value only repeats the name that identifies its entry: `customizedVariables[A].name`. */
export function isNameOfEntry(path: string, value: unknown): boolean {
  const [, name] = /\[([^[\]]*)\]\.\w+$/.exec(path) ?? [];
  return name !== undefined && name === value;
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

/** Reads own properties only, because keys such as `toString` are ordinary fields. */
function fieldOf(fields: JsonMap, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
