import type { Kind } from '../../../schemas/index.ts';
import type { Fault } from './fault.ts';
import type { DecodedMeta, ReadMeta } from './metadata/object-meta.ts';

/** Returns metadata with the namespace that the object gets, given its scope. */
export function inScope(
  { value: meta, malformed }: DecodedMeta,
  { scope, kind }: Pick<Kind, 'scope' | 'kind'>,
): { value: ReadMeta; remarks: readonly Fault[] } {
  const { namespace, ...rest } = meta;
  const field = ['metadata', 'namespace'];
  if (scope === 'Cluster') {
    if (namespace === undefined) return { value: meta, remarks: [] };
    // as rest.EnsureObjectNamespaceMatchesRequestNamespace
    const message = `${kind} is cluster-scoped: the hub drops the namespace "${namespace}"`;
    return { value: rest, remarks: [{ code: 'FW2020', field, message, hint: 'remove the namespace' }] };
  }
  if (namespace !== undefined || malformed.length > 0) return { value: meta, remarks: [] };
  const remark: Fault = {
    code: 'FW2021',
    field,
    message: `${kind} is namespaced, but has no namespace: "default" is assumed`,
    hint: 'set the namespace, so that it does not depend on the client that applies the object',
  };
  return { value: { ...meta, namespace: 'default' }, remarks: [remark] };
}
