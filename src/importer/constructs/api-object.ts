import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { create, literal, name, plain, type Expression } from '../code/expression.ts';
import { explicitMetadata } from '../plus/metadata.ts';

interface InWorkload {
  /** Writes the strings of manifests. */
  readonly text: (value: string) => Expression;
}

/**
 * Writes `new ApiObject(…)`, which can represent any object. In a workload the names of objects are derived from their ids.
 *
 * @param namespace - the namespace of the scope; an object without a namespace sets it explicitly
 */
export function apiObject(
  manifest: KubernetesObject,
  scope: string,
  id: string,
  namespace: string | undefined,
  inWorkload?: InWorkload,
): Expression {
  const { apiVersion, kind, metadata: originalMetadata, ...fields } = manifest;
  const metadata = {
    ...explicitMetadata(manifest, namespace, inWorkload && id),
    ...(originalMetadata.namespace === undefined && namespace !== undefined && { namespace: '' }),
  };
  const hasMetadata = inWorkload === undefined || Object.keys(metadata).length > 0;
  const props = plain(
    { apiVersion, kind, ...(hasMetadata && { metadata }), ...fields },
    [],
    inWorkload?.text,
  );
  return create('ApiObject', name(scope), literal(id), props);
}
