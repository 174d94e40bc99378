import type { FieldPath } from '../../../src/compiler/model/field-path.ts';
import { fieldSchema } from '../../../src/compiler/admit/schema/field-schema.ts';
import { isJsonList, isJsonMap, ownField } from '../../../src/base/json/json-map.ts';
import type { StructuralSchema } from '../../../schemas/index.ts';

/** A value inside an object, and its schema. */
export interface Place {
  readonly path: FieldPath;
  readonly value: unknown;
  /** Undefined where the schema has nothing to say: inside of manifests. */
  readonly schema: StructuralSchema | undefined;
  /** Whether the value is the metadata of an object or lies in it. */
  readonly isMeta: boolean;
}

/** All values in an object, the object first. Not which object it is, and where: that is said in the URL as well. */
export function placesIn(object: unknown, schema: StructuralSchema): readonly Place[] {
  const places: Place[] = [];
  walk({ path: [], value: object, schema, isMeta: false }, true, places);
  return places.filter(({ path: [first, second] }) => {
    if (first === 'metadata') return second !== 'namespace';
    return first !== 'apiVersion' && first !== 'kind';
  });
}

function walk(place: Place, isObject: boolean, places: Place[]): void {
  places.push(place);
  const { path, value, schema, isMeta } = place;
  if (isJsonList(value))
    for (const [index, item] of value.entries())
      walk({ path: [...path, index], value: item, schema: schema?.items, isMeta }, false, places);
  else if (isJsonMap(value))
    for (const [key, field] of Object.entries(value)) {
      const declared = fieldSchema(schema, key);
      walk(
        {
          path: [...path, key],
          value: field,
          schema: declared,
          isMeta: isMeta || (isObject && key === 'metadata'),
        },
        declared?.['x-kubernetes-embedded-resource'] === true,
        places,
      );
    }
}

/** Returns a copy of a value with another value at a path; undefined removes the old one. */
export function withValue(value: unknown, path: FieldPath, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (isJsonList(value)) {
    const index = Number(step);
    const item = withValue(value[index], rest, replacement);
    return item === undefined ? value.toSpliced(index, 1) : value.with(index, item);
  }
  const map: Record<string, unknown> = isJsonMap(value) ? { ...value } : {};
  const field = withValue(ownField(map, String(step)), rest, replacement);
  if (field === undefined) delete map[step];
  else map[step] = field;
  return map;
}
