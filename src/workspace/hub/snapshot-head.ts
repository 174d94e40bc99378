import {
  coversAnnotation,
  takenAtAnnotation,
  writtenInGitAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { objectKey } from '../../compiler/index.ts';
import { fleetwright, writerOf } from '../../ocm/writer.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { formatTime } from '../../base/time/rfc3339.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

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
