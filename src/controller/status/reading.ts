/** The clusters of an add-on that are not as predicted for one cause. */
export interface ReadClass {
  /** Such as `different`. */
  readonly state: string;
  readonly cause: {
    /** Such as `manifest-conflict`. */
    readonly code: string;
    /** One sentence without a period. */
    readonly message: string;
  };
  /** Their names. */
  readonly clusters: readonly string[];
  /** The earliest time since which one of them is in this state, in RFC 3339. Absent if the hub does not report it. */
  readonly since?: string;
}

/** One add-on, compared with its prediction. */
export interface ReadAddOn {
  readonly addOn: string;
  /** The number of clusters in each state. */
  readonly counts: Readonly<Record<string, number>>;
  readonly classes: readonly ReadClass[];
}

/** One comparison of a whole hub with its prediction, as `status -o json` prints it. */
export interface Reading {
  readonly addOns: readonly ReadAddOn[];
  /** The add-ons that are not compared, because only the hub has them. */
  readonly notInGit: readonly string[];
  /** The kinds that the credentials do not allow to read. */
  readonly unread: readonly string[];
}

/** The reasons why a reading fails: values of a label. */
export const readingFailures = [
  'forbidden',
  'invalid-input',
  'no-hub',
  'other',
  'out-of-memory',
  'timeout',
  'unauthorized',
  'unreachable',
] as const;

export type ReadingFailure = (typeof readingFailures)[number];

/** A reading failed. */
export class ReadingError extends Error {
  readonly reason: ReadingFailure;

  constructor(reason: ReadingFailure, message: string) {
    super(message);
    this.name = 'ReadingError';
    this.reason = reason;
  }
}

/** Reads the hub once. Ends early if the signal is aborted. @throws ReadingError */
export type Read = (signal: AbortSignal) => Promise<Reading>;

/** The state of a cluster that has the predicted configuration and is healthy. */
export const asPredicted = 'as predicted';

/** The state of a cluster that the hub or its agents are still working on. */
export const onTheWay = 'on the way';
