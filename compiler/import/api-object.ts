import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { create, literal, name, plain, type Expression } from './expression.ts';

/** `new ApiObject(…)`, which any object can be. */
export function apiObject(
  { apiVersion, kind, metadata, ...fields }: KubernetesObject,
  scope: string,
  id: string,
  /** The namespace of the scope: where the object has none, it says so. */
  namespace: string | undefined,
  text?: (value: string) => Expression,
): Expression {
  const { namespace: own, ...meta } = metadata;
  const shown = {
    ...meta,
    ...(own === undefined && namespace !== undefined && { namespace: '' }),
    ...(own !== undefined && own !== namespace && { namespace: own }),
  };
  const props = plain({ apiVersion, kind, metadata: shown, ...fields }, [], text);
  return create('ApiObject', name(scope), literal(id), props);
}
