// Writes kubernetes.gen.ts: the kinds and fields of Kubernetes, from the JSON Schemas of its releases.
// Usage: node --import tsx schemas/kubernetes/generate.ts FOLDER. FOLDER has one folder per release, such as
// v1.37.0-local, with a file _definitions.json; the Python package kubernetes-validate contains them
// (docs/schemas.md).
import { compareText } from '../../src/base/collections/compare-text.ts';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Definitions = Readonly<Record<string, Schema>>;

const [folder = ''] = process.argv.slice(2);
const releases = new Map(
  readdirSync(folder)
    .flatMap((name) => {
      const [, minor] = /^v1\.(\d+)\.\d+-local$/.exec(name) ?? [];
      return minor === undefined ? [] : [[Number(minor), definitionsIn(path.join(folder, name))] as const];
    })
    .sort(([a], [b]) => a - b),
);
const minors = [...releases.keys()];
const [oldest = 0, newest = 0] = [minors.at(0), minors.at(-1)];

function definitionsIn(release: string): Definitions {
  const file = JSON.parse(readFileSync(path.join(release, '_definitions.json'), 'utf8')) as Readonly<
    Record<string, Definitions>
  >;
  return file['$defs'] ?? file['definitions'] ?? {};
}

const scalarCodes: ReadonlyMap<string, string> = new Map([
  ['string', 's'],
  ['integer', 'i'],
  ['number', 'n'],
  ['boolean', 'b'],
]);

/** `s` string, `i` integer, `n` number, `b` boolean, `q` integer or string, `*` anything, `[x` list, `{x` map, else a type. */
function codeOf(schema: Schema, definitions: Definitions): string {
  const reference = schema.$ref?.replace(/^.*\//, '');
  if (reference !== undefined) {
    const referred = definitions[reference];
    return referred?.properties === undefined ? codeOf(referred ?? {}, definitions) : reference;
  }
  // quantities and ports
  if (schema.oneOf?.some(({ type = '' }) => type.includes('string')) === true) return 'q';
  const type = [schema.type ?? []].flat().find((name) => name !== 'null');
  if (type === 'array') return `[${codeOf(schema.items ?? {}, definitions)}`;
  if (type === 'object' && schema.additionalProperties !== undefined)
    return `{${codeOf(schema.additionalProperties, definitions)}`;
  return scalarCodes.get(type ?? '') ?? '*';
}

/** By type, field and release: the code of the field's type. */
const fields = new Map<string, Map<string, Map<number, string>>>();
/** By API version, kind and release: the type. */
const kinds = new Map<string, Map<string, Map<number, string>>>();

for (const [minor, definitions] of releases) {
  for (const [name, { properties, ...definition }] of Object.entries(definitions)) {
    if (properties === undefined) continue;
    const isObject = properties['metadata']?.$ref?.endsWith('.ObjectMeta') === true;
    const kindsOfType = definition['x-kubernetes-group-version-kind'] ?? [];
    for (const [field, schema] of Object.entries(properties)) {
      // The status of a manifest is ignored.
      const isStatus = field === 'status' && isObject && kindsOfType.length > 0;
      const code = isStatus ? '*' : codeOf(schema, definitions);
      memo(memo(fields, name), field).set(minor, code);
    }
    if (!isObject) continue;
    for (const { group, version, kind } of kindsOfType)
      memo(memo(kinds, group === '' ? version : `${group}/${version}`), kind).set(minor, name);
  }
}

function memo<A, B, C>(map: Map<A, Map<B, C>>, key: A): Map<B, C> {
  const inner = map.get(key) ?? new Map<B, C>();
  map.set(key, inner);
  return inner;
}

/**
 * Returns an empty text if something is in all of some releases; else the first and the last one, without those at
 * the ends.
 */
function span(present: Iterable<number>, releasesOfHolder: readonly number[]): string {
  const presentMinors = [...present].sort((a, b) => a - b);
  const since = presentMinors.at(0) === releasesOfHolder.at(0) ? '' : String(presentMinors.at(0));
  const until = presentMinors.at(-1) === releasesOfHolder.at(-1) ? '' : String(presentMinors.at(-1));
  return since === '' && until === '' ? '' : `@${since}-${until}`;
}

/** Returns the releases that have a type. */
function releasesOf(type: string): readonly number[] {
  const all = Array.from(fields.get(type)?.values() ?? [], (byRelease) => [...byRelease.keys()]).flat();
  return [...new Set(all)].sort((a, b) => a - b);
}

const numbers = new Map<string, number>();
const waiting: string[] = [];

/** Numbers types in the order in which they are reached. */
function numbered(code: string): string {
  const [, prefix = '', type = ''] = /^([[{]*)(.*)$/.exec(code) ?? [];
  if (type.length === 1) return code;
  if (!numbers.has(type)) {
    numbers.set(type, numbers.size);
    waiting.push(type);
  }
  return `${prefix}${numbers.get(type)}`;
}

function fieldText(type: string, byRelease: ReadonlyMap<number, string>): string {
  const codes = new Set(byRelease.values());
  const [code = '*'] = codes.size === 1 ? codes : ['*'];
  return `${numbered(code)}${span(byRelease.keys(), releasesOf(type))}`;
}

const kindTable = sorted(kinds, (byKind) =>
  sorted(
    byKind,
    (byRelease) => `${numbered([...byRelease.values()].at(-1) ?? '')}${span(byRelease.keys(), minors)}`,
  ),
);
const types: Record<string, string>[] = [];
for (let type = waiting.shift(); type !== undefined; type = waiting.shift()) {
  const name = type;
  types.push(
    sorted(fields.get(name) ?? new Map<string, Map<number, string>>(), (field) => fieldText(name, field)),
  );
}

function sorted<V, R>(map: ReadonlyMap<string, V>, textOf: (value: V) => R): Record<string, R> {
  const entries = [...map].sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, value]) => [key, textOf(value)]));
}

const text = JSON.stringify({ oldest, newest, kinds: kindTable, types });
writeFileSync(
  path.join(import.meta.dirname, 'kubernetes.gen.ts'),
  `// Generated by schemas/kubernetes/generate.ts from the OpenAPI documents of Kubernetes 1.${oldest} to 1.${newest}. Do not edit.
/** JSON, read when it is first asked for. */
export const kubernetesTable = ${quoted(text)};
`,
);

function quoted(json: string): string {
  return `'${json.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
