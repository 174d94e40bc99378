import type { ObjectReference } from '../../diagnostic.ts';
import type { Location } from '../../origin.ts';

/** The stages that a cluster passes on its way into a decision, in the order in which the hub takes them. */
export type Stage =
  'fleet' | 'cluster sets' | 'predicates' | 'taints' | 'choice' | 'decision group' | 'placement';

/** What one stage made of a cluster. */
export interface ExplanationStep {
  /** `placement` where the placement as a whole is at fault. */
  readonly stage: Stage;
  readonly kept: boolean;
  /** One sentence without a full stop. */
  readonly text: string;
  /** What it rests on, one sentence each: selector terms, taints, scores. */
  readonly reasons: readonly string[];
  /** The field that decided, and where it stands. */
  readonly path?: string;
  readonly location?: Location;
}

/** Why a placement selects a cluster, or does not. */
export interface PlacementExplanation {
  readonly placement: ObjectReference;
  readonly cluster: string;
  readonly selected: boolean;
  /** One sentence without a full stop: the verdict and what decided it. */
  readonly summary: string;
  /** Up to the stage that dropped the cluster. */
  readonly steps: readonly ExplanationStep[];
}
