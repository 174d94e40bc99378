import type { HubRelease } from './releases.ts';

/** One respect in which the answer of a hub is not the predicted one. */
export interface Difference {
  /** What differs: `filter Predicate`, `prioritizer Balance`, `choice`, a field of an object. */
  readonly part: string;
  readonly predicted: string;
  readonly answered: string;
  /** What made it differ, as far as the answer of the hub names it: a webhook, an admission policy. */
  readonly cause?: string;
}

/** An answer of the hub that is not the predicted one. */
export interface Disagreement {
  readonly differences: readonly Difference[];
  /** The asked object, if it is in no file. */
  readonly asked?: object;
}

/** What a hub is asked about. */
export type SubjectKind = 'placement' | 'variation' | 'object' | 'removal' | 'state' | 'rendered' | 'release';

/** The answers of a hub about one object. */
export interface VerifiedSubject {
  readonly kind: SubjectKind;
  /** The object: `Placement fleet/prod`. */
  readonly subject: string;
  /** The number of answers. */
  readonly answers: number;
  readonly disagreements: readonly Disagreement[];
}

/** What could not be asked. */
export interface Unasked {
  readonly what: string;
  /** One sentence without a full stop. */
  readonly why: string;
  /** How it can be asked. */
  readonly remedy?: string;
}

/** What a hub answered, compared with the prediction. */
export interface Verification {
  /** The URL of the API server. */
  readonly server: string;
  /** When the hub was asked, as `2026-01-31T12:00:00Z`. */
  readonly time: string;
  /** The release of the predictions, such as `1.3`. */
  readonly hubVersion: string;
  readonly release: HubRelease;
  /** The seed of the random variations; undefined without any. */
  readonly seed?: number;
  readonly subjects: readonly VerifiedSubject[];
  readonly unasked: readonly Unasked[];
}

/** The numbers of answers. */
export interface AnswerCounts {
  readonly answers: number;
  readonly equal: number;
}

/** Returns the number of answers, and of those that are as predicted. */
export function countAnswers(subjects: readonly VerifiedSubject[]): AnswerCounts {
  let answers = 0;
  let different = 0;
  for (const subject of subjects) {
    answers += subject.answers;
    different += subject.disagreements.length;
  }
  return { answers, equal: answers - different };
}
