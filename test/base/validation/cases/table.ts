import { isJsonMap, type JsonMap } from '../../../../src/base/json/json-map.ts';

/** An object and what an API server says about it. */
export interface ValidationCase {
  /** `Deployment: no image`. */
  readonly name: string;
  readonly object: JsonMap;
  /** The faults as the API server prints them. None if it accepts the object. */
  readonly refused: readonly string[];
}

/** Values by their paths in the object, such as `spec.containers.0.image`. Undefined removes the value. */
export type Changes = Readonly<Record<string, unknown>>;

/** The cases of one kind: changes of an object that is accepted. */
export interface Table {
  readonly object: JsonMap;
  readonly accepted: Readonly<Record<string, Changes>>;
  /** Changes, and the faults that they cause. */
  readonly refused: Readonly<Record<string, readonly [Changes, ...string[]]>>;
}

/** Returns the cases of a table. The first one is the object without changes. */
export function casesOf({ object, accepted, refused }: Table): readonly ValidationCase[] {
  const kind = String(object['kind']);
  return [
    { name: `${kind}: the object itself`, object, refused: [] },
    ...Object.entries(accepted).map(([name, changes]) => ({
      name: `${kind}: ${name}`,
      object: changed(object, changes),
      refused: [],
    })),
    ...Object.entries(refused).map(([name, [changes, ...texts]]) => ({
      name: `${kind}: ${name}`,
      object: changed(object, changes),
      refused: texts,
    })),
  ];
}

function changed(object: JsonMap, changes: Changes): JsonMap {
  let result: unknown = object;
  for (const [path, value] of Object.entries(changes)) result = withValue(result, path.split('.'), value);
  return result as JsonMap;
}

function withValue(parent: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(parent) || (parent === undefined && /^\d+$/.test(step))) {
    const list: unknown[] = Array.isArray(parent) ? [...(parent as readonly unknown[])] : [];
    list[Number(step)] = withValue(list[Number(step)], rest, value);
    return list.filter((entry) => entry !== undefined);
  }
  const { [step]: before, ...others } = isJsonMap(parent) ? parent : {};
  const after = withValue(before, rest, value);
  return after === undefined ? others : { ...others, [step]: after };
}

/** Returns the metadata of an object in the namespace that exists on every cluster. */
export function namespaced(name: string): JsonMap {
  return { name, namespace: 'default' };
}
