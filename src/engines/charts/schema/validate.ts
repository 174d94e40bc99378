import { goQuote } from '../../../base/go/quote.ts';
import type { Value } from '../../gotemplate/index.ts';
import { compareNumbers, isMultiple, isNumeric, type Numeric } from './json-number.ts';
import { equalItems, type Instance } from './json-value.ts';
import { grouped, listed, localized, quoted, type Mismatch, type ValuePlace } from './mismatch.ts';
import type {
  ArrayKeywords,
  ConditionKeywords,
  ContainsKeywords,
  Dependency,
  NumberKeywords,
  ObjectKeywords,
  Schema,
  TextKeywords,
} from './schema.ts';
import { schemaLocation } from './schema-address.ts';
import type { SchemaJson } from './schema-json.ts';
import type { SchemaWork } from './schema-work.ts';
import { Unevaluated } from './unevaluated.ts';
import { problemOfValue } from './value-problem.ts';

/** An object of values or of a schema. */
type InstanceMap = Map<string, Value> | Map<string, SchemaJson>;

/** The metaschema of the schema that is validated. */
export interface Metaschema {
  readonly schema: Schema;
  /** Returns the metaschema of a part with its own dialect; undefined for every other value. */
  readonly of: (value: unknown) => Schema | undefined;
}

/** What is validated, and the bounds. */
interface Input {
  readonly work: SchemaWork;
  /** Undefined unless the value is a schema. */
  readonly metaschema?: Metaschema | undefined;
}

/**
 * Returns where a value does not match a schema; undefined if it does. As Helm's validator, santhosh-tekuri/jsonschema.
 *
 * @throws {SchemaLimitError} beyond the bound
 */
export function mismatchOf(schema: Schema, value: Instance, input: Input): Mismatch | undefined {
  return new Validation({ schema, value, ...input }).run();
}

/** What is validated, and for whom. */
interface Task extends Input {
  readonly schema: Schema;
  readonly value: Instance;
  readonly place?: ValuePlace | undefined;
  /** The validation of the same value or of a value around it. */
  readonly parent?: Validation | undefined;
  /** The keyword, if it refers to the schema. */
  readonly reference?: string | undefined;
  /** Whether only the result counts, and no message. */
  readonly isQuiet?: boolean;
  /** Whether the parent asks which parts of the same value are evaluated. */
  readonly isAsked?: boolean;
}

/** One value and one schema. */
class Validation {
  readonly #task: Task;
  readonly #schema: Schema;
  readonly #metaschema: Metaschema | undefined;
  readonly #value: Instance;
  readonly #isQuiet: boolean;
  readonly #mismatches: Mismatch[] = [];
  readonly unevaluated: Unevaluated;

  constructor(task: Task) {
    const { schema, value, metaschema, work } = task;
    this.#task = task;
    // A part of a schema with its own dialect has another metaschema.
    const own = metaschema !== undefined && metaschema.schema === schema ? metaschema.of(value) : undefined;
    this.#schema = own ?? schema;
    this.#metaschema =
      metaschema === undefined || own === undefined ? metaschema : { ...metaschema, schema: own };
    this.#value = value;
    this.#isQuiet = task.isQuiet ?? false;
    work.spend(5);
    this.unevaluated = new Unevaluated(value, schema, task.isAsked ?? false, work);
  }

  run(): Mismatch | undefined {
    const { allows, reference, draft } = this.#schema;
    if (allows !== undefined) return allows ? undefined : this.#mismatch('false schema');
    // Then nothing else is checked.
    const problem =
      this.#cycleProblem() ?? problemOfValue(this.#schema, this.#value, this.#task.work, this.#isQuiet);
    if (problem !== undefined) return this.#mismatch(problem);
    if (reference !== undefined) {
      const mismatch = this.#same(reference, { reference: '$ref' });
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

  /** A schema that leads to itself for the same value does not match: it would never end. */
  #cycleProblem(): string | undefined {
    const { schema, value, place } = this.#task;
    for (let { parent } = this.#task; parent !== undefined; { parent } = parent.#task) {
      this.#task.work.spend(0.5);
      if (parent.#task.value !== value || parent.#task.place !== place) return undefined;
      if (parent.#task.schema !== schema) continue;
      if (this.#isQuiet) return '';
      const [here, there] = [this.#keywordLocation(), parent.#keywordLocation()];
      return `both ${here} and ${there} resolve to ${goQuote(locationOf(schema))} causing reference cycle`;
    }
    return undefined;
  }

  /** The keywords that led here. */
  #keywordLocation(): string {
    const steps: string[] = [];
    for (let task = this.#task; task.parent !== undefined; task = task.parent.#task) {
      const from = locationOf(task.parent.#task.schema);
      const to = locationOf(task.schema);
      this.#task.work.spend(5 + (to.length >> 3));
      // The place of a part begins with the place of what it is in.
      steps.push(task.reference === undefined ? to.slice(from.length) : `/${task.reference}`);
    }
    return steps.toReversed().join('');
  }

  #checkType(): void {
    const { object, array, text, number } = this.#schema;
    const value = this.#value;
    if (value instanceof Map) {
      if (object !== undefined) this.#checkObject(object, value);
    } else if (Array.isArray(value)) {
      if (array !== undefined) this.#checkArray(array, value as readonly Instance[]);
    } else if (typeof value === 'string') {
      if (text !== undefined) this.#checkText(text, value);
    } else if (number !== undefined && isNumeric(value)) this.#checkNumber(number, value);
  }

  #checkObject(keywords: ObjectKeywords, value: InstanceMap): void {
    const { least, most, required, dependencies, dependents, names } = keywords;
    this.#checkCount('minProperties', value.size, least, undefined);
    this.#checkCount('maxProperties', value.size, undefined, most);
    const missing = this.#missing(required, value);
    if (missing.length > 0)
      this.#fail(() => `missing ${missing.length === 1 ? 'property' : 'properties'} ${listed(missing)}`);
    if (this.#isQuiet && this.#mismatches.length > 0) return;
    this.#checkDependencies(dependencies, value);
    this.#checkProperties(keywords, value);
    if (names !== undefined) this.#checkNames(names, value);
    this.#checkDependencies(dependents, value);
  }

  #checkDependencies(dependencies: readonly Dependency[], value: InstanceMap): void {
    for (const { property, needs } of dependencies) {
      if (!value.has(property)) continue;
      if (!Array.isArray(needs)) this.#add(this.#same(needs as Schema));
      else {
        const lacking = this.#missing(needs as readonly string[], value);
        if (lacking.length > 0)
          this.#fail(() => `properties ${listed(lacking)} required, if ${quoted(property)} exists`);
      }
    }
  }

  #checkNames(schema: Schema, value: InstanceMap): void {
    const { work, place } = this.#task;
    for (const name of value.keys()) {
      const metaschema = this.#metaschema;
      const mismatch = new Validation({ schema, value: name, work, place, metaschema }).run();
      if (mismatch !== undefined)
        this.#fail(
          () => `invalid propertyName ${quoted(name)}`,
          mismatch.message === undefined ? mismatch.causes : [mismatch],
        );
    }
  }

  #checkProperties({ properties, patterns, additional }: ObjectKeywords, value: InstanceMap): void {
    const unexpected: string[] = [];
    for (const [name, inner] of value) {
      this.#task.work.spend(1);
      if (this.#isQuiet && this.#mismatches.length > 0) return;
      const property = properties.get(name);
      if (property !== undefined) this.#add(this.#inner(property, inner, name));
      let isEvaluated = property !== undefined;
      for (const [pattern, schema] of patterns)
        if (pattern.matches(name, this.#task.work)) {
          isEvaluated = true;
          this.#add(this.#inner(schema, inner, name));
        }
      if (!isEvaluated && additional !== undefined) {
        isEvaluated = true;
        if (additional.allows === false) unexpected.push(name);
        else this.#add(this.#inner(additional, inner, name));
      }
      if (isEvaluated) this.unevaluated.remove(name);
    }
    if (unexpected.length > 0) this.#fail(() => `additional properties ${listed(unexpected)} not allowed`);
  }

  #checkArray(
    { least, most, isUnique, first, others, contains }: ArrayKeywords,
    items: readonly Instance[],
  ): void {
    this.#checkCount('minItems', items.length, least, undefined);
    this.#checkCount('maxItems', items.length, undefined, most);
    const equal = isUnique && items.length > 1 ? equalItems(items, this.#task.work) : undefined;
    if (equal !== undefined) this.#fail(() => `items at ${equal.map(grouped).join(' and ')} are equal`);
    const isClosed = others?.allows === false && this.#schema.draft <= 2019 && first.length > 0;
    if (isClosed && items.length > first.length)
      this.#fail(() => `last ${grouped(items.length - first.length)} additionalItem(s) not allowed`);
    for (const [index, item] of items.entries()) {
      const schema = first[index] ?? (isClosed ? undefined : others);
      if (schema !== undefined) this.#add(this.#inner(schema, item, index));
    }
    if (contains !== undefined) this.#checkContains(contains, items);
  }

  #checkContains({ schema, least, most }: ContainsKeywords, items: readonly Instance[]): void {
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
        : `but matched ${grouped(matched.length)} items at ${matched.join(' ')}`;
    if (least !== undefined && matched.length < least)
      this.#fail(() => `min ${grouped(least)} items required to match contains schema, ${got}`, mismatches);
    else if (least === undefined && matched.length === 0)
      this.#fail(() => 'no items match contains schema', mismatches);
    if (most !== undefined && matched.length > most)
      this.#fail(() => `max ${grouped(most)} items required to match contains schema, ${got}`);
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

  #checkNumber({ least, most, above, below, factor }: NumberKeywords, value: Numeric): void {
    const { work } = this.#task;
    const check = (keyword: string, bound: Numeric | undefined, isMet: (bound: Numeric) => boolean): void => {
      if (bound !== undefined && !isMet(bound))
        this.#fail(() => `${keyword}: got ${localized(value)}, want ${localized(bound)}`);
    };
    check('minimum', least, (bound) => compareNumbers(value, bound, work) >= 0);
    check('maximum', most, (bound) => compareNumbers(value, bound, work) <= 0);
    check('exclusiveMinimum', above, (bound) => compareNumbers(value, bound, work) > 0);
    check('exclusiveMaximum', below, (bound) => compareNumbers(value, bound, work) < 0);
    check('multipleOf', factor, (bound) => isMultiple(value, bound, work));
  }

  #checkCount(keyword: string, got: number, least: number | undefined, most: number | undefined): void {
    const bound = least ?? most;
    if (bound === undefined || (least === undefined ? got <= bound : got >= bound)) return;
    this.#fail(() => `${keyword}: got ${grouped(got)}, want ${grouped(bound)}`);
  }

  #checkReferences(): void {
    const { recursiveReference, dynamicReference } = this.#schema;
    if (recursiveReference !== undefined)
      this.#add(
        this.#same(
          recursiveReference.isRecursive === true ? this.#recursive(recursiveReference) : recursiveReference,
          { reference: '$recursiveRef' },
        ),
      );
    if (dynamicReference === undefined) return;
    const { target, anchor } = dynamicReference;
    const isDynamic = anchor !== undefined && target.dynamicAnchor === anchor;
    this.#add(this.#same(isDynamic ? this.#dynamic(anchor, target) : target, { reference: '$dynamicRef' }));
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
    if (not !== undefined && this.#same(not, { isQuiet: true }) === undefined)
      this.#fail(() => "'not' failed");
    for (const mismatch of this.#failing(all)) this.#add(mismatch);
    if (any.length > 0) this.#checkAny(any);
    if (one.length > 0) this.#checkOne(one);
    if (condition === undefined) return;
    const next = this.#same(condition, { isQuiet: true }) === undefined ? accepted : rejected;
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
      const mismatch = this.#same(schema, { isQuiet: matched !== undefined });
      if (mismatch !== undefined) mismatches.push(mismatch);
      else if (matched === undefined) matched = index;
      else {
        const both = `${grouped(matched)}, ${grouped(index)}`;
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
        this.#add(this.#inner(unevaluatedItems, (value as readonly Instance[])[index], index));
  }

  /** Validates the same value with another schema. */
  #same(
    schema: Schema,
    { isQuiet = false, reference }: { readonly isQuiet?: boolean; readonly reference?: string } = {},
  ): Mismatch | undefined {
    const { value, work, place } = this.#task;
    const validation = new Validation({
      schema,
      value,
      work,
      place,
      reference,
      metaschema: this.#metaschema,
      parent: this,
      isQuiet: this.#isQuiet || isQuiet,
      isAsked: !this.unevaluated.isEmpty,
    });
    const mismatch = validation.run();
    if (mismatch === undefined) this.unevaluated.keepOnly(validation.unevaluated);
    return mismatch;
  }

  /** Validates a property or an item. */
  #inner(schema: Schema, value: Instance, step: string | number): Mismatch | undefined {
    return new Validation({
      schema,
      value,
      work: this.#task.work,
      place: { step, around: this.#task.place },
      metaschema: this.#metaschema,
      parent: this,
      isQuiet: this.#isQuiet,
    }).run();
  }

  #missing(names: readonly string[], value: InstanceMap): readonly string[] {
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
    this.#task.work.spend(5 + ((message?.length ?? 0) >> 2));
    return { place: this.#task.place, message, causes };
  }
}

function locationOf({ location: { document, place } }: Schema): string {
  return schemaLocation(document, place);
}
