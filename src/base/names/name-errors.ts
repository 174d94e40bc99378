// The exact errors of Kubernetes for invalid names and labels: statuses of placements and CEL show them.
import {
  byteLength,
  dns1035LabelSyntax,
  dnsLabelSyntax,
  dnsSubdomainSyntax,
  isDns1035Label,
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isQualifiedPart,
  labelValueSyntax,
  qualifiedPartSyntax,
} from './name-syntax.ts';

/** As validation.IsDNS1123Label. */
export function dnsLabelErrors(text: string): string[] {
  const errors = tooLong(text, 63, 'characters');
  if (isDnsLabel(text)) return errors;
  return [...errors, isDnsSubdomain(text) ? 'must not contain dots' : wrongDnsLabel];
}

/** As validation.IsDNS1123Subdomain; if it is part of a qualified name, the limit is in bytes. */
export function dnsSubdomainErrors(text: string, unit: 'characters' | 'bytes' = 'characters'): string[] {
  const errors = tooLong(text, 253, unit);
  return isDnsSubdomain(text) ? errors : [...errors, wrongDnsSubdomain];
}

/** As validation.IsDNS1035Label. */
export function dns1035LabelErrors(text: string): string[] {
  const errors = tooLong(text, 63, 'characters');
  return isDns1035Label(text) ? errors : [...errors, wrongDns1035Label];
}

/** As validation.IsQualifiedName, which newer Kubernetes releases call a valid label key. */
export function qualifiedNameErrors(
  text: string,
  called: 'qualified name' | 'valid label key' = 'qualified name',
): string[] {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2)
    return [
      `a ${called} ${wrongPart} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const errors: string[] = [];
  if (second !== undefined && first === '') errors.push('prefix part must be non-empty');
  else if (second !== undefined)
    errors.push(...dnsSubdomainErrors(first, 'bytes').map((message) => `prefix part ${message}`));
  const name = second ?? first;
  if (name === '') errors.push('name part must be non-empty');
  errors.push(...tooLong(name, 63, 'bytes').map((message) => `name part ${message}`));
  if (!isQualifiedPart(name)) errors.push(`name part ${wrongPart}`);
  return errors;
}

/** As validation.IsValidLabelValue. */
export function labelValueErrors(text: string): string[] {
  const errors = tooLong(text, 63, 'bytes');
  return isLabelValue(text) ? errors : [...errors, wrongLabelValue];
}

function tooLong(text: string, limit: number, unit: 'characters' | 'bytes'): string[] {
  return byteLength(text) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

const wrongDnsLabel = wrong(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  dnsLabelSyntax,
  'my-name',
  '123-abc',
);
const wrongDnsSubdomain = wrong(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  dnsSubdomainSyntax,
  'example.com',
);
const wrongDns1035Label = wrong(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035LabelSyntax,
  'my-name',
  'abc-123',
);
const wrongPart = wrong(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedPartSyntax,
  'MyName',
  'my.name',
  '123-abc',
);
const wrongLabelValue = wrong(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValueSyntax,
  'MyValue',
  'my_value',
  '12345',
);

/** As validation.RegexError, blanks included. */
function wrong(message: string, syntax: string, ...examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${quoted}regex used for validation is '${syntax}')`;
}
