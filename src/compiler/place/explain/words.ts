import type { ManagedClusterV1Taint } from '../../../../schemas/types.gen.ts';
import type { SelectorEvaluation } from '../cel/selector.ts';
import { formatTime } from '../../../base/time/rfc3339.ts';
import { listed, quote } from '../../model/words.ts';
import { meetsRequirement, type LabelRequirement } from '../label-selector.ts';
import type { TaintVerdict } from '../taints.ts';

/** Describes the result of one requirement on labels or claims for a cluster. */
export function requirementWords(
  kind: 'label' | 'claim',
  requirement: LabelRequirement,
  values: Readonly<Record<string, string>>,
): string {
  const { key, operator } = requirement;
  const value: unknown = values[key];
  const has = typeof value === 'string' ? `${kind} ${key} is ${quote(value)}` : `${kind} ${key} is absent`;
  const link = meetsRequirement(requirement, values) ? 'and' : 'but';
  if (operator === 'Exists') return `${has}, ${link} must be there`;
  if (operator === 'DoesNotExist') return `${has}, ${link} must be absent`;
  const wanted = listed(requirement.values, 'or');
  return `${has}, ${link} must ${operator === 'In' ? 'be' : 'not be'} ${wanted}`;
}

/** Describes the result of CEL expressions for a cluster. */
export function evaluationWords(evaluation: SelectorEvaluation): string {
  if (evaluation.verdict === 'match') return 'all CEL expressions are true';
  const expression = evaluation.expression ?? '';
  if (evaluation.verdict === 'cannot tell')
    return `CEL expression without a known answer (${evaluation.reason}): ${expression}`;
  const { reason } = evaluation;
  if (reason.kind === 'false') return `CEL expression is false: ${expression}`;
  if (reason.kind === 'error')
    return `CEL expression fails (${reason.message}), which counts as false: ${expression}`;
  if (reason.kind === 'cost limit') return `CEL expression costs more than the hub allows: ${expression}`;
  return `CEL expression returns a value of type ${reason.type}, which counts as false: ${expression}`;
}

/** Returns a taint as kubectl prints it: `key=value:effect`. */
export function taintWords({ key, value = '', effect }: ManagedClusterV1Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

/** Describes how a placement handles a taint. */
export function verdictWords(taint: ManagedClusterV1Taint, verdict: TaintVerdict): string {
  const name = `taint ${taintWords(taint)}`;
  if (!verdict.accepted) {
    const { expired } = verdict;
    if (expired === undefined) return `${name} is not tolerated`;
    return `${name} is no longer tolerated: the time of toleration ${expired.by} ended at ${dateWords(expired.at)}`;
  }
  if (verdict.why === 'PreferNoSelect') return `${name} has no effect: the hub ignores PreferNoSelect`;
  if (verdict.why === 'already selected')
    return `${name} excludes only new clusters, and this one was selected before`;
  const until = verdict.until === undefined ? '' : ` until ${dateWords(verdict.until)}`;
  return `${name} is tolerated by toleration ${verdict.by}${until}`;
}

/** Returns a time in UTC, to the second. A year that a Date cannot hold is reported as never. */
export function dateWords(milliseconds: number): string {
  const isDate = !Number.isNaN(new Date(milliseconds).getTime());
  return isDate ? formatTime(milliseconds) : 'the end of time';
}

/** Returns `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
