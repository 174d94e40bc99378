import type { Draft } from './draft.ts';
import { innerSchemas, isRecord, keywordProblem, kindOf } from './keywords.ts';
import { SchemaError } from './schema-error.ts';
import type { SchemaWork } from './schema-work.ts';

/** A schema that is not a boolean, as JSON. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A document, or a part of it with an `$id`, as JSON. */
export interface PlacedResource {
  readonly address: string;
  readonly json: unknown;
  readonly anchors: Map<string, SchemaObject>;
  readonly dynamicAnchors: Map<string, SchemaObject>;
}

/** Where a value is in the document. */
interface Place {
  readonly step: string;
  readonly around: Place | undefined;
}

/** A value that has to be a schema. */
interface Unread {
  readonly json: unknown;
  readonly resource: PlacedResource;
  readonly place: Place | undefined;
}

/** As the address of the file in Helm. */
const addressOfDocument = 'file:///values.schema.json';

/** The schemas in a document, with the resources that they are in. Each is checked when it is read. */
export class PlacedSchemas {
  readonly #draft: Draft;
  readonly #work: SchemaWork;
  readonly #root: PlacedResource;
  readonly #resources = new Map<string, PlacedResource>();
  readonly #resourceOf = new Map<SchemaObject, PlacedResource>();

  /** @throws {SchemaError} for a schema that is not valid */
  constructor(document: unknown, draft: Draft, work: SchemaWork) {
    this.#draft = draft;
    this.#work = work;
    this.#root = resourceAt(addressOfDocument, document);
    this.#resources.set(addressOfDocument, this.#root);
    this.#read({ json: document, resource: this.#root, place: undefined });
  }

  /** The document, and the parts of it with an `$id`. */
  get resources(): readonly PlacedResource[] {
    return [...new Set(this.#resources.values())];
  }

  /** Returns the resource that a schema is in; for a boolean, the document. */
  resourceOf(json: unknown): PlacedResource {
    return (isRecord(json) ? this.#resourceOf.get(json) : undefined) ?? this.#root;
  }

  /**
   * Returns the schema that a reference means.
   *
   * @throws {SchemaError} for one that is not in the document
   */
  target(reference: string, from: SchemaObject): unknown {
    const [address = '', ...rest] = reference.split('#');
    const { address: base } = this.resourceOf(from);
    const resource = this.#resources.get(address === '' ? base : (absolute(address, base) ?? address));
    const fragment = decoded(rest.join('#'));
    if (resource === undefined || fragment === undefined) throw unresolved(reference);
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchored = resource.anchors.get(fragment);
      if (anchored === undefined) throw unresolved(reference);
      return anchored;
    }
    return this.#valueAt(resource, fragment, reference);
  }

  #valueAt(resource: PlacedResource, pointer: string, reference: string): unknown {
    let json = resource.json;
    let place: Place | undefined;
    for (const token of pointer.split('/').slice(1)) {
      const step = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof json !== 'object' || json === null || !Object.hasOwn(json, step))
        throw unresolved(reference);
      json = (json as SchemaObject)[step];
      place = { step, around: place };
    }
    // A reference can mean a value that no keyword reads.
    this.#read({ json, resource, place });
    return json;
  }

  #read(first: Unread): void {
    const unread = [first];
    for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
      const { json, place } = next;
      if (typeof json === 'boolean' && (this.#draft >= 6 || next === first)) continue;
      if (!isRecord(json)) throw invalid(place, 'a schema is an object or a boolean');
      if (this.#resourceOf.has(json)) continue;
      this.#work.spend(3);
      const resource = this.#enter(json, next.resource);
      for (const [name, value] of Object.entries(json)) {
        const kind = kindOf(name, this.#draft);
        this.#work.spend(1);
        if (kind === undefined) continue;
        const problem = keywordProblem(kind, value, this.#draft);
        const at = { step: name, around: place };
        if (problem !== undefined) throw invalid(at, problem);
        for (const { key, schema } of innerSchemas(kind, value))
          if (typeof schema !== 'boolean' || (this.#draft === 4 && key !== undefined))
            unread.push({
              json: schema,
              resource,
              place: key === undefined ? at : { step: key, around: at },
            });
      }
    }
  }

  /** Returns the resource of a schema, which is a new one if it has an id, and records its anchors. */
  #enter(json: SchemaObject, around: PlacedResource): PlacedResource {
    const id = this.#draft === 4 ? json['id'] : json['$id'];
    const isOnlyReference = this.#draft <= 7 && typeof json['$ref'] === 'string';
    let resource = around;
    if (typeof id === 'string' && !isOnlyReference) {
      const [address = '', fragment = ''] = id.split('#');
      if (address !== '') resource = this.#identified(json, address, around);
      if (this.#draft <= 7 && fragment !== '') resource.anchors.set(fragment, json);
    }
    this.#resourceOf.set(json, resource);
    const { $anchor, $dynamicAnchor } = json;
    if (this.#draft >= 2019 && typeof $anchor === 'string') resource.anchors.set($anchor, json);
    if (this.#draft >= 2020 && typeof $dynamicAnchor === 'string') {
      resource.anchors.set($dynamicAnchor, json);
      resource.dynamicAnchors.set($dynamicAnchor, json);
    }
    return resource;
  }

  #identified(json: SchemaObject, address: string, around: PlacedResource): PlacedResource {
    const resource = resourceAt(absolute(address, around.address) ?? address, json);
    this.#resources.set(resource.address, resource);
    return resource;
  }
}

function resourceAt(address: string, json: unknown): PlacedResource {
  return { address, json, anchors: new Map(), dynamicAnchors: new Map() };
}

function absolute(address: string, base: string): string | undefined {
  return URL.canParse(address, base) ? new URL(address, base).href : undefined;
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function unresolved(reference: string): SchemaError {
  return new SchemaError(`the schema is not valid: can't resolve reference ${reference}`);
}

function invalid(place: Place | undefined, problem: string): SchemaError {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.around) steps.push(at.step);
  const pointer = steps
    .toReversed()
    .map((step) => `/${step}`)
    .join('');
  return new SchemaError(`the schema is not valid: at '${pointer}': ${problem}`);
}
