import { isJsonMap } from '../../base/json/json-map.ts';
import type { LoadedObject } from '../model/inventory.ts';

/**
 * Returns the latest time of an event in a fleet snapshot, in milliseconds since the epoch: about the time when the snapshot was
 * taken. Undefined if it has no times. Validity in the future does not count.
 */
export function latestTime(objects: readonly LoadedObject[]): number | undefined {
  let latest: number | undefined;
  for (const { object, source } of objects) {
    if (source !== 'fleet') continue;
    for (const text of times(object)) {
      const time = typeof text === 'string' ? Date.parse(text) : NaN;
      if (!Number.isNaN(time) && (latest === undefined || time > latest)) latest = time;
    }
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
