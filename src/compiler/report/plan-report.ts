import type { Diagnostic } from '../model/diagnostic.ts';
import type { EngineEffects } from '../emit/engine-effects.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlannedPromotion } from '../plan/planned-promotion.ts';

/** A plan with the context that readers need. Reporters convert it to text, JSON or annotations. */
export interface PlanReport {
  readonly plan: Plan;
  /** The names of the two states, as the user gave them. */
  readonly base: string;
  readonly head: string;
  /**
   * The Git commits of the two states, and the commit that the later one merges: CI builds the merge of a request.
   * @default - they are not commits
   */
  readonly commits?: { readonly base?: string; readonly head?: string; readonly merged?: string };
  /** The OCM release that the plan assumes for the hub. @default - not reported */
  readonly release?: string;
  /** The problems of the change, errors first: findings of the step, and findings that the head has and the base does not. */
  readonly findings: readonly Diagnostic[];
  /** The fleet snapshots of the later state that contain their creation time. @default - none */
  readonly snapshots?: readonly ReportedSnapshot[];
  /** What the GitOps engine does differently. @default - nothing */
  readonly engine?: EngineEffects;
  /** The same for hubs with other engines. @default - all hubs have one engine */
  readonly otherEngines?: readonly EngineEffects[];
  /** The promotions of the later state. @default - none */
  readonly promotions?: readonly PlannedPromotion[];
  /**
   * The time at which the plan was made, in milliseconds since the epoch, from which the page computes the age of the snapshots.
   * @default - not reported
   */
  readonly plannedAt?: number;
  /**
   * The URL of the folder of the later state on a Git forge, such as `https://github.com/acme/fleet/blob/SHA`: Markdown and HTML link
   * locations to it. @default - locations are no links
   */
  readonly linkBase?: string;
  /** The version of Fleetwright that made the plan. @default - not reported */
  readonly version?: string;
  /** The pages of the codes of the findings, for SARIF. @default - none */
  readonly pages?: ReadonlyMap<string, CodePage>;
}

/** The page of a code. */
export interface CodePage {
  readonly url: string;
  /** Markdown. */
  readonly text: string;
}

/** A fleet snapshot on which a plan is based. */
export interface ReportedSnapshot {
  readonly file: string;
  /** RFC 3339, UTC. */
  readonly takenAt: string;
}
