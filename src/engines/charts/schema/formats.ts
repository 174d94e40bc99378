import { fullFormats, type FormatName } from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';
import { parseVersion } from '../functions/semantic-version.ts';

/** A format of a text. */
export interface Format {
  readonly name: string;
  readonly matches: (text: string) => boolean;
}

/** The names that Helm's validator knows and the library describes. Every text has a format with another name. */
const described: readonly FormatName[] = [
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'relative-json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
];

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ...described.map((name) => [name, matcherOf(name)] as const),
  ['iri', isIri],
  ['iri-reference', (text: string) => isIri(text) || !/[\\\s]/.test(text)],
  ['regex', isPattern],
  ['semver', (text: string) => /^\d+\.\d+\.\d+(?:[-+]|$)/.test(text) && isVersion(text)],
]);

/** Returns a format, or undefined for one that Helm's validator does not know. */
export function formatOf(name: string): Format | undefined {
  const matches = formats.get(name);
  return matches === undefined ? undefined : { name, matches };
}

function matcherOf(name: FormatName): (text: string) => boolean {
  const format = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return format;
  if (typeof format === 'object' && typeof format.validate === 'function')
    return format.validate as (text: string) => boolean;
  throw new TypeError(`${name} is not a format of texts`);
}

function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\\\s]*$/i.test(text);
}

function isPattern(text: string): boolean {
  return passes(() => RE2JS.compile(text));
}

function isVersion(text: string): boolean {
  return passes(() => parseVersion(text));
}

function passes(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
