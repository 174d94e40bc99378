import type { GoJsonObject } from '../../base/json/go-json.ts';
import type { ReadPosition } from '../../ocm/referent.ts';
import type { LoadedObject } from './inventory.ts';

/** How the manager of an add-on renders its manifests with addon-framework. */
export interface ManagerProfile {
  /** The object that declares it. */
  readonly declaration: LoadedObject;
  /** The field of `spec` with the source. */
  readonly field: 'helmChart' | 'goTemplates';
  /** The source, in the form that a template's workload has. */
  readonly source: GoJsonObject;
  /** Which of several configurations of one kind the manager reads, according to its addon-framework. Absent if none is named. */
  readonly reads?: ReadPosition;
  /** Whether the agent registers at the hub. */
  readonly registers: boolean;
}
