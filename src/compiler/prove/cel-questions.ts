import {
  qualifiedName,
  partsOf,
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
} from '../../engines/cel/syntax/expression.ts';
import { isResource, type Input, type Questions, type ResourceKind } from './input.ts';
import { anyVersion, comparisonsWith } from './version-patterns.ts';
import { containing, endingWith, parsePattern, startingWith, type TextPattern } from './text-pattern.ts';

/** The value of one loop variable: an entry of the claims with this name. */
interface ClaimEntry {
  readonly variable: string;
  readonly name: string;
}

/** Thrown for a part whose result does not depend on a finite number of questions about single texts. */
class NoFinitePartition extends Error {}

/**
 * Adds the questions that an expression asks about the labels, annotations, claims, version and name of a cluster. Returns the inputs
 * that it reads; undefined if its result may depend on more than the answers.
 */
export function askedBy(expression: Expression, questions: Questions): ReadonlySet<Input> | undefined {
  const reader = new CelReader(questions);
  try {
    reader.read(expression);
  } catch (error) {
    if (error instanceof NoFinitePartition) return undefined;
    throw error;
  }
  return reader.inputs;
}

const claims = 'managedCluster.status.clusterClaims';
const maps: ReadonlyMap<string, 'label' | 'annotation' | ResourceKind> = new Map([
  ['managedCluster.metadata.labels', 'label'],
  ['managedCluster.metadata.annotations', 'annotation'],
  ['managedCluster.status.capacity', 'capacity'],
  ['managedCluster.status.allocatable', 'allocatable'],
]);

const searches: ReadonlyMap<string, (text: string) => TextPattern | undefined> = new Map([
  ['startsWith', startingWith],
  ['endsWith', endingWith],
  ['contains', containing],
  ['matches', parsePattern],
]);

const comparisons = new Set(['isGreaterThan', 'isLessThan', 'compareTo']);

class CelReader {
  readonly inputs = new Set<Input>();
  readonly #questions: Questions;
  readonly #entries: ClaimEntry[] = [];

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  read(expression: Expression): void {
    if (expression.kind === 'literal') return;
    if (expression.kind === 'select' && expression.testOnly)
      return this.#readPresence(expression.operand, expression.field);
    if (expression.kind === 'comprehension') return this.#readLoop(expression);
    if (expression.kind === 'call' && this.#readCall(expression)) return;
    // a text that flows anywhere else, and a field that is no input
    if (
      expression.kind === 'ident' ||
      expression.kind === 'select' ||
      this.#inputOf(expression) !== undefined
    )
      throw new NoFinitePartition();
    for (const part of partsOf(expression)) this.read(part);
  }

  /** Reads a call that asks a question about an input. Returns false for all others. */
  #readCall({ name, target, args }: CallExpression): boolean {
    const [first, second] = args;
    if (name === '_==_' || name === '_!=_')
      return this.#readComparison(first, second) || this.#readComparison(second, first);
    if (name === '@in') return this.#readMembership(first, second);
    if (name === 'isSemver') return this.#readVersion(first);
    const search = searches.get(name);
    if (search !== undefined) return this.#readSearch(name, search, target, first);
    if (comparisons.has(name)) return this.#readOrder(target, first);
    return false;
  }

  #readComparison(one: Expression | undefined, other: Expression | undefined): boolean {
    const input = this.#inputOf(one);
    const text = textOf(other);
    if (input === undefined || text === undefined) return false;
    this.#ask(input).literals.add(text);
    return true;
  }

  /** `x in ["a", "b"]`, or `"key" in managedCluster.metadata.labels`. */
  #readMembership(element: Expression | undefined, list: Expression | undefined): boolean {
    const key = textOf(element);
    const kind = mapKind(list);
    if (kind !== undefined) {
      if (key === undefined) return false;
      this.#ask({ kind, key });
      return true;
    }
    const input = this.#inputOf(element);
    if (input === undefined || list?.kind !== 'list') return false;
    const texts = list.elements.map(({ value, optional }) => (optional ? undefined : textOf(value)));
    const { literals } = this.#ask(input);
    for (const text of texts) {
      if (text === undefined) throw new NoFinitePartition();
      literals.add(text);
    }
    return true;
  }

  #readSearch(
    name: string,
    search: (text: string) => TextPattern | undefined,
    target: Expression | undefined,
    argument: Expression | undefined,
  ): boolean {
    const input = this.#inputOf(target);
    const text = textOf(argument);
    const pattern = text === undefined ? undefined : search(text);
    if (input === undefined || pattern === undefined) return false;
    this.#ask(input).patterns.set(`${name} ${text}`, pattern);
    return true;
  }

  /** `semver(x).isLessThan(semver("1.30.0"))` and `quantity(x).isGreaterThan(quantity("4"))`, either way around. */
  #readOrder(one: Expression | undefined, other: Expression | undefined): boolean {
    for (const [name, ask] of [
      ['semver', (input: Input, text: string) => this.#askVersion(input, text)],
      ['quantity', (input: Input, text: string) => this.#askQuantity(input, text)],
    ] as const)
      for (const [asked, literal] of [
        [one, other],
        [other, one],
      ]) {
        const [input, text] = [this.#inputOf(argumentOf(name, asked)), textOf(argumentOf(name, literal))];
        if (input === undefined || text === undefined) continue;
        ask(input, text);
        return true;
      }
    return false;
  }

  #readVersion(argument: Expression | undefined): boolean {
    const input = this.#inputOf(argument);
    if (input === undefined) return false;
    this.#ask(input).patterns.set('version', anyVersion);
    return true;
  }

  #readPresence(operand: Expression, field: string): void {
    const kind = mapKind(operand);
    if (kind !== undefined) this.#ask({ kind, key: field });
    else if (qualifiedName(operand)?.name === 'managedCluster.status.version' && field === 'kubernetes')
      this.#ask({ kind: 'version' });
    else throw new NoFinitePartition();
  }

  /** `managedCluster.status.clusterClaims.exists(c, c.name == "…" && …)`: names of claims are unique. */
  #readLoop({ iterVar, range, accuInit, step }: ComprehensionExpression): void {
    const isExists =
      accuInit.kind === 'literal' && accuInit.value === false && step.kind === 'call' && step.name === '_||_';
    if (qualifiedName(range)?.name !== claims || !isExists) throw new NoFinitePartition();
    const [, predicate] = step.args;
    const terms = predicate === undefined ? [] : conjuncts(predicate);
    const name = terms.map((term) => comparedName(term, iterVar)).find((text) => text !== undefined);
    if (name === undefined) throw new NoFinitePartition();
    this.#ask({ kind: 'claim', key: name });
    this.#entries.push({ variable: iterVar, name });
    for (const term of terms) if (comparedName(term, iterVar) === undefined) this.read(term);
    this.#entries.pop();
  }

  /** Returns the input whose text an expression is: a field, or a field with a default. */
  #inputOf(expression: Expression | undefined): Input | undefined {
    if (expression === undefined) return undefined;
    const path = qualifiedName(expression)?.name;
    if (path === 'managedCluster.metadata.name') return { kind: 'name' };
    if (path === 'managedCluster.status.version.kubernetes') return { kind: 'version' };
    if (expression.kind === 'select' && !expression.testOnly) {
      const kind = mapKind(expression.operand);
      if (kind !== undefined) return { kind, key: expression.field };
      return this.#claimOf(expression.operand, expression.field);
    }
    if (expression.kind !== 'call') return undefined;
    const { name, target, args } = expression;
    const [map, key] = args;
    if (name === '_[_]') return entryOf(map, key);
    if (name === 'orValue' && target?.kind === 'call' && target.name === '_[?_]') {
      const [optionalMap, optionalKey] = target.args;
      return textOf(args[0]) === undefined ? undefined : entryOf(optionalMap, optionalKey);
    }
    return undefined;
  }

  #claimOf(operand: Expression, field: string): Input | undefined {
    if (operand.kind !== 'ident' || field !== 'value') return undefined;
    // the innermost loop with this variable
    const entry = this.#entries.findLast(({ variable }) => variable === operand.name);
    return entry === undefined ? undefined : { kind: 'claim', key: entry.name };
  }

  /** Only resources are quantities on every cluster. */
  #askQuantity(input: Input, text: string): void {
    if (!isResource(input)) throw new NoFinitePartition();
    this.#ask(input).quantities.add(text);
  }

  #askVersion(input: Input, text: string): void {
    const { patterns } = this.#ask(input);
    patterns.set('version', anyVersion);
    for (const [name, pattern] of comparisonsWith(text)) patterns.set(name, pattern);
  }

  #ask(input: Input): ReturnType<Questions['about']> {
    const questions = this.#questions.about(input);
    this.inputs.add(questions.input);
    if ('key' in input && input.kind !== 'label')
      this.inputs.add(this.#questions.about({ kind: `other ${input.kind}` }).input);
    return questions;
  }
}

function entryOf(map: Expression | undefined, key: Expression | undefined): Input | undefined {
  const kind = mapKind(map);
  const text = textOf(key);
  return kind === undefined || text === undefined ? undefined : { kind, key: text };
}

function mapKind(expression: Expression | undefined): 'label' | 'annotation' | ResourceKind | undefined {
  const path = expression === undefined ? undefined : qualifiedName(expression)?.name;
  return path === undefined ? undefined : maps.get(path);
}

function textOf(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'literal' && typeof expression.value === 'string'
    ? expression.value
    : undefined;
}

/** Returns the argument of `semver(…)` or `quantity(…)`. */
function argumentOf(name: string, expression: Expression | undefined): Expression | undefined {
  const isCall = expression?.kind === 'call' && expression.name === name && expression.target === undefined;
  return isCall && expression.args.length === 1 ? expression.args[0] : undefined;
}

/** Returns the terms of nested `&&`. */
function conjuncts(expression: Expression): readonly Expression[] {
  if (expression.kind !== 'call' || expression.name !== '_&&_') return [expression];
  return expression.args.flatMap(conjuncts);
}

/** Returns the text of `variable.name == "…"`. */
function comparedName(expression: Expression, variable: string): string | undefined {
  if (expression.kind !== 'call' || expression.name !== '_==_') return undefined;
  const [one, other] = expression.args;
  const isName = (part: Expression | undefined): boolean =>
    part?.kind === 'select' &&
    !part.testOnly &&
    part.field === 'name' &&
    part.operand.kind === 'ident' &&
    part.operand.name === variable;
  if (isName(one)) return textOf(other);
  return isName(other) ? textOf(one) : undefined;
}
