/** A position in a text. */
export interface Mark {
  /** Counted from 0. */
  readonly line: number;
  readonly column: number;
  readonly index: number;
}

export type TokenKind =
  | 'document start'
  | 'document end'
  | 'stream end'
  | 'version directive'
  | 'tag directive'
  | 'block sequence'
  | 'block mapping'
  | 'block end'
  | 'flow sequence'
  | 'flow sequence end'
  | 'flow mapping'
  | 'flow mapping end'
  | 'block entry'
  | 'flow entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly kind: TokenKind;
  readonly start: Mark;
  /** The text of a scalar, the name of an anchor, the handle of a tag, or the version of a directive. */
  readonly value: string;
  /** The rest of a tag. */
  readonly suffix: string;
  /** Whether a scalar has no quotes and is no block. */
  readonly isPlain: boolean;
}
