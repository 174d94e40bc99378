import { isRequestUri } from './go-url.ts';

/** What is wrong with a text, in Kubernetes' words; a number where only how much is wrong is known. */
export type FormatErrors = readonly string[] | number;

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const oldLabel = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const oldLabelMessage =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const labelKeyMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

function fits(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function regexError(message: string, pattern: string, ...examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

function tooLong(text: string, limit: number, unit: 'characters' | 'bytes'): string[] {
  return byteLength(text) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

function checkLabel(text: string): string[] {
  const errors = tooLong(text, 63, 'characters');
  if (fits(label, text)) return errors;
  const message = fits(subdomain, text)
    ? 'must not contain dots'
    : regexError(labelMessage, label, 'my-name', '123-abc');
  return [...errors, message];
}

function checkSubdomain(text: string, unit: 'characters' | 'bytes' = 'characters'): string[] {
  const errors = tooLong(text, 253, unit);
  return fits(subdomain, text) ? errors : [...errors, regexError(subdomainMessage, subdomain, 'example.com')];
}

function checkOldLabel(text: string): string[] {
  const errors = tooLong(text, 63, 'characters');
  return fits(oldLabel, text)
    ? errors
    : [...errors, regexError(oldLabelMessage, oldLabel, 'my-name', 'abc-123')];
}

function checkQualifiedName(text: string): string[] {
  const parts = text.split('/');
  const [first = '', second] = parts;
  const wrong = regexError(labelKeyMessage, labelKey, 'MyName', 'my.name', '123-abc');
  if (parts.length > 2)
    return [
      `a valid label key ${wrong} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const errors: string[] = [];
  if (second !== undefined && first === '') errors.push('prefix part must be non-empty');
  else if (second !== undefined)
    errors.push(...checkSubdomain(first, 'bytes').map((message) => `prefix part ${message}`));
  const name = second ?? first;
  if (name === '') errors.push('name part must be non-empty');
  errors.push(...tooLong(name, 63, 'bytes').map((message) => `name part ${message}`));
  if (!fits(labelKey, name)) errors.push(`name part ${wrong}`);
  return errors;
}

function checkLabelValue(text: string): string[] {
  const errors = tooLong(text, 63, 'bytes');
  if (fits(`(${labelKey})?`, text)) return errors;
  return [...errors, regexError(labelValueMessage, `(${labelKey})?`, 'MyValue', 'my_value', '12345')];
}

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
  ['dns1123Label', { name: 'DNS1123Label', validate: checkLabel }],
  ['dns1123Subdomain', { name: 'DNS1123Subdomain', validate: (text: string) => checkSubdomain(text) }],
  ['dns1035Label', { name: 'DNS1035Label', validate: checkOldLabel }],
  ['qualifiedName', { name: 'QualifiedName', validate: checkQualifiedName }],
  ['dns1123LabelPrefix', { name: 'DNS1123LabelPrefix', validate: asPrefix(checkLabel) }],
  [
    'dns1123SubdomainPrefix',
    { name: 'DNS1123SubdomainPrefix', validate: asPrefix((text) => checkSubdomain(text)) },
  ],
  ['dns1035LabelPrefix', { name: 'DNS1035LabelPrefix', validate: asPrefix(checkOldLabel) }],
  ['labelValue', { name: 'LabelValue', validate: checkLabelValue }],
  // what Go says of a bad URL is not reproduced
  ['uri', { name: 'URI', validate: (text: string) => (isRequestUri(text) ? [] : 1) }],
  ['uuid', { name: 'uuid', validate: only('does not match the UUID format', (text) => uuid.test(text)) }],
  ['byte', { name: 'byte', validate: only('invalid base64', (text) => base64.test(text)) }],
  ['date', { name: 'date', validate: only('invalid date', isDate) }],
  ['datetime', { name: 'datetime', validate: only('invalid datetime', isDateTime) }],
]);
