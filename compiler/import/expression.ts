import type { FieldPath } from '../field-path.ts';

/** The part of TypeScript that import writes, as data: it can be printed, and it can be evaluated to see what it gives. */
export type Expression =
  | { readonly type: 'literal'; readonly value: Literal }
  | { readonly type: 'list'; readonly items: readonly Item[] }
  | { readonly type: 'object'; readonly properties: readonly Property[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly object: Expression; readonly member: string }
  | { readonly type: 'call'; readonly callee: Expression; readonly arguments: readonly Expression[] }
  | { readonly type: 'new'; readonly callee: Expression; readonly arguments: readonly Expression[] }
  /** A template literal: texts, and expressions in `${}`. */
  | { readonly type: 'template'; readonly parts: readonly (string | Expression)[] }
  /** An arrow function with a body in braces. */
  | { readonly type: 'function'; readonly parameter: string; readonly body: readonly Statement[] };

export type Literal = string | number | bigint | boolean | null;

/** What comments can stand above. */
interface Commented {
  /** The field of the YAML that this stands for, so that its comments find it. */
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

/** `const name = value;`, or `value;` where there is no name. */
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

/** `object.member`, where `object` may be a name. */
export function member(object: string | Expression, member: string): Expression {
  return { type: 'member', object: typeof object === 'string' ? name(object) : object, member };
}

/** `object.method(…)`. */
export function call(
  object: string | Expression,
  method: string,
  ...args: readonly (Expression | undefined)[]
): Expression {
  return { type: 'call', callee: member(object, method), arguments: args.filter(isGiven) };
}

/** `new Class(…)`; the class may be a member, such as `kplus.Role`. */
export function create(
  className: string | Expression,
  ...args: readonly (Expression | undefined)[]
): Expression {
  const callee = typeof className === 'string' ? name(className) : className;
  return { type: 'new', callee, arguments: args.filter(isGiven) };
}

export function list(items: readonly (Expression | Item)[]): Expression {
  return { type: 'list', items: items.map((item) => ('type' in item ? { value: item } : item)) };
}

/** The entries whose value is given, in their order. A value may say which field of the YAML it stands for. */
export function object(entries: Readonly<Record<string, Expression | Placed | undefined>>): Expression {
  const properties = Object.entries(entries).flatMap(([key, entry]): Property[] => {
    if (entry === undefined) return [];
    return ['type' in entry ? { key, value: entry } : { key, ...entry }];
  });
  return { type: 'object', properties };
}

/** A value, and the field of the YAML that it stands for. */
export interface Placed {
  readonly value: Expression;
  readonly path: FieldPath;
}

/** The value at its field; undefined where there is no value. */
export function at(path: FieldPath, value: Expression | undefined): Placed | undefined {
  return value && { value, path };
}

/** The list, or nothing where it has no items: constructs make no difference. */
export function unlessEmptyList(expression: Expression | undefined): Expression | undefined {
  return expression?.type === 'list' && expression.items.length === 0 ? undefined : expression;
}

/** The object, or nothing where it has no properties. */
export function unlessEmptyObject(expression: Expression): Expression | undefined {
  return expression.type === 'object' && expression.properties.length === 0 ? undefined : expression;
}

/** Any JSON value as it stands. `text` may write texts otherwise, such as with variables. */
export function plain(
  value: unknown,
  path: FieldPath | undefined,
  text: (value: string) => Expression = literal,
): Expression {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) {
    return list(value.map((item, index) => placed(path && [...path, index], item, text)));
  }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]): Property => ({ key, ...placed(path && [...path, key], field, text) }));
    return { type: 'object', properties };
  }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null)
    return literal(value);
  throw new TypeError(`no JSON value: ${typeof value}`);
}

function placed(path: FieldPath | undefined, value: unknown, text: (value: string) => Expression): Item {
  return { path, value: plain(value, path, text) };
}

function isGiven(expression: Expression | undefined): expression is Expression {
  return expression !== undefined;
}
