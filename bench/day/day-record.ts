import type { CommandRun } from './fleet-repository.ts';
import type { AuditedWrites } from './audited-writes.ts';
import type { HubCounts } from './hub-counts.ts';
import type { ProcessUse } from './measured-process.ts';

export interface DayOptions {
  readonly clusters: number;
  readonly addOns: number;
  /** How long an hour of the day is at least, in seconds. It is longer if its jobs take longer. */
  readonly hourSeconds: number;
  readonly seed: number;
  /** The share of the certificates that are renewed in the day. */
  readonly renewed: number;
}

/** What the processes used, and what the API server had counted, at a moment of the day. */
export interface Sample {
  /** Seconds since the beginning of the day. */
  readonly at: number;
  readonly processes: Readonly<Record<string, ProcessUse>>;
  readonly hub: HubCounts;
}

/** An event, and how long it took until everything was as it should be again. */
export interface Reaction {
  readonly hour: number;
  readonly event: string;
  /** The number of clusters that had to change. */
  readonly clusters: number;
  /** Seconds until they had. */
  readonly seconds: number;
}

/** What `status` said at the end of an hour. */
export interface HourStatus {
  readonly hour: number;
  /** The number of add-ons on clusters by cause. Empty if everything was as predicted. */
  readonly causes: Readonly<Record<string, number>>;
}

/** A certificate that an agent asked for. */
export interface DayCertificate {
  readonly addOn: string;
  readonly signer: string;
  /** When it was asked for, in seconds since the beginning of the day. */
  readonly at: number;
  /** Milliseconds from the request to the certificate. */
  readonly milliseconds: number;
}

/** Everything that was measured on a day. */
export interface DayRecord {
  readonly options: DayOptions;
  readonly versions: Readonly<Record<string, string>>;
  /** Seconds until the clusters had joined, and then until all add-ons were Available. */
  readonly setUp: { readonly joined: number; readonly served: number };
  /** Seconds of the day. */
  readonly seconds: number;
  /** When each hour began, in seconds since the beginning of the day. */
  readonly hourStarts: readonly number[];
  readonly samples: readonly Sample[];
  readonly reactions: readonly Reaction[];
  readonly statuses: readonly HourStatus[];
  readonly runs: readonly CommandRun[];
  readonly certificates: readonly DayCertificate[];
  readonly writes: AuditedWrites['counts'];
  /** Requests of all replicas of the companion by verb and resource. */
  readonly companionRequests: Readonly<Record<string, number>>;
  /** Renewals of Leases and reports of works by the agents of clusters. */
  readonly agents: { readonly renewals: number; readonly reports: number };
  /** How often OCM's add-on manager ended although nobody asked it to. */
  readonly addOnManagerCrashes: number;
  /** Everything that must not happen. */
  readonly faults: readonly string[];
}
