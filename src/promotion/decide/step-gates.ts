import type { GateReport, OutsideGateReport } from './gate-report.ts';
import type { Promotion, PromotionSpec, Release } from './promotion.ts';
import { requiredGate, type RequiredGateInput } from './required-gate.ts';
import { isOpen, nextOpening, timeWords } from './time-window.ts';

/** Who approved a release, or why the approval does not count. */
export interface Approval {
  readonly isCounted: boolean;
  readonly text: string;
}

/** What the gates of a step depend on. */
export interface StepGatesInput {
  readonly promotion: Promotion;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The gates outside of Git. @default - none */
  readonly outside?: readonly OutsideGateReport[];
  /** The commits of the entries of `approved`. @default - each counts */
  readonly approvals?: ReadonlyMap<string, Approval>;
  /** Returns how an add-on that the next wave requires is on a cluster. @default - the hub is not read */
  readonly requiredState?: RequiredGateInput['requiredState'];
  /** The clusters that have failed, by gate of the release. @default - none */
  readonly failed?: RequiredGateInput['failed'];
}

/** The gates that people set, and that of required add-ons, for the next step of a release. */
export interface StepGates {
  readonly gates: readonly GateReport[];
  /** Absent if all are open. */
  readonly verdict?: { readonly outcome: 'waiting' | 'stopped'; readonly reason: string };
}

/** Returns the gates of required add-ons and those that people set: for the next wave, or after the last one, for the end of the release. */
export function gatesOfStep(input: StepGatesInput, release: Release): StepGates {
  // To roll back is a decision of a person.
  if (release.restores !== undefined) return { gates: [] };
  const outside = (input.outside ?? []).filter(
    ({ isAfterWave }) => isAfterWave !== true || release.released > 0,
  );
  const ofWave = release.released === release.waves.length ? [] : gatesOfNextWave(input, release);
  const { requiredState, failed = new Map(), now } = input;
  const required = requiredState && requiredGate(release, { requiredState, failed, now });
  const gates = [
    ...(required === undefined
      ? []
      : [{ name: required.name, isOpen: required.isOpen, text: required.text }]),
    ...outside.map(({ name, isOpen: isOutsideOpen, text }) => ({ name, isOpen: isOutsideOpen, text })),
    ...ofWave,
  ];
  const closed = gates.filter((gate) => !gate.isOpen);
  if (closed.length === 0) return { gates };
  const hasFailed = [...outside, ...(required === undefined ? [] : [required])].some(
    (gate) => gate.hasFailed === true,
  );
  const outcome = hasFailed ? 'stopped' : 'waiting';
  return { gates, verdict: { outcome, reason: closed.map(({ text }) => text).join(', ') } };
}

function gatesOfNextWave(
  { promotion: { spec }, now, approvals }: StepGatesInput,
  release: Release,
): GateReport[] {
  const { approval = 'none', window } = spec;
  const gates: GateReport[] = [];
  if (approval !== 'none') gates.push(approvalGate(spec, release, approvals));
  if (window === undefined) return gates;
  const open = isOpen(window, now);
  const opening = open ? undefined : nextOpening(window, now);
  const closed = opening === undefined ? 'never opens' : `opens ${timeWords(opening, now, window)}`;
  return [...gates, { name: 'window', isOpen: open, text: `window ${open ? 'open' : closed}` }];
}

function approvalGate(
  { approval, approved = [] }: PromotionSpec,
  { hash, released }: Release,
  approvals: StepGatesInput['approvals'],
): GateReport {
  const name = 'approval';
  const wanted = approval === 'waves' ? `${hash}/${released + 1}` : hash;
  const answers = [...new Set([hash, wanted])]
    .filter((entry) => approved.includes(entry))
    .map((entry) => approvals?.get(entry) ?? { isCounted: approvals === undefined, text: 'approved' });
  const answer = answers.find(({ isCounted }) => isCounted) ?? answers[0];
  if (answer !== undefined) return { name, isOpen: answer.isCounted, text: answer.text };
  return { name, isOpen: false, text: `waits for an approval: add ${wanted} to spec.approved` };
}
