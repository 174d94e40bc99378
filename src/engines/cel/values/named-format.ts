import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../../base/names/name-errors.ts';
import { maskTrailingDash } from '../../../base/names/name-syntax.ts';
import { isBase64, isDate, isDateTime } from '../../../base/names/strfmt.ts';
import { isRequestUri } from './go-url.ts';

/** The errors of a text, in Kubernetes' words; a number if only the number of errors is known. */
export type FormatErrors = readonly string[] | number;

/** Names that are prefixes may end with a dash. */
function asPrefix(check: (text: string) => string[]): (text: string) => string[] {
  return (text) => check(maskTrailingDash(text));
}

function only(message: string, holds: (text: string) => boolean): (text: string) => string[] {
  return (text) => (holds(text) ? [] : [message]);
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The formats of Kubernetes' format library, by the name of their function, with the name that is used to compare them. */
export const namedFormats: ReadonlyMap<
  string,
  { readonly name: string; readonly validate: (text: string) => FormatErrors }
> = new Map([
  ['dns1123Label', { name: 'DNS1123Label', validate: dnsLabelErrors }],
  ['dns1123Subdomain', { name: 'DNS1123Subdomain', validate: (text: string) => dnsSubdomainErrors(text) }],
  ['dns1035Label', { name: 'DNS1035Label', validate: dns1035LabelErrors }],
  [
    'qualifiedName',
    { name: 'QualifiedName', validate: (text: string) => qualifiedNameErrors(text, 'valid label key') },
  ],
  ['dns1123LabelPrefix', { name: 'DNS1123LabelPrefix', validate: asPrefix(dnsLabelErrors) }],
  [
    'dns1123SubdomainPrefix',
    { name: 'DNS1123SubdomainPrefix', validate: asPrefix((text) => dnsSubdomainErrors(text)) },
  ],
  ['dns1035LabelPrefix', { name: 'DNS1035LabelPrefix', validate: asPrefix(dns1035LabelErrors) }],
  ['labelValue', { name: 'LabelValue', validate: labelValueErrors }],
  // Go's message for an invalid URL is not reproduced
  ['uri', { name: 'URI', validate: (text: string) => (isRequestUri(text) ? [] : 1) }],
  ['uuid', { name: 'uuid', validate: only('does not match the UUID format', (text) => uuid.test(text)) }],
  ['byte', { name: 'byte', validate: only('invalid base64', isBase64) }],
  ['date', { name: 'date', validate: only('invalid date', isDate) }],
  ['datetime', { name: 'datetime', validate: only('invalid datetime', isDateTime) }],
]);
