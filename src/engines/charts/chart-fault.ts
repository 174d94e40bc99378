/** The codes of the diagnostics that charts have; docs/diagnostics has a page for each. */
export type ChartFaultCode =
  | 'FW6021'
  | 'FW6022'
  | 'FW6023'
  | 'FW6024'
  | 'FW6025'
  | 'FW6026'
  | 'FW6027'
  | 'FW6028'
  | 'FW6029'
  | 'FW6030'
  | 'FW6031'
  | 'FW6032'
  | 'FW6033'
  | 'FW6034'
  | 'FW6050';

/** What is wrong with a chart, its values or its output. The compiler makes a diagnostic of it. */
export interface ChartFault {
  readonly code: ChartFaultCode;
  /** Helm's message, where Helm has one. */
  readonly message: string;
  /** A file of the chart, such as `templates/deployment.yaml` or `charts/redis/values.yaml`. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** The file that is rendered; `file` can be one that it includes. */
  readonly template?: string;
  /** The path of a value, such as `image.tag`. */
  readonly value?: string;
  /** The fix. */
  readonly hint?: string;
}

/** Ends loading or rendering with faults. Callers of src/engines/charts/index.ts receive the faults instead. */
export class ChartError extends Error {
  override readonly name = 'ChartError';
  readonly faults: readonly ChartFault[];

  constructor(...faults: readonly ChartFault[]) {
    super(faults.map(({ message }) => message).join('\n'));
    this.faults = faults;
  }
}
