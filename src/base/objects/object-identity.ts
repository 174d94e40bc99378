import { isGoJsonObject, type GoJsonObject } from '../json/go-json.ts';

/** The group, version and kind that an object declares. */
export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Empty if the object has no kind, or an invalid apiVersion. */
  readonly kind: string;
}

/** As apimachinery Unstructured.GroupVersionKind: an apiVersion with two slashes makes the kind empty too. */
export function groupVersionKind({ apiVersion, kind }: GoJsonObject): GroupVersionKind {
  const text = typeof apiVersion === 'string' && apiVersion !== '/' ? apiVersion : '';
  const parts = text.split('/');
  if (parts.length > 2) return { group: '', version: '', kind: '' };
  return {
    group: parts.length === 2 ? (parts[0] ?? '') : '',
    version: parts.at(-1) ?? '',
    kind: typeof kind === 'string' ? kind : '',
  };
}

/** Empty if the object has no name, or one that is not a string. As apimachinery Unstructured.GetName. */
export function nameOf(object: GoJsonObject): string {
  return metadataText(object, 'name');
}

/** Empty if the object has no namespace, or one that is not a string. As apimachinery Unstructured.GetNamespace. */
export function namespaceOf(object: GoJsonObject): string {
  return metadataText(object, 'namespace');
}

function metadataText({ metadata }: GoJsonObject, field: string): string {
  const value = isGoJsonObject(metadata) ? metadata[field] : undefined;
  return typeof value === 'string' ? value : '';
}
