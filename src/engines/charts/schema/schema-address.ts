import { bytesOf } from '../../gotemplate/index.ts';
import { parseUrl, UrlError, type GoUrl } from '../functions/url-syntax.ts';
import { SchemaError } from './schema-error.ts';

/** A step from a document to a value in it, from the inside to the outside. */
export interface SchemaPlace {
  readonly step: string;
  readonly around: SchemaPlace | undefined;
}

/** Returns the place of a value inside of another one. */
export function placeOf(
  around: SchemaPlace | undefined,
  ...steps: readonly string[]
): SchemaPlace | undefined {
  return steps.reduce<SchemaPlace | undefined>((place, step) => ({ step, around: place }), around);
}

/** Returns a place as a JSON pointer. */
export function schemaPointer(place: SchemaPlace | undefined): string {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.around)
    steps.push(`/${at.step.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return steps.toReversed().join('');
}

/** Returns the address of a place, as Helm's validator prints it. */
export function schemaLocation(document: string, place: SchemaPlace | undefined): string {
  return `${document}#${schemaPointer(place).split('/').map(pathEscape).join('/')}`;
}

/** As url.PathEscape of Go. */
function pathEscape(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent)
    .replaceAll(/[!*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The parts of a reference before and after the first `#`. */
interface ReferenceParts {
  readonly address: string;
  readonly fragment: string;
}

/** Returns the parts of a reference, the fragment decoded; undefined for an escape that is not valid. */
export function referenceParts(reference: string): ReferenceParts | undefined {
  const hash = reference.indexOf('#');
  if (hash < 0) return { address: reference, fragment: '' };
  try {
    return { address: reference.slice(0, hash), fragment: decodeURIComponent(reference.slice(hash + 1)) };
  } catch {
    return undefined;
  }
}

/**
 * Returns the address that a reference without a fragment means.
 *
 * @throws {SchemaError} for an address that is not valid
 */
export function resolvedAddress(reference: string, base: string): string {
  if (reference === '') return base;
  let url: GoUrl;
  try {
    url = parseUrl(Buffer.from(bytesOf(reference)).toString('latin1'));
  } catch (error) {
    if (error instanceof UrlError) throw new SchemaError(`the schema is not valid: ${error.message}`);
    throw error;
  }
  if (URL.canParse(reference, base)) return new URL(reference, base).href;
  if (url.scheme !== '') return reference;
  // Of an address such as urn:a:b, Go replaces the query only.
  return `${base.split('?', 1)[0] ?? ''}${url.query === '' ? '' : `?${url.query}`}`;
}
