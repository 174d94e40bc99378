import { parseFloatText, parseIntegerText } from '../../gotemplate/index.ts';

const words = new Set(
  ['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null'].flatMap((word) => [
    word,
    word.slice(0, 1).toUpperCase() + word.slice(1),
    word.toUpperCase(),
  ]),
);
for (const word of ['', '~', '.nan', '.NaN', '.NAN']) words.add(word);
for (const word of ['.inf', '.Inf', '.INF']) for (const sign of ['', '+', '-']) words.add(sign + word);

const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const date =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** Whether go-yaml v2 would read a text without quotes as something else than a string, or quotes it for other readers. */
export function needsQuotes(text: string): boolean {
  if (words.has(text) || sexagesimal.test(text)) return true;
  if (text.startsWith('.')) return parseFloatText(text) !== undefined;
  if (!/^[-+\d]/.test(text)) return false;
  if (isDate(text)) return true;
  const digits = text.replaceAll('_', '');
  return isInteger(digits) || (float.test(digits) && parseFloatText(digits) !== undefined);
}

function isInteger(digits: string): boolean {
  const value = parseIntegerText(digits.replace(/^0b([-+])/, '$10b'));
  if (value === undefined) return false;
  return value >= -(2n ** 63n) && value < 2n ** (/^[-+]/.test(digits) ? 63n : 64n);
}

function isDate(text: string): boolean {
  const match = date.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = match
    .slice(4)
    .filter((each) => each !== undefined)
    .map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
}

/** Which styles can show a text. As go-yaml's analysis of scalars. */
export interface TextStyles {
  readonly isMultiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

const unprintable =
  /[^\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\u{10000}-\u{10ffff}]/u;
const lineBreak = /[\n\r\u0085\u2028\u2029]/;

/** Whether a character is written as it is. Those beyond U+FFFF are not. */
export function isUnprintable(character: string): boolean {
  return unprintable.test(character);
}

/** @param allowsTabs - whether tabs can be in a block, as in go-yaml v3 */
export function textStyles(text: string, allowsTabs = false): TextStyles {
  if (text === '') return { isMultiline: false, plain: true, single: true, block: false };
  const isMultiline = lineBreak.test(text);
  const hasTabs = allowsTabs && text.includes('\t');
  const isSpecial =
    unprintable.test(hasTabs ? text.replaceAll('\t', '') : text) || / [\n\r\u0085\u2028\u2029]/.test(text);
  const hasBreakSpace = /[\n\r\u0085\u2028\u2029] /.test(text);
  const isAtEdge = /^[ \n\r\u0085\u2028\u2029]|[ \n\r\u0085\u2028\u2029]$/.test(text);
  const hasIndicator =
    /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))/.test(text) ||
    /:(?:[ \t]|$)/.test(text.slice(1)) ||
    /[ \t\n\r\u0085\u2028\u2029]#/.test(text);
  return {
    isMultiline,
    plain: !(hasTabs || isAtEdge || hasBreakSpace || isSpecial || isMultiline || hasIndicator),
    single: !(hasTabs || hasBreakSpace || isSpecial),
    block: !(text.endsWith(' ') || isSpecial),
  };
}
