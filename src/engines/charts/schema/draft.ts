/** The drafts of JSON Schema that Helm's validator reads. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** A draft, and the vocabularies of it that a schema can use. */
export interface Dialect {
  readonly draft: Draft;
  /** Undefined for those that a draft has by default. */
  readonly vocabularies?: ReadonlySet<string> | undefined;
}

/** The dialect of a schema that names none. */
export const latestDialect: Dialect = { draft: 2020 };

const drafts = new Map<string, Draft>([
  ['json-schema.org/draft-04/schema', 4],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft/2020-12/schema', 2020],
  ['json-schema.org/schema', 2020],
]);

/** Returns the draft with an address, with or without http or https; undefined for another address. */
export function draftOf(address: string): Draft | undefined {
  return drafts.get(address.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** The vocabularies of a draft, and whether a schema that names no vocabularies can use them. */
const vocabularies: ReadonlyMap<Draft, ReadonlyMap<string, boolean>> = new Map([
  [
    2019,
    new Map([
      ['core', true],
      ['applicator', true],
      ['validation', true],
      ['meta-data', false],
      ['format', false],
      ['content', false],
    ]),
  ],
  [
    2020,
    new Map([
      ['core', true],
      ['applicator', true],
      ['unevaluated', true],
      ['validation', true],
      ['meta-data', false],
      ['format-annotation', false],
      ['format-assertion', false],
      ['content', false],
    ]),
  ],
]);

const prefixes: ReadonlyMap<Draft, string> = new Map([
  [2019, 'https://json-schema.org/draft/2019-09/vocab/'],
  [2020, 'https://json-schema.org/draft/2020-12/vocab/'],
]);

/** Returns the name of the vocabulary with an address; undefined for one that the draft does not have. */
export function vocabularyOf(address: string, draft: Draft): string | undefined {
  const prefix = prefixes.get(draft);
  if (prefix === undefined || !address.startsWith(prefix)) return undefined;
  const name = address.slice(prefix.length);
  return vocabularies.get(draft)?.has(name) === true ? name : undefined;
}

/** Whether a schema can use a vocabulary. Drafts before 2019 have none and allow everything. */
export function hasVocabulary({ draft, vocabularies: chosen }: Dialect, name: string): boolean {
  const all = vocabularies.get(draft);
  if (name === 'core' || all === undefined) return true;
  return chosen?.has(name) ?? all.get(name) === true;
}

/** Whether a text that does not have the format that `format` names is refused. */
export function checksFormats(dialect: Dialect): boolean {
  if (dialect.draft < 2019) return true;
  return hasVocabulary(dialect, dialect.draft === 2019 ? 'format' : 'format-assertion');
}
