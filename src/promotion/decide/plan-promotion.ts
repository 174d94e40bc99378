import type { PlannedPromotion, PlannedRelease } from '../../compiler/plan/planned-promotion.ts';
import { clusterCount } from '../../compiler/model/words.ts';
import { jobName } from './job-gate.ts';
import { gatesOfStep } from './step-gates.ts';
import type { OutsideGate, Promotion, Release, WavePart } from './promotion.ts';

/** What the plan adds to the state of a promotion. */
export interface PlannedPromotionInput {
  readonly promotion: Promotion;
  readonly next: Release | undefined;
  readonly unknownNext?: string;
  readonly isRolledBack: boolean;
  /** @default - none */
  readonly started?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns a promotion as a plan reports it. */
export function plannedPromotion(input: PlannedPromotionInput): PlannedPromotion {
  const { promotion, next, unknownNext, isRolledBack, started = [] } = input;
  const { app, spec, status } = promotion;
  const { release } = status;
  return {
    app,
    paused: spec.paused === true,
    ...(release && { release: plannedRelease(release, input) }),
    ...(next && { next: plannedRelease(next, input) }),
    ...(unknownNext !== undefined && { unknownNext }),
    isRolledBack,
    started,
    history: status.history ?? [],
  };
}

function plannedRelease(release: Release, { promotion, now }: PlannedPromotionInput): PlannedRelease {
  const { hash, restores, released, waves, openedBy = [] } = release;
  return {
    hash,
    ...(restores !== undefined && { restores }),
    released,
    waves: waves.map(clustersIn),
    openedBy,
    waitsFor: waitsFor(release, promotion, now),
  };
}

function clustersIn(parts: readonly WavePart[]): number {
  return parts.reduce((count, { clusters }) => count + Object.keys(clusters).length, 0);
}

/** Returns what the next step of a release needs, as far as Git has it. */
function waitsFor(release: Release, promotion: Promotion, now: number): readonly string[] {
  const { spec } = promotion;
  const isDecision = release.restores !== undefined;
  // Git does not have the authors of approvals here, so an approval that is there is not repeated.
  const closed = gatesOfStep({ promotion, now }, release).gates.filter((gate) => !gate.isOpen);
  return [
    ...(spec.paused === true ? ['the promotion is paused: run promote --resume'] : []),
    ...(release.released === 0 ? [] : waveConditions(release)),
    ...(isDecision ? [] : requirementWords(release)),
    ...(isDecision ? [] : (spec.gates ?? []).flatMap((gate) => outsideWords(gate, release))),
    ...closed.map(({ text }) => text.replace(/^waits for /, '')),
  ];
}

function waveConditions({ waves, released, gates }: Release): readonly string[] {
  const parts = waves[released - 1] ?? [];
  const names = [...new Set(parts.map(({ gate }) => gate))].sort();
  const limits = names.flatMap((name) => {
    const { minSuccessTime, maxFailures, progressDeadline } = gates[name] ?? {};
    const words = [
      ...(minSuccessTime === undefined ? [] : [`soak ${minSuccessTime}`]),
      ...(maxFailures === undefined ? [] : [`at most ${maxFailures} failed`]),
      ...(progressDeadline === undefined ? [] : [`failed after ${progressDeadline}`]),
    ];
    return words.length === 0 ? [] : [`${name}: ${words.join(', ')}`];
  });
  return [`${clustersIn(parts)} healthy in wave ${released}`, ...limits];
}

/** Returns what the next wave requires of other add-ons on its clusters. */
function requirementWords({ waves, released }: Release): readonly string[] {
  return (waves[released] ?? []).flatMap(({ addOn, clusters, requires = [], requiredBy = [] }) => {
    const on = clusterCount(Object.keys(clusters).length);
    return [
      ...(requires.length === 0 ? [] : [`${requires.join(', ')} Available on ${on} of ${addOn}`]),
      ...(requiredBy.length === 0 ? [] : [`${requiredBy.join(', ')} gone from ${on} of ${addOn}`]),
    ];
  });
}

function outsideWords({ name, prometheus, job }: OutsideGate, release: Release): readonly string[] {
  if (prometheus !== undefined) return [`${name} ${prometheus.condition}`];
  if (job === undefined || release.released === 0) return [];
  return [`Job ${job.namespace}/${jobName(job, release)} is complete`];
}
