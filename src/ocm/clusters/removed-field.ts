import type { JsonMap } from '../../base/json/json-map.ts';
import { valueAt } from './refused-change.ts';

/** An immutable field of an object that its manifest does not have. */
export interface RemovedField {
  readonly path: string;
  /** Whether the API server writes it when it creates the object. Otherwise a controller does later, on some clusters. */
  readonly isWrittenAtOnce: boolean;
}

/** By `group/Kind`. */
const writtenFields: Readonly<Record<string, RemovedField>> = {
  'batch/Job': { path: 'spec.selector', isWrittenAtOnce: true },
  '/PersistentVolumeClaim': { path: 'spec.volumeName', isWrittenAtOnce: false },
};

/**
 * Returns the immutable field of an object that Update would remove, because the manifest does not have it. The API server refuses each such
 * update, whatever it changes. Undefined if there is no such field.
 *
 * @param key - `group/Kind`
 */
export function removedField(key: string, manifest: JsonMap): RemovedField | undefined {
  // as generateSelectorIfNeeded: a Job can have a selector that its author wrote
  if (key === 'batch/Job' && valueAt(manifest, 'spec.manualSelector') === true) return undefined;
  return writtenFields[key];
}

/** Returns why the API server refuses an update that removes a field. */
export function removalWords({ path }: RemovedField): string {
  return `${path} is immutable, and the manifest does not have it`;
}
