import { checkGuardrails, type Diagnostic, type PlanReport } from '../../../compiler/index.ts';
import type { ApprovedPlan } from '../../../compiler/plan/effects/approved-plan.ts';
import { ageWords } from '../../../compiler/report/plan-words.ts';
import { isReported } from '../../../workspace/finding-selection.ts';
import { mergedCommit } from '../../../workspace/git.ts';
import { oldSnapshots } from '../../../workspace/inputs/snapshot-age.ts';
import { parseAge, type Policies } from '../../../workspace/settings/policies.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { lastVerification } from '../../../workspace/verification-file.ts';
import { version } from '../../../workspace/version.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { FindingsReport } from '../../terminal/findings-report.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Compared } from './compared-states.ts';
import { withFlags } from './guardrails.ts';
import { combinedParts, planHub, type HubPart, type UnresolvedHub } from './hub-plan.ts';
import type { PlanArguments } from './plan-arguments.ts';
import { verifyEffects } from './verify-effects.ts';

/** The effect of a change, before it is written in any format. */
export interface PlannedChange {
  readonly report: PlanReport;
  /** Prints the findings of the report, which it has selected. */
  readonly findingsReport: FindingsReport;
  /** The texts that findings point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** The number of apps. */
  readonly apps: number;
  /** Whether the plan exceeds the guardrails and is approved. */
  readonly isApproved: boolean;
  /** Sentences about the ages of what the plan is based on. */
  readonly ages: readonly string[];
  /** Whether an earlier approval counts, if the command line names one. */
  readonly verification: string | undefined;
}

/** What every plan of a command line has in common. */
export interface PlanningContext {
  readonly options: PlanArguments;
  readonly approved: ApprovedPlan | undefined;
  readonly showSecrets: boolean;
  readonly watch: Stopwatch;
  readonly terminal: Terminal;
}

/** Plans the change between two states. If one of them does not resolve, its errors are reported and returned. */
export async function plannedChange(
  compared: Compared,
  { options, approved, showSecrets, watch, terminal }: PlanningContext,
): Promise<PlannedChange | UnresolvedHub> {
  const { base, head, policies, equal, by } = compared;
  const now = terminal.now();
  const findingsReport = new FindingsReport(
    policies.findings,
    options,
    { ...terminal, cwd: head.cwd },
    { coversErrors: (accepted) => !policies.acceptedByChange.includes(accepted) },
  );
  const { selection } = findingsReport;
  const guardrails = withFlags(policies.guardrails, options);
  const context = { base, head, equal, policies, guardrails, selection, showSecrets, watch, terminal };
  const parts = await planHubs(compared, options, context);
  if ('errors' in parts) return parts;
  const planned = combinedParts(parts, { equal, by });
  const verdict = checkGuardrails(planned.plan, guardrails);
  const labels = { base: base.label, head: head.label };
  const verified = approved && verifyEffects(approved.effects, verdict.plan.effects, labels);
  const all = [
    ...(verified?.diagnostics ?? []),
    ...verdict.diagnostics,
    ...compared.diagnostics,
    ...policies.diagnostics,
    ...planned.findings,
    ...oldSnapshots(planned.snapshots, maxAgeOf(options, policies), now),
  ];
  const problems = selection.problems(
    (code) => options.app.length + options.hub.length === 0 && isReported(code, 'plan', planned.hasAllFleets),
  );
  const findings = errorsFirst([...selection.select(all), ...problems]);
  return {
    report: reportOf({ ...planned, plan: verdict.plan }, compared, {
      findings,
      now,
      merged: await mergedCommit(head.commit, terminal.cwd),
    }),
    findingsReport,
    texts: planned.texts,
    apps: planned.apps,
    isApproved: verdict.approved,
    ages: [
      ...planned.snapshots.map(({ file, takenAt }) => `${file} was taken ${ageWords(now - takenAt)} ago`),
      ...(await lastVerifications(compared, terminal)),
    ],
    verification: verified?.summary,
  };
}

/** Returns a line about the last verification of each hub that has one. */
async function lastVerifications({ hubs }: Compared, terminal: Terminal): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name } of hubs) {
    const workspace = await openWorkspace({ ...terminal, ...(name !== undefined && { hub: name }) });
    lines.push(...[lastVerification(workspace, terminal.now()) ?? []].flat());
  }
  return lines;
}

/** If a state of a hub does not resolve, there is nothing to compare. Its errors have been reported. */
async function planHubs(
  { hubs, resolveHub }: Compared,
  options: PlanArguments,
  context: Parameters<typeof planHub>[3],
): Promise<readonly HubPart[] | UnresolvedHub> {
  const parts: HubPart[] = [];
  for (const hub of hubs) {
    const part = await planHub(hub, resolveHub, options, context);
    if ('errors' in part) return part;
    parts.push(part);
  }
  return parts;
}

function reportOf(
  { plan, engines, release, snapshots, promotions }: ReturnType<typeof combinedParts>,
  { base, head }: Pick<Compared, 'base' | 'head'>,
  { findings, now, merged }: { findings: readonly Diagnostic[]; now: number; merged: string | undefined },
): PlanReport {
  const [engine, ...otherEngines] = engines;
  const commits = {
    ...(base.commit !== undefined && { base: base.commit }),
    ...(head.commit !== undefined && { head: head.commit }),
    ...(merged !== undefined && { merged }),
  };
  return {
    plan,
    base: base.label,
    head: head.label,
    ...(Object.keys(commits).length > 0 && { commits }),
    release,
    findings,
    snapshots: snapshots.map(({ file, takenAt }) => ({
      file,
      takenAt: new Date(takenAt).toISOString().replace(/\.\d+Z$/, 'Z'),
    })),
    ...(engine && { engine }),
    ...(otherEngines.length > 0 && { otherEngines }),
    ...(promotions.length > 0 && { promotions }),
    plannedAt: now,
    version,
  };
}

function maxAgeOf(options: PlanArguments, { maxAge }: Policies): number {
  const written = options['max-age'];
  if (written === undefined) return maxAge;
  const age = parseAge(written);
  if (age === undefined)
    throw new UserError(`--max-age ${written} is not a valid age`, 'use the form 7d or 12h');
  return age;
}

function errorsFirst(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))];
}
