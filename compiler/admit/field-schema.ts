import type { StructuralSchema } from '../../schemas/index.ts';
import { ownField } from '../../encoding/json-map.ts';

/** The schema of a field: the one declared for it, else that of all values of a map with free keys. */
export function fieldSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | undefined {
  const declared = ownField(schema?.properties, key);
  if (declared !== undefined) return declared;
  const values = schema?.additionalProperties;
  return values === false ? undefined : values;
}
