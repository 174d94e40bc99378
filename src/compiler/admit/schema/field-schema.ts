import type { StructuralSchema } from '../../../../schemas/index.ts';
import { ownField } from '../../../base/json/json-map.ts';

/** Returns the schema of a field: its declared schema, otherwise the schema of all values of a map. */
export function fieldSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | undefined {
  const declared = ownField(schema?.properties, key);
  if (declared !== undefined) return declared;
  const values = schema?.additionalProperties;
  return values === false ? undefined : values;
}
