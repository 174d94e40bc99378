import { parseGoJson } from '../../../base/json/parse-json.ts';
import { draftOf, type Draft } from './draft.ts';
import { formatOf } from './formats.ts';
import { KeywordValues } from './keyword-values.ts';
import { isRecord } from './keywords.ts';
import { PlacedSchemas, type PlacedResource, type SchemaObject } from './placed-schemas.ts';
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
import { SchemaError } from './schema-error.ts';
import { SchemaPattern } from './schema-pattern.ts';
import type { SchemaWork } from './schema-work.ts';

/**
 * Returns the schema in a `values.schema.json`. As Helm's validator, but a schema never reads a file or the network.
 *
 * @throws {SchemaError} for one that is not valid, or refers to another document
 */
export function compileSchema(text: string, work: SchemaWork): Schema {
  const parsed = parseGoJson(text);
  if ('error' in parsed) throw new SchemaError(parsed.error);
  const document = JSON.parse(text) as unknown;
  if (typeof document !== 'boolean' && !isRecord(document))
    throw new SchemaError('the schema is neither an object nor a boolean');
  const { $schema } = document as { readonly $schema?: unknown };
  const draft = draftOf($schema);
  if (draft === undefined)
    throw new SchemaError(`the schema is not valid: no schema with key or ref ${JSON.stringify($schema)}`);
  return new SchemaCompiler(document, draft, work).compile(document);
}

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

class SchemaCompiler {
  readonly #draft: Draft;
  readonly #work: SchemaWork;
  readonly #placed: PlacedSchemas;
  readonly #schemas = new Map<SchemaObject, Incomplete>();
  readonly #resources = new Map<PlacedResource, SchemaResource>();
  readonly #incomplete: (readonly [SchemaObject, Incomplete])[] = [];
  readonly #patterns = new Map<string, SchemaPattern>();

  constructor(document: unknown, draft: Draft, work: SchemaWork) {
    this.#draft = draft;
    this.#work = work;
    this.#placed = new PlacedSchemas(document, draft, work);
  }

  compile(document: unknown): Schema {
    const root = this.#schemaOf(document);
    for (let next = this.#incomplete.pop(); next !== undefined; next = this.#incomplete.pop())
      this.#complete(...next);
    return root;
  }

  /** Returns the schema of an object or a boolean. */
  #schemaOf(json: unknown): Schema {
    const resource = this.#resource(this.#placed.resourceOf(json));
    if (!isRecord(json)) return { draft: this.#draft, resource, allows: json === true };
    let schema = this.#schemas.get(json);
    if (schema === undefined) {
      schema = { draft: this.#draft, resource, allows: true };
      this.#schemas.set(json, schema);
      this.#incomplete.push([json, schema]);
    }
    return schema;
  }

  #resource(placed: PlacedResource): SchemaResource {
    const earlier = this.#resources.get(placed);
    if (earlier !== undefined) return earlier;
    const dynamicAnchors = new Map<string, Schema>();
    const isRecursive =
      this.#draft >= 2019 && isRecord(placed.json) && placed.json['$recursiveAnchor'] === true;
    const resource = { isRecursive, dynamicAnchors };
    this.#resources.set(placed, resource);
    for (const [name, json] of placed.dynamicAnchors) dynamicAnchors.set(name, this.#schemaOf(json));
    return resource;
  }

  #complete(json: SchemaObject, schema: Incomplete): void {
    const values = new KeywordValues(json, this.#draft);
    schema.reference = this.#referenced(values, json, '$ref');
    schema.constant = values.constant();
    // Up to draft 7, Helm's validator reads no other keyword beside a reference.
    if (schema.reference !== undefined && this.#draft <= 7) return;
    schema.isRecursive = values.isTrue('$recursiveAnchor');
    schema.recursiveReference = this.#referenced(values, json, '$recursiveRef');
    schema.dynamicReference = this.#dynamicReference(values, json);
    schema.types = values.types();
    schema.enumeration = values.list('enum');
    const format = this.#draft <= 7 ? values.text('format') : undefined;
    schema.format = format === undefined ? undefined : formatOf(format);
    schema.object = this.#objectKeywords(values);
    schema.array = this.#arrayKeywords(values);
    schema.text = this.#textKeywords(values);
    schema.number = numberKeywords(values);
    schema.conditions = this.#conditionKeywords(values);
    schema.unevaluatedProperties = this.#inner(values, 'unevaluatedProperties');
    schema.unevaluatedItems = this.#inner(values, 'unevaluatedItems');
  }

  #referenced(values: KeywordValues, json: SchemaObject, name: string): Schema | undefined {
    const reference = values.text(name);
    return reference === undefined ? undefined : this.#schemaOf(this.#placed.target(reference, json));
  }

  #dynamicReference(values: KeywordValues, json: SchemaObject): DynamicReference | undefined {
    const reference = values.text('$dynamicRef');
    if (reference === undefined) return undefined;
    const target = this.#placed.target(reference, json);
    const name = reference.slice(reference.indexOf('#') + 1);
    const isDynamic = isRecord(target) && target['$dynamicAnchor'] === name;
    return { target: this.#schemaOf(target), anchor: isDynamic ? name : undefined };
  }

  #inner(values: KeywordValues, name: string): Schema | undefined {
    const json = values.value(name);
    return json === undefined ? undefined : this.#schemaOf(json);
  }

  #inners(values: KeywordValues, name: string): readonly Schema[] {
    return (values.list(name) ?? []).map((json) => this.#schemaOf(json));
  }

  #objectKeywords(values: KeywordValues): ObjectKeywords | undefined {
    if (!values.hasAny(keywordsOfObjects)) return undefined;
    return {
      least: values.number('minProperties'),
      most: values.number('maxProperties'),
      required: values.texts('required'),
      dependencies: ['dependencies', 'dependentSchemas', 'dependentRequired'].flatMap((keyword) =>
        values.entries(keyword).map(([property, needs]) => ({
          property,
          needs: Array.isArray(needs)
            ? needs.filter((name) => typeof name === 'string')
            : this.#schemaOf(needs),
        })),
      ),
      properties: new Map(values.entries('properties').map(([name, json]) => [name, this.#schemaOf(json)])),
      patterns: values
        .entries('patternProperties')
        .map(([pattern, json]) => [this.#pattern(pattern), this.#schemaOf(json)]),
      additional: this.#inner(values, 'additionalProperties'),
      names: this.#inner(values, 'propertyNames'),
    };
  }

  #arrayKeywords(values: KeywordValues): ArrayKeywords | undefined {
    if (!values.hasAny(keywordsOfArrays)) return undefined;
    const isList = this.#draft <= 2019 && values.list('items') !== undefined;
    const contains = this.#inner(values, 'contains');
    return {
      least: values.number('minItems'),
      most: values.number('maxItems'),
      isUnique: values.isTrue('uniqueItems'),
      first: this.#inners(values, this.#draft <= 2019 ? 'items' : 'prefixItems'),
      others: this.#inner(values, isList ? 'additionalItems' : 'items'),
      contains:
        contains === undefined
          ? undefined
          : { schema: contains, least: values.number('minContains'), most: values.number('maxContains') },
    };
  }

  #textKeywords(values: KeywordValues): TextKeywords | undefined {
    if (!values.hasAny(keywordsOfTexts)) return undefined;
    const pattern = values.text('pattern');
    return {
      least: values.number('minLength'),
      most: values.number('maxLength'),
      pattern: pattern === undefined ? undefined : this.#pattern(pattern),
    };
  }

  #conditionKeywords(values: KeywordValues): ConditionKeywords | undefined {
    if (!values.hasAny(keywordsOfConditions)) return undefined;
    return {
      not: this.#inner(values, 'not'),
      all: this.#inners(values, 'allOf'),
      any: this.#inners(values, 'anyOf'),
      one: this.#inners(values, 'oneOf'),
      condition: this.#inner(values, 'if'),
      accepted: this.#inner(values, 'then'),
      rejected: this.#inner(values, 'else'),
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
