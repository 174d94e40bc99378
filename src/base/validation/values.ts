import { byteLength, dnsSubdomainSyntax, isDnsSubdomain } from '../names/name-syntax.ts';
import { invalid, invalidEach, notSupported, type Field, type FieldFault } from './field-fault.ts';
import type { Struct } from './struct.ts';

// Texts and numbers, as the functions of apimachinery's util/validation: each returns what is wrong.

/** As validation.IsConfigMapKey. */
export function configKeyErrors(text: string): readonly string[] {
  return [
    ...tooLong(text, 253),
    ...(/^[-._a-zA-Z0-9]+$/.test(text)
      ? []
      : [
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ]),
    ...(text === '.' || text === '..'
      ? [`must not be '${text}'`]
      : text.startsWith('..')
        ? ["must not start with '..'"]
        : []),
  ];
}

/** As validation.IsRelaxedEnvVarName, which Kubernetes 1.34 and later use. Earlier releases accept less. */
export function variableNameErrors(text: string): readonly string[] {
  return /^[ -<>-~]*$/.test(text)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** As validation.IsValidPortName. */
export function portNameErrors(text: string): readonly string[] {
  return [
    ...tooLong(text, 15),
    ...(/^[-a-z0-9]+$/.test(text)
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(text) ? [] : ['must contain at least one letter (a-z)']),
    ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(text) ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** As validation.IsWildcardDNS1123Subdomain. */
export function wildcardErrors(text: string): readonly string[] {
  return [
    ...tooLong(text, 253),
    ...(text.startsWith('*.') && isDnsSubdomain(text.slice(2))
      ? []
      : [
          `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${dnsSubdomainSyntax}')`,
        ]),
  ];
}

/** As path.IsValidPathSegmentName. */
export function pathSegmentErrors(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`);
}

function tooLong(text: string, limit: number): readonly string[] {
  return byteLength(text) > limit ? [`must be no more than ${limit} characters`] : [];
}

/** As validation.InclusiveRangeError. */
export function rangeError(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** As validation.IsValidPortNum. */
export function portNumberFaults(field: Field, port: number): readonly FieldFault[] {
  return port >= 1 && port <= 65_535 ? [] : [invalid(field, port, rangeError(1, 65_535))];
}

/** As ValidatePortNumOrName. An absent value is the number 0. */
export function portFaults(field: Field, port: unknown): readonly FieldFault[] {
  if (typeof port === 'string') return invalidEach(field, port, portNameErrors(port));
  return portNumberFaults(field, typeof port === 'number' || typeof port === 'bigint' ? Number(port) : 0);
}

/** As ValidateNonnegativeField. */
export function negativeFaults(field: Field, value: number | undefined): readonly FieldFault[] {
  return value === undefined || value >= 0
    ? []
    : [invalid(field, value, 'must be greater than or equal to 0')];
}

const percent = /^\d+%$/;

/** As ValidatePositiveIntOrPercent. */
export function integerOrPercentFaults(field: Field, value: unknown): readonly FieldFault[] {
  if (typeof value === 'number') return negativeFaults(field, value);
  if (typeof value !== 'string' || percent.test(value)) return [];
  return [
    invalid(
      field,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ];
}

/** As IsNotMoreThan100Percent. */
export function over100PercentFaults(field: Field, value: unknown): readonly FieldFault[] {
  const isMore = typeof value === 'string' && percent.test(value) && Number(value.slice(0, -1)) > 100;
  return isMore ? [invalid(field, value, 'must not be greater than 100%')] : [];
}

/** As getIntOrPercentValue. */
export function amountOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  if (percent.test(value)) return Number(value.slice(0, -1));
  return /^[-+]?\d+$/.test(value) ? Number(value) : 0;
}

/** Returns the fault of a text that is not supported. An absent one has a default. */
export function unsupported(
  struct: Struct,
  name: string,
  supported: readonly string[],
): readonly FieldFault[] {
  const value = struct.text(name);
  if (value === '' || supported.includes(value)) return [];
  return [notSupported(struct.at(name), value, supported)];
}
