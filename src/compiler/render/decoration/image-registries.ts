import { isGoJsonList, isGoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import type { RenderFault } from '../fault.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';

/** A mirror for images. An empty source matches every image. */
export interface ImageMirror {
  readonly source?: string;
  readonly mirror: string;
}

/** The registries in a ManagedCluster's annotation, or the reason why the hub cannot read it. */
export type AnnotatedRegistries = { readonly registries?: readonly ImageMirror[] } | RenderFault;

/** The annotation of a ManagedCluster with its image registries: `{"registries":[{"source":"…","mirror":"…"}]}`. */
export const imageRegistriesAnnotation = 'open-cluster-management.io/image-registries';

/** As OCM GetAddOnRegistriesPrivateValuesFromClusterAnnotation. An empty list counts as none. */
export function parseImageRegistries(annotation: string): AnnotatedRegistries {
  if (annotation === '') return {};
  const parsed = parseGoJson(annotation);
  if ('error' in parsed) return fault(parsed.error);
  if (parsed.value === null) return {};
  if (!isGoJsonObject(parsed.value)) return mismatch(parsed.value, 'templateagent.ImageRegistries');

  let registries: readonly ImageMirror[] = [];
  for (const [key, value] of Object.entries(parsed.value)) {
    if (!isKey(key, 'registries')) continue;
    if (value === null) {
      registries = [];
      continue;
    }
    if (!isGoJsonList(value)) return mismatch(value, '[]v1beta1.ImageMirror', 'ImageRegistries.registries');
    const mirrors: ImageMirror[] = [];
    for (const item of value) {
      const mirror = readMirror(item);
      if ('error' in mirror) return mirror;
      mirrors.push(mirror);
    }
    registries = mirrors;
  }
  return registries.length === 0 ? {} : { registries };
}

function readMirror(item: GoJsonValue): ImageMirror | RenderFault {
  const mirror = { source: '', mirror: '' };
  if (item === null) return mirror;
  if (!isGoJsonObject(item)) return mismatch(item, 'v1beta1.ImageMirror', 'ImageRegistries.registries');
  for (const [key, value] of Object.entries(item)) {
    for (const field of ['source', 'mirror'] as const) {
      if (!isKey(key, field) || value === null) continue;
      if (typeof value !== 'string') return mismatch(value, 'string', `ImageMirror.registries.${field}`);
      mirror[field] = value;
    }
  }
  return mirror;
}

// As encoding/json, which matches field names case-insensitively, including long s and the Kelvin sign.
function isKey(key: string, field: string): boolean {
  return key.toLowerCase().replaceAll('ſ', 's') === field;
}

function mismatch(value: GoJsonValue, type: string, field?: string): RenderFault {
  const what = isGoJsonList(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;
  const read = what === 'boolean' ? 'bool' : what === 'bigint' ? 'number' : what;
  const into = field === undefined ? `value` : `struct field ${field}`;
  return fault(`json: cannot unmarshal ${read} into Go ${into} of type ${type}`);
}

function fault(error: string): RenderFault {
  return { error, code: 'FW6004', path: ['metadata', 'annotations', imageRegistriesAnnotation] };
}

/**
 * Returns the image that is pulled instead. If several mirrors match, the last one counts. Each one is applied to the original
 * image. Sources are plain prefixes, so that `quay.io/oc` also matches `quay.io/ocm/agent`. As addon-framework OverrideImage.
 */
export function overrideImage(image: string, registries: readonly ImageMirror[]): string {
  let overridden = image;
  for (const registry of registries) {
    const next = applyMirror(image, registry);
    if (next !== image) overridden = next;
  }
  return overridden;
}

function applyMirror(image: string, { source = '', mirror }: ImageMirror): string {
  const from = withoutSlash(source);
  const to = withoutSlash(mirror);
  if (from === '') {
    const last = image.slice(image.lastIndexOf('/') + 1);
    return to === '' ? last : `${to}/${last}`;
  }
  return image.startsWith(from) ? to + image.slice(from.length) : image;
}

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
