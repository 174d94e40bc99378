import type { ObjectReference } from '../../model/diagnostic.ts';
import type { Location } from '../../model/origin.ts';

/** The stages that a cluster passes before it is in a decision, in the order of the hub. */
export type Stage =
  'fleet' | 'cluster sets' | 'predicates' | 'taints' | 'choice' | 'decision group' | 'placement';

/** The result of one stage for a cluster. */
export interface ExplanationStep {
  /** `placement` if the placement as a whole is at fault. */
  readonly stage: Stage;
  readonly kept: boolean;
  /** One sentence without a full stop. */
  readonly text: string;
  /** The reasons, one sentence each: selector terms, taints, scores. */
  readonly reasons: readonly string[];
  /** The field that decided, and its location. */
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
  /** The stages up to the one that dropped the cluster. */
  readonly steps: readonly ExplanationStep[];
}
