import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { Resolution } from '../resolve.ts';
import type { Obstacle } from './bounds.ts';
import type { FieldEdit } from './field-edit.ts';
import type { Invariant } from './invariant.ts';

/** The state of one app: its add-ons, resolved against the fleet. */
export type ProvedState = Pick<Resolution, 'inventory' | 'decisions' | 'configuration'>;

/** A cluster for which an invariant does not hold. */
export interface Counterexample {
  /** The cluster of the fleet. Absent for one that may exist. */
  readonly cluster?: string;
  /** The edits that make it one, or what distinguishes it from a cluster without labels. */
  readonly edits: readonly FieldEdit[];
  /** The cluster after the edits, as the hub has it. */
  readonly object: ManagedClusterV1;
  /** What the edits do to its add-ons. */
  readonly effects: readonly AddOnEffect[];
}

/** What edits do to one add-on on the edited cluster. */
export interface AddOnEffect {
  readonly addOn: string;
  readonly effect: 'installed' | 'uninstalled' | 'reconfigured';
}

/** The answer for one invariant. */
export type ProofVerdict =
  | { readonly invariant: Invariant; readonly answer: 'proved' }
  | { readonly invariant: Invariant; readonly answer: 'refuted'; readonly counterexample: Counterexample }
  /** `example` is a cluster for which the answer is not certain. */
  | {
      readonly invariant: Invariant;
      readonly answer: 'cannot prove';
      readonly obstacles: readonly Obstacle[];
      readonly example?: Counterexample;
    };
