import type { SchemaJson } from '../schema-json.ts';
import { newerMetaschemas } from './newer.ts';
import { draft4, draft6, draft7 } from './older.ts';
import type { Plain } from './rules.ts';

/**
 * The rules for schemas of each draft, without titles, defaults and comments. As the metaschemas of santhosh-tekuri/jsonschema, which
 * differ from the published ones in a few keywords.
 */
const metaschemas: ReadonlyMap<string, Plain> = new Map([
  ['draft-04/schema', draft4],
  ['draft-06/schema', draft6],
  ['draft-07/schema', draft7],
  ...newerMetaschemas.map(([address, schema]) => [nameOf(address) ?? '', schema] as const),
]);

function nameOf(address: string): string | undefined {
  const name = /^https?:\/\/json-schema\.org\/(.*)$/s.exec(address)?.[1];
  return name === 'schema' ? 'draft/2020-12/schema' : name;
}

/** Returns the metaschema with an address; undefined for another address. */
export function metaschemaAt(address: string): SchemaJson | undefined {
  const schema = metaschemas.get(nameOf(address) ?? '');
  return schema === undefined ? undefined : schemaJson(schema);
}

/** Whether an address is one of those whose schemas Helm's validator does not check. */
export function isTrusted(address: string): boolean {
  return nameOf(address) !== undefined;
}

/** Returns plain data as a schema. Each call makes new objects, because a schema is known by its object. */
function schemaJson(value: unknown): SchemaJson {
  if (Array.isArray(value)) return value.map(schemaJson);
  if (typeof value !== 'object' || value === null) return value as SchemaJson;
  return new Map(Object.entries(value).map(([name, inner]) => [name, schemaJson(inner)]));
}
