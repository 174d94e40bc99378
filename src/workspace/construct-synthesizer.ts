import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Expression, Statement } from '../importer/code/expression.ts';
import type { Rendering, Synthesizer } from '../importer/synthesizer.ts';
import * as fleetwright from '../../constructs/index.ts';
import { collect } from '../../constructs/collect.ts';

/** Evaluates statements with the constructs, to verify that the code that import writes produces the expected objects. */
export class ConstructSynthesizer implements Synthesizer {
  readonly #accepted = new Map<string, unknown>();
  #last = new Map<string, unknown>();
  readonly #modules: Scope;

  /** @param plus - the module of cdk8s-plus */
  constructor(plus: object) {
    this.#modules = new Map<string, unknown>([...Object.entries(fleetwright), ['kplus', plus]]);
  }

  run(
    statements: readonly Statement[],
    definition: string,
    charts: ReadonlyMap<string, string | undefined>,
  ): Rendering {
    const app = new App();
    const scope = new Map<string, unknown>();
    const lookUp = (name: string): unknown => {
      const value = scope.get(name) ?? this.#accepted.get(name) ?? this.#modules.get(name);
      if (value !== undefined || !charts.has(name)) return value;
      const namespace = charts.get(name);
      const chart = new Chart(app, name, namespace === undefined ? {} : { namespace });
      scope.set(name, chart);
      return chart;
    };
    this.#last = new Map();
    try {
      for (const { name, value } of statements) {
        const result = evaluate(value, lookUp);
        if (name === undefined) continue;
        scope.set(name, result);
        this.#last.set(name, result);
      }
      const defined = scope.get(definition);
      if (!Construct.isConstruct(defined)) return { error: 'the statements create no construct' };
      const { objects, errors } = collect(defined);
      const [first] = objects;
      if (first !== undefined && errors.length === 0) return { object: first.object };
      return { error: errors.map(({ message }) => message).join('; ') };
    } catch (error) {
      // constructs throw for objects that they cannot create; another statement creates the object then
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  accept(): void {
    for (const [name, value] of this.#last) this.#accepted.set(name, value);
  }
}

type Scope = ReadonlyMap<string, unknown>;
type LookUp = (name: string) => unknown;

function evaluate(expression: Expression, lookUp: LookUp): unknown {
  switch (expression.type) {
    case 'literal':
      break;
    case 'name':
      return lookUp(expression.name);
    case 'member':
      return memberOf(evaluate(expression.object, lookUp), expression.member);
    case 'list':
      return expression.items.map(({ value }) => evaluate(value, lookUp));
    case 'object': {
      const entries = expression.properties.map(({ key, value }) => [key, evaluate(value, lookUp)]);
      return Object.fromEntries(entries);
    }
    case 'template':
      return expression.parts
        .map((part) => (typeof part === 'string' ? part : String(evaluate(part, lookUp))))
        .join('');
    case 'new': {
      const callee = evaluate(expression.callee, lookUp);
      if (typeof callee !== 'function') throw new TypeError('no class');
      return Reflect.construct(callee, evaluateAll(expression.arguments, lookUp));
    }
    case 'call': {
      const { callee } = expression;
      const self = callee.type === 'member' ? evaluate(callee.object, lookUp) : undefined;
      const method = callee.type === 'member' ? memberOf(self, callee.member) : evaluate(callee, lookUp);
      if (typeof method !== 'function') throw new TypeError('no function');
      return Reflect.apply(method, self, evaluateAll(expression.arguments, lookUp));
    }
    case 'function':
      return (argument: unknown) => {
        const local = new Map<string, unknown>([[expression.parameter, argument]]);
        for (const { name, value } of expression.body) {
          const result = evaluate(value, (identifier) => local.get(identifier) ?? lookUp(identifier));
          if (name !== undefined) local.set(name, result);
        }
      };
  }
  return expression.value;
}

function evaluateAll(expressions: readonly Expression[], lookUp: LookUp): unknown[] {
  return expressions.map((expression) => evaluate(expression, lookUp));
}

function memberOf(object: unknown, name: string): unknown {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null)
    throw new TypeError('no members');
  return Reflect.get(object, name);
}
