import { SchemaCompiler } from './compile-schema.ts';
import type { Dialect, Draft } from './draft.ts';
import { PlacedSchemas } from './placed-schemas.ts';
import type { Schema } from './schema.ts';
import { SchemaWork } from './schema-work.ts';

const addresses: Readonly<Record<Draft, string>> = {
  4: 'http://json-schema.org/draft-04',
  6: 'http://json-schema.org/draft-06',
  7: 'http://json-schema.org/draft-07',
  2019: 'https://json-schema.org/draft/2019-09',
  2020: 'https://json-schema.org/draft/2020-12',
};

const compiledEarlier = new Map<string, Schema>();

/** Returns the schema of the schemas of a dialect. It checks formats in each draft. */
export function metaschemaOf({ draft, vocabularies }: Dialect): Schema {
  if (vocabularies === undefined) return once(`${addresses[draft]}/schema`, compiled);
  const names = [...vocabularies].toSorted();
  return once([draft, ...names].join(' '), () => combined(draft, names));
}

function once(name: string, make: (name: string) => Schema): Schema {
  let schema = compiledEarlier.get(name);
  if (schema === undefined) {
    schema = make(name);
    compiledEarlier.set(name, schema);
  }
  return schema;
}

function compiled(address: string): Schema {
  const work = new SchemaWork(Infinity);
  return new SchemaCompiler(new PlacedSchemas(undefined, work, () => undefined), work, true).compile(address);
}

/** The metaschema of a schema that can use some vocabularies. */
function combined(draft: Draft, names: readonly string[]): Schema {
  const dynamicAnchors = new Map<string, Schema>();
  const schema: Schema = {
    draft,
    location: { document: 'urn:mem:metaschema', place: undefined },
    resource: { isRecursive: false, dynamicAnchors },
    allows: undefined,
    dynamicAnchor: 'meta',
    conditions: {
      not: undefined,
      all: names.map((name) => once(`${addresses[draft]}/meta/${name}`, compiled)),
      any: [],
      one: [],
      condition: undefined,
      accepted: undefined,
      rejected: undefined,
    },
  };
  if (draft >= 2020) dynamicAnchors.set('meta', schema);
  return schema;
}
