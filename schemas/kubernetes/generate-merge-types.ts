// Writes merge-types.gen.ts: how server-side apply merges the fields of Kubernetes' kinds, from the schemas that Kubernetes generates for
// its Go clients out of the same comments as the OpenAPI document of the API server (`+listType`, `+listMapKey`, `+mapType`, `+structType`).
// Usage: node --import tsx schemas/kubernetes/generate-merge-types.ts FILE...
// Each FILE is an internal.go of a folder applyconfiguration(s)/internal in the Go module cache (docs/schemas.md).
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { compareText } from '../../src/base/collections/compare-text.ts';
import { defaultingOf } from './api-defaults.ts';
import { kubernetesKinds } from './kubernetes.ts';

/** A type in a schema of structured-merge-diff. */
interface Atom {
  readonly scalar?: string;
  readonly list?: {
    readonly elementType: Reference;
    readonly elementRelationship?: string;
    readonly keys?: readonly string[];
  };
  readonly map?: {
    readonly fields?: readonly Field[];
    readonly elementType?: Reference;
    readonly elementRelationship?: string;
  };
}

type Reference = Atom & { readonly namedType?: string };

interface Field {
  readonly name: string;
  readonly type: Reference;
  readonly default?: unknown;
}

const named = new Map(
  process.argv.slice(2).flatMap((file) => {
    const [, text = ''] = /typed\.YAMLObject\(`([^`]*)`\)/.exec(readFileSync(file, 'utf8')) ?? [];
    const { types } = parse(text) as { readonly types: readonly (Atom & { readonly name: string })[] };
    return types.map((type) => [type.name, type] as const);
  }),
);

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** Fields of objects that no work writes, or that are merged as those of all kinds. */
const beside = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Returns the fields of a type that works write. */
function fieldsOf(name: string): readonly Field[] {
  const fields = [...(named.get(name)?.map?.fields ?? [])].sort((a, b) => compareText(a.name, b.name));
  const isObject = fields.some(({ type }) => type.namedType?.endsWith('.ObjectMeta') === true);
  return fields.filter((field) => !isObject || !beside.has(field.name));
}

/** Returns the defaults of a type that are not the zero values of Go, and structs that Go always writes. */
function defaultsOf(name: string): readonly Field[] {
  return fieldsOf(name).filter(({ default: value = '' }) => value !== '' && value !== 0);
}

/** The types of which anything is to be known: all others are merged field by field, and their lists have one owner. */
const special = new Set([...named.keys()].filter((name) => isSpecial(name)));
for (let size = 0; size < special.size;) {
  size = special.size;
  for (const name of named.keys())
    if (fieldsOf(name).some(({ type }) => referredBy(type).some((each) => special.has(each))))
      special.add(name);
}

function isSpecial(name: string): boolean {
  return (
    defaultingOf(shortName(name)) !== undefined ||
    defaultsOf(name).length > 0 ||
    fieldsOf(name).some(({ type }) => /[!(q]/.test(textOf(type, () => '')))
  );
}

/** Returns the types of the values of a field. */
function referredBy({ namedType, list, map }: Reference): readonly string[] {
  const inner = [list?.elementType, map?.elementType].filter((each) => each !== undefined);
  return [...(namedType === undefined ? [] : [namedType]), ...inner.flatMap(referredBy)];
}

/**
 * `s` a value, `q` a quantity, `{x` a map, `[x` a list whose items are merged with `(key,key)` before it, or by value with `()`, else a type.
 * `!` before a map or type says that it has one owner; a list without keys has one as well.
 */
function textOf(reference: Reference, structText: (name: string) => string): string {
  const { namedType = '' } = reference;
  if (namedType === quantity) return 'q';
  const { scalar, list, map } = named.get(namedType) ?? reference;
  // a value of any type is merged as what it is
  if (scalar !== undefined) return namedType === '__untyped_atomic_' ? '!s' : 's';
  if (list !== undefined) {
    const keys = list.elementRelationship === 'associative' ? `(${(list.keys ?? []).join(',')})` : '';
    return `${keys}[${textOf(list.elementType, structText)}`;
  }
  if (map === undefined) return 's';
  const owned = map.elementRelationship === 'atomic' ? '!' : '';
  if (map.fields === undefined && map.elementType !== undefined)
    return `${owned}{${textOf(map.elementType, structText)}`;
  return `${owned}${structText(namedType)}`;
}

/** Types that are used, in the order in which they are reached. */
const numbers = new Map<string, number>();
const waiting: string[] = [];

function numbered(name: string): string {
  if (!special.has(name)) return 's';
  const number = numbers.get(name) ?? numbers.size;
  if (number === numbers.size) waiting.push(name);
  numbers.set(name, number);
  return String(number);
}

/** Returns the last parts of the name of a type: `core.v1.PodSpec`. */
function shortName(name: string): string {
  return name.split('.').slice(-3).join('.');
}

/** Returns the name of the Go type of a kind. */
function typeOf(apiVersion: string, kind: string): string {
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed();
  const [first = ''] = group.split('.');
  if (first === 'apiextensions') return `io.k8s.apiextensions-apiserver.pkg.apis.${first}.${version}.${kind}`;
  if (first === 'apiregistration') return `io.k8s.kube-aggregator.pkg.apis.${first}.${version}.${kind}`;
  return `io.k8s.api.${first === 'internal' ? 'apiserverinternal' : first}.${version}.${kind}`;
}

const kinds: Record<string, Record<string, number>> = {};
for (const [apiVersion, byKind] of kubernetesKinds().byVersion)
  for (const kind of byKind.keys()) {
    const name = typeOf(apiVersion, kind);
    if (special.has(name)) (kinds[apiVersion] ??= {})[kind] = Number(numbered(name));
  }

const types: { readonly name: string; readonly fields: object; readonly defaults?: object }[] = [];
for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
  const type = name;
  const defaults = defaultsOf(type);
  types.push({
    name: shortName(type),
    fields: Object.fromEntries(
      fieldsOf(type)
        .map((field) => [field.name, textOf(field.type, numbered)] as const)
        .filter(([, code]) => !/^[[{]*s$/.test(code)),
    ),
    ...(defaults.length > 0 && {
      defaults: Object.fromEntries(defaults.map((field) => [field.name, field.default])),
    }),
  });
}

const text = JSON.stringify({ kinds, types });
writeFileSync(
  path.join(import.meta.dirname, 'merge-types.gen.ts'),
  `// Generated by schemas/kubernetes/generate-merge-types.ts from the schemas of Kubernetes' Go clients. Do not edit.
/** JSON, read when it is first asked for. */
export const mergeTypesTable = '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}';
`,
);
