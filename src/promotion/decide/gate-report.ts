/** The condition of one gate. */
export interface GateReport {
  readonly name: string;
  readonly isOpen: boolean;
  readonly text: string;
}

/** The condition of a gate outside of Git. */
export interface OutsideGateReport extends GateReport {
  /** Whether it cannot open without a person. */
  readonly hasFailed?: boolean;
  /** Whether it verifies the wave that was released last, so that it does not hold the first one. */
  readonly isAfterWave?: boolean;
}
