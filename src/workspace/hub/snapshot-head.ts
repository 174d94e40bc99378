import { objectKey } from '../../compiler/index.ts';
import { fleetwright, writerOf } from '../../ocm/writer.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { formatTime } from '../../base/time/rfc3339.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/** The annotation of the list that contains the time of the snapshot. */
export const takenAtAnnotation = 'fleetwright.dev/taken-at';

/** The annotation with the kinds of which the snapshot has all objects, except for the objects of the next annotation. */
export const coversAnnotation = 'fleetwright.dev/covers';

/** The annotation that lists the objects that are left out because they are in Git: one per line, with their writer. */
export const writtenInGitAnnotation = 'fleetwright.dev/written-in-git';

/** The content of the head of a snapshot. */
export interface SnapshotHead {
  /** The time of the snapshot, in milliseconds since the epoch. */
  readonly takenAt: number;
  readonly covers: readonly string[];
  readonly omitted: readonly KubernetesObject[];
}

/** Returns the list without its items: the time to the second, kinds and names in order. */
export function snapshotHead({ takenAt, covers, omitted }: SnapshotHead): object {
  const lines = omitted.map(
    ({ apiVersion, kind, metadata }) =>
      `${kind}.${groupOf(apiVersion)} ${objectKey(metadata.namespace, metadata.name ?? '')} ${writerOf(metadata) ?? fleetwright}`,
  );
  return {
    apiVersion: 'v1',
    kind: 'List',
    metadata: {
      annotations: {
        [coversAnnotation]: covers.toSorted().join(' '),
        [takenAtAnnotation]: formatTime(takenAt),
        ...(lines.length === 0 ? {} : { [writtenInGitAnnotation]: `${lines.join('\n')}\n` }),
      },
    },
  };
}
