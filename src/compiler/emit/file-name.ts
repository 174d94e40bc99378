import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { addOnGroup, clusterGroup, operatorGroup, workGroup } from '../../../schemas/groups.ts';

/** Groups whose kinds have unambiguous names. Every other group is part of the file name, after the kind. */
const groupsLeftOut = new Set(['', addOnGroup, clusterGroup, operatorGroup, workGroup]);

/**
 * Returns the file name of an object: `placement_default_placement-aws.yaml`, `deployment.apps_default_agent.yaml`, and without
 * the namespace for cluster-scoped objects. Two objects never share a file, even on case-insensitive file systems: characters
 * other than `a-z 0-9 . -` are written as `_`, two to six hexadecimal digits and `_`, and kinds, groups and namespaces contain
 * none of these. Regardless of the object's content, the name is a file directly in the folder.
 */
export function fileName(object: NamedObject): string {
  return getOrInsertComputed(fileNames, object, fileNameOf);
}

type NamedObject = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

/** A plan asks several times for the name of an object, and many states have it. */
const fileNames = new WeakMap<NamedObject, string>();

function fileNameOf({ apiVersion, kind, metadata }: NamedObject): string {
  const group = groupOf(apiVersion);
  const resource = groupsLeftOut.has(group) ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  const { namespace, name = '' } = metadata;
  const parts = [resource, ...(namespace === undefined || namespace === '' ? [] : [namespace]), name];
  return `${parts.map(escapePart).join('_')}.yaml`;
}

function escapePart(part: string): string {
  return part.replace(/[^a-z0-9.-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`);
}
