import type { Severity } from '../codes.ts';
import type { Location } from '../origin.ts';
import { codes } from '../codes.ts';
import type { PlanReport } from './plan-report.ts';
import { counted, permissionWords, quotedAddOn, someOf } from './plan-words.ts';

/** Something in a plan that a reviewer should look at, as annotations and scanners show it. */
export interface PlanResult {
  /** A diagnostic code, or one of `planRules`. */
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence without a full stop. */
  readonly message: string;
  /** In the later state only: what is gone has no line to show it at. */
  readonly location?: Location;
  /** The same for the same thing, wherever it stands and however many clusters it reaches. */
  readonly identity: string;
}

/** What a plan tells besides its findings. */
export const planRules: Readonly<Record<string, string>> = {
  uninstalled: 'Add-on that is uninstalled',
  'permission-widened': 'Hub permission that agents get',
  'rollout-stops': 'Rollout that stops before its end',
};

/** So many clusters are named. */
const names = 10;

/** What the rule of a result is called. */
export function ruleTitle(rule: string): string {
  return (
    planRules[rule] ?? new Map<string, { title: string }>(Object.entries(codes)).get(rule)?.title ?? rule
  );
}

/** The findings, then uninstalls, permissions and stops: one result each, however many clusters it reaches. */
export function planResults({ plan, findings }: PlanReport): PlanResult[] {
  const results: PlanResult[] = findings.map(({ code, severity, message, location, object, path = '' }) => ({
    rule: code,
    severity,
    message,
    ...(location === undefined ? {} : { location }),
    identity: [code, object?.kind, object?.namespace, object?.name, path].join(' '),
  }));
  for (const { app, kind = '', addOn, groups, permissions, rollout } of plan.addOns) {
    const name = quotedAddOn({ ...(kind !== '' && { kind }), addOn });
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
    for (const { message, left } of rollout.stops) {
      results.push({
        rule: 'rollout-stops',
        severity: 'warning',
        message: `the rollout of ${name} stops before ${counted(left.length, 'cluster')} (${someOf(left, names)}): ${message}`,
        identity: `stops ${app} ${addOn} ${message}`,
      });
    }
  }
  return results;
}

function placeInHead(
  written: readonly { readonly side: string; readonly location?: Location }[],
): Pick<PlanResult, 'location'> {
  const location = written.find(({ side, location }) => side === 'head' && location !== undefined)?.location;
  return location === undefined ? {} : { location };
}

/** The file and line of a location; undefined where only a construct is known. */
export function fileOf(
  location: Location | undefined,
): { file: string; line: number; column: number } | undefined {
  if (location === undefined || 'file' in location) return location;
  return location.source;
}
