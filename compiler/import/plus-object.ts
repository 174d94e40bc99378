import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { create, literal, member, name, plain, type Expression } from './expression.ts';

/** What the construct of a kind takes beside the metadata; all else it fills in or does not know. */
const propsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1/ConfigMap', ['data', 'binaryData', 'immutable']],
  ['v1/Secret', ['stringData', 'immutable', 'type']],
  ['v1/ServiceAccount', ['automountServiceAccountToken']],
]);

/**
 * The object as a construct of cdk8s-plus, where the kind has one that may give it. Whether it does is for the caller to
 * see: these constructs fill in a good deal, and have no way to leave it out.
 */
export function plusObject(
  { apiVersion, kind, metadata, ...fields }: KubernetesObject,
  scope: string,
  id: string,
  namespace: string | undefined,
  text?: (value: string) => Expression,
): Expression[] {
  const known = propsOf.get(`${apiVersion}/${kind}`);
  if (known === undefined || Object.keys(fields).some((field) => !known.includes(field))) return [];
  const { namespace: own, ...meta } = metadata;
  const shown = own === undefined || own === namespace ? meta : { ...meta, namespace: own };
  const props = plain({ metadata: shown, ...fields }, [], text);
  return [create(member('kplus', kind), name(scope), literal(id), props)];
}
