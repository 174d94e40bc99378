import { substitute, unify, unifyAll, type Substitutions } from './type-unification.ts';
import { typeParam, type CelType } from './types.ts';

/** The types of an expression that are still open, and what is known of them so far. */
export class OpenTypes {
  #substitutions: Substitutions = new Map();
  #count = 0;

  /** A type of which nothing is known yet. */
  next(): CelType {
    return typeParam(`_var${this.#count++}`);
  }

  /** Types of one declaration, with new open types in the place of its parameters. */
  renewed(types: readonly CelType[]): readonly CelType[] {
    const names = new Set(types.flatMap(openTypeNames));
    if (names.size === 0) return types;
    const fresh = new Map(Array.from(names, (name) => [name, this.next()]));
    return types.map((type) => substitute(fresh, type, false));
  }

  /** Whether values of one type can be used as another; where they can, what follows for open types is kept. */
  assign(from: CelType, to: CelType): boolean {
    return this.#keep(unify(this.#substitutions, from, to));
  }

  /** The same for the arguments of a call. */
  assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    return this.#keep(unifyAll(this.#substitutions, from, to));
  }

  /** A type with all in it that is known by now. */
  resolved(type: CelType): CelType {
    return substitute(this.#substitutions, type, false);
  }

  /** The same in the end: what is still open is dyn. */
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
