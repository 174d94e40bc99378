import { goQuote } from './quote.ts';

/** Returns why a text is not an IP address, in the words of Go's `netip.ParseAddr`; undefined if it is one. */
export function addressProblem(text: string): string | undefined {
  const problem = problemOf(text);
  if (problem === undefined) return undefined;
  const { reason, rest } = problem;
  return `ParseAddr(${goQuote(text)}): ${reason}${rest === undefined ? '' : ` (at ${goQuote(rest)})`}`;
}

/** Why a text is not an address, and where. As an error of net/netip. */
interface AddressProblem {
  readonly reason: string;
  readonly rest?: string;
}

function problemOf(text: string): AddressProblem | undefined {
  const separator = /[.:%]/.exec(text)?.[0];
  if (separator === '.') return fieldsProblem(text);
  if (separator === '%') return { reason: 'missing IPv6 address' };
  if (separator === undefined) return { reason: 'unable to parse IP' };
  const zone = text.indexOf('%');
  if (zone === text.length - 1 && zone >= 0) return { reason: 'zone must be a non-empty string' };
  return groupsProblem(zone < 0 ? text : text.slice(0, zone));
}

/** As parseIPv4Fields of net/netip. */
function fieldsProblem(text: string): AddressProblem | undefined {
  let dots = 0;
  for (const found of text.matchAll(/(\d*)(\D?)/gsu)) {
    const [all, digits = '', next = ''] = found;
    if (all === '') break;
    const at = found.index + digits.length;
    const excess = Number.parseInt(digits.slice(0, 3), 10) > 255 || digits.length > 3;
    if (/^0\d/.test(digits)) return { reason: 'IPv4 field has octet with leading zero' };
    if (excess) return { reason: 'IPv4 field has value >255' };
    if (next === '') break;
    if (next !== '.') return { reason: 'unexpected character', rest: text.slice(at) };
    if (digits === '' || at === text.length - 1)
      return { reason: 'IPv4 field must have at least one digit', rest: text.slice(at) };
    if (dots === 3) return { reason: 'IPv4 address too long' };
    dots++;
  }
  return dots < 3 ? { reason: 'IPv4 address too short' } : undefined;
}

/** As parseIPv6 of net/netip, for an address without a zone. */
function groupsProblem(text: string): AddressProblem | undefined {
  let rest = text;
  let bytes = 0;
  let ellipsis: number | undefined;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return undefined;
  }
  while (bytes < 16) {
    const [digits = ''] = /^[\da-fA-F]*/.exec(rest) ?? [];
    if (digits.length > 4) return { reason: 'each group must have 4 or less digits', rest };
    if (digits === '') return { reason: 'each colon-separated field must have at least one digit', rest };
    if (rest[digits.length] === '.') return embeddedProblem(rest, bytes, ellipsis);
    bytes += 2;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { reason: 'unexpected character, want colon', rest };
    if (rest === ':') return { reason: 'colon must be followed by more characters', rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (ellipsis !== undefined) return { reason: 'multiple :: in address', rest };
    ellipsis = bytes;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return { reason: 'trailing garbage after address', rest };
  return lengthProblem(bytes, ellipsis);
}

function embeddedProblem(
  rest: string,
  bytes: number,
  ellipsis: number | undefined,
): AddressProblem | undefined {
  if (ellipsis === undefined && bytes !== 12)
    return { reason: 'embedded IPv4 address must replace the final 2 fields of the address', rest };
  if (bytes + 4 > 16)
    return { reason: 'too many hex fields to fit an embedded IPv4 at the end of the address', rest };
  return fieldsProblem(rest) ?? lengthProblem(bytes + 4, ellipsis);
}

function lengthProblem(bytes: number, ellipsis: number | undefined): AddressProblem | undefined {
  if (bytes < 16) return ellipsis === undefined ? { reason: 'address string too short' } : undefined;
  return ellipsis === undefined ? undefined : { reason: 'the :: must expand to at least one field of zeros' };
}
