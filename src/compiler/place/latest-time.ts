import { isJsonMap } from '../../base/json/json-map.ts';
import { partsOf } from '../../base/collections/joined-lists.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { LoadedObject } from '../model/inventory.ts';

/**
 * Returns the latest time of an event in a fleet snapshot, in milliseconds since the epoch: about the time when the snapshot was
 * taken. Undefined if it has no times. Validity in the future does not count.
 */
export function latestTime(objects: readonly LoadedObject[]): number | undefined {
  let latest = -Infinity;
  for (const part of partsOf(objects))
    latest = Math.max(latest, getOrInsertComputed(latestTimesOfParts, part, latestTimeOfPart));
  return latest === -Infinity ? undefined : latest;
}

/** The time is kept as long as the part of the list exists. */
const latestTimesOfParts = new WeakMap<readonly LoadedObject[], number>();

/** Returns -Infinity for objects without times. */
function latestTimeOfPart(part: readonly LoadedObject[]): number {
  let latest = -Infinity;
  for (const { object, source } of part)
    if (source === 'fleet') latest = Math.max(latest, getOrInsertComputed(latestTimes, object, latestTimeIn));
  return latest;
}

/** States of one workspace have most objects in common. */
const latestTimes = new WeakMap<LoadedObject['object'], number>();

/** Returns -Infinity for an object without times. */
function latestTimeIn(object: LoadedObject['object']): number {
  let latest = -Infinity;
  for (const text of times(object)) {
    const time = typeof text === 'string' ? Date.parse(text) : NaN;
    if (time > latest) latest = time;
  }
  return latest;
}

/** Returns the times of events that an API object records: creation, taints, changes of conditions. */
function times(object: LoadedObject['object']): unknown[] {
  const spec = field(object, 'spec');
  const status = field(object, 'status');
  return [
    field(field(object, 'metadata'), 'creationTimestamp'),
    ...list(field(spec, 'taints')).map((taint) => field(taint, 'timeAdded')),
    ...list(field(status, 'conditions')).map((condition) => field(condition, 'lastTransitionTime')),
  ];
}

function field(value: unknown, name: string): unknown {
  return isJsonMap(value) ? value[name] : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
