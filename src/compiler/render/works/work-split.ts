import { compareText } from '../../../base/collections/compare-text.ts';
import {
  goJson,
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import type { RenderFault } from '../fault.ts';

// As addon-framework and sdk-go WorkBuilder: 500 KiB per work, of which manifests may use 80%.
const limit = 500 * 1024 * 0.8;

/** An object and its share of the size of a work. */
export interface SizedObject {
  readonly object: GoJsonObject;
  /** Bytes in protobuf. */
  readonly size: number;
}

/**
 * Distributes the objects of an add-on to works, for a hub that has none of its works yet: the largest first, with a new work if
 * the last one is full. Of several objects with one identity, the last counts. As sdk-go WorkBuilder, which leaves the order of
 * objects of equal size undefined. Here they keep the order of the template.
 *
 * An object that is too large even for a separate work gets one nevertheless. If it is the very first, an empty work precedes it.
 */
export function splitIntoWorks(
  objects: readonly GoJsonObject[],
): { readonly works: readonly (readonly SizedObject[])[] } | RenderFault {
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

/** Caches the sizes of objects that are the same on many clusters. */
const sizes = new WeakMap<GoJsonObject, number>();

/** As runtime.RawExtension.Size of the JSON text with a line break: tag, length, bytes. */
function sizeOf(object: GoJsonObject): number {
  const cached = sizes.get(object);
  if (cached !== undefined) return cached;
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
    const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
    return `map[${entries.map(([key, item]) => `${key}:${show(item)}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : `${value as string | number | bigint | boolean}`;
}
