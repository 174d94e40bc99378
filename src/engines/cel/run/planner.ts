import { ConditionalAttribute, OperandAttribute, isKey } from './attribute.ts';
import { VariableAttribute } from './variable-attribute.ts';
import type { Attribute, Qualifier } from './attribute.ts';
import type { CelBehaviour } from '../behaviour.ts';
import type { Checked, Environment, Reference } from '../check/checked.ts';
import type { Compute, Run } from './evaluation.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  IdentExpression,
  ListExpression,
  MapExpression,
  SelectExpression,
} from '../syntax/expression.ts';
import { planFold } from './fold.ts';
import { call, createList, createMap, equality, logical, notStrictlyFalse, optionalOr } from './operation.ts';
import { compilePattern } from '../values/regular-expression.ts';
import { CelOptional, CelTypeValue } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** Thrown for expressions that the hub compiles but cannot create a program from. */
export class InstantiationError extends Error {}

/** Converts a checked expression into functions that compute it and count its cost, step by step as cel-go does. */
export function plan(
  expression: Expression,
  checked: Checked,
  environment: Environment,
  behaviour: CelBehaviour,
): Compute {
  return new Planner(checked, environment, behaviour).plan(expression).compute;
}

/** A part of the plan. Attributes are separate, because later steps are added to them. */
type Plan =
  | { readonly kind: 'constant'; readonly value: CelValue; readonly compute: Compute }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly compute: Compute }
  | { readonly kind: 'computed'; readonly compute: Compute };

function constant(value: CelValue): Plan {
  return { kind: 'constant', value, compute: () => value };
}

function attributePlan(attribute: Attribute): Plan {
  const { cost } = attribute;
  const compute = (run: Run): CelResult => {
    const result = attribute.resolve(run);
    run.charge(cost);
    return result;
  };
  return { kind: 'attribute', attribute, compute };
}

function computed(compute: Compute): Plan {
  return { kind: 'computed', compute };
}

/** A variable of a loop, and the source of its value. */
interface Local {
  readonly slot: number;
  /** Computes the initial value of an accumulator on first access. */
  readonly initial?: Compute;
}

class Planner {
  readonly #checked: Checked;
  readonly #environment: Environment;
  readonly #behaviour: CelBehaviour;
  readonly #scopes: Map<string, Local>[] = [];
  #slots = 0;

  constructor(checked: Checked, environment: Environment, behaviour: CelBehaviour) {
    this.#checked = checked;
    this.#environment = environment;
    this.#behaviour = behaviour;
  }

  plan(expression: Expression): Plan {
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value);
      case 'ident':
        return this.#ident(expression);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'comprehension':
        return this.#comprehension(expression);
      case 'struct':
        break;
    }
    throw new InstantiationError(`unknown type: ${expression.typeName}`);
  }

  #ident(expression: IdentExpression): Plan {
    const reference = this.#checked.references.get(expression);
    return reference === undefined ? constant(null) : this.#name(expression, expression.name, reference);
  }

  #name(expression: Expression, sourceName: string, reference: Reference): Plan {
    if (reference.kind === 'type') {
      // cel-go looks up such a type with its dot, and does not find it
      const first = sourceName.slice(1).split('.')[0] ?? '';
      if (sourceName.startsWith('.') && this.#scopes.some((scope) => scope.has(first)))
        throw new InstantiationError(`reference to undefined type: ${sourceName}`);
      return constant(new CelTypeValue(reference.type.name));
    }
    if (reference.kind === 'function') return constant(null);
    const { name, local } = reference;
    if (this.#checked.types.get(expression)?.kind === 'type') {
      // cel-go treats any type as a type name
      const type = this.#environment.types.get(name);
      if (type === undefined) throw new InstantiationError(`reference to undefined type: ${name}`);
      return constant(new CelTypeValue(type.name));
    }
    return attributePlan(
      local
        ? new OperandAttribute(this.#readLocal(name), this.#behaviour)
        : new VariableAttribute(name, this.#behaviour),
    );
  }

  #readLocal(name: string): Compute {
    const local = this.#scopes.findLast((scope) => scope.has(name))?.get(name);
    if (local === undefined) throw new Error(`no variable ${name} in scope`);
    const { slot, initial } = local;
    return (run) => {
      let value = run.locals[slot];
      if (value === undefined && initial !== undefined) {
        value = initial(run);
        run.locals[slot] = value;
      }
      return value ?? null;
    };
  }

  #select(expression: SelectExpression): Plan {
    const reference = this.#checked.references.get(expression);
    if (reference !== undefined) return this.#name(expression, '', reference);
    const attribute = this.#attributeOf(this.plan(expression.operand));
    const { field, testOnly } = expression;
    attribute.add({ key: field, optional: false, testOnly });
    return testOnly ? presenceTest(attribute) : attributePlan(attribute);
  }

  #attributeOf(operand: Plan): Attribute {
    return operand.kind === 'attribute'
      ? operand.attribute
      : new OperandAttribute(operand.compute, this.#behaviour);
  }

  #call(expression: CallExpression): Plan {
    const reference = this.#checked.references.get(expression);
    const isQualified = reference?.kind === 'function' && reference.qualified;
    const target = expression.target === undefined || isQualified ? [] : [expression.target];
    const args = [...target, ...expression.args].map((arg) => this.plan(arg));
    const [first = constant(null), second = constant(null), third = constant(null)] = args;
    switch (expression.name) {
      case '_&&_':
        return computed(logical(first.compute, second.compute, false));
      case '_||_':
        return computed(logical(first.compute, second.compute, true));
      case '_?_:_':
        return attributePlan(
          new ConditionalAttribute(first.compute, this.#attributeOf(second), this.#attributeOf(third)),
        );
      case '_==_':
      case '_!=_':
        return computed(equality(first.compute, second.compute, expression.name === '_!=_'));
      case '_[_]':
        return this.#index(first, second, false);
      case '_[?_]':
      case '_?._':
        return this.#index(first, second, true);
      case '@not_strictly_false':
        return computed(notStrictlyFalse(first.compute));
      default:
    }
    if (reference?.kind !== 'function') throw new Error(`${expression.name} has not been checked`);
    const { declaration, overloads } = reference;
    const [overload] = overloads.length === 1 ? overloads : [];
    if (overload?.id === 'optional_or_optional')
      return computed(optionalOr(first.compute, second.compute, (value) => value));
    if (overload?.id === 'optional_orValue_value')
      return computed(optionalOr(first.compute, second.compute, ({ value }) => value ?? null));
    const computes = args.map((arg) => arg.compute);
    const precompiled = ['find', 'findAll'].includes(declaration.name) && hasConstantPattern(second);
    return computed(call(this.#behaviour, declaration, overloads, computes, precompiled));
  }

  #index(operand: Plan, index: Plan, optional: boolean): Plan {
    const attribute = this.#attributeOf(operand);
    attribute.add({ key: qualifierKey(index), optional, testOnly: false });
    return attributePlan(attribute);
  }

  #list({ elements }: ListExpression): Plan {
    return computed(
      createList(elements.map(({ value, optional }) => ({ value: this.plan(value).compute, optional }))),
    );
  }

  #map({ entries }: MapExpression): Plan {
    const planned = entries.map(({ key, value, optional }) => ({
      key: this.plan(key).compute,
      value: this.plan(value).compute,
      optional,
    }));
    return computed(createMap(planned));
  }

  #comprehension(expression: ComprehensionExpression): Plan {
    const initial = this.plan(expression.accuInit).compute;
    const range = this.plan(expression.range).compute;
    const accu = { slot: this.#slots++, initial };
    const item = { slot: this.#slots++ };
    this.#scopes.push(new Map([[expression.accuVar, accu]]));
    this.#scopes.push(new Map([[expression.iterVar, item]]));
    const condition = this.plan(expression.condition);
    const step = this.plan(expression.step).compute;
    this.#scopes.pop();
    const result = this.plan(expression.result).compute;
    this.#scopes.pop();
    return computed(
      planFold({
        range,
        accu: accu.slot,
        item: item.slot,
        condition: condition.kind === 'constant' && condition.value === true ? undefined : condition.compute,
        step,
        result,
      }),
    );
  }
}

/** Computes the value of `has(…)`; if the chain has an optional, the value is one too. */
function presenceTest(attribute: Attribute): Plan {
  const compute = (run: Run): CelResult => {
    const result = attribute.resolve(run);
    run.charge(attribute.cost);
    return result instanceof CelOptional ? result.value !== undefined : result;
  };
  return { kind: 'attribute', attribute, compute };
}

function qualifierKey(index: Plan): Qualifier['key'] {
  if (index.kind === 'attribute') return (run) => index.attribute.resolve(run);
  if (index.kind === 'computed') return index.compute;
  if (isKey(index.value)) return index.value;
  throw new InstantiationError(`invalid qualifier type: ${goTypeName(index.value)}`);
}

function goTypeName(value: CelValue): string {
  if (value === null) return 'types.Null';
  return value instanceof CelTypeValue ? '*types.Type' : 'types.Bytes';
}

/**
 * Whether a pattern is compiled in advance, as Kubernetes does for `find` and `findAll`.
 *
 * @throws {InstantiationError} if the pattern is invalid
 */
function hasConstantPattern(pattern: Plan): boolean {
  if (pattern.kind !== 'constant' || typeof pattern.value !== 'string') return false;
  const compiled = compilePattern(pattern.value);
  if (compiled instanceof CelError) throw new InstantiationError(compiled.message);
  return true;
}
