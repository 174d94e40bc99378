import type { FieldPath } from '../field-path.ts';

/** What stops the hub from delivering an add-on, by the diagnostic that says so. */
export type FailureCode =
  'FW6001' | 'FW6002' | 'FW6003' | 'FW6004' | 'FW6005' | 'FW6006' | 'FW6007' | 'FW6008';

/** Why the hub cannot go on. */
export interface Failure {
  /** The hub's words, as it writes them into a condition. */
  readonly error: string;
  /** Absent where an earlier phase has said it, as of objects that do not exist. */
  readonly code?: FailureCode;
  /** The field that is to blame: of the template, the configuration or the cluster, whichever the code is about. */
  readonly path?: FieldPath;
}
