import type { EndedRelease } from '../../compiler/plan/planned-promotion.ts';
import type { Referent } from '../../ocm/referent.ts';

/** The API version of a promotion file. No API server has the kind. */
export const promotionApiVersion = 'fleetwright.dev/v1alpha1';
export const promotionKind = 'Promotion';

/** A promotion file: what people decide about the releases of an app, and how far the current release is. */
export interface Promotion {
  /** The name of the app. */
  readonly app: string;
  readonly spec: PromotionSpec;
  readonly status: PromotionStatus;
}

/** What people decide. */
export interface PromotionSpec {
  /** @default false */
  readonly paused?: boolean;
  /** What happens if Git changes while a release is in progress. @default 'wait' */
  readonly whenBusy?: 'wait' | 'supersede';
  /** What needs an approval. @default 'none' */
  readonly approval?: 'none' | 'release' | 'waves';
  /** Hashes of approved releases, and `HASH/WAVE` for single waves. */
  readonly approved?: readonly string[];
  /** Whose approvals count. @default - those of everyone who can change the file */
  readonly approvers?: Approvers;
  /**
   * With hub delivery: the order of the placements of the install strategies, as `namespace/name`. Others follow in the order of
   * the install strategy.
   */
  readonly placements?: readonly string[];
  /** Conditions outside of Git. @default - none */
  readonly gates?: readonly OutsideGate[];
  /** When waves may start. @default - always */
  readonly window?: TimeWindow;
}

/** The authors whose approvals count. */
export interface Approvers {
  /** Email addresses of the authors of commits. */
  readonly emails: readonly string[];
  /** Whether the commit needs a good signature of the author. @default false */
  readonly signed?: boolean;
}

/** A condition outside of Git. It has one of the kinds. */
export interface OutsideGate {
  readonly name: string;
  readonly prometheus?: PrometheusGate;
  readonly job?: JobGate;
}

/** A query whose value has to meet a condition, before each wave and before the release is completed. */
export interface PrometheusGate {
  /** The endpoint without `/api/v1/query`. */
  readonly url: string;
  /** A query that returns one value. */
  readonly query: string;
  /** An operator and a number: `< 0.01`. */
  readonly condition: string;
  /** The environment variable with the credentials; `NAME_FILE` names a file that has them. @default - none */
  readonly credentials?: string;
}

/** A Job on the hub that has to complete after each wave. */
export interface JobGate {
  readonly namespace: string;
  /** With `{release}` for the start of the hash, and optionally `{wave}` for the number of the wave. */
  readonly name: string;
}

/** The times at which waves may start. */
export interface TimeWindow {
  /** An IANA time zone. @default 'UTC' */
  readonly timeZone?: string;
  /** @default - on all days that are not closed */
  readonly open?: readonly OpenHours[];
  /** Days on which no wave starts: `2026-12-24`, or `2026-12-24/2027-01-01` including both. */
  readonly closed?: readonly string[];
}

/** Hours of some days of the week. */
export interface OpenHours {
  /** @default - every day */
  readonly days?: readonly Weekday[];
  /** `09:00`; `24:00` for the end of the day. */
  readonly from: string;
  readonly to: string;
}

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** How far the releases of an app are. `promote` writes it. */
export interface PromotionStatus {
  /** The last release that reached all clusters. Clusters that join get it. */
  readonly completed?: CompletedRelease;
  /** The release in progress. */
  readonly release?: Release;
  /** The content that was rolled back. It is not released again to these clusters. */
  readonly rolledBack?: RolledBack;
  /** Releases that ended, the latest first. */
  readonly history?: readonly EndedRelease[];
}

/** The last release that reached all clusters. */
export interface CompletedRelease {
  /** Git's commit with the sources. */
  readonly source: string;
  /** Absent if the content was there before the first release. */
  readonly hash?: string;
}

export interface RolledBack {
  readonly hash: string;
  readonly parts: readonly Pick<WavePart, 'addOn' | 'clusters'>[];
}

/** New content for some clusters, wave by wave. */
export interface Release {
  /** SHA-256 of the waves, their content and their gates. An approval names it. */
  readonly hash: string;
  /** Git's commit from which the content is compiled. With `restores`, the commit that has the files themselves. */
  readonly source: string;
  /** Git's commit with the files before the release. */
  readonly base: string;
  /** The hash of the release that this one rolls back. */
  readonly restores?: string;
  /** The number of waves that have started. */
  readonly released: number;
  /** The condition of each gate when the last wave started, one line per gate. */
  readonly openedBy?: readonly string[];
  /** By name. */
  readonly gates: Readonly<Record<string, ReleaseGate>>;
  readonly waves: readonly (readonly WavePart[])[];
}

/** The limits of a rollout strategy, for the clusters of one placement, or of one decision group. */
export interface ReleaseGate {
  /** The time between the moment at which all clusters of the wave are healthy and the next wave. @default - none */
  readonly minSuccessTime?: string;
  /** The time after which a cluster that is not healthy has failed. @default - none */
  readonly progressDeadline?: string;
  /** The number of failed clusters with which the release goes on. @default - no limit */
  readonly maxFailures?: number;
}

/** Clusters of a wave that have the same gate. */
export interface WavePart {
  readonly addOn: string;
  /** The name of the gate. */
  readonly gate: string;
  /** The content hash of each cluster: see `contentHash`. `absent` if the release removes the add-on. */
  readonly clusters: Readonly<Record<string, string>>;
  /** With hub delivery: the placement, as `namespace/name`, whose clusters these are. */
  readonly placement?: string;
  /** With hub delivery: the configurations that the placement names. Absent if the install strategy does not have the placement. */
  readonly configs?: readonly Referent[];
  /** The add-ons that must be Available on a cluster before the wave starts. */
  readonly requires?: readonly string[];
  /** With the removal of the add-on: the add-ons that must have left a cluster before the wave starts. */
  readonly requiredBy?: readonly string[];
}

/** The content hash of clusters from which a release removes the add-on. */
export const absent = 'absent';
/** The content hash of clusters whose files were written before there was a promotion, and have no annotation. */
export const unmarked = 'unmarked';

/** An add-on on a cluster in a release. */
export interface ReleasedCluster extends Pick<WavePart, 'addOn' | 'gate' | 'placement' | 'configs'> {
  readonly cluster: string;
  readonly hash: string;
  /** From 1. */
  readonly wave: number;
}

/** Yields the clusters of a release, wave by wave. */
export function* clustersOf({ waves }: Pick<Release, 'waves'>): Generator<ReleasedCluster> {
  for (const [index, parts] of waves.entries())
    for (const { clusters, ...part } of parts)
      for (const [cluster, hash] of Object.entries(clusters))
        yield { ...part, cluster, hash, wave: index + 1 };
}

/** Returns the content hashes that were rolled back, by `clusterKey`. */
export function rejectedContents({ rolledBack }: PromotionStatus): ReadonlyMap<string, string> {
  const rejected = new Map<string, string>();
  for (const { addOn, clusters } of rolledBack?.parts ?? [])
    for (const [cluster, hash] of Object.entries(clusters)) rejected.set(clusterKey(addOn, cluster), hash);
  return rejected;
}

/** Returns the key of an add-on on a cluster. */
export function clusterKey(addOn: string, cluster: string): string {
  return `${addOn}/${cluster}`;
}
