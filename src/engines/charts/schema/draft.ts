/** The drafts of JSON Schema that Helm's validator reads. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

const drafts: Readonly<Record<string, Draft>> = {
  'json-schema.org/draft-04/schema': 4,
  'json-schema.org/draft-06/schema': 6,
  'json-schema.org/draft-07/schema': 7,
  'json-schema.org/draft/2019-09/schema': 2019,
  'json-schema.org/draft/2020-12/schema': 2020,
  'json-schema.org/schema': 2020,
};

/** Returns the draft that `$schema` names, with or without https; 2020 without one, undefined for another one. */
export function draftOf(url: unknown): Draft | undefined {
  if (typeof url !== 'string') return 2020;
  const [name = ''] = url.replace(/^https?:\/\//, '').split(/#$/);
  return drafts[name];
}
