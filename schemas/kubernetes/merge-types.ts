import { mergeTypesTable } from './merge-types.gen.ts';

/** How server-side apply merges a value of a built-in kind. */
export interface MergeShape {
  /** Whether the value has one owner: a map or a list that is replaced as a whole. */
  readonly isWhole: boolean;
  readonly isQuantity: boolean;
  /** The type of an object with fields. */
  readonly type?: MergeType;
  /** The values of a map with any keys, or the items of a list. */
  readonly items?: MergeShape;
  /** The fields by which the items of a list are merged. Empty if they are merged by their values. Absent for lists with one owner. */
  readonly keys?: readonly string[];
}

/** A type of objects. Of fields that are not in it, maps are merged by field, and lists have one owner. */
export interface MergeType {
  /** `core.v1.PodSpec`. */
  readonly name: string;
  /** What the API server writes into absent fields, of which defaultingOf returns more. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly field: (name: string) => MergeShape | undefined;
}

interface Table {
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly types: readonly {
    readonly name: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly defaults?: Readonly<Record<string, unknown>>;
  }[];
}

let table: Table | undefined;
const types = new Map<number, MergeType>();
const shapes = new Map<string, MergeShape | undefined>();

/** Returns the type of a kind. Undefined for kinds that are not built in, and for those that are merged field by field. */
export function mergeTypeOf(apiVersion: string, kind: string): MergeType | undefined {
  table ??= JSON.parse(mergeTypesTable) as Table;
  const versions = table.kinds;
  const kinds = Object.hasOwn(versions, apiVersion) ? versions[apiVersion] : undefined;
  const number = kinds !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return number === undefined ? undefined : typeAt(number);
}

function typeAt(number: number): MergeType {
  const earlier = types.get(number);
  if (earlier !== undefined) return earlier;
  const { name = '', fields = {}, defaults = {} } = table?.types[number] ?? {};
  const type: MergeType = {
    name,
    defaults,
    field: (field) => (Object.hasOwn(fields, field) ? shapeOf(fields[field] ?? '') : undefined),
  };
  types.set(number, type);
  return type;
}

function shapeOf(code: string): MergeShape | undefined {
  if (!shapes.has(code)) shapes.set(code, readShape(code));
  return shapes.get(code);
}

/** Reads a code of the table, as generate-merge-types.ts writes it. */
function readShape(code: string): MergeShape | undefined {
  const [, keyText, owned, container, rest = ''] = /^(?:\(([^)]*)\))?(!?)([[{]?)(.*)$/.exec(code) ?? [];
  if (container === '[') {
    const keys = keyText === undefined ? undefined : keyText.split(',').filter((key) => key !== '');
    return { isWhole: keys === undefined, isQuantity: false, ...itemsOf(rest), ...(keys && { keys }) };
  }
  const isWhole = owned === '!';
  if (container === '{') return { isWhole, isQuantity: false, ...itemsOf(rest) };
  if (rest === 'q') return { isWhole: true, isQuantity: true };
  if (rest !== 's') return { isWhole, isQuantity: false, type: typeAt(Number(rest)) };
  return isWhole ? { isWhole, isQuantity: false } : undefined;
}

function itemsOf(code: string): { readonly items?: MergeShape } {
  const items = shapeOf(code);
  return items === undefined ? {} : { items };
}
