import type { Expression } from './expression.ts';
import type { FunctionDeclaration, Overload } from './function.ts';
import type { Issue } from './source.ts';
import type { CelType } from './types.ts';

/** The names that an expression can use. */
export interface Environment {
  readonly variables: ReadonlyMap<string, CelType>;
  /** By name, `strings.quote` and its like with their dots. */
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Types that can be named, such as `int` and `net.IP`. */
  readonly types: ReadonlyMap<string, CelType>;
}

/** What a name or a call turned out to mean. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string; readonly local: boolean }
  | { readonly kind: 'type'; readonly type: CelType }
  | {
      readonly kind: 'function';
      readonly declaration: FunctionDeclaration;
      readonly overloads: readonly Overload[];
      /** Whether the target is part of the function's name, as in `strings.quote(…)`. */
      readonly qualified: boolean;
    };

/** What the checker knows of an expression and all expressions in it. */
export interface Checked {
  readonly types: ReadonlyMap<Expression, CelType>;
  readonly references: ReadonlyMap<Expression, Reference>;
  readonly issues: readonly Issue[];
  /** What we do not know of the hub and the expression asks for: then the rest does not count. */
  readonly unsupported: string | undefined;
}
