import type { Effect } from '../plan/change.ts';
import type { DiffLine } from './value-diff.ts';

/**
 * What the page of a plan carries for its script. Clusters go by their number in `clusters`, texts and values that many groups
 * share by their number too, so that the page stays small.
 */
export interface PlanPage {
  /** The effects that occur, gravest first. */
  readonly effects: readonly PageEffect[];
  /** Those that anything happens on, by name. */
  readonly clusters: readonly string[];
  /** The labels by which the plan counts. */
  readonly labels: readonly PageLabel[];
  /** Sentences with their place. */
  readonly texts: readonly string[];
  readonly values: readonly PageValue[];
  readonly addOns: readonly PageAddOn[];
}

export interface PageEffect {
  readonly effect: Effect;
  readonly symbol: string;
  /** `re-rolled`. */
  readonly noun: string;
  /** `re-rolled without a visible change on`. */
  readonly words: string;
  /** Add-ons on clusters. */
  readonly count: number;
}

export interface PageLabel {
  /** `env`. */
  readonly by: string;
  /** `env=prod`, `no env`. */
  readonly values: readonly string[];
  /** The number of its value, by cluster. */
  readonly of: readonly number[];
}

/** Numbers in ascending order: one of 0 or more is itself, a negative one stands for as many that follow the one before it. */
export type Runs = readonly number[];

export interface PageValue {
  readonly object: string;
  readonly path: string;
  readonly place?: string;
  /** Where else the same change shows. */
  readonly also?: string;
  readonly lines: readonly DiffLine[];
}

export interface PageGroup {
  readonly effect: Effect;
  readonly clusters: Runs;
  /** Numbers of texts. */
  readonly causes: readonly number[];
  /** What does not happen as the files say. */
  readonly caveat?: string;
  /** Which configuration counts before and after: numbers of texts. */
  readonly configs: readonly number[];
  readonly values: readonly number[];
  readonly moreValues: number;
}

export interface PageWave {
  /** Milliseconds after the change reaches the hub; not before. */
  readonly after: number;
  /** `at once`, `after 10m`. */
  readonly when: string;
  readonly clusters: Runs;
}

export interface PageAddOn {
  /** With its app where that is another. */
  readonly name: string;
  /** `2 uninstalled, 1 changed`. */
  readonly counts: string;
  /** Things to be alarmed by: why the hub configures nothing, where the rollout stops, what changes more clusters at once. */
  readonly alarms: readonly string[];
  /** Hub permissions, registrations and rollout strategies. */
  readonly notes: readonly string[];
  readonly groups: readonly PageGroup[];
  readonly waves: readonly PageWave[];
  /** `3 waves, over after 10m at the earliest`. */
  readonly rollout: string;
}
