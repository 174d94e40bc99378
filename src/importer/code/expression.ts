import type { FieldPath } from '../../compiler/model/field-path.ts';

/** The part of TypeScript that import writes, as data: it can be printed, and it can be evaluated to check its result. */
export type Expression =
  | { readonly type: 'literal'; readonly value: Literal }
  | { readonly type: 'list'; readonly items: readonly Item[] }
  | { readonly type: 'object'; readonly properties: readonly Property[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly object: Expression; readonly member: string }
  | { readonly type: 'call'; readonly callee: Expression; readonly arguments: readonly Expression[] }
  | { readonly type: 'new'; readonly callee: Expression; readonly arguments: readonly Expression[] }
  /** A template literal: strings, and expressions in `${}`. */
  | { readonly type: 'template'; readonly parts: readonly (string | Expression)[] }
  /** An arrow function with a body in braces. */
  | { readonly type: 'function'; readonly parameter: string; readonly body: readonly Statement[] };

export type Literal = string | number | bigint | boolean | null;

/** A part of the code that can have comments above it. */
interface Commented {
  /** The YAML field that this part is written for. Its comments are placed here. */
  readonly path?: FieldPath | undefined;
  /** The lines of the comment above it, without `//`. */
  readonly comments?: readonly string[];
}

export interface Item extends Commented {
  readonly value: Expression;
}

export interface Property extends Commented {
  readonly key: string;
  readonly value: Expression;
}

/** `const name = value;`, or `value;` if there is no name. */
export interface Statement extends Commented {
  readonly name?: string;
  /** Whether other modules use the variable. */
  readonly exported?: boolean;
  readonly value: Expression;
}

export function literal(value: Literal): Expression {
  return { type: 'literal', value };
}

export function name(name: string): Expression {
  return { type: 'name', name };
}

/** Returns `object.member`; `object` may be a name. */
export function member(object: string | Expression, member: string): Expression {
  return { type: 'member', object: typeof object === 'string' ? name(object) : object, member };
}

/** Returns `object.method(…)`. */
export function call(
  object: string | Expression,
  method: string,
  ...args: readonly (Expression | undefined)[]
): Expression {
  return { type: 'call', callee: member(object, method), arguments: args.filter(isDefined) };
}

/** Returns `new Class(…)`; the class may be a member, such as `kplus.Role`. */
export function create(
  className: string | Expression,
  ...args: readonly (Expression | undefined)[]
): Expression {
  const callee = typeof className === 'string' ? name(className) : className;
  return { type: 'new', callee, arguments: args.filter(isDefined) };
}

export function list(items: readonly (Expression | Item)[]): Expression {
  return { type: 'list', items: items.map((item) => ('type' in item ? { value: item } : item)) };
}

/** Returns the entries that have a value, in order. A value may name the YAML field that it is written for. */
export function object(entries: Readonly<Record<string, Expression | FieldValue | undefined>>): Expression {
  const properties = Object.entries(entries).flatMap(([key, entry]): Property[] => {
    if (entry === undefined) return [];
    return ['type' in entry ? { key, value: entry } : { key, ...entry }];
  });
  return { type: 'object', properties };
}

/** A value, and the YAML field that it is written for. */
export interface FieldValue {
  readonly value: Expression;
  readonly path: FieldPath;
}

/** Returns the value at its field; undefined if there is no value. */
export function at(path: FieldPath, value: Expression | undefined): FieldValue | undefined {
  return value && { value, path };
}

/** Returns the list; undefined if it has no items, because constructs treat both the same. */
export function unlessEmptyList(expression: Expression | undefined): Expression | undefined {
  return expression?.type === 'list' && expression.items.length === 0 ? undefined : expression;
}

/** Returns the object; undefined if it has no properties. */
export function unlessEmptyObject(expression: Expression): Expression | undefined {
  return expression.type === 'object' && expression.properties.length === 0 ? undefined : expression;
}

/** Returns any JSON value unchanged. `text` can write strings differently, for example with variables. */
export function plain(
  value: unknown,
  path: FieldPath | undefined,
  text: (value: string) => Expression = literal,
): Expression {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) {
    return list(value.map((item, index) => itemAt(path && [...path, index], item, text)));
  }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]): Property => ({ key, ...itemAt(path && [...path, key], field, text) }));
    return { type: 'object', properties };
  }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null)
    return literal(value);
  throw new TypeError(`no JSON value: ${typeof value}`);
}

function itemAt(path: FieldPath | undefined, value: unknown, text: (value: string) => Expression): Item {
  return { path, value: plain(value, path, text) };
}

function isDefined(expression: Expression | undefined): expression is Expression {
  return expression !== undefined;
}
