import type { Diagnostic } from '../diagnostic.ts';
import type { Plan } from '../plan/plan.ts';

/** A plan with all that a reader of it needs: what the reporters turn into text, JSON or annotations. */
export interface PlanReport {
  readonly plan: Plan;
  /** The names of the two states, as the user gave them. */
  readonly base: string;
  readonly head: string;
  /** Git's commits of the two states. @default - they are no commits */
  readonly commits?: { readonly base?: string; readonly head?: string };
  /** The release of OCM that the hub is taken to run. @default - not reported */
  readonly release?: string;
  /** What the change does wrong, errors first: findings of the step, and those that the head has and the base does not. */
  readonly findings: readonly Diagnostic[];
  /** The fleet snapshots of the later state that say when they were taken. @default - none does */
  readonly snapshots?: readonly ReportedSnapshot[];
  /** When the plan was made, in milliseconds since the epoch: the page shows how old the snapshots were. @default - not reported */
  readonly plannedAt?: number;
}

/** A fleet snapshot that a plan rests on. */
export interface ReportedSnapshot {
  readonly file: string;
  /** RFC 3339, UTC. */
  readonly takenAt: string;
}
