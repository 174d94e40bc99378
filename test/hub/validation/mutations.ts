import { isJsonList, isJsonMap } from '../../../src/base/json/json-map.ts';
import type { FieldPath } from '../../../src/compiler/model/field-path.ts';
import type { StructuralSchema } from '../../../schemas/index.ts';
import { awkwardTexts } from '../differential/deployment-configs.ts';
import type { Random } from '../differential/random.ts';
import type { ApiServer } from './api-server.ts';
import { metaMutations } from './meta-mutations.ts';
import { placesIn, withValue, type Place } from './places.ts';

/** An object of which a value, or two or three, have been changed in ways that may be wrong, or not. */
export function mutate(
  random: Random,
  object: unknown,
  schema: StructuralSchema,
  server: ApiServer,
): unknown {
  const times = random.pick([0, 1, 1, 1, 1, 1, 2, 3] as const);
  let mutated = object;
  for (let time = 0; time < times; time++) mutated = mutateOnce(random, mutated, schema, server);
  return mutated;
}

function mutateOnce(random: Random, object: unknown, schema: StructuralSchema, server: ApiServer): unknown {
  // metadata is the same in all kinds, so a separate share is enough for it
  const isMeta = random.chance(0.2);
  const places = placesIn(object, schema).filter((place) => place.isMeta === isMeta);
  if (places.length === 0) return object;
  const place = random.pick(places);
  if (isMeta && random.chance(0.7)) {
    const [path, value] = random.pick(metaMutations);
    return withValue(object, [...metaOf(place.path), ...path], value);
  }
  const [path, value] = random.pick(mutationsOf(random, place, server));
  return withValue(object, path, value);
}

/** The path of the metadata that a path leads into. */
function metaOf(path: FieldPath): FieldPath {
  return path.slice(0, path.lastIndexOf('metadata') + 1);
}

type Mutation = readonly [path: FieldPath, value: unknown];

function mutationsOf(random: Random, place: Place, server: ApiServer): readonly Mutation[] {
  const { path, value } = place;
  if (path.length === 0 && isJsonMap(value)) return fieldMutations(random, place, value);
  const here = (replacement: unknown): Mutation => [path, replacement];
  return [
    here(undefined),
    here(null),
    here(random.pick(otherValues)),
    here(random.pick(edges(random, place, server))),
    here(random.pick(edges(random, place, server))),
    ...(isJsonMap(value) ? fieldMutations(random, place, value) : []),
    ...(isJsonList(value) ? listMutations(random, place, value) : []),
  ];
}

/** Values of every type, for places that want another one. */
const otherValues: readonly unknown[] = [
  '',
  'text',
  '5',
  '10%',
  'true',
  0,
  1,
  -1,
  1.5,
  true,
  false,
  null,
  [],
  [null],
  ['text'],
  [1],
  [{}],
  {},
  { a: 'b' },
  { a: null },
  { a: 1 },
];

/** Values of the right type, some just inside and some just outside of what the schema allows. */
function edges(random: Random, { schema = {}, value }: Place, server: ApiServer): readonly unknown[] {
  if (typeof value === 'number') return numberEdges(schema, server);
  if (typeof value === 'string') return textEdges(random, schema, value);
  if (isJsonList(value))
    return [[], repeated(value, schema.minItems ?? 0), repeated(value, schema.maxItems ?? 3)];
  return typeof value === 'boolean' ? [!value] : [{}];
}

function numberEdges(
  { minimum = 0, maximum = 100, format }: StructuralSchema,
  server: ApiServer,
): readonly unknown[] {
  const limits = [minimum, minimum - 1, maximum, maximum + 1, minimum + 0.5, 1e19, 1e30, 2n ** 63n];
  const in32 = [2 ** 31 - 1, -(2 ** 31)];
  const beyond32 = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n)];
  return [...limits, ...in32, ...(format !== 'int32' || server.checksInt32 ? beyond32 : [])];
}

function textEdges(random: Random, schema: StructuralSchema, value: string): readonly string[] {
  const { minLength = 0, maxLength = 63, format, enum: values = [] } = schema;
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
  return [
    ...lengths.map((length) => 'a'.repeat(length)),
    // a character counts once, however many bytes and code units it has
    ...lengths.map((length) => '😀'.repeat(length)),
    value.toUpperCase(),
    value.toLowerCase(),
    `${value}\n`,
    ` ${value}`,
    `${value}${random.pick(['.', '-', '_', '/', ':', '%', '*', 'ü', '0', 'A', '\u0000'] as const)}`,
    `${random.pick(['.', '-', '_', '/', ':', '%', '*', 'ü', '0', 'A', '1'] as const)}${value}`,
    value.slice(1),
    value.slice(0, -1),
    random.pick(awkwardTexts),
    ...values.map(String),
    ...(format === 'date-time' ? times : []),
    ...(format === 'byte' ? base64Texts : []),
  ];
}

const times = [
  '2026-01-31T12:00:00Z',
  '2026-01-31t12:00:00z',
  '2026-01-31T12:00:00.123456789+01:00',
  '2026-01-31 12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:00:60Z',
  '2026-02-29T12:00:00Z',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '0001-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
];

const base64Texts = ['YQ', 'YQ==', 'YQ=', 'Y Q=', 'YWJj\n', '____', 'YWJjZA=='];

function fieldMutations(random: Random, { path, schema }: Place, map: object): readonly Mutation[] {
  const keys = Object.keys(map);
  const known = Object.keys(schema?.properties ?? {});
  const stranger = random.pick(['stranger', 'toString', '__proto_', '', 'a.b/c', 'a b', 'ü'] as const);
  const added: Mutation = [[...path, stranger], random.pick(otherValues)];
  const missing = known.filter((key) => !keys.includes(key) && path.length > 0);
  const misspelled = [...known, ...keys].filter((key) => path.length > 0 || !isIdentity(key));
  return [
    added,
    ...(missing.length === 0 ? [] : [[[...path, random.pick(missing)], random.pick(otherValues)] as const]),
    ...(misspelled.length === 0
      ? []
      : [[[...path, otherCase(random.pick(misspelled))], random.pick(otherValues)] as const]),
  ];
}

function isIdentity(key: string): boolean {
  return key === 'apiVersion' || key === 'kind' || key === 'metadata';
}

/** The other spelling of a field, which lenient decoders of JSON take for the same. */
function otherCase(key: string): string {
  const [first = ''] = key;
  return (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + key.slice(1);
}

function listMutations(
  random: Random,
  { path, schema }: Place,
  list: readonly unknown[],
): readonly Mutation[] {
  const again = list.length === 0 ? [] : [[path, [...list, random.pick(list)]] as const];
  const { maxItems = list.length + 1 } = schema ?? {};
  return [
    ...again,
    ...again,
    [path, [...list, random.pick(otherValues)]],
    [path, [...list.map(slightlyOther), ...list]],
    [path, repeated(list, maxItems + 1)],
  ];
}

/** The same with another `name`, if it has one: it often identifies the items of lists. */
function slightlyOther(item: unknown): unknown {
  return isJsonMap(item) && typeof item['name'] === 'string' ? { ...item, name: `${item['name']}-b` } : item;
}

function repeated(list: readonly unknown[], length: number): readonly unknown[] {
  // lists of ten thousand say no more than those of two hundred
  return Array.from(
    { length: Math.min(length, 200) },
    (_, index) => list[index % Math.max(list.length, 1)] ?? 'a',
  );
}
