import { compareText } from '../../base/collections/compare-text.ts';
import { counted } from '../model/words.ts';
import type { Severity } from '../model/codes.ts';
import type { Location } from '../model/origin.ts';
import { codes } from '../model/codes.ts';
import { findingIdentity } from '../model/finding-identity.ts';
import type { PlanReport } from './plan-report.ts';
import type { AppObjectChange, Plan } from '../plan/plan.ts';
import {
  hubSuffix,
  isFaster,
  permissionWords,
  quotedAddOn,
  someOf,
  strategyWords,
  valueWords,
} from './plan-words.ts';

/** A part of a plan that a reviewer should check, as annotations and scanners show it. */
export interface PlanResult {
  /** A diagnostic code, or one of `planRules`. */
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence without a period. */
  readonly message: string;
  /** A location in the later state. Removed objects have no line to show it at. */
  readonly location?: Location;
  /** The recommended action. */
  readonly hint?: string;
  /** Equal for the same problem, regardless of its location and of the number of clusters that it reaches. */
  readonly identity: string;
}

/** The rules for results that are not findings. */
export const planRules: Readonly<Record<string, string>> = {
  uninstalled: 'Add-on that is uninstalled',
  'permission-widened': 'Hub permission that agents get',
  'rollout-strategy': 'Rollout strategy that is edited',
  'promotion-waits': 'Change that waits for a promotion',
  'object-changed': 'Object that changes',
  'rollout-stops': 'Rollout that stops before its end',
};

/** The maximum number of clusters that are named. */
const names = 10;

/** Returns the title of a result's rule. */
export function ruleTitle(rule: string): string {
  return (
    planRules[rule] ?? new Map<string, { title: string }>(Object.entries(codes)).get(rule)?.title ?? rule
  );
}

/**
 * Returns the findings, then uninstalls, permissions, stops and rollout strategies, then the changed objects. Each is one result,
 * regardless of the number of clusters that it reaches.
 */
export function planResults({ plan, findings }: PlanReport): PlanResult[] {
  const results: PlanResult[] = findings.map((finding) => {
    const { code, severity, message, location, hint } = finding;
    return {
      rule: code,
      severity,
      message,
      ...(location === undefined ? {} : { location }),
      ...(hint === undefined ? {} : { hint }),
      identity: findingIdentity(finding),
    };
  });
  for (const addOnPlan of plan.addOns) {
    const { hub, kind = '', addOn, groups, permissions, rollout, strategies } = addOnPlan;
    const app = appIdentity(addOnPlan);
    const name = quotedAddOn({ ...(hub !== undefined && { hub }), ...(kind !== '' && { kind }), addOn });
    for (const { effect, clusters, causes } of groups) {
      if (effect !== 'uninstalled') continue;
      const why = causes.map(({ text }) => text).join('; ');
      results.push({
        rule: 'uninstalled',
        severity: 'warning',
        message: `${name} is UNINSTALLED from ${counted(clusters.length, 'cluster')} (${someOf(clusters, names)}) because ${why}`,
        ...placeInHead(causes),
        identity: ['uninstalled', app, ...(kind === '' ? [] : [kind]), addOn, why].join(' '),
      });
    }
    const waiting = groups.flatMap((group) => group.waiting ?? []).sort(compareText);
    if (waiting.length > 0)
      results.push({
        rule: 'promotion-waits',
        severity: 'info',
        message: `${name} changes on ${counted(waiting.length, 'cluster')} (${someOf(waiting, names)}) when the promotion releases it, not with the merge`,
        identity: `promotion ${app} ${addOn}`,
      });
    for (const change of permissions) {
      if (change.change !== 'widened' && change.change !== 'role edited') continue;
      results.push({
        rule: 'permission-widened',
        severity: 'warning',
        message: `hub permission of ${name} ${change.change}: ${permissionWords(change)}`,
        ...placeInHead([change]),
        identity: `permission ${app} ${addOn} ${change.permission}`,
      });
    }
    for (const { wave, message, left } of rollout.stops) {
      const where = wave === undefined ? '' : `in wave ${wave}, `;
      results.push({
        rule: 'rollout-stops',
        severity: 'warning',
        message: `the rollout of ${name} stops ${where}before ${counted(left.length, 'cluster')} (${someOf(left, names)}): ${message}`,
        identity: `stops ${app} ${addOn} ${message}`,
      });
    }
    const { incomplete } = rollout;
    if (incomplete !== undefined)
      results.push({
        rule: 'rollout-stops',
        severity: 'warning',
        message: `the rollout of ${name} does not complete: ${incomplete}`,
        identity: `incomplete ${app} ${addOn} ${incomplete}`,
      });
    for (const change of strategies) {
      results.push({
        rule: 'rollout-strategy',
        severity: isFaster(change) ? 'warning' : 'info',
        message: `${name}: ${strategyWords(change)}`,
        ...placeInHead([change]),
        identity: `strategy ${app} ${addOn} ${change.placement}`,
      });
    }
  }
  return [...results, ...reportedObjects(plan).map(objectResult)];
}

/** Returns all changed objects except added and removed ones that the rest of the plan shows. */
export function reportedObjects({ objects }: Plan): readonly AppObjectChange[] {
  return objects.filter(({ change, explained }) => change === 'edited' || !explained);
}

/** The maximum number of fields of an object that are named. */
const shownFields = 5;

function objectResult(object: AppObjectChange): PlanResult {
  const { hub, change, fields, moreFields } = object;
  const app = appIdentity(object);
  const words = fields.slice(0, shownFields).map(valueWords);
  const more = moreFields + Math.max(0, fields.length - shownFields);
  const list = [...words, ...(more === 0 ? [] : [`and ${counted(more, 'more field')}`])].join('; ');
  return {
    rule: 'object-changed',
    severity: 'info',
    message: `${object.object}${hubSuffix(hub)} was ${change}${list === '' ? '' : `: ${list}`}`,
    ...placeInHead([object]),
    identity: `object ${app} ${object.object}`,
  };
}

/** Two hubs can have the same app. */
function appIdentity({ app, hub }: { readonly app: string; readonly hub?: string }): string {
  return hub === undefined ? app : `${hub}/${app}`;
}

function placeInHead(
  sides: readonly { readonly side: string; readonly location?: Location }[],
): Pick<PlanResult, 'location'> {
  const location = sides.find(({ side, location }) => side === 'head' && location !== undefined)?.location;
  return location === undefined ? {} : { location };
}

/** Returns the file and line of a location. Undefined if the location is only a construct. */
export function fileOf(
  location: Location | undefined,
): { file: string; line: number; column: number } | undefined {
  if (location === undefined || 'file' in location) return location;
  return location.source;
}
