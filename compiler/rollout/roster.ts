import type { TrackedGroup } from './decision-tracker.ts';
import { DueQueue } from './due-queue.ts';
import type { Progress } from './progress.ts';

/** A cluster of a rollout. */
export interface Member {
  readonly cluster: string;
  readonly group: TrackedGroup;
  /** Whether the hub's report counts it. */
  readonly counted: boolean;
  progress: Progress;
  /** When it is through, or late: a moment in milliseconds, `Infinity` for never. */
  until: number;
  /** `rolling`: under way or soaking. Clusters that wait, or are through, are out of the roster. */
  standing: 'out' | 'rolling' | 'late';
}

/** Keeps count of the clusters that are under way, soak, or are late, while time passes. */
export class Roster {
  readonly #ends = new DueQueue<{ at: number; member: Member }>();
  #joined: Member[] = [];
  /** Members that roll. */
  rolling = 0;
  /** Those of them that have succeeded, as far as they are counted. */
  soaking = 0;
  /** Those of them that have failed, as far as they are counted. */
  failing = 0;
  late = 0;
  /** Members that have failed or are late, by group. */
  readonly failures = new Map<TrackedGroup, number>();

  /** Takes in a member that has started. */
  join(member: Member): void {
    member.standing = 'rolling';
    this.#count(member, 1);
    this.#ends.add({ at: member.until, member });
    this.#joined.push(member);
  }

  leave(member: Member): void {
    if (member.standing === 'out') return;
    this.#count(member, -1);
    member.standing = 'out';
  }

  /** Lets time pass: who has soaked leaves, who is past the deadline is late. */
  settle(now: number): void {
    for (let end = this.#firstEnd(); end !== undefined && end.at <= now; end = this.#firstEnd()) {
      const { member } = end;
      this.leave(member);
      if (member.progress === 'Succeeded') continue;
      member.standing = 'late';
      this.#count(member, 1);
    }
  }

  /** When time alone next changes a member; `Infinity` for never. */
  get due(): number {
    return this.#firstEnd()?.at ?? Infinity;
  }

  get hasFailures(): boolean {
    return this.failures.size > 0;
  }

  /** Those that have joined since this was last asked, and still roll. */
  joined(): readonly string[] {
    const members = this.#joined.filter(({ standing }) => standing === 'rolling');
    this.#joined = [];
    return members.map(({ cluster }) => cluster);
  }

  /** Ends of members that have since left, or been told otherwise, are none. */
  #firstEnd(): { at: number; member: Member } | undefined {
    for (;;) {
      const first = this.#ends.first;
      if (first === undefined) return undefined;
      if (first.member.standing === 'rolling' && first.member.until === first.at) return first;
      this.#ends.take();
    }
  }

  #count({ standing, progress, counted, group }: Member, by: 1 | -1): void {
    if (standing === 'late') this.late += by;
    else {
      this.rolling += by;
      if (counted && progress === 'Succeeded') this.soaking += by;
      if (counted && progress === 'Failed') this.failing += by;
    }
    if (standing !== 'late' && progress !== 'Failed') return;
    const failures = (this.failures.get(group) ?? 0) + by;
    if (failures === 0) this.failures.delete(group);
    else this.failures.set(group, failures);
  }
}
