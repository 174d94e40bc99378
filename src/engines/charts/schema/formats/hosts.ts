import { addressProblem } from '../../../../base/go/address-problem.ts';
import { byteLength } from '../../../gotemplate/index.ts';
import { parsedInteger } from './go-integer.ts';
import { unlike } from './identifiers.ts';

/** Returns why a text is not an IPv4 address. */
export function ipv4Problem(text: string): string | undefined {
  const groups = text.split('.');
  if (groups.length !== 4) return 'expected four decimals';
  for (const group of groups) {
    if (/^0./su.test(group)) return 'leading zeros';
    const number = parsedInteger(group);
    if (typeof number === 'string') return number;
    if (number < 0 || number > 255) return 'decimal must be between 0 and 255';
  }
  return undefined;
}

/** Returns why a text is not an IPv6 address. */
export function ipv6Problem(text: string): string | undefined {
  if (!text.includes(':')) return 'missing colon';
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  return text.includes('%') ? 'zone id is not a part of ipv6 address' : undefined;
}

/** Returns why a text is not a host name. */
export function hostNameProblem(text: string): string | undefined {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (byteLength(name) > 253) return 'more than 253 characters long';
  for (const label of name.split('.')) {
    const length = byteLength(label);
    if (length < 1 || length > 63) return 'label must be 1 to 63 characters long';
    if (label.startsWith('-')) return 'label starts with hyphen';
    if (label.endsWith('-')) return 'label ends with hyphen';
    const other = unlike(label, /[-\da-zA-Z]/);
    if (other !== undefined) return `invalid character ${other}`;
  }
  return undefined;
}

/** Returns why a text is not an email address. */
export function emailProblem(text: string): string | undefined {
  // The words of the library say 255.
  if (byteLength(text) > 254) return 'more than 255 characters long';
  const at = text.lastIndexOf('@');
  if (at < 0) return 'missing @';
  return localProblem(text.slice(0, at)) ?? domainProblem(text.slice(at + 1));
}

function localProblem(local: string): string | undefined {
  if (byteLength(local) > 64) return 'local part more than 64 characters long';
  if (local.length > 1 && local.startsWith('"'))
    return /[\\"]/.test(local.slice(1, -1))
      ? 'backslash and quote are not allowed within quoted local part'
      : undefined;
  if (local.startsWith('.')) return 'starts with dot';
  if (local.endsWith('.')) return 'ends with dot';
  if (local.includes('..')) return 'consecutive dots';
  const other = unlike(local, /[-\da-zA-Z.!#$%&'*+/=?^_`{|}~]/);
  return other === undefined ? undefined : `invalid character ${other}`;
}

function domainProblem(domain: string): string | undefined {
  const explained = (what: string, problem: string | undefined): string | undefined =>
    problem === undefined ? undefined : `invalid ${what}: ${problem}`;
  if (!domain.startsWith('[') || !domain.endsWith(']')) return explained('domain', hostNameProblem(domain));
  const address = domain.slice(1, -1);
  return address.startsWith('IPv6:')
    ? explained('ipv6 address', ipv6Problem(address.slice('IPv6:'.length)))
    : explained('ipv4 address', ipv4Problem(address));
}
