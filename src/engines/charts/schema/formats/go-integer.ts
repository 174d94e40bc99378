import { goQuote } from '../../../../base/go/quote.ts';

/** Returns the integer that a text is, or why it is not one. As strconv.Atoi. */
export function parsedInteger(text: string): number | string {
  const problem = (reason: string): string => `strconv.Atoi: parsing ${goQuote(text)}: ${reason}`;
  if (!/^[-+]?\d+$/.test(text)) return problem('invalid syntax');
  // No caller accepts one with more digits.
  const digits = text.replace(/^[-+]?0*/, '');
  if (
    digits.length > 18 &&
    BigInt.asIntN(64, BigInt(text.replace('+', ''))) !== BigInt(text.replace('+', ''))
  )
    return problem('value out of range');
  return Number(text);
}
