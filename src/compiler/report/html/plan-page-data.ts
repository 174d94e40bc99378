import type { Effect } from '../../compare/change.ts';
import type { DiffLine } from '../value-diff.ts';

/**
 * The data that the page of a plan or a rollout provides to its script. Clusters are identified by their number in `clusters`. Texts and values
 * that many groups share are identified by number too, so that the page stays small.
 */
export interface PlanPage {
  /** The effects that occur, most severe first. */
  readonly effects: readonly PageEffect[];
  /** The clusters on which anything happens, by name. */
  readonly clusters: readonly string[];
  /** The labels by which the plan counts. */
  readonly labels: readonly PageLabel[];
  /** Sentences with their location. */
  readonly texts: readonly string[];
  readonly values: readonly PageValue[];
  readonly addOns: readonly PageAddOn[];
  /** The URLs of locations, by their words: `fleet.yaml:31`. */
  readonly links: Readonly<Record<string, string>>;
  /** Whether cells show the wave of the cluster instead of the effect. */
  readonly showsWaves?: true;
}

/** An effect, or `left`: a rollout stops before it reaches the cluster. */
export type PageEffectName = Effect | 'left';

export interface PageEffect {
  readonly effect: PageEffectName;
  readonly symbol: string;
  /** `re-rolled`. */
  readonly noun: string;
  /** `re-rolled without a visible change on`. */
  readonly words: string;
  /** The number of add-ons on clusters. */
  readonly count: number;
}

export interface PageLabel {
  /** `env`. */
  readonly by: string;
  /** `env=prod`, `no env`. */
  readonly values: readonly string[];
  /** The number of the label's value, by cluster. */
  readonly of: readonly number[];
}

/**
 * Ascending numbers. A value of 0 or more represents itself. A negative value -n represents the n numbers that follow the
 * previous one.
 */
export type Runs = readonly number[];

export interface PageValue {
  readonly object: string;
  readonly path: string;
  readonly location?: string;
  /** The other locations that show the same change. */
  readonly also?: string;
  readonly lines: readonly DiffLine[];
}

export interface PageGroup {
  readonly effect: PageEffectName;
  readonly clusters: Runs;
  /** Numbers of texts. */
  readonly causes: readonly number[];
  /** The difference between the actual effect and the files. */
  readonly caveat?: string;
  /** What a promotion holds back. */
  readonly held?: readonly string[];
  /** The configurations that count before and after, as numbers of texts. */
  readonly configs: readonly number[];
  readonly values: readonly number[];
  readonly moreValues: number;
}

export interface PageWave {
  /** The start of the wave if all soaks take their full time, in milliseconds after the change reaches the hub. */
  readonly after: number;
  /** The earliest start. */
  readonly earliest: number;
  /** `immediately`, `after 5m to 10m`. */
  readonly when: string;
  readonly clusters: Runs;
  /** Those whose API servers refuse the change. Absent if there are none. */
  readonly refusing?: Runs;
}

export interface PageAddOn {
  /** Includes the app if it is different. */
  readonly name: string;
  /** `2 uninstalled, 1 changed`. */
  readonly counts: string;
  /** Warnings: why the hub configures nothing, where the rollout stops, and which strategies change more clusters at once. */
  readonly alarms: readonly string[];
  /** Hub permissions, registrations and rollout strategies. */
  readonly notes: readonly string[];
  readonly groups: readonly PageGroup[];
  readonly waves: readonly PageWave[];
  /** `3 waves, finished after 5m to 10m`. */
  readonly rollout: string;
}
