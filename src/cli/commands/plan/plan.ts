import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { Argv, CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import {
  checkGuardrails,
  type Diagnostic,
  type FailedPlan,
  type PlanReport,
  type PlanTextParts,
  readableReport,
} from '../../../compiler/index.ts';
import { ageWords, changesAnything } from '../../../compiler/report/plan-words.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import type { ApprovedPlan } from '../../../compiler/plan/effects/approved-plan.ts';
import { verifyEffects } from './verify-effects.ts';
import { version } from '../../../workspace/version.ts';
import { approvedPlanIn } from './approved-plan-file.ts';
import { policyFromOption } from './compared-policies.ts';
import { withCompared, type CompareArguments, type Compared } from './compared-states.ts';
import {
  appsOption,
  hubOptions,
  listOption,
  timingOptions,
  type HubArguments,
  type TimingArguments,
  hubAddressOptions,
  policyOption,
} from '../../options.ts';
import { combinedParts, planHub, type HubPart, type UnresolvedHub } from './hub-plan.ts';
import { errorOf, headOf, writeFailure } from './failed-plan.ts';
import { hubSelectionOption } from '../../hub-selection.ts';
import { planFormatNames, planFormats, type PlanFormat } from './plan-formats.ts';
import { guardrailOptions, withFlags, type GuardrailArguments } from './guardrails.ts';
import { mergedCommit } from '../../../workspace/git.ts';
import { codePages } from '../../../workspace/code-pages.ts';
import { isReported } from '../../../workspace/finding-selection.ts';
import { linkBaseOf, planOutputs, removeEarlier, type PlanOutput } from './plan-outputs.ts';
import { parseAge, type Policies } from '../../../workspace/settings/policies.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import { oldSnapshots } from '../../../workspace/inputs/snapshot-age.ts';
import { findingOptions, FindingsReport, type FindingArguments } from '../../terminal/findings-report.ts';
import { readShowSecrets, showSecretsOption } from '../../show-secrets.ts';
import { Stopwatch } from '../../../workspace/stopwatch.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { openWorkspace, stateFromRoot, type Workspace } from '../../../workspace/workspace.ts';
import { lastVerification } from '../../../workspace/verification-file.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { printTimings } from '../../terminal/print-timings.ts';
import { defaultSettings } from '../../../workspace/settings/default-settings.ts';

interface Arguments
  extends HubArguments, GuardrailArguments, CompareArguments, TimingArguments, FindingArguments {
  readonly 'max-age': string | undefined;
  readonly by: string | undefined;
  readonly output: readonly string[];
  readonly 'link-base': string | undefined;
  readonly 'detailed-exit-code': boolean;
  readonly verify: string | undefined;
  readonly 'show-secrets': boolean;
}

/** `plan BASE..HEAD`: the effect of a change on the fleet. */
export function planCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'plan [state..]',
    describe: 'Show the effect of a change: on which clusters, why, and in which order',
    builder: (command) =>
      outputOptions(guardrailOptions(stateOptions(command))).epilogue(
        examples(terminal, {
          'fleetwright plan main..HEAD': 'the effect of a branch',
          'fleetwright plan main --by env': 'the effect of the working tree, counted by the label env',
          'fleetwright plan old/ new/ -o json': 'two folders, for other tools',
          'fleetwright plan main..HEAD -o markdown=plan.md -o html=plan.html -o github':
            'several formats in one run',
          'fleetwright plan main..HEAD --verify plan.json': 'whether the approval of plan.json still counts',
          'fleetwright plan main..HEAD --hub prod-eu': 'the effect of a branch on one hub of the workspace',
          'fleetwright plan --hub-version 1.2..1.3': 'the effect of upgrading the hub',
          'fleetwright plan --against hub': 'the effect of applying the working tree',
        }),
      ),
    handler: async (options) => end(await planStates(options, terminal)),
  };
}

/** The options that select the states, and how they are read. */
function stateOptions(command: Argv) {
  return timingOptions(
    findingOptions(
      policyFromOption(
        policyOption(appsOption(hubAddressOptions(hubSelectionOption(hubOptions(command, true))))),
      ),
    ),
  )
    .positional('state', {
      describe:
        'Git revisions BASE..HEAD; BASE to compare with the working tree; two folders; or none to compare releases',
      type: 'string',
      array: true,
      defaultDescription: 'none',
    })
    .option('against', {
      describe: 'compare the working tree with the hub of the kubeconfig',
      choices: ['hub'],
    })
    .option('app', {
      describe: 'names or folders of apps',
      ...listOption,
      defaultDescription: 'all',
    })
    .option('fleet', {
      describe: 'fleet snapshot in each state: a file or folder; of two folders, that of the current folder',
      ...listOption,
      defaultDescription: 'fleet.yaml, fleet.json or fleet/ of each app, else of the workspace',
    })
    .option('run-apps', {
      describe: 'run the apps of revisions and folders instead of reading their committed output',
      type: 'boolean',
      defaultDescription: 'only without committed output',
    })
    .option('by', {
      describe: 'cluster labels to count the changed clusters by, such as env,region',
      type: 'string',
      defaultDescription: `plan.by of ${settingsFile}, else cluster sets only`,
    })
    .option('max-age', {
      describe: 'maximum age of the fleet snapshot before a warning, such as 12h',
      type: 'string',
      defaultDescription: defaultSettings.maxAge,
    });
}

function outputOptions<T>(command: Argv<T>) {
  return command
    .option('output', {
      ...listOption,
      alias: 'o',
      describe: `format, or FORMAT=FILE: ${planFormatNames.join(', ')}`,
      defaultDescription: 'text',
    })
    .option('link-base', {
      describe: 'URL of the workspace on a Git forge, to which locations in Markdown and HTML link',
      type: 'string',
      defaultDescription: 'no links',
    })
    .option('verify', {
      describe: 'plan.json of the approved plan: fail if the effects are others now',
      type: 'string',
      defaultDescription: 'no verification',
    })
    .option('detailed-exit-code', {
      describe: 'exit 3 if something changes and there are no errors',
      type: 'boolean',
      default: false,
    })
    .option('show-secrets', showSecretsOption);
}

async function planStates(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const outputs = planOutputs(options.output, terminal.cwd);
  const failed = async (code: ExitCode, errors: FailedPlan['errors']): Promise<void> =>
    await writeFailure(
      outputs,
      { ...(await headOf(options.state, terminal.cwd)), exitCode: code, errors },
      terminal,
    );
  try {
    // before the outputs of an earlier run are removed: one of them may be the approved plan
    const approved =
      options.verify === undefined ? undefined : await approvedPlanIn(options.verify, terminal.cwd);
    await removeEarlier(outputs);
    const workspace = await openWorkspace(terminal);
    const inRoot = await fromRoot(options, workspace, terminal.cwd);
    return await planAndPrint(inRoot, { outputs, approved }, workspace.host, failed);
  } catch (error) {
    await failed(exitCode.failure, [errorOf(error)]);
    throw error;
  }
}

/**
 * Returns the options with all paths relative to the root of the workspace. Of two compared folders, each is a root: `--apps` is relative
 * to it, and files of the current folder have absolute paths.
 */
async function fromRoot(options: Arguments, workspace: Workspace, cwd: string): Promise<Arguments> {
  const { state = [], app, apps, fleet, policy } = options;
  const areFolders = state.length > 1;
  const inApps = areFolders ? (given: string) => given : workspace.path;
  const file = areFolders ? (given: string) => path.resolve(cwd, given) : workspace.path;
  return {
    ...options,
    state: areFolders ? await Promise.all(state.map((each) => stateFromRoot(each, workspace, cwd))) : state,
    app: app.map((word) => (word.includes('/') ? workspace.path(word) : word)),
    apps: apps && inApps(apps),
    fleet: fleet.map(file),
    policy: policy && file(policy),
  };
}

async function planAndPrint(
  options: Arguments,
  { outputs, approved }: { outputs: readonly PlanOutput[]; approved: ApprovedPlan | undefined },
  terminal: Terminal,
  failed: (code: ExitCode, errors: FailedPlan['errors']) => Promise<void>,
): Promise<ExitCode> {
  const hidden = outputs.find(({ format, file }) => format !== 'text' || file !== undefined);
  const showSecrets = readShowSecrets({ ...options, output: hidden?.format ?? 'text' }, terminal);
  const linkBase = linkBaseOf(options['link-base']);
  const watch = new Stopwatch(terminal);
  const compare = async (compared: Compared): Promise<ExitCode> => {
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
    if ('errors' in parts) {
      await failed(exitCode.findings, parts.errors);
      return exitCode.findings;
    }
    const planned = combinedParts(parts, { equal, by });
    const verdict = checkGuardrails(planned.plan, guardrails);
    if (verdict.approved) terminal.err('the plan exceeds the guardrails and is approved\n');
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
      (code) =>
        options.app.length + options.hub.length === 0 && isReported(code, 'plan', planned.hasAllFleets),
    );
    const findings = errorsFirst([...selection.select(all), ...problems]);
    const report = {
      ...reportOf({ ...planned, plan: verdict.plan }, compared, {
        findings,
        now,
        merged: await mergedCommit(head.commit, terminal.cwd),
      }),
      ...(linkBase !== undefined && { linkBase }),
      ...(outputs.some(({ format }) => format === 'sarif') && { pages: await codePages(findings) }),
    };
    const { body, summary } = await writeOutputs(outputs, report, watch, terminal);
    terminal.out(body);
    findingsReport.printSelected(findings, planned.texts);
    findingsReport.end(planned.apps);
    const lines = [
      ...planned.snapshots.map(({ file, takenAt }) => `${file} was taken ${ageWords(now - takenAt)} ago`),
      ...(await lastVerifications(compared, terminal)),
      ...(verified === undefined ? [] : [verified.summary]),
    ];
    for (const line of lines) terminal.err(`${terminalLine(line)}\n`);
    // The summary comes last on a terminal, after the findings.
    if (summary !== '' && findings.length + lines.length > 0) terminal.err('\n');
    terminal.out(summary);
    if (findingsReport.hasFailed) return exitCode.findings;
    return options['detailed-exit-code'] && changesAnything(verdict.plan) ? exitCode.changes : exitCode.clean;
  };
  try {
    return await withCompared(options, terminal, watch, compare);
  } finally {
    if (options.timings) printTimings(watch, terminal);
  }
}

/** Returns a line about the last verification of each hub that has one. */
async function lastVerifications({ hubs }: Compared, terminal: Terminal): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name } of hubs) {
    const workspace = await openWorkspace({ ...terminal, ...(name !== undefined && { hub: name }) });
    lines.push(...[(await lastVerification(workspace, terminal.now())) ?? []].flat());
  }
  return lines;
}

/** If a state of a hub does not resolve, there is nothing to compare. Its errors have been reported. */
async function planHubs(
  { hubs, resolveHub }: Compared,
  options: Arguments,
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

/** Writes the report into files; returns the text of the output that goes to the terminal. */
async function writeOutputs(
  outputs: readonly PlanOutput[],
  report: PlanReport,
  watch: Stopwatch,
  terminal: Terminal,
): Promise<PlanTextParts> {
  let printed: PlanTextParts = { body: '', summary: '' };
  for (const { format, file } of outputs) {
    const parts = watch.run('report', () => formatted(report, format, terminal, file));
    if (file === undefined) printed = parts;
    else await writeFile(file, parts.body + parts.summary);
  }
  return printed;
}

/** Returns a report in a format. A file has neither the colors nor the width of the terminal. */
function formatted(
  report: PlanReport,
  format: PlanFormat,
  terminal: Terminal,
  file: string | undefined,
): PlanTextParts {
  const { columns: _columns, ...wide } = terminal;
  // JSON is for programs: its texts stay as they are.
  const shown = format === 'json' ? report : readableReport(report);
  return planFormats[format](shown, file === undefined ? terminal : { ...wide, colorOut: false });
}

function maxAgeOf(options: Arguments, { maxAge }: Policies): number {
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
