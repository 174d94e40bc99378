import type { Expression } from '../syntax/expression.ts';
import type { FunctionDeclaration, Overload } from '../function.ts';
import type { ExpressionFault } from '../syntax/source.ts';
import type { CelType } from './types.ts';

/** The names that an expression can use. */
export interface Environment {
  readonly variables: ReadonlyMap<string, CelType>;
  /** By name; `strings.quote` and similar names include their dots. */
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Types that expressions can name, such as `int` and `net.IP`. */
  readonly types: ReadonlyMap<string, CelType>;
}

/** The resolved meaning of a name or a call. */
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

/** The result of the checker for an expression and all its parts. */
export interface Checked {
  readonly types: ReadonlyMap<Expression, CelType>;
  readonly references: ReadonlyMap<Expression, Reference>;
  readonly faults: readonly ExpressionFault[];
  /** An unknown property of the hub that the expression depends on. If present, the rest does not count. */
  readonly unsupported: string | undefined;
}
