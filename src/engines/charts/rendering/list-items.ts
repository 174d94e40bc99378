import { isGoJsonObject, type GoJsonObject } from '../../../base/json/go-json.ts';
import type { RenderedManifest } from './manifests.ts';

/** Returns the items of a list as separate manifests. As the Flatten of Helm's client: an object with `items` is a list. */
export function flattened(manifest: RenderedManifest): RenderedManifest[] {
  const { object, apiVersion, kind } = manifest;
  const { items } = object;
  if (!Array.isArray(items)) return [manifest];
  return (items as GoJsonObject[keyof GoJsonObject][]).flatMap((item) => {
    if (!isGoJsonObject(item)) return [];
    const isTyped = item['kind'] !== undefined || item['apiVersion'] !== undefined;
    const typed: GoJsonObject = isTyped ? item : { apiVersion, kind: kind.replace(/List$/, ''), ...item };
    const [ofItem, version] = [typed['kind'], typed['apiVersion']];
    if (typeof ofItem !== 'string' || typeof version !== 'string') return [];
    return { ...manifest, object: typed, kind: ofItem, apiVersion: version };
  });
}
