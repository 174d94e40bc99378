import { checksFormats } from './draft.ts';
import { formatOf } from './formats/index.ts';
import { KeywordValues } from './keyword-values.ts';
import type { PlacedResource, PlacedSchema, PlacedSchemas } from './placed-schemas.ts';
import type {
  ArrayKeywords,
  ConditionKeywords,
  DynamicReference,
  NumberKeywords,
  ObjectKeywords,
  Schema,
  SchemaResource,
  TextKeywords,
} from './schema.ts';
import { referenceParts } from './schema-address.ts';
import type { SchemaJson, SchemaObject } from './schema-json.ts';
import { SchemaPattern } from './schema-pattern.ts';
import type { SchemaWork } from './schema-work.ts';

const keywordsOfObjects =
  'minProperties maxProperties required dependencies dependentSchemas dependentRequired properties patternProperties additionalProperties propertyNames'.split(
    ' ',
  );
const keywordsOfArrays = 'minItems maxItems uniqueItems items additionalItems prefixItems contains'.split(
  ' ',
);
const keywordsOfTexts = ['minLength', 'maxLength', 'pattern'];
const keywordsOfNumbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const keywordsOfConditions = ['not', 'allOf', 'anyOf', 'oneOf', 'if'];

/** A schema whose references are not resolved yet, because schemas refer to each other. */
type Incomplete = { -readonly [Name in keyof Schema]: Schema[Name] };

interface IncompleteResource extends SchemaResource {
  isRecursive: boolean;
  readonly dynamicAnchors: Map<string, Schema>;
}

/** Makes schemas that values are validated with, of a schema and of those that it refers to. As Helm's validator. */
export class SchemaCompiler {
  readonly #placed: PlacedSchemas;
  readonly #work: SchemaWork;
  readonly #checksAllFormats: boolean;
  readonly #schemas = new Map<SchemaObject, Incomplete>();
  readonly #resources = new Map<PlacedResource, IncompleteResource>();
  readonly #incomplete: (readonly [PlacedSchema, SchemaObject, Incomplete])[] = [];
  readonly #patterns = new Map<string, SchemaPattern>();

  /** @param checksAllFormats - whether `format` counts in all drafts */
  constructor(placed: PlacedSchemas, work: SchemaWork, checksAllFormats = false) {
    this.#placed = placed;
    this.#work = work;
    this.#checksAllFormats = checksAllFormats;
  }

  /**
   * Returns the schema of a document.
   *
   * @throws {SchemaError} for one that is not valid, or refers to a document that is elsewhere
   */
  compile(address: string): Schema {
    const root = this.#schemaOf(this.#placed.document(address));
    for (let next = this.#incomplete.pop(); next !== undefined; next = this.#incomplete.pop())
      this.#complete(...next);
    return root;
  }

  #schemaOf(placed: PlacedSchema): Schema {
    const { json, resource, place } = placed;
    const earlier = json instanceof Map ? this.#schemas.get(json) : undefined;
    if (earlier !== undefined) return earlier;
    const compiled = this.#resources.get(resource);
    const own = compiled ?? { isRecursive: false, dynamicAnchors: new Map<string, Schema>() };
    this.#resources.set(resource, own);
    const schema: Incomplete = {
      draft: resource.dialect.draft,
      location: { document: resource.document.address, place },
      resource: own,
      allows: json instanceof Map && json.size > 0 ? undefined : json !== false,
    };
    if (json instanceof Map) {
      this.#schemas.set(json, schema);
      this.#incomplete.push([placed, json, schema]);
    }
    if (compiled === undefined) this.#completeResource(resource, own);
    return schema;
  }

  /** A resource is compiled with the first part of it that is. */
  #completeResource(placed: PlacedResource, resource: IncompleteResource): void {
    const { json, dialect, dynamicAnchors } = placed;
    const partOf = (part: SchemaJson): Schema => this.#schemaOf(this.#placed.schemaAt(part, placed));
    partOf(json);
    resource.isRecursive =
      dialect.draft >= 2019 && json instanceof Map && json.get('$recursiveAnchor') === true;
    if (dialect.draft >= 2020)
      for (const [name, part] of dynamicAnchors) resource.dynamicAnchors.set(name, partOf(part));
  }

  #complete(placed: PlacedSchema, json: SchemaObject, schema: Incomplete): void {
    this.#work.spend(2);
    const { resource } = placed;
    const { draft } = resource.dialect;
    const values = new KeywordValues(json, resource.dialect, (inner, ...steps) =>
      this.#schemaOf(this.#placed.inner(placed, inner, ...steps)),
    );
    schema.reference = this.#referenced(values, resource, '$ref');
    schema.constant = values.constant();
    // Up to draft 7, Helm's validator reads no other keyword beside a reference, but compiles those that draft 4 does not have.
    if (schema.reference !== undefined && draft <= 7) {
      for (const name of ['contains', 'propertyNames']) values.schema(name);
      conditionSchemas(values);
      return;
    }
    schema.isRecursive = values.isTrue('$recursiveAnchor');
    schema.recursiveReference = this.#referenced(values, resource, '$recursiveRef');
    schema.dynamicAnchor = values.text('$dynamicAnchor');
    schema.dynamicReference = this.#dynamicReference(values, resource);
    schema.types = values.types();
    schema.enumeration = values.list('enum');
    const format = json.get('format');
    const checksFormat = this.#checksAllFormats || checksFormats(resource.dialect);
    schema.format = checksFormat && typeof format === 'string' ? formatOf(format) : undefined;
    schema.object = this.#objectKeywords(values);
    schema.array = arrayKeywords(values, draft <= 2019);
    schema.text = this.#textKeywords(values);
    schema.number = numberKeywords(values);
    schema.conditions = conditionKeywords(values);
    schema.unevaluatedProperties = values.schema('unevaluatedProperties');
    schema.unevaluatedItems = values.schema('unevaluatedItems');
  }

  #referenced(values: KeywordValues, from: PlacedResource, name: string): Schema | undefined {
    const reference = values.text(name);
    return reference === undefined ? undefined : this.#schemaOf(this.#placed.target(reference, from));
  }

  #dynamicReference(values: KeywordValues, from: PlacedResource): DynamicReference | undefined {
    const target = this.#referenced(values, from, '$dynamicRef');
    if (target === undefined) return undefined;
    const name = referenceParts(values.text('$dynamicRef') ?? '')?.fragment ?? '';
    return { target, anchor: name === '' || name.startsWith('/') ? undefined : name };
  }

  #objectKeywords(values: KeywordValues): ObjectKeywords | undefined {
    if (!values.hasAny(keywordsOfObjects)) return undefined;
    return {
      least: values.count('minProperties'),
      most: values.count('maxProperties'),
      required: values.texts('required'),
      dependencies: values.dependencies('dependencies'),
      dependents: [...values.dependencies('dependentSchemas'), ...values.dependencies('dependentRequired')],
      properties: new Map(values.namedSchemas('properties')),
      patterns: values
        .namedSchemas('patternProperties')
        .map(([pattern, schema]) => [this.#pattern(pattern), schema]),
      additional: values.schema('additionalProperties'),
      names: values.schema('propertyNames'),
    };
  }

  #textKeywords(values: KeywordValues): TextKeywords | undefined {
    if (!values.hasAny(keywordsOfTexts)) return undefined;
    const pattern = values.text('pattern');
    return {
      least: values.count('minLength'),
      most: values.count('maxLength'),
      pattern: pattern === undefined ? undefined : this.#pattern(pattern),
    };
  }

  #pattern(text: string): SchemaPattern {
    let pattern = this.#patterns.get(text);
    if (pattern === undefined) {
      pattern = new SchemaPattern(text, this.#work);
      this.#patterns.set(text, pattern);
    }
    return pattern;
  }
}

function arrayKeywords(values: KeywordValues, hasItemLists: boolean): ArrayKeywords | undefined {
  if (!values.hasAny(keywordsOfArrays)) return undefined;
  const isList = hasItemLists && values.list('items') !== undefined;
  const contains = values.schema('contains');
  return {
    least: values.count('minItems'),
    most: values.count('maxItems'),
    isUnique: values.isTrue('uniqueItems'),
    first: hasItemLists ? (isList ? values.schemas('items') : []) : values.schemas('prefixItems'),
    others: values.schema(isList ? 'additionalItems' : 'items'),
    contains:
      contains === undefined
        ? undefined
        : { schema: contains, least: values.count('minContains'), most: values.count('maxContains') },
  };
}

function conditionKeywords(values: KeywordValues): ConditionKeywords | undefined {
  if (!values.hasAny(keywordsOfConditions)) return undefined;
  return {
    not: values.schema('not'),
    all: values.schemas('allOf'),
    any: values.schemas('anyOf'),
    one: values.schemas('oneOf'),
    ...conditionSchemas(values),
  };
}

function conditionSchemas(
  values: KeywordValues,
): Pick<ConditionKeywords, 'condition' | 'accepted' | 'rejected'> {
  const condition = values.schema('if');
  const isFixed = values.value('if');
  return {
    condition,
    accepted: condition === undefined || isFixed === false ? undefined : values.schema('then'),
    rejected: condition === undefined || isFixed === true ? undefined : values.schema('else'),
  };
}

function numberKeywords(values: KeywordValues): NumberKeywords | undefined {
  if (!values.hasAny(keywordsOfNumbers)) return undefined;
  // Draft 4 has a boolean beside the bound.
  const [isAbove, isBelow] = [values.isTrue('exclusiveMinimum'), values.isTrue('exclusiveMaximum')];
  const [least, most] = [values.number('minimum'), values.number('maximum')];
  return {
    least: isAbove ? undefined : least,
    most: isBelow ? undefined : most,
    above: isAbove ? least : values.number('exclusiveMinimum'),
    below: isBelow ? most : values.number('exclusiveMaximum'),
    factor: values.number('multipleOf'),
  };
}
