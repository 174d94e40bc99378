import type { Expression } from '../expression.ts';

/** The props of a construct beside the metadata, as far as they are not what the construct does by itself. */
export type Props = Readonly<Record<string, Expression | undefined>>;
