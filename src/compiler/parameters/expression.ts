import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** A part of a value that depends on the cluster, the hub or another parameter. */
export type Expression =
  | { readonly kind: 'fact'; readonly fact: Fact; readonly default: unknown }
  | { readonly kind: 'text'; readonly parts: readonly (string | FactExpression)[] };

type FactExpression = Extract<Expression, { kind: 'fact' }>;

/** A fact, with its name as written. */
export interface Fact {
  readonly text: string;
  readonly of: FactKind;
  /** The key of a label, claim, resource or hub fact, or the name of a parameter. Empty for others. */
  readonly key: string;
}

const plainFacts = ['cluster.name', 'cluster.version', 'cluster.set', 'hub.name', 'hub.version'] as const;
const keyedFacts = [
  'cluster.labels',
  'cluster.claims',
  'cluster.allocatable',
  'cluster.capacity',
  'hub.facts',
  'parameters',
] as const;

type FactKind = (typeof plainFacts)[number] | (typeof keyedFacts)[number];

/** The facts that an expression can name, for hints. */
export const factNames: readonly string[] = [...plainFacts, ...keyedFacts.map((name) => `${name}.KEY`)];

/** Returns the fact with this name. Undefined for an unknown name. */
export function factOf(text: string): Fact | undefined {
  for (const of of plainFacts) if (text === of) return { text, of, key: '' };
  for (const of of keyedFacts)
    if (text.startsWith(`${of}.`) && text.length > of.length + 1)
      return { text, of, key: text.slice(of.length + 1) };
  return undefined;
}

/** An expression that cannot be read. */
export interface ExpressionFault {
  readonly fault: string;
  readonly hint?: string;
}

/** The keys that make an object an expression or an instruction to the merge. */
export const operators: readonly string[] = ['$fact', '$text', '$append', '$replace'];

/** Returns a value in which `{ $remove: true }`, the form of `null` that constructs write, is null. */
export function withNulls(value: unknown): unknown {
  if (isJsonList(value)) return value.map(withNulls);
  if (!isJsonMap(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && value['$remove'] === true) return null;
  return Object.fromEntries(entries.map(([key, item]) => [key, withNulls(item)]));
}

/** Returns the operator of a value; undefined for a plain value. */
export function operatorOf(value: unknown): string | undefined {
  return isJsonMap(value) ? Object.keys(value).find((key) => operators.includes(key)) : undefined;
}

/** Returns the expression that a value is; undefined for a plain value. */
export function expressionOf(value: unknown): Expression | ExpressionFault | undefined {
  const operator = operatorOf(value);
  if (!isJsonMap(value) || operator === undefined) return undefined;
  if (operator === '$fact') return factExpression(value);
  if (operator === '$text') return textExpression(value);
  return undefined;
}

function factExpression(value: JsonMap): Expression | ExpressionFault {
  const text = value['$fact'];
  const other = Object.keys(value).find((key) => key !== '$fact' && key !== '$default');
  if (other !== undefined) return { fault: `${other} is unknown beside $fact`, hint: 'only $default is' };
  if (typeof text !== 'string') return { fault: '$fact must be a string' };
  const fact = factOf(text);
  return fact === undefined ? unknownFact(text) : { kind: 'fact', fact, default: value['$default'] };
}

function unknownFact(text: string): ExpressionFault {
  return { fault: `"${text}" is not a fact`, hint: `the facts are ${factNames.join(', ')}` };
}

function textExpression(value: JsonMap): Expression | ExpressionFault {
  const text = value['$text'];
  if (typeof text !== 'string' || Object.keys(value).length > 1)
    return { fault: '$text must be a string, and the only key' };
  const parts: (string | FactExpression)[] = [];
  let end = 0;
  for (const match of text.matchAll(/\$\$|\$\{([^}]*)\}/g)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, inner] = match;
    if (inner === undefined) {
      parts.push('$');
      continue;
    }
    const separator = inner.indexOf(':-');
    const name = separator < 0 ? inner : inner.slice(0, separator);
    const fact = factOf(name);
    if (fact === undefined) return unknownFact(name);
    parts.push({ kind: 'fact', fact, default: separator < 0 ? undefined : inner.slice(separator + 2) });
  }
  const rest = text.slice(end);
  if (rest.includes('${'))
    return { fault: `"${rest}" has no closing brace`, hint: 'write $$ for a dollar sign' };
  if (rest !== '') parts.push(rest);
  return { kind: 'text', parts };
}

/** Returns the facts in a value. */
export function factsIn(value: unknown): Fact[] {
  const expression = expressionOf(value);
  if (expression !== undefined) {
    if ('fault' in expression) return [];
    if (expression.kind === 'fact') return [expression.fact, ...factsIn(expression.default)];
    return expression.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.fact]));
  }
  if (isJsonList(value)) return value.flatMap(factsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(factsIn) : [];
}

/** Why a value cannot be computed. */
export class MissingFact {
  readonly fact: Fact;

  constructor(fact: Fact) {
    this.fact = fact;
  }
}

/**
 * Computes the expressions in a value.
 *
 * @param factValue - returns undefined for a fact that does not exist
 * @throws MissingFact for a fact without a value and without a default
 */
export function computed(value: unknown, factValue: (fact: Fact) => unknown): unknown {
  const expression = expressionOf(value);
  if (expression !== undefined && !('fault' in expression)) {
    if (expression.kind === 'fact') return valueOfFact(expression, factValue);
    return expression.parts
      .map((part) => (typeof part === 'string' ? part : textOf(valueOfFact(part, factValue))))
      .join('');
  }
  if (isJsonList(value)) return value.map((item) => computed(item, factValue));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, computed(item, factValue)]));
}

function valueOfFact(expression: FactExpression, factValue: (fact: Fact) => unknown): unknown {
  const value = factValue(expression.fact);
  if (value !== undefined) return value;
  if (expression.default === undefined) throw new MissingFact(expression.fact);
  return computed(expression.default, factValue);
}

/** Returns a value as it is written in a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
