import type { TrackedGroup } from '../decision-tracker.ts';
import { DueQueue } from './due-queue.ts';
import type { Progress } from '../progress.ts';

/** A cluster of a rollout. */
export interface Member {
  readonly cluster: string;
  readonly group: TrackedGroup;
  /** Whether the hub's report counts it. */
  readonly counted: boolean;
  progress: Progress;
  /** The time at which it is complete or late, in milliseconds. `Infinity` for never. */
  until: number;
  /** `rolling`: in progress or soaking. Clusters that wait or are complete are not counted as in flight. */
  phase: 'out' | 'rolling' | 'late';
}

/** Counts the clusters that are in progress, soak, or are late, while time passes. */
export class InFlightClusters {
  readonly #ends = new DueQueue<{ at: number; member: Member }>();
  #joined: Member[] = [];
  /** The number of rolling members. */
  rolling = 0;
  /** The number of counted rolling members that have succeeded. */
  soaking = 0;
  /** The number of counted rolling members that have failed. */
  failing = 0;
  late = 0;
  /** The number of members that have failed or are late, by group. */
  readonly failures = new Map<TrackedGroup, number>();

  /** Adds a member that has started. */
  join(member: Member): void {
    member.phase = 'rolling';
    this.#count(member, 1);
    this.#ends.add({ at: member.until, member });
    this.#joined.push(member);
  }

  leave(member: Member): void {
    if (member.phase === 'out') return;
    this.#count(member, -1);
    member.phase = 'out';
  }

  /** Advances the time: members whose soak is over leave, members after their deadline are late. */
  advance(now: number): void {
    for (let end = this.#firstEnd(); end !== undefined && end.at <= now; end = this.#firstEnd()) {
      const { member } = end;
      this.leave(member);
      if (member.progress === 'Succeeded') continue;
      member.phase = 'late';
      this.#count(member, 1);
    }
  }

  /** The next time at which a member changes without other events. `Infinity` for never. */
  get due(): number {
    return this.#firstEnd()?.at ?? Infinity;
  }

  get hasFailures(): boolean {
    return this.failures.size > 0;
  }

  /** Returns the members that have joined since the previous call and are still rolling. */
  takeJoined(): readonly string[] {
    const members = this.#joined.filter(({ phase }) => phase === 'rolling');
    this.#joined = [];
    return members.map(({ cluster }) => cluster);
  }

  /** Skips the ends of members that have left since, or whose end has changed. */
  #firstEnd(): { at: number; member: Member } | undefined {
    for (;;) {
      const first = this.#ends.first;
      if (first === undefined) return undefined;
      if (first.member.phase === 'rolling' && first.member.until === first.at) return first;
      this.#ends.take();
    }
  }

  #count({ phase, progress, counted, group }: Member, by: 1 | -1): void {
    if (phase === 'late') this.late += by;
    else {
      this.rolling += by;
      if (counted && progress === 'Succeeded') this.soaking += by;
      if (counted && progress === 'Failed') this.failing += by;
    }
    if (phase !== 'late' && progress !== 'Failed') return;
    const failures = (this.failures.get(group) ?? 0) + by;
    if (failures === 0) this.failures.delete(group);
    else this.failures.set(group, failures);
  }
}
