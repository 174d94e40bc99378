import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { groupOf } from '../api/resource-name.ts';

/** Groups whose kinds have names of their own; all others are written after the kind. */
const groupsLeftOut = new Set([
  '',
  'addon.open-cluster-management.io',
  'cluster.open-cluster-management.io',
  'operator.open-cluster-management.io',
  'work.open-cluster-management.io',
]);

/**
 * The file of an object: `placement_default_placement-aws.yaml`, `deployment.apps_default_agent.yaml`, and without the
 * namespace for cluster-scoped objects. Two objects never share a file, on file systems without upper case either: characters
 * other than `a-z 0-9 . -` are written as `_` and two to six hexadecimal digits and `_`, and kinds, groups and namespaces have
 * none of these. Whatever an object contains, the name is that of a file in the folder itself.
 */
export function fileName({
  apiVersion,
  kind,
  metadata,
}: Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>): string {
  const group = groupOf(apiVersion);
  const resource = groupsLeftOut.has(group) ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  const { namespace, name = '' } = metadata;
  const parts = [resource, ...(namespace === undefined || namespace === '' ? [] : [namespace]), name];
  return `${parts.map(escapePart).join('_')}.yaml`;
}

function escapePart(part: string): string {
  return part.replace(/[^a-z0-9.-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`);
}
