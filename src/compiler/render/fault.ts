import type { ChartFaultCode } from '../../engines/charts/index.ts';
import type { FieldPath } from '../model/field-path.ts';

/** The diagnostic code of a problem that stops the hub from delivering an add-on. */
export type RenderFaultCode =
  | 'FW6001'
  | 'FW6002'
  | 'FW6003'
  | 'FW6004'
  | 'FW6005'
  | 'FW6006'
  | 'FW6007'
  | 'FW6008'
  | 'FW6035'
  | 'FW6036'
  | 'FW6037'
  | 'FW6038'
  | 'FW6039'
  | 'FW6048'
  | 'FW6049'
  | 'FW6051'
  | 'FW6052'
  | 'FW6053'
  | 'FW6054'
  | ChartFaultCode;

/** The reason why the hub stops. */
export interface RenderFault {
  /** The hub's message, as it writes it into a condition. */
  readonly error: string;
  /** Absent if an earlier phase has reported the problem, for example for missing objects. */
  readonly code?: RenderFaultCode;
  /** The field that causes the fault, in the template, the configuration or the cluster, depending on the code. */
  readonly path?: FieldPath;
  /** The fix, if it depends on more than the code. */
  readonly hint?: string;
}
