import { draftOf, latestDialect, vocabularyOf, type Dialect, type Draft } from './draft.ts';
import { isTrusted, metaschemaAt } from './metaschemas/index.ts';
import {
  placeOf,
  referenceParts,
  resolvedAddress,
  schemaPointer,
  type SchemaPlace,
} from './schema-address.ts';
import { SchemaError } from './schema-error.ts';
import type { SchemaJson, SchemaObject } from './schema-json.ts';
import { innerSchemas } from './schema-positions.ts';
import type { SchemaWork } from './schema-work.ts';

/** A file of schemas: `values.schema.json`, or a metaschema. */
interface SchemaDocument {
  readonly address: string;
  readonly json: SchemaJson;
  readonly resources: Map<string, PlacedResource>;
}

/** A document, or a part of it with an `$id`, as JSON. */
export interface PlacedResource {
  readonly document: SchemaDocument;
  readonly address: string;
  readonly json: SchemaJson;
  readonly dialect: Dialect;
  readonly anchors: Map<string, SchemaObject>;
  readonly dynamicAnchors: Map<string, SchemaObject>;
}

/** A schema, and where it is. */
export interface PlacedSchema {
  readonly json: SchemaJson;
  readonly resource: PlacedResource;
  readonly place: SchemaPlace | undefined;
}

/** A value that is a schema by its position. */
interface Unread {
  readonly json: SchemaJson;
  /** Undefined for a document. */
  readonly around: PlacedResource | undefined;
  readonly place: SchemaPlace | undefined;
}

/** Checks that a value is a schema of its dialect. */
export type SchemaCheck = (placed: PlacedSchema) => void;

/** The address of the file in Helm. */
export const addressOfFile = 'file:///values.schema.json';

/** The schemas of a document, and of the metaschemas that it refers to. */
export class PlacedSchemas {
  readonly #file: SchemaJson | undefined;
  readonly #work: SchemaWork;
  readonly #check: SchemaCheck;
  readonly #documents = new Map<string, PlacedResource>();
  readonly #metaschemas = new Map<string, SchemaJson | undefined>();
  readonly #placed = new Map<SchemaObject, PlacedSchema>();

  /** @param file - `values.schema.json`; undefined for metaschemas alone */
  constructor(file: SchemaJson | undefined, work: SchemaWork, check: SchemaCheck) {
    this.#file = file;
    this.#work = work;
    this.#check = check;
  }

  /**
   * Returns the schema of a whole document.
   *
   * @throws {SchemaError} for a document that is elsewhere or not valid
   */
  document(address: string): PlacedSchema {
    const resource = this.#resourceAt(address, address);
    return { json: resource.json, resource, place: undefined };
  }

  /** Returns a schema inside of another one. */
  inner(around: PlacedSchema, json: SchemaJson, ...steps: readonly string[]): PlacedSchema {
    const placed = json instanceof Map ? this.#placed.get(json) : undefined;
    return placed ?? { json, resource: around.resource, place: placeOf(around.place, ...steps) };
  }

  /** Returns the resource that begins with a value, if one does. */
  resourceOf(json: unknown): PlacedResource | undefined {
    const resource = this.#placed.get(json as SchemaObject)?.resource;
    return resource?.json === json ? resource : undefined;
  }

  /** Returns a schema of a resource that was read with it. */
  schemaAt(json: SchemaJson, resource: PlacedResource): PlacedSchema {
    const placed = json instanceof Map ? this.#placed.get(json) : undefined;
    return placed ?? { json, resource, place: undefined };
  }

  /**
   * Returns the schema that a reference means.
   *
   * @throws {SchemaError} for one that does not exist, is elsewhere or not valid
   */
  target(reference: string, from: PlacedResource): PlacedSchema {
    const parts = referenceParts(reference);
    if (parts === undefined) throw unresolved(reference);
    const { document } = from;
    this.#work.spend(5 + reference.length);
    const address = resolvedAddress(parts.address, from.address);
    const own = address === document.address ? undefined : document.resources.get(address);
    const resource = own ?? this.#resourceAt(address, reference);
    if (parts.fragment === '' || parts.fragment.startsWith('/'))
      return this.#schemaAt(resource, parts.fragment, reference);
    const anchored = resource.anchors.get(parts.fragment);
    const placed = anchored === undefined ? undefined : this.#placed.get(anchored);
    if (placed === undefined) throw unresolved(reference);
    return placed;
  }

  #schemaAt(resource: PlacedResource, pointer: string, reference: string): PlacedSchema {
    let last = this.schemaAt(resource.json, resource);
    let { json, place } = last;
    const steps: string[] = [];
    for (const token of pointer.split('/').slice(1)) {
      const step = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const inner = /~(?![01])/.test(token) ? undefined : valueIn(json, step);
      if (inner === undefined) throw unresolved(reference);
      json = inner;
      place = placeOf(place, step);
      steps.push(step);
      const placed = json instanceof Map ? this.#placed.get(json) : undefined;
      if (placed === undefined) continue;
      last = placed;
      steps.length = 0;
    }
    if (steps.length === 0) return last;
    return this.#placedAt({ json, around: last.resource, place }, last, steps);
  }

  /** A reference can mean a value that no keyword reads. */
  #placedAt(unread: Unread, last: PlacedSchema, steps: readonly string[]): PlacedSchema {
    const { json, place } = unread;
    this.#read(last.resource.document, unread);
    const placed = this.inner(last, json, ...steps);
    const isKnown =
      !(json instanceof Map) &&
      last.json instanceof Map &&
      innerSchemas(last.json, last.resource.dialect.draft).some(
        (inner) => schemaPointer(placeOf(last.place, ...inner.steps)) === schemaPointer(place),
      );
    if (!isKnown) this.#check(placed);
    return placed;
  }

  #resourceAt(address: string, reference: string): PlacedResource {
    const earlier = this.#documents.get(address);
    if (earlier !== undefined) return earlier;
    const json = this.#json(address);
    if (json === undefined) throw unresolved(reference);
    const document: SchemaDocument = { address, json, resources: new Map() };
    const resource = this.#read(document, { json, around: undefined, place: undefined });
    this.#documents.set(address, resource);
    if (!isTrusted(address)) this.#check({ json, resource, place: undefined });
    return resource;
  }

  /** Returns a document without a file or the network. As Helm, which accepts everything where a schema refers to a URN. */
  #json(address: string): SchemaJson | undefined {
    if (address === addressOfFile) return this.#file;
    if (/^urn:/i.test(address)) return true;
    if (!this.#metaschemas.has(address)) this.#metaschemas.set(address, metaschemaAt(address));
    return this.#metaschemas.get(address);
  }

  /** Reads a value and the schemas in it, and returns its resource. */
  #read(document: SchemaDocument, first: Unread): PlacedResource {
    let root = first.around;
    const unread = [first];
    for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
      const { json, around, place } = next;
      if (!(json instanceof Map)) {
        root ??= newResource(document, document.address, json, latestDialect);
        continue;
      }
      if (this.#placed.has(json)) continue;
      this.#work.spend(10 + json.size);
      const { resource, draft } = this.#enter(document, json, around, place);
      root ??= resource;
      this.#placed.set(json, { json, resource, place });
      recordAnchors(json, resource);
      for (const inner of innerSchemas(json, draft))
        unread.push({ json: inner.json, around: resource, place: placeOf(place, ...inner.steps) });
    }
    return root ?? newResource(document, document.address, first.json, latestDialect);
  }

  /** Returns the resource of a schema, which is a new one if it has an id, and the draft by which its parts are read. */
  #enter(
    document: SchemaDocument,
    json: SchemaObject,
    around: PlacedResource | undefined,
    place: SchemaPlace | undefined,
  ): { readonly resource: PlacedResource; readonly draft: Draft } {
    const fallback = around?.dialect ?? latestDialect;
    const base = around?.address ?? document.address;
    const own = this.#draftOf(json, fallback.draft, [document.address, place]);
    const isNamed = around === undefined || idOf(json, own) !== '';
    const draft = isNamed ? own : fallback.draft;
    const id = idOf(json, draft);
    if (around !== undefined && id === '') return { resource: around, draft };
    this.#work.spend(20 + id.length);
    const address = resolvedAddress(id, base);
    if (document.resources.has(address))
      throw new SchemaError(`the schema is not valid: duplicate id ${JSON.stringify(address)}`);
    const hasDialect = isNamed && typeof json.get('$schema') === 'string';
    const dialect = hasDialect ? { draft, vocabularies: this.#vocabularies(json, draft) } : fallback;
    return { resource: newResource(document, address, json, dialect), draft };
  }

  /** Returns the draft of a schema, that of its metaschema if it has its own. */
  #draftOf(
    json: SchemaJson,
    fallback: Draft,
    [address, place]: readonly [string | undefined, SchemaPlace | undefined],
    visited: ReadonlySet<string> = new Set(),
  ): Draft {
    const name = dialectName(json);
    if (name === undefined) return fallback;
    const draft = draftOf(name);
    if (draft !== undefined) return draft;
    const metaschema = withoutFragment(name);
    const isOwn = place === undefined && metaschema === address;
    const next = isOwn || visited.has(metaschema) ? undefined : this.#json(metaschema);
    if (next === undefined)
      throw new SchemaError(`the schema is not valid: no schema with key or ref ${JSON.stringify(name)}`);
    return this.#draftOf(next, fallback, [metaschema, undefined], new Set([...visited, metaschema]));
  }

  /** Returns the vocabularies that the metaschema of a schema requires; undefined for those that the draft has by default. */
  #vocabularies(json: SchemaObject, draft: Draft): ReadonlySet<string> | undefined {
    const name = dialectName(json);
    if (draft < 2019 || name === undefined || draftOf(name) !== undefined) return undefined;
    const metaschema = this.#json(withoutFragment(name));
    const listed = metaschema instanceof Map ? metaschema.get('$vocabulary') : undefined;
    if (!(listed instanceof Map)) return undefined;
    const vocabularies = new Set<string>(['core']);
    for (const [address, isRequired] of listed) {
      if (isRequired !== true) continue;
      const vocabulary = vocabularyOf(address, draft);
      if (vocabulary === undefined)
        throw new SchemaError(
          `the schema is not valid: unsupported vocabulary ${JSON.stringify(address)} in ${JSON.stringify(withoutFragment(name))}`,
        );
      vocabularies.add(vocabulary);
    }
    return vocabularies;
  }
}

function newResource(
  document: SchemaDocument,
  address: string,
  json: SchemaJson,
  dialect: Dialect,
): PlacedResource {
  const resource: PlacedResource = {
    document,
    address,
    json,
    dialect,
    anchors: new Map(),
    dynamicAnchors: new Map(),
  };
  document.resources.set(address, resource);
  return resource;
}

function recordAnchors(
  json: SchemaObject,
  { dialect: { draft }, anchors, dynamicAnchors }: PlacedResource,
): void {
  const record = (name: unknown): void => {
    if (typeof name !== 'string') return;
    const other = anchors.get(name);
    if (other !== undefined && other !== json)
      throw new SchemaError(`the schema is not valid: duplicate anchor ${JSON.stringify(name)}`);
    anchors.set(name, json);
  };
  if (draft < 2019) {
    const id = json.has('$ref') ? undefined : json.get(draft === 4 ? 'id' : '$id');
    const fragment = typeof id === 'string' ? referenceParts(id)?.fragment : '';
    if (fragment === undefined)
      throw new SchemaError(`the schema is not valid: error in parsing anchor of ${JSON.stringify(id)}`);
    if (fragment !== '' && !fragment.startsWith('/')) record(fragment);
    return;
  }
  record(json.get('$anchor'));
  if (draft < 2020) return;
  const dynamic = json.get('$dynamicAnchor');
  record(dynamic);
  if (typeof dynamic === 'string') dynamicAnchors.set(dynamic, json);
}

/** Returns the id of a schema without its fragment; a text without characters if it has none. */
function idOf(json: SchemaObject, draft: Draft): string {
  if (draft < 2019 && json.has('$ref')) return '';
  const id = json.get(draft === 4 ? 'id' : '$id');
  return typeof id === 'string' ? withoutFragment(id) : '';
}

function dialectName(json: SchemaJson): string | undefined {
  const name = json instanceof Map ? json.get('$schema') : undefined;
  return typeof name === 'string' ? name : undefined;
}

function withoutFragment(address: string): string {
  return address.split('#', 1)[0] ?? '';
}

/** Returns the value with a name or a position. */
function valueIn(json: SchemaJson, step: string): SchemaJson | undefined {
  if (json instanceof Map) return json.get(step);
  return Array.isArray(json) && /^[-+]?\d+$/.test(step)
    ? (json as readonly SchemaJson[])[Number(step)]
    : undefined;
}

function unresolved(reference: string): SchemaError {
  return new SchemaError(`the schema is not valid: can't resolve reference ${reference}`);
}
