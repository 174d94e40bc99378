/** The kinds of a token. Keywords have their own. */
export type TokenKind =
  | 'error'
  | 'bool'
  | 'character'
  | 'characterConstant'
  | 'comment'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'eof'
  | 'field'
  | 'identifier'
  | 'leftDelimiter'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelimiter'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | Keyword;

export type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'dot'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

export interface Token {
  readonly kind: TokenKind;
  /** Offset in the text of the template. */
  readonly position: number;
  readonly text: string;
  /** The line in which it begins, counted from 1. */
  readonly line: number;
}

const keywords = new Set<string>([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);

export function isKeyword(word: string): word is Keyword {
  return keywords.has(word);
}

/** Whether messages show a token in angle brackets. */
export function isKeywordToken({ kind }: Token): boolean {
  return kind === 'dot' || keywords.has(kind);
}
