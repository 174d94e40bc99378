import {
  goJson,
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../encoding/go-json.ts';
import { groupVersionKind, nameOf, namespaceOf } from './object-identity.ts';
import type { Failure } from './failure.ts';

// as addon-framework and sdk-go WorkBuilder: 500 KiB a work, of which manifests may take 80 %
const limit = 500 * 1024 * 0.8;

/** An object and its share in the size of a work. */
export interface SizedObject {
  readonly object: GoJsonObject;
  /** Bytes in protobuf. */
  readonly size: number;
}

/**
 * Shares out the objects of an add-on among works, for a hub that has none of its works yet: the largest first, a new work
 * where the last one is full. Of objects with one identity the last counts. As sdk-go WorkBuilder, which leaves the order
 * of objects of equal size to chance; here they stay in the order of the template.
 *
 * An object that is too large even for a work of its own gets one nevertheless; where it is the very first, there is an
 * empty work before it.
 */
export function splitIntoWorks(
  objects: readonly GoJsonObject[],
): { readonly works: readonly (readonly SizedObject[])[] } | Failure {
  const sized = new Map<string, SizedObject>();
  for (const object of objects) {
    const { group, version, kind } = groupVersionKind(object);
    if (version === '') {
      const error = `failed to generate required mapper.err got empty kind/version from object &{${show(object)}}`;
      return { error, code: 'FW6001' };
    }
    sized.set(goJson([group, version, kind, namespaceOf(object), nameOf(object)]), {
      object,
      size: sizeOf(object),
    });
  }

  let last: SizedObject[] = [];
  let total = 0;
  const works = [last];
  for (const item of [...sized.values()].sort((a, b) => b.size - a.size)) {
    if (total + item.size < limit) {
      last.push(item);
      total += item.size;
    } else {
      last = [item];
      total = item.size;
      works.push(last);
    }
  }
  return { works };
}

/** Objects that are the same on many clusters are measured once. */
const sizes = new WeakMap<GoJsonObject, number>();

/** As runtime.RawExtension.Size of the JSON text with a line break: tag, length, bytes. */
function sizeOf(object: GoJsonObject): number {
  const known = sizes.get(object);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(goJson(object)) + 1;
  const size = 1 + varintLength(bytes) + bytes;
  sizes.set(object, size);
  return size;
}

function varintLength(value: number): number {
  return value < 0x80 ? 1 : 1 + varintLength(Math.floor(value / 0x80));
}

/** As Go prints a map with `%v`. */
function show(value: GoJsonValue | undefined): string {
  if (isGoJsonList(value)) return `[${value.map(show).join(' ')}]`;
  if (isGoJsonObject(value)) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, item]) => `${key}:${show(item)}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : `${value as string | number | bigint | boolean}`;
}
