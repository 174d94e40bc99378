import type { StructuralSchema } from '../../../../schemas/index.ts';

/**
 * Whether a schema, or a schema inside it, has a property. Searched once per schema: for most objects this avoids a traversal.
 */
export function subtreeTest(
  has: (schema: StructuralSchema) => boolean,
): (schema: StructuralSchema) => boolean {
  const cache = new WeakMap<StructuralSchema, boolean>();
  const test = (schema: StructuralSchema): boolean => {
    let answer = cache.get(schema);
    if (answer === undefined) {
      answer = has(schema) || subschemas(schema).some(test);
      cache.set(schema, answer);
    }
    return answer;
  };
  return test;
}

function subschemas({ properties = {}, items, additionalProperties }: StructuralSchema): StructuralSchema[] {
  const below = Object.values(properties);
  if (items !== undefined) below.push(items);
  if (additionalProperties !== undefined && additionalProperties !== false) below.push(additionalProperties);
  return below;
}
