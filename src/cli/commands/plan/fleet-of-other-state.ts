import { joined } from '../../../base/collections/joined-lists.ts';
import type { Diagnostic, LoadedObject } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import type { Inputs } from '../../../workspace/inputs/inputs.ts';
import type { FileState } from '../../../workspace/revisions.ts';
import { ofSource, type ReadPair } from './compared-inputs.ts';

/**
 * Returns an earlier state that has objects and no clusters with the clusters of the later one: the hub had them
 * before the repository had a snapshot of them. Returns other states unchanged.
 */
export function withLaterFleet(read: ReadPair): ReadPair {
  const { before, after } = read;
  if (before === undefined || after === undefined || before.objects.length === 0) return read;
  if (before.objects.some(isCluster) || !after.objects.some(isCluster)) return read;
  const objects = joined([before.objects, ofSource.fleet(after.objects)]);
  return { ...read, before: { ...before, objects, time: after.time } };
}

/**
 * Returns a later state that has objects and no snapshot with the clusters of the earlier one: the clusters stay on the hub if a file
 * is deleted. Returns other states unchanged.
 */
export function withEarlierFleet(read: ReadPair): ReadPair {
  const { before, after } = read;
  if (before === undefined || after === undefined || !hasObjects(after)) return read;
  if (
    !before.objects.some(isCluster) ||
    after.objects.some(({ source, object }) => source === 'fleet' || isCluster({ object }))
  )
    return read;
  const objects = joined([after.objects, ofSource.fleet(before.objects)]);
  return { ...read, after: { ...after, objects, time: before.time } };
}

export function hasObjects(inputs: Inputs | undefined): boolean {
  return inputs?.objects.some(({ source }) => source === 'app') === true;
}

/** Loaded objects may lack anything. */
function isCluster({ object }: Pick<LoadedObject, 'object'>): boolean {
  return object.kind === 'ManagedCluster';
}

export function withoutFleet(app: string, base: FileState, head: FileState): Diagnostic {
  const what = app === '' ? '' : `app "${app}": `;
  return diagnostic('FW8015', {
    message: `${what}${base.label} has no fleet snapshot, so both states are compared on the clusters of ${head.label}`,
  });
}

export function removedFleet(app: string, base: FileState, head: FileState): Diagnostic {
  const what = app === '' ? '' : `app "${app}": `;
  return diagnostic('FW8061', {
    message: `${what}${head.label} has no fleet snapshot, and ${base.label} has one: both states are compared on the clusters of ${base.label}`,
    hint: 'restore the snapshot, or run fleetwright fleet pull',
  });
}
