import type { Expression } from '../code/expression.ts';

/** Returns the props of a construct besides the metadata, except those that equal the default of the construct. */
export type Props = Readonly<Record<string, Expression | undefined>>;
