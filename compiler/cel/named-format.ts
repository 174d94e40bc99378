import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../name-errors.ts';
import { byteLength } from '../name-syntax.ts';
import { isRequestUri } from './go-url.ts';

/** What is wrong with a text, in Kubernetes' words; a number where only how much is wrong is known. */
export type FormatErrors = readonly string[] | number;

/** Names that something is to be added to may end in a dash. */
function asPrefix(check: (text: string) => string[]): (text: string) => string[] {
  return (text) => check(byteLength(text) > 1 && text.endsWith('-') ? maskTrailingDash(text) : text);
}

/** As apimachinery's maskTrailingDash, which takes away two bytes: of other than ASCII that leaves broken text. */
function maskTrailingDash(text: string): string {
  const rest = text.replace(/[\0-\u007f]?-$/, '');
  return rest === text.slice(0, -1) ? `${rest}\ufffda` : `${rest}a`;
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] =
    /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/u.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

function only(message: string, holds: (text: string) => boolean): (text: string) => string[] {
  return (text) => (holds(text) ? [] : [message]);
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** The formats of Kubernetes' format library, by the name of their function, with the name they are compared by. */
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
  // what Go says of a bad URL is not reproduced
  ['uri', { name: 'URI', validate: (text: string) => (isRequestUri(text) ? [] : 1) }],
  ['uuid', { name: 'uuid', validate: only('does not match the UUID format', (text) => uuid.test(text)) }],
  ['byte', { name: 'byte', validate: only('invalid base64', (text) => base64.test(text)) }],
  ['date', { name: 'date', validate: only('invalid date', isDate) }],
  ['datetime', { name: 'datetime', validate: only('invalid datetime', isDateTime) }],
]);
