import type { Kind, KindVersion, StructuralSchema } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { fieldName, type Fault } from '../fault.ts';
import { fieldSchema } from './field-schema.ts';
import type { UnknownField } from './prune.ts';
import { closest } from '../../model/suggestion.ts';

/** Reports the pruned fields, in the API server's order. */
export function unknownFields(fields: readonly UnknownField[], kind: Kind, version: KindVersion): Fault[] {
  return fields
    .map((field) => unknownField(field, kind, version))
    .sort((a, b) => (fieldName(a.field) < fieldName(b.field) ? -1 : 1));
}

function unknownField({ path, schema }: UnknownField, kind: Kind, version: KindVersion): Fault {
  const hint = fieldHint(path, schema, kind, version);
  return {
    code: 'FW2005',
    field: path,
    message: `unknown field "${fieldName(path)}"`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function fieldHint(
  path: FieldPath,
  schema: StructuralSchema | undefined,
  kind: Kind,
  version: KindVersion,
): string | undefined {
  const other = kind.versions.find((candidate) => candidate !== version && hasField(candidate.schema, path));
  if (other !== undefined) return `${kind.group}/${other.name} has this field, ${version.name} does not`;
  const fieldNames = Object.keys(schema?.properties ?? {});
  const similar = closest(String(path.at(-1)), fieldNames);
  if (similar !== undefined) return `did you mean "${similar}"?`;
  const parent = fieldName(path.slice(0, -1));
  if (fieldNames.length > 0) return `${parent === '' ? kind.kind : parent} has ${fieldNames.join(', ')}`;
  return schema?.type === undefined || schema.type === 'object' ? undefined : `${parent} is not an object`;
}

function hasField(schema: StructuralSchema, path: FieldPath): boolean {
  let below: StructuralSchema | undefined = schema;
  for (const step of path) {
    below = typeof step === 'number' ? below?.items : fieldSchema(below, step);
  }
  return below !== undefined;
}
