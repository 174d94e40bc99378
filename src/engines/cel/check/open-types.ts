import { substitute, unify, unifyAll, type Substitutions } from './type-unification.ts';
import { typeParam, type CelType } from './types.ts';

/** The open types of an expression, and their substitutions so far. */
export class OpenTypes {
  #substitutions: Substitutions = new Map();
  #count = 0;

  /** Returns a new open type. */
  next(): CelType {
    return typeParam(`_var${this.#count++}`);
  }

  /** Returns the types of one declaration, with new open types in place of its parameters. */
  renewed(types: readonly CelType[]): readonly CelType[] {
    const names = new Set(types.flatMap(openTypeNames));
    if (names.size === 0) return types;
    const fresh = new Map(Array.from(names, (name) => [name, this.next()]));
    return types.map((type) => substitute(fresh, type, false));
  }

  /** Whether values of one type can be used as another. If so, keeps the resulting substitutions of open types. */
  assign(from: CelType, to: CelType): boolean {
    return this.#keep(unify(this.#substitutions, from, to));
  }

  /** The same for the arguments of a call. */
  assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    return this.#keep(unifyAll(this.#substitutions, from, to));
  }

  /** Returns a type with all current substitutions. */
  resolved(type: CelType): CelType {
    return substitute(this.#substitutions, type, false);
  }

  /** Returns a type with the final substitutions: types that are still open become dyn. */
  closed(type: CelType): CelType {
    return substitute(this.#substitutions, type, true);
  }

  #keep(substitutions: Substitutions | undefined): boolean {
    if (substitutions === undefined) return false;
    this.#substitutions = substitutions;
    return true;
  }
}

function openTypeNames(type: CelType): string[] {
  return type.kind === 'param' ? [type.name] : type.params.flatMap(openTypeNames);
}
