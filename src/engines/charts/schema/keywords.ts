import { hasVocabulary, type Dialect, type Draft } from './draft.ts';

interface Keyword {
  readonly vocabulary: string;
  /** The draft in which the keyword is new. */
  readonly since: Draft;
  /** The last draft in which it counts. */
  readonly until: Draft;
}

const groups: readonly (readonly [vocabulary: string, names: string, since?: Draft, until?: Draft])[] = [
  ['core', '$ref'],
  ['core', '$recursiveRef $recursiveAnchor', 2019],
  ['core', '$dynamicRef $dynamicAnchor', 2020],
  ['applicator', 'allOf anyOf oneOf not items'],
  ['applicator', 'properties patternProperties additionalProperties dependencies'],
  ['applicator', 'additionalItems', 4, 2019],
  ['applicator', 'contains propertyNames', 6],
  ['applicator', 'if then else', 7],
  ['applicator', 'dependentSchemas', 2019],
  ['applicator', 'prefixItems', 2020],
  ['unevaluated', 'unevaluatedItems unevaluatedProperties', 2019],
  ['validation', 'type enum multipleOf maximum minimum exclusiveMaximum exclusiveMinimum'],
  ['validation', 'maxLength minLength pattern maxItems minItems uniqueItems'],
  ['validation', 'maxProperties minProperties required'],
  ['validation', 'const', 6],
  ['validation', 'minContains maxContains dependentRequired', 2019],
];

const keywords = new Map<string, Keyword>(
  groups.flatMap(([vocabulary, names, since = 4, until = 2020]) =>
    names.split(' ').map((name) => [name, { vocabulary, since, until }] as const),
  ),
);

/** Whether a keyword has a meaning in a dialect. */
export function isKeyword(name: string, dialect: Dialect): boolean {
  const keyword = keywords.get(name);
  if (keyword === undefined || dialect.draft < keyword.since || dialect.draft > keyword.until) return false;
  const isEarly = dialect.draft === 2019 && keyword.vocabulary === 'unevaluated';
  return hasVocabulary(dialect, isEarly ? 'applicator' : keyword.vocabulary);
}
