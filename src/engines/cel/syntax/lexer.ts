import type { ExpressionFault, Source } from './source.ts';

/** `operator` covers punctuation and the keywords `in`, `true`, `false` and `null`. */
export type TokenKind =
  'operator' | 'identifier' | 'escaped identifier' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

const operators = [
  '==', '!=', '<=', '>=', '&&', '||', '<', '>', '[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?', ':', '+', '*',
  '/', '%',
]; // prettier-ignore
const keywords = new Set(['in', 'true', 'false', 'null']);

const escape = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const strings = [
  String.raw`"""(?:${escape}|[^\\])*?"""`,
  String.raw`'''(?:${escape}|[^\\])*?'''`,
  String.raw`"(?:${escape}|[^\\"\n\r])*"`,
  String.raw`'(?:${escape}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
];
const sticky = (pattern: string) => new RegExp(pattern, 'yu');

/** Every kind of token with variable text, in the order of cel-go's grammar. Of equally long matches, the first wins. */
const patterns: readonly (readonly [TokenKind, readonly RegExp[]])[] = [
  ['double', [sticky(String.raw`(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)`)]],
  ['int', [sticky(String.raw`(?:0x[0-9a-fA-F]+|\d+)`)]],
  ['uint', [sticky(String.raw`(?:0x[0-9a-fA-F]+|\d+)[uU]`)]],
  ['string', strings.map(sticky)],
  ['bytes', strings.map((pattern) => sticky(`[bB]${pattern}`))],
  ['identifier', [sticky('[A-Za-z_][A-Za-z0-9_]*')]],
  ['escaped identifier', [sticky('`[A-Za-z0-9_.\\-/ ]+`')]],
];
const hidden = sticky(String.raw`(?:[\t \r\n\f]+|//[^\n]*)+`);

/** The text that the lexer consumes before it rejects a token: an unfinished string, half an operator, one character. */
const unfinished = [
  String.raw`"(?:${escape}|[^\\"\n\r])*`,
  String.raw`'(?:${escape}|[^\\'\n\r])*`,
  '`[A-Za-z0-9_.\\-/ ]*',
  '[=&|]',
].map(sticky);

/** Returns the tokens of an expression, with an end token last, and the text that is not a valid token. */
export function tokenize(source: Source): { tokens: readonly Token[]; faults: readonly ExpressionFault[] } {
  const text = source.characters.join('');
  const tokens: Token[] = [];
  const faults: ExpressionFault[] = [];
  // a position in UTF-16, and the same in code points
  let position = 0;
  let offset = 0;
  const advance = (length: number) => {
    offset += Array.from(text.slice(position, position + length)).length;
    position += length;
  };

  while (position < text.length) {
    const skipped = matchLength(hidden, text, position);
    if (skipped > 0) {
      advance(skipped);
      continue;
    }
    const token = longestToken(text, position, offset);
    if (token === undefined) {
      const bad = unrecognized(text, position);
      faults.push({ offset, message: `Syntax error: token recognition error at: '${bad}'` });
      advance(bad.length);
    } else {
      tokens.push(token);
      advance(token.text.length);
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset });
  return { tokens, faults };
}

function longestToken(text: string, position: number, offset: number): Token | undefined {
  let kind: TokenKind = 'operator';
  let length = operators.find((operator) => text.startsWith(operator, position))?.length ?? 0;
  for (const [candidate, alternatives] of patterns) {
    for (const pattern of alternatives) {
      const matched = matchLength(pattern, text, position);
      if (matched > length) [kind, length] = [candidate, matched];
    }
  }
  if (length === 0) return undefined;
  const matched = text.slice(position, position + length);
  return { kind: keywords.has(matched) ? 'operator' : kind, text: matched, offset };
}

/** As the ANTLR lexer: the text that it could match, and the character that ended it. */
function unrecognized(text: string, position: number): string {
  const length = Math.max(0, ...unfinished.map((pattern) => matchLength(pattern, text, position)));
  let end = position + length;
  // within an escape it fails one character later
  if (length > 0 && text[end] === '\\') end += escapePrefix(text, end);
  const last = text.codePointAt(end);
  return text.slice(position, last === undefined ? end : end + String.fromCodePoint(last).length);
}

function escapePrefix(text: string, position: number): number {
  const prefix = sticky(String.raw`\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?`);
  return matchLength(prefix, text, position);
}

function matchLength(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0].length ?? 0;
}
