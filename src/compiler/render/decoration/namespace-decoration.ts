import {
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import type { RenderFault } from '../fault.ts';
import { namespaceOf } from '../../../base/objects/object-identity.ts';

/** The fields that name a namespace, apart from `metadata.namespace`, by kind in any group. */
const namespaceFields: Readonly<Record<string, readonly [string, string]>> = {
  ClusterRoleBinding: ['subjects', 'namespace'],
  RoleBinding: ['subjects', 'namespace'],
  Namespace: ['metadata', 'name'],
};

/**
 * Moves an object to the install namespace: its own namespace if it has one, the name of a Namespace, and the namespace of every
 * subject of a binding, including users and groups. Other fields with a namespace do not change. As OCM's namespaceDecorator.
 */
export function decorateNamespace(
  object: GoJsonObject,
  installNamespace: string,
): { readonly object: GoJsonObject } | RenderFault {
  if (installNamespace === '') return { object };
  const { metadata, kind } = object;
  const moved: GoJsonObject =
    isGoJsonObject(metadata) && namespaceOf(object) !== ''
      ? { ...object, metadata: { ...metadata, namespace: installNamespace } }
      : object;

  const fields =
    typeof kind === 'string' && Object.hasOwn(namespaceFields, kind) ? namespaceFields[kind] : undefined;
  if (fields === undefined) return { object: moved };
  const [outer, inner] = fields;
  if (!Object.hasOwn(moved, outer)) return { error: `failed to find field ${outer}`, code: 'FW6006' };
  return { object: { ...moved, [outer]: setInEach(moved[outer] ?? null, inner, installNamespace) } };
}

function setInEach(value: GoJsonValue, field: string, text: string): GoJsonValue {
  if (isGoJsonList(value)) return value.map((item) => setInEach(item, field, text));
  return isGoJsonObject(value) ? { ...value, [field]: text } : value;
}
