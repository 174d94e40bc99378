import type { Checked, Environment, Reference } from './checked.ts';
import type { FunctionDeclaration, Overload } from '../function.ts';
import { qualifiedName } from '../syntax/expression.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  IdentExpression,
  ListExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
} from '../syntax/expression.ts';
import { literalType } from '../syntax/literal.ts';
import type { ExpressionFault } from '../syntax/source.ts';
import { OpenTypes } from './open-types.ts';
import { mostGeneral } from './type-unification.ts';
import {
  boolType,
  dynType,
  errorType,
  firstParam,
  formatType,
  isDyn,
  isOptional,
  isSameType,
  listType,
  mapType,
  optionalType,
  secondParam,
  stringType,
  typeOfType,
} from './types.ts';
import type { CelType } from './types.ts';

/** Finds the types of an expression and its type errors, as cel-go's checker. */
export function check(expression: Expression, environment: Environment): Checked {
  const checker = new Checker(environment);
  checker.check(expression);
  return checker.finish();
}

type Scope = ReadonlyMap<string, CelType>;

class Checker {
  readonly #environment: Environment;
  readonly #types = new Map<Expression, CelType>();
  readonly #references = new Map<Expression, Reference>();
  readonly #faults: ExpressionFault[] = [];
  readonly #scopes: Scope[] = [];
  #unsupported: string | undefined;
  #crossesTypes = false;
  readonly #open = new OpenTypes();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  finish(): Checked {
    const types = new Map(
      Array.from(this.#types, ([expression, type]) => [expression, this.#open.closed(type)]),
    );
    return { types, references: this.#references, faults: this.#faults, unsupported: this.#unsupported };
  }

  check(expression: Expression): CelType {
    const type = this.#typeOf(expression);
    this.#types.set(expression, type);
    return type;
  }

  #typeOf(expression: Expression): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'ident':
        return this.#ident(expression);
      case 'select':
        return this.#select(expression);
      case 'call':
        return expression.name === '_?._' ? this.#optionalSelect(expression) : this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'struct':
        return this.#struct(expression);
      case 'comprehension':
        break;
    }
    return this.#comprehension(expression);
  }

  #ident(expression: IdentExpression): CelType {
    const type = this.#resolve(expression, expression.name, expression.name);
    if (type !== undefined) return type;
    if (isProtobufName(expression.name)) return this.#leaveToHub(expression.name);
    return this.#undeclared(expression.offset, expression.name);
  }

  /** Returns a local variable, a variable or a type; `first` is the part of the name that a local variable would hide. */
  #resolve(expression: Expression, name: string, first: string): CelType | undefined {
    if (!first.startsWith('.')) {
      const local = this.#scopes.findLast((scope) => scope.has(first))?.get(first);
      if (local !== undefined) {
        if (name !== first) return undefined;
        this.#references.set(expression, { kind: 'variable', name, local: true });
        return local;
      }
    }
    const global = name.replace(/^\./, '');
    const variable = this.#environment.variables.get(global);
    if (variable !== undefined) {
      this.#references.set(expression, { kind: 'variable', name: global, local: false });
      return variable;
    }
    const type = this.#environment.types.get(global);
    if (type === undefined) return undefined;
    this.#references.set(expression, { kind: 'type', type });
    return typeOfType(type);
  }

  #select(expression: SelectExpression): CelType {
    const qualified = qualifiedName(expression);
    if (qualified !== undefined) {
      const type = this.#resolve(expression, qualified.name, qualified.first);
      if (type !== undefined) return type;
    }
    const type = this.#field(expression.offset, expression.operand, false);
    return expression.testOnly ? boolType : this.#open.resolved(type);
  }

  #optionalSelect(expression: CallExpression): CelType {
    const [operand] = expression.args;
    if (operand === undefined) return errorType;
    const [, field] = expression.args;
    if (field !== undefined) this.#types.set(field, stringType);
    return this.#open.resolved(this.#field(expression.offset, operand, true));
  }

  #field(offset: number, operand: Expression, optional: boolean): CelType {
    this.check(operand);
    const operandType = this.#open.resolved(this.#typeOfChecked(operand));
    const target = isOptional(operandType) ? firstParam(operandType) : operandType;
    let result = dynType;
    if (target.kind === 'map') result = secondParam(target);
    else if (target.kind === 'param') this.#open.assign(dynType, target);
    else if (target.kind === 'struct') {
      // the hub knows these types only by name
      this.#report(offset, `unexpected failed resolution of '${target.name}'`);
      result = errorType;
    } else if (!isDyn(target) && target.kind !== 'error')
      this.#report(offset, `type '${formatType(target)}' does not support field selection`);
    return isOptional(operandType) || optional ? optionalType(result) : result;
  }

  #call(expression: CallExpression): CelType {
    for (const arg of expression.args) this.check(arg);
    const { functions } = this.#environment;
    const { target, name } = expression;
    if (target === undefined) {
      const declaration = functions.get(name.replace(/^\./, ''));
      if (declaration === undefined) return this.#undeclared(expression.offset, name);
      return this.#resolveOverload(expression, declaration, expression.args, false);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix && functions.get(`${prefix.name.replace(/^\./, '')}.${name}`);
    if (qualified !== undefined) return this.#resolveOverload(expression, qualified, expression.args, true);

    this.check(target);
    const declaration = functions.get(name);
    if (declaration === undefined) return this.#undeclared(expression.offset, name);
    return this.#resolveOverload(expression, declaration, [target, ...expression.args], false);
  }

  #resolveOverload(
    expression: CallExpression,
    declaration: FunctionDeclaration,
    args: readonly Expression[],
    qualified: boolean,
  ): CelType {
    const isMember = expression.target !== undefined && !qualified;
    const argTypes = args.map((arg) => this.#typeOfChecked(arg));
    if (declaration.name === '_&&_' || declaration.name === '_||_')
      return this.#logic(expression, declaration, args);

    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== isMember || (overload.crossesTypes === true && !this.#crossesTypes)) continue;
      const [returned = errorType, ...params] = this.#open.renewed([overload.result, ...overload.params]);
      if (!this.#open.assignAll(argTypes, params)) continue;
      matching.push(overload);
      const type = this.#open.resolved(returned);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !isSameType(type, result)) result = dynType;
    }
    if (result === undefined) {
      const [target, ...rest] = argTypes.map((type) => formatType(this.#open.closed(type)));
      const signature = isMember
        ? `${target}.(${rest.join(', ')})`
        : `(${[target ?? [], ...rest].flat().join(', ')})`;
      this.#report(
        expression.offset,
        `found no matching overload for '${declaration.name}' applied to '${signature}'`,
      );
      return errorType;
    }
    this.#references.set(expression, { kind: 'function', declaration, overloads: matching, qualified });
    return result;
  }

  #logic(expression: CallExpression, declaration: FunctionDeclaration, args: readonly Expression[]): CelType {
    let fits = true;
    for (const arg of args) {
      const type = this.#typeOfChecked(arg);
      if (this.#open.assign(type, boolType)) continue;
      this.#report(arg.offset, `expected type 'bool' but found '${formatType(type)}'`);
      fits = false;
    }
    if (!fits) return errorType;
    this.#references.set(expression, {
      kind: 'function',
      declaration,
      overloads: declaration.overloads,
      qualified: false,
    });
    return boolType;
  }

  #list({ elements }: ListExpression): CelType {
    let joined: CelType | undefined;
    for (const { value, optional } of elements) {
      this.check(value);
      joined = this.#join(joined, this.#unwrapped(value, optional));
    }
    return listType(joined ?? this.#open.next());
  }

  #map({ entries }: MapExpression): CelType {
    let joinedKey: CelType | undefined;
    let joinedValue: CelType | undefined;
    for (const { key, value, optional } of entries) {
      joinedKey = this.#join(joinedKey, this.check(key));
      this.check(value);
      joinedValue = this.#join(joinedValue, this.#unwrapped(value, optional));
    }
    return mapType(joinedKey ?? this.#open.next(), joinedValue ?? this.#open.next());
  }

  /** Returns the type of an element. For `?element`, returns the type of the value in the optional. */
  #unwrapped(value: Expression, optional: boolean): CelType {
    const type = this.#typeOfChecked(value);
    if (!optional) return type;
    if (isOptional(type)) return firstParam(type);
    if (!isDyn(type))
      this.#report(
        value.offset,
        `expected type '${formatType(optionalType(type))}' but found '${formatType(type)}'`,
      );
    return type;
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#open.assign(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #struct({ typeName, offset, values }: StructExpression): CelType {
    const type = this.#environment.types.get(typeName.replace(/^\./, ''));
    if (isProtobufName(typeName)) return this.#leaveToHub(typeName);
    if (type === undefined) return this.#undeclared(offset, typeName);
    for (const value of values) this.check(value);
    this.#report(offset, `'${typeName}' is not a message type`);
    return errorType;
  }

  #comprehension(expression: ComprehensionExpression): CelType {
    this.check(expression.range);
    const accuType = this.check(expression.accuInit);
    const range = this.#open.resolved(this.#typeOfChecked(expression.range));
    // cel-go's enterScope loses which overloads are disabled, and exitScope does not restore it
    this.#crossesTypes = true;
    this.#scopes.push(new Map([[expression.accuVar, accuType]]));
    this.#scopes.push(new Map([[expression.iterVar, this.#elementType(expression.range.offset, range)]]));
    this.check(expression.condition);
    this.#assertType(expression.condition, boolType);
    this.check(expression.step);
    this.#assertType(expression.step, accuType);
    this.#scopes.pop();
    const result = this.check(expression.result);
    this.#scopes.pop();
    return this.#open.resolved(result);
  }

  #elementType(offset: number, range: CelType): CelType {
    if (['list', 'map'].includes(range.kind)) return firstParam(range);
    if (['dyn', 'error', 'param'].includes(range.kind)) {
      this.#open.assign(dynType, range);
      return dynType;
    }
    this.#report(
      offset,
      `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return errorType;
  }

  #assertType(expression: Expression, type: CelType): void {
    const actual = this.#typeOfChecked(expression);
    if (!this.#open.assign(type, actual))
      this.#report(
        expression.offset,
        `expected type '${formatType(type)}' but found '${formatType(actual)}'`,
      );
  }

  #typeOfChecked(expression: Expression): CelType {
    return this.#types.get(expression) ?? errorType;
  }

  #leaveToHub(name: string): CelType {
    this.#unsupported ??= `it names ${name}: it is unknown which Protocol Buffers messages a hub supports`;
    return errorType;
  }

  #undeclared(offset: number, name: string): CelType {
    this.#report(offset, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #report(offset: number, message: string): void {
    this.#faults.push({ offset, message });
  }
}

function isProtobufName(name: string): boolean {
  return /^\.?google(?:\.|$)/.test(name);
}
