import type { Draft } from './draft.ts';
import type { Format } from './formats/index.ts';
import type { JsonNumber } from './json-number.ts';
import type { SchemaPlace } from './schema-address.ts';
import type { SchemaJson } from './schema-json.ts';
import type { SchemaPattern } from './schema-pattern.ts';

/** The types of JSON, in the order of Helm's messages. An integer is a number, too. */
export const jsonTypes = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'] as const;

/** A type of JSON. */
export type JsonType = (typeof jsonTypes)[number];

/** A schema with resolved references. A keyword that is missing allows everything. */
export interface Schema {
  readonly draft: Draft;
  readonly location: { readonly document: string; readonly place: SchemaPlace | undefined };
  /** The part of the document with its own `$id`, which dynamic references look for. */
  readonly resource: SchemaResource;
  /** Whether every value matches, or none does. Undefined if the keywords decide. */
  readonly allows: boolean | undefined;
  readonly types?: readonly JsonType[] | undefined;
  /** In a list, because null is a value, too. */
  readonly constant?: readonly [SchemaJson] | undefined;
  readonly enumeration?: readonly SchemaJson[] | undefined;
  readonly format?: Format | undefined;
  readonly reference?: Schema | undefined;
  /** Whether `$recursiveRef` can mean another schema than this one. */
  readonly isRecursive?: boolean | undefined;
  readonly recursiveReference?: Schema | undefined;
  readonly dynamicAnchor?: string | undefined;
  readonly dynamicReference?: DynamicReference | undefined;
  readonly object?: ObjectKeywords | undefined;
  readonly array?: ArrayKeywords | undefined;
  readonly text?: TextKeywords | undefined;
  readonly number?: NumberKeywords | undefined;
  readonly conditions?: ConditionKeywords | undefined;
  readonly unevaluatedProperties?: Schema | undefined;
  readonly unevaluatedItems?: Schema | undefined;
}

/** A document, or a part of it with an `$id`. */
export interface SchemaResource {
  readonly isRecursive: boolean;
  readonly dynamicAnchors: ReadonlyMap<string, Schema>;
}

/** `$dynamicRef`. */
export interface DynamicReference {
  readonly target: Schema;
  /** The anchor that the reference names. */
  readonly anchor: string | undefined;
}

/** What a schema demands of objects. */
export interface ObjectKeywords {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly required: readonly string[];
  /** Of the drafts before 2019, which are checked before the properties. */
  readonly dependencies: readonly Dependency[];
  /** Those of later drafts, which are checked after them. */
  readonly dependents: readonly Dependency[];
  readonly properties: ReadonlyMap<string, Schema>;
  readonly patterns: readonly (readonly [SchemaPattern, Schema])[];
  readonly additional: Schema | undefined;
  readonly names: Schema | undefined;
}

/** What an object needs that has a property. */
export interface Dependency {
  readonly property: string;
  readonly needs: readonly string[] | Schema;
}

/** What a schema demands of lists. */
export interface ArrayKeywords {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly isUnique: boolean;
  /** Of the first items. */
  readonly first: readonly Schema[];
  /** Of the items after them. */
  readonly others: Schema | undefined;
  readonly contains: ContainsKeywords | undefined;
}

/** What a schema demands of some items of a list. */
export interface ContainsKeywords {
  readonly schema: Schema;
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** What a schema demands of texts. */
export interface TextKeywords {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly pattern: SchemaPattern | undefined;
}

type SchemaNumber = number | JsonNumber;

/** What a schema demands of numbers. */
export interface NumberKeywords {
  readonly least: SchemaNumber | undefined;
  readonly most: SchemaNumber | undefined;
  readonly above: SchemaNumber | undefined;
  readonly below: SchemaNumber | undefined;
  readonly factor: SchemaNumber | undefined;
}

/** Schemas for the same value. */
export interface ConditionKeywords {
  readonly not: Schema | undefined;
  readonly all: readonly Schema[];
  readonly any: readonly Schema[];
  readonly one: readonly Schema[];
  readonly condition: Schema | undefined;
  /** For values that satisfy the condition. */
  readonly accepted: Schema | undefined;
  /** For the others. */
  readonly rejected: Schema | undefined;
}
