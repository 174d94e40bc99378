import { compareUtf8 } from '../../../base/json/go-json.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { revisionOfAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { objectKey } from '../../model/inventory.ts';
import { usersOf, type HubUsers } from '../../api/hub-users.ts';

/** An object that an engine applied, that the output no longer has, and that no engine deletes. */
export interface LeftObject {
  /** In the form `Placement default/all`. */
  readonly object: string;
  /** Why no engine deletes it: one sentence part. */
  readonly reason: string;
  /** What uses it on the hub, sorted: `ClusterManagementAddOn hello`, or `hello on c1`. */
  readonly usedBy: readonly string[];
  /** The command that deletes it. Absent while something uses it. */
  readonly command?: string;
}

/** The objects that Git no longer has and that stay on the hub. */
export interface LeftOnHub {
  readonly objects: readonly LeftObject[];
  /** The kinds that the credentials do not allow to read. */
  readonly unread: readonly string[];
}

/** Returns the objects that stay on the hub, those that nothing uses first. */
export function leftObjects(
  objects: readonly { readonly object: KubernetesObject; readonly plural: string }[],
  users: HubUsers,
): readonly LeftObject[] {
  return objects
    .map(({ object, plural }) => leftObject(object, plural, users))
    .sort(
      (a, b) => Math.sign(a.usedBy.length) - Math.sign(b.usedBy.length) || compareUtf8(a.object, b.object),
    );
}

function leftObject(object: KubernetesObject, plural: string, users: HubUsers): LeftObject {
  const { kind, metadata } = object;
  const { name = '', namespace } = metadata;
  const usedBy = usersOf(object, plural, users);
  const group = groupOf(object.apiVersion);
  const resource = group === '' ? plural : `${plural}.${group}`;
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  return {
    object: `${kind} ${objectKey(namespace, name)}`,
    reason: reasonOf(object),
    usedBy,
    ...(usedBy.length === 0 && { command: `kubectl delete ${resource} ${name}${inNamespace}` }),
  };
}

function reasonOf({ kind, metadata }: KubernetesObject): string {
  const { annotations = {} } = metadata;
  const revisionOf = annotations[revisionOfAnnotation];
  if (kind === 'ManagedClusterAddOn')
    return 'its add-on stays installed on the cluster until someone deletes it';
  if (revisionOf !== undefined) return `an earlier revision of ${revisionOf}, protected from pruning`;
  if (kind === 'Namespace') return 'protected from pruning, because its deletion deletes everything in it';
  return 'protected from pruning';
}

/** The annotations and options by which the engines do not delete an object. */
export function isProtectedFromPruning({ kind, metadata }: KubernetesObject): boolean {
  const { annotations = {} } = metadata;
  if (annotations['kustomize.toolkit.fluxcd.io/prune'] === 'disabled') return true;
  const options = (annotations['argocd.argoproj.io/sync-options'] ?? '').split(',');
  if (options.some((option) => option.trim() === 'Prune=false')) return true;
  // Argo CD never prunes what another object owns.
  return kind === 'ManagedClusterAddOn' && annotations['argocd.argoproj.io/tracking-id'] !== undefined;
}
