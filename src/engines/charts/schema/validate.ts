import type { Value, ValueMap } from '../../gotemplate/index.ts';
import { equalItems, equals, isMultiple, typeOf } from './json-value.ts';
import { displayed, listed, localized, quoted, type Mismatch, type ValuePlace } from './mismatch.ts';
import type {
  ArrayKeywords,
  ConditionKeywords,
  ContainsKeywords,
  NumberKeywords,
  ObjectKeywords,
  Schema,
  TextKeywords,
} from './schema.ts';
import { SchemaError } from './schema-error.ts';
import type { SchemaWork } from './schema-work.ts';
import { Unevaluated } from './unevaluated.ts';

/**
 * Returns where values do not match a schema; undefined if they do. As Helm's validator, santhosh-tekuri/jsonschema.
 *
 * @throws {SchemaError} for a schema that refers to itself without end
 */
export function mismatchOf(schema: Schema, values: ValueMap, work: SchemaWork): Mismatch | undefined {
  return new Validation({ schema, value: values, work }).run();
}

/** What is validated, and for whom. */
interface Task {
  readonly schema: Schema;
  readonly value: Value;
  readonly work: SchemaWork;
  readonly place?: ValuePlace | undefined;
  /** The validation of the same value or of a value around it. */
  readonly parent?: Validation | undefined;
  /** Whether only the result counts, and no message. */
  readonly isQuiet?: boolean;
  /** Whether the parent asks which parts of the same value are evaluated. */
  readonly isAsked?: boolean;
}

/** One value and one schema. */
class Validation {
  readonly #task: Task;
  readonly #schema: Schema;
  readonly #value: Value;
  readonly #isQuiet: boolean;
  readonly #mismatches: Mismatch[] = [];
  readonly unevaluated: Unevaluated;

  constructor(task: Task) {
    this.#task = task;
    this.#schema = task.schema;
    this.#value = task.value;
    this.#isQuiet = task.isQuiet ?? false;
    task.work.spend(5);
    this.unevaluated = new Unevaluated(task.value, task.schema, task.isAsked ?? false, task.work);
  }

  run(): Mismatch | undefined {
    const { allows, reference, draft } = this.#schema;
    if (!allows) return this.#mismatch('false schema');
    const problem = this.#problemOfValue();
    if (problem !== undefined) return this.#mismatch(problem);
    if (reference !== undefined) {
      const mismatch = this.#referenced(reference);
      if (draft <= 7) return mismatch;
      this.#add(mismatch);
    }
    this.#checkType();
    if (this.#mismatches.length === 0 || !this.#isQuiet) {
      this.#checkReferences();
      if (this.#schema.conditions !== undefined) this.#checkConditions(this.#schema.conditions);
      this.#checkUnevaluated();
    }
    const [first, ...others] = this.#mismatches;
    return others.length === 0 ? first : this.#mismatch(undefined, this.#mismatches);
  }

  /** What is wrong with the value as a whole: then nothing else is checked. */
  #problemOfValue(): string | undefined {
    const { types, constant, enumeration, format } = this.#schema;
    const { work } = this.#task;
    const type = typeOf(this.#value);
    if (types !== undefined) {
      const isInteger = Number.isInteger(this.#value);
      if (!types.includes(type) && !(isInteger && types.includes('integer')))
        return `got ${type}, want ${types.join(' or ')}`;
    }
    if (constant !== undefined && !equals(this.#value, constant[0], work))
      return typeof constant[0] === 'object' && constant[0] !== null
        ? "'const' failed"
        : `value must be ${displayed(constant[0])}`;
    if (enumeration !== undefined && !enumeration.some((each) => equals(this.#value, each, work)))
      return this.#isQuiet ? '' : enumerationProblem(enumeration);
    if (format === undefined || typeof this.#value !== 'string') return undefined;
    work.spend(5 + this.#value.length / 4);
    return format.matches(this.#value) ? undefined : `${quoted(this.#value)} is not valid ${format.name}`;
  }

  #checkType(): void {
    const { object, array, text, number } = this.#schema;
    const value = this.#value;
    if (value instanceof Map) {
      if (object !== undefined) this.#checkObject(object, value);
    } else if (Array.isArray(value)) {
      if (array !== undefined) this.#checkArray(array, value as readonly Value[]);
    } else if (typeof value === 'string') {
      if (text !== undefined) this.#checkText(text, value);
    } else if (typeof value === 'number' && number !== undefined) this.#checkNumber(number, value);
  }

  #checkObject(keywords: ObjectKeywords, value: ValueMap): void {
    const { least, most, required, dependencies, names } = keywords;
    this.#checkCount('minProperties', value.size, least, undefined);
    this.#checkCount('maxProperties', value.size, undefined, most);
    const missing = this.#missing(required, value);
    if (missing.length > 0)
      this.#fail(() => `missing ${missing.length === 1 ? 'property' : 'properties'} ${listed(missing)}`);
    if (this.#isQuiet && this.#mismatches.length > 0) return;
    for (const { property, needs } of dependencies) {
      if (!value.has(property)) continue;
      if (!Array.isArray(needs)) this.#add(this.#same(needs as Schema));
      else {
        const lacking = this.#missing(needs as readonly string[], value);
        if (lacking.length > 0)
          this.#fail(() => `properties ${listed(lacking)} required, if ${quoted(property)} exists`);
      }
    }
    this.#checkProperties(keywords, value);
    if (names === undefined) return;
    for (const name of value.keys()) {
      const { work, place } = this.#task;
      const mismatch = new Validation({ schema: names, value: name, work, place }).run();
      if (mismatch !== undefined)
        this.#fail(
          () => `invalid propertyName ${quoted(name)}`,
          mismatch.message === undefined ? mismatch.causes : [mismatch],
        );
    }
  }

  #checkProperties({ properties, patterns, additional }: ObjectKeywords, value: ValueMap): void {
    const unexpected: string[] = [];
    const mismatches: Mismatch[] = [];
    const check = (schema: Schema, inner: Value, name: string): void => {
      const mismatch = this.#inner(schema, inner, name);
      if (mismatch !== undefined) mismatches.push(mismatch);
    };
    for (const [name, inner] of value) {
      this.#task.work.spend(1);
      if (this.#isQuiet && mismatches.length > 0) break;
      const property = properties.get(name);
      if (property !== undefined) check(property, inner, name);
      let isEvaluated = property !== undefined;
      for (const [pattern, schema] of patterns)
        if (pattern.matches(name, this.#task.work)) {
          isEvaluated = true;
          check(schema, inner, name);
        }
      if (!isEvaluated && additional !== undefined) {
        isEvaluated = true;
        if (additional.allows) check(additional, inner, name);
        else unexpected.push(name);
      }
      if (isEvaluated) this.unevaluated.remove(name);
    }
    if (unexpected.length > 0) this.#fail(() => `additional properties ${listed(unexpected)} not allowed`);
    for (const each of mismatches) this.#add(each);
  }

  #checkArray(
    { least, most, isUnique, first, others, contains }: ArrayKeywords,
    items: readonly Value[],
  ): void {
    this.#checkCount('minItems', items.length, least, undefined);
    this.#checkCount('maxItems', items.length, undefined, most);
    const equal = isUnique && items.length > 1 ? equalItems(items, this.#task.work) : undefined;
    if (equal !== undefined) this.#fail(() => `items at ${equal.join(' and ')} are equal`);
    const isClosed = others?.allows === false && this.#schema.draft <= 2019 && first.length > 0;
    if (isClosed && items.length > first.length)
      this.#fail(() => `last ${items.length - first.length} additionalItem(s) not allowed`);
    for (const [index, item] of items.entries()) {
      const schema = first[index] ?? (isClosed ? undefined : others);
      if (schema !== undefined) this.#add(this.#inner(schema, item, index));
    }
    if (contains !== undefined) this.#checkContains(contains, items);
  }

  #checkContains({ schema, least, most }: ContainsKeywords, items: readonly Value[]): void {
    const matched: number[] = [];
    const mismatches: Mismatch[] = [];
    for (const [index, item] of items.entries()) {
      const mismatch = this.#inner(schema, item, index);
      if (mismatch !== undefined) mismatches.push(mismatch);
      else {
        matched.push(index);
        if (this.#schema.draft >= 2020) this.unevaluated.remove(index);
      }
    }
    const got =
      matched.length === 0
        ? 'but none matched'
        : `but matched ${matched.length} items at ${matched.join(' ')}`;
    if (least !== undefined && matched.length < least)
      this.#fail(() => `min ${least} items required to match contains schema, ${got}`, mismatches);
    else if (least === undefined && matched.length === 0)
      this.#fail(() => 'no items match contains schema', mismatches);
    if (most !== undefined && matched.length > most)
      this.#fail(() => `max ${most} items required to match contains schema, ${got}`);
  }

  #checkText({ least, most, pattern }: TextKeywords, value: string): void {
    if (least !== undefined || most !== undefined) {
      this.#task.work.spend(value.length >> 5);
      const length = value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
      this.#checkCount('minLength', length, least, undefined);
      this.#checkCount('maxLength', length, undefined, most);
    }
    if (pattern !== undefined && !pattern.matches(value, this.#task.work))
      this.#fail(() => `${quoted(value)} does not match pattern ${quoted(pattern.text)}`);
  }

  #checkNumber({ least, most, above, below, factor }: NumberKeywords, value: number): void {
    this.#checkCount('minimum', value, least, undefined);
    this.#checkCount('maximum', value, undefined, most);
    const wanted = (keyword: string, bound: number): void =>
      this.#fail(() => `${keyword}: got ${localized(value)}, want ${localized(bound)}`);
    if (above !== undefined && value <= above) wanted('exclusiveMinimum', above);
    if (below !== undefined && value >= below) wanted('exclusiveMaximum', below);
    if (factor !== undefined && !isMultiple(value, factor)) wanted('multipleOf', factor);
  }

  #checkCount(keyword: string, got: number, least: number | undefined, most: number | undefined): void {
    const bound = least ?? most;
    if (bound === undefined || (least === undefined ? got <= bound : got >= bound)) return;
    this.#fail(() => `${keyword}: got ${localized(got)}, want ${localized(bound)}`);
  }

  #checkReferences(): void {
    const { recursiveReference, dynamicReference } = this.#schema;
    if (recursiveReference !== undefined)
      this.#add(
        this.#referenced(
          recursiveReference.isRecursive === true ? this.#recursive(recursiveReference) : recursiveReference,
        ),
      );
    if (dynamicReference === undefined) return;
    const { target, anchor } = dynamicReference;
    this.#add(this.#referenced(anchor === undefined ? target : this.#dynamic(anchor, target)));
  }

  /** The outermost schema on the way here whose resource is recursive. */
  #recursive(target: Schema): Schema {
    let outermost = target;
    for (const { schema } of this.#scopes()) if (schema.resource.isRecursive) outermost = schema;
    return outermost;
  }

  /** The schema with an anchor of the outermost resource on the way here that has it. */
  #dynamic(anchor: string, target: Schema): Schema {
    let outermost = target;
    for (const { schema } of this.#scopes())
      outermost = schema.resource.dynamicAnchors.get(anchor) ?? outermost;
    return outermost;
  }

  /** The schemas on the way here, from the inside to the outside. */
  *#scopes(): Generator<Task> {
    yield this.#task;
    for (let { parent } = this.#task; parent !== undefined; { parent } = parent.#task) {
      this.#task.work.spend(0.5);
      yield parent.#task;
    }
  }

  #checkConditions({ not, all, any, one, condition, accepted, rejected }: ConditionKeywords): void {
    if (not !== undefined && this.#same(not, true) === undefined) this.#fail(() => "'not' failed");
    for (const mismatch of this.#failing(all)) this.#add(mismatch);
    if (any.length > 0) this.#checkAny(any);
    if (one.length > 0) this.#checkOne(one);
    if (condition === undefined) return;
    const next = this.#same(condition, true) === undefined ? accepted : rejected;
    if (next !== undefined) this.#add(this.#same(next));
  }

  #failing(schemas: readonly Schema[]): Mismatch[] {
    const mismatches: Mismatch[] = [];
    for (const schema of schemas) {
      const mismatch = this.#same(schema);
      if (mismatch !== undefined) mismatches.push(mismatch);
      if (mismatch !== undefined && this.#isQuiet) break;
    }
    return mismatches;
  }

  #checkAny(schemas: readonly Schema[]): void {
    const mismatches: Mismatch[] = [];
    let isMatched = false;
    for (const schema of schemas) {
      const mismatch = this.#same(schema);
      if (mismatch !== undefined) mismatches.push(mismatch);
      else {
        isMatched = true;
        // Others can evaluate further parts.
        if (this.unevaluated.isEmpty) break;
      }
    }
    if (!isMatched) this.#fail(() => "'anyOf' failed", mismatches);
  }

  #checkOne(schemas: readonly Schema[]): void {
    const mismatches: Mismatch[] = [];
    let matched: number | undefined;
    for (const [index, schema] of schemas.entries()) {
      const mismatch = this.#same(schema, matched !== undefined);
      if (mismatch !== undefined) mismatches.push(mismatch);
      else if (matched === undefined) matched = index;
      else {
        const both = `${matched}, ${index}`;
        this.#fail(() => `'oneOf' failed, subschemas ${both} matched`);
        return;
      }
    }
    if (matched === undefined) this.#fail(() => "'oneOf' failed, none matched", mismatches);
  }

  #checkUnevaluated(): void {
    const { unevaluatedProperties, unevaluatedItems } = this.#schema;
    const value = this.#value;
    if (value instanceof Map && unevaluatedProperties !== undefined)
      for (const name of this.unevaluated.takeNames())
        this.#add(this.#inner(unevaluatedProperties, value.get(name), name));
    if (Array.isArray(value) && unevaluatedItems !== undefined)
      for (const index of this.unevaluated.takePositions())
        this.#add(this.#inner(unevaluatedItems, (value as readonly Value[])[index], index));
  }

  /** Validates the same value with another schema. */
  #same(schema: Schema, isQuiet = false): Mismatch | undefined {
    const { value, work, place } = this.#task;
    const validation = new Validation({
      schema,
      value,
      work,
      place,
      parent: this,
      isQuiet: this.#isQuiet || isQuiet,
      isAsked: !this.unevaluated.isEmpty,
    });
    const mismatch = validation.run();
    if (mismatch === undefined) this.unevaluated.keepOnly(validation.unevaluated);
    return mismatch;
  }

  /** Validates the same value with a schema that a reference means. One that leads to itself for the same value would never end. */
  #referenced(schema: Schema): Mismatch | undefined {
    const { value, place } = this.#task;
    for (const scope of this.#scopes()) {
      if (scope.value !== value || scope.place !== place) break;
      if (scope.schema === schema)
        throw new SchemaError(
          'the schema or the values are nested too deeply, or the schema refers to itself',
        );
    }
    return this.#same(schema);
  }

  /** Validates a property or an item. */
  #inner(schema: Schema, value: Value, step: string | number): Mismatch | undefined {
    const place = { step, around: this.#task.place };
    const { work } = this.#task;
    return new Validation({ schema, value, work, place, parent: this, isQuiet: this.#isQuiet }).run();
  }

  #missing(names: readonly string[], value: ValueMap): readonly string[] {
    this.#task.work.spend(names.length / 5);
    return names.filter((name) => !value.has(name));
  }

  #add(mismatch: Mismatch | undefined): void {
    if (mismatch !== undefined) this.#mismatches.push(mismatch);
  }

  #fail(message: () => string, causes: readonly Mismatch[] = []): void {
    this.#add(this.#mismatch(this.#isQuiet ? '' : message(), causes));
  }

  #mismatch(message: string | undefined, causes: readonly Mismatch[] = []): Mismatch {
    this.#task.work.spend(5 + ((message?.length ?? 0) >> 4));
    return { place: this.#task.place, message, causes };
  }
}

function enumerationProblem(values: readonly unknown[]): string {
  if (values.some((value) => typeof value === 'object' && value !== null)) return "'enum' failed";
  return `value must be ${values.length === 1 ? '' : 'one of '}${values.map(displayed).join(', ')}`;
}
