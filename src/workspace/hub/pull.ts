import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { HubReader } from './hub-reader.ts';
import { HubError } from './hub-error.ts';
import { inOrder, snapshotOf, type SnapshotKind } from './snapshot-objects.ts';

/**
 * Reads all objects of some kinds, kind by kind, each in the order of their names. A kind that the hub does not serve
 * has no objects.
 *
 * @param now - the current time, in milliseconds since the epoch
 * @param onKind - is called for every kind once it is read
 * @throws HubError if the hub rejects a request, does not answer, or is no hub of OCM.
 */
export async function pull(
  hub: HubReader,
  kinds: readonly SnapshotKind[],
  now: number,
  onKind: (kind: SnapshotKind, count: number) => void = () => undefined,
): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (const kind of kinds) {
    const listed = await hub.list(kind);
    if (listed === undefined && kind.required === true) {
      throw new HubError(
        'FW9008',
        `${hub.server} does not serve ${kind.plural} of ${kind.apiVersion}`,
        "is that the hub? The kubeconfig may name a managed cluster, or OCM's cluster manager is not installed",
      );
    }
    const snapshots = (listed ?? []).map((object) => snapshotOf(object, kind, now));
    for (const object of inOrder(snapshots)) objects.push(object);
    onKind(kind, snapshots.length);
  }
  return objects;
}
