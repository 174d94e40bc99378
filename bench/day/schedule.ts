// What happens in the 24 hours of the day.

/** Something that happens at the beginning of an hour. Shares are of the clusters at that time. */
export type DayEvent =
  | {
      readonly event: 'clusters join' | 'clusters leave' | 'labels move' | 'clusters are lost';
      readonly share: number;
    }
  | {
      readonly event:
        | 'clusters return'
        | 'the controllers of OCM restart'
        | 'the API server restarts'
        | 'the leader is killed'
        | 'the companion is upgraded';
    }
  /** New content of an add-on, which the hub rolls out, or a promotion releases. */
  | {
      readonly event: 'a rollout' | 'a rollout that fails' | 'a rollback' | 'a promotion';
      readonly addOn: string;
    };

/** The number of hours. */
export const hours = 24;

/** The events by their hours. In all other hours there are only certificates, Leases and jobs. */
export const schedule: Readonly<Record<number, DayEvent>> = {
  1: { event: 'clusters join', share: 0.02 },
  2: { event: 'labels move', share: 0.02 },
  3: { event: 'clusters leave', share: 0.01 },
  4: { event: 'a rollout', addOn: 'hub-0' },
  6: { event: 'clusters are lost', share: 0.02 },
  9: { event: 'clusters return' },
  10: { event: 'a rollout that fails', addOn: 'hub-1' },
  12: { event: 'a rollback', addOn: 'hub-1' },
  13: { event: 'a promotion', addOn: 'compiled-0' },
  15: { event: 'the controllers of OCM restart' },
  16: { event: 'the API server restarts' },
  17: { event: 'the leader is killed' },
  18: { event: 'the companion is upgraded' },
  19: { event: 'labels move', share: 0.02 },
  20: { event: 'a rollout', addOn: 'hub-2' },
  22: { event: 'clusters join', share: 0.01 },
};

/** Causes in `status` that every hour may end with, because the hub, the agents or a job are at work. */
const passing: ReadonlySet<string> = new Set([
  'git-not-applied',
  'promotion-waits',
  'cluster-joining',
  'cluster-deleting',
  'deletion-pending',
  'not-removed',
  'wave-not-reached',
  'hub-pending',
  'request-in-progress',
  'work-agent-silent',
  'workload-starting',
]);

/** Causes that events explain, from one hour to the end of another and some seconds more, which can be hours of a short day. */
const lasting = [
  {
    from: 16,
    to: 18,
    // The replicas that the upgrade starts wait for the Lease of the leader that was killed: 15 s from when they first see it, and then
    // at most two seconds until they try again.
    seconds: 20,
    causes: ['request-pending', 'manager-silent'],
  },
  {
    from: 6,
    to: 9,
    seconds: 0,
    causes: ['cluster-unavailable', 'taint', 'work-agent-stopped', 'rollout-blocked'],
  },
  {
    // The deadline of the rollout can be longer than an hour.
    from: 10,
    to: 13,
    seconds: 0,
    causes: ['budget-spent', 'rollout-blocked', 'deadline-passed', 'manifest-failed', 'workload-unavailable'],
  },
];

/**
 * Whether a cause in `status` at the end of an hour is to be expected. At the end of the day none is.
 *
 * @param hourSeconds - how long an hour of the day is
 */
export function isExplained(cause: string, hour: number, hourSeconds: number): boolean {
  if (hour === hours - 1) return false;
  const isLasting = lasting.some(
    ({ from, to, seconds, causes }) =>
      from <= hour && hour <= to + Math.ceil(seconds / hourSeconds) && causes.includes(cause),
  );
  return passing.has(cause) || isLasting;
}
