import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import {
  type AppStates,
  checkGuardrails,
  checkPolicies,
  type Diagnostic,
  newFindings,
  plan,
  planGithub,
  planHtml,
  planJson,
  planJunit,
  planMarkdown,
  type PlanReport,
  planSarif,
  planTextParts,
  type PlanTextParts,
  readableReport,
  type Resolution,
} from '../../../compiler/index.ts';
import { hasFleet } from '../../../compiler/needs-fleet.ts';
import { removedOverrides } from '../../../compiler/check/overrides/pruned-overrides.ts';
import { idleGuardrails } from '../../../compiler/plan/guardrails.ts';
import { removedApps } from '../../../compiler/plan/removed-apps.ts';
import { unknownLabels } from '../../../compiler/plan/unknown-labels.ts';
import { ageWords, changesAnything } from '../../../compiler/report/plan-words.ts';
import { terminalLine } from '../../../compiler/report/terminal-line.ts';
import { policyFromOption, type ComparedPolicies } from './compared-policies.ts';
import { withCompared, type AppPair, type CompareArguments, type Compared } from './compared-states.ts';
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
import { painter } from '../../terminal/painter.ts';
import { withFlags, type GuardrailArguments } from './guardrails.ts';
import { codePages } from '../../../workspace/code-pages.ts';
import { emptiedApp, isEmptied } from '../../../workspace/emptied-apps.ts';
import { FindingSelection, isReported } from '../../../workspace/finding-selection.ts';
import { missingFleet } from '../../../workspace/missing-fleet.ts';
import type { Snapshot } from '../../../workspace/inputs.ts';
import {
  linkBaseOf,
  planFormats,
  planOutputs,
  removeEarlier,
  type PlanFormat,
  type PlanOutput,
} from './plan-outputs.ts';
import { planEngine } from './plan-engine.ts';
import { parseAge, type Policies } from '../../../workspace/policies.ts';
import { settingsFile } from '../../../workspace/settings.ts';
import { oldSnapshots } from '../../../workspace/snapshot-age.ts';
import { findingOptions, FindingsReport, type FindingArguments } from '../../terminal/findings-report.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import { readShowSecrets, showSecretsOption } from '../../show-secrets.ts';
import { Stopwatch } from '../../../workspace/stopwatch.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { openWorkspace, stateFromRoot, type Workspace } from '../../../workspace/workspace.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { printTimings } from '../../terminal/print-timings.ts';

interface Arguments
  extends HubArguments, GuardrailArguments, CompareArguments, TimingArguments, FindingArguments {
  readonly 'max-age': string | undefined;
  readonly by: string | undefined;
  readonly output: readonly string[];
  readonly 'link-base': string | undefined;
  readonly 'detailed-exit-code': boolean;
  readonly 'show-secrets': boolean;
}

/** The writer of each report format, by name; the part that follows the findings is separate. */
const formats: Readonly<Record<PlanFormat, (report: PlanReport, terminal: Terminal) => PlanTextParts>> = {
  text: ({ plan, engine }, terminal) =>
    planTextParts(plan, {
      paint: painter(terminal),
      names: 10,
      ...(engine && { engine }),
      ...(terminal.columns !== undefined && { columns: terminal.columns }),
    }),
  json: (report) => ({ body: planJson(report), summary: '' }),
  markdown: (report) => ({ body: planMarkdown(report), summary: '' }),
  github: (report) => ({ body: planGithub(report), summary: '' }),
  sarif: (report) => ({ body: planSarif(report), summary: '' }),
  junit: (report) => ({ body: planJunit(report), summary: '' }),
  html: (report) => ({ body: planHtml(report), summary: '' }),
};

/** `plan BASE..HEAD`: the effect of a change on the fleet. */
export function planCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'plan [state..]',
    describe: 'Show the effect of a change: on which clusters, why, and in which order',
    builder: (command) =>
      timingOptions(
        findingOptions(policyFromOption(policyOption(appsOption(hubAddressOptions(hubOptions(command)))))),
      )
        .positional('state', {
          describe: 'Git revisions BASE..HEAD; BASE to compare with the working tree; or two folders',
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
          describe: 'fleet snapshot in each state: a file or folder',
          ...listOption,
          defaultDescription: 'fleet.yaml, fleet.json or fleet/ of each app, else of the workspace',
        })
        .option('by', {
          describe: 'cluster labels to count the changed clusters by, such as env,region',
          type: 'string',
          defaultDescription: `plan.by of ${settingsFile}, else cluster sets only`,
        })
        .option('max-age', {
          describe: 'maximum age of the fleet snapshot before a warning, such as 12h',
          type: 'string',
          defaultDescription: '7d',
        })
        .option('max-uninstalls', {
          group: 'Guardrails:',
          describe: 'maximum number of uninstalls',
          type: 'number',
          defaultDescription: 'no limit',
        })
        .option('at-most', {
          group: 'Guardrails:',
          describe: 'maximum number of changed clusters per label, such as env=prod:10%',
          ...listOption,
          defaultDescription: 'no limit',
        })
        .option('protect', {
          group: 'Guardrails:',
          describe: 'clusters that must not change',
          ...listOption,
          defaultDescription: 'none',
        })
        .option('approve', {
          group: 'Guardrails:',
          describe: 'hashes of plans that are allowed to exceed the guardrails',
          ...listOption,
          defaultDescription: 'none',
        })
        .option('output', {
          ...listOption,
          alias: 'o',
          describe: `format, or FORMAT=FILE: ${planFormats.join(', ')}`,
          defaultDescription: 'text',
        })
        .option('link-base', {
          describe: 'URL of the workspace on a Git forge, to which locations in Markdown and HTML link',
          type: 'string',
          defaultDescription: 'no links',
        })
        .option('detailed-exit-code', {
          describe: 'exit 3 if something changes and there are no errors',
          type: 'boolean',
          default: false,
        })
        .option('show-secrets', showSecretsOption)
        .epilogue(
          examples(terminal, {
            'fleetwright plan main..HEAD': 'the effect of a branch',
            'fleetwright plan main --by env': 'the effect of the working tree, counted by the label env',
            'fleetwright plan old/ new/ -o json': 'two folders, for other tools',
            'fleetwright plan main..HEAD -o markdown=plan.md -o html=plan.html -o github':
              'several formats in one run',
            'fleetwright plan --against hub': 'the effect of applying the working tree',
          }),
        ),
    handler: async (options) => {
      const workspace = await openWorkspace(terminal);
      const inRoot = await fromRoot(options, workspace, terminal.cwd);
      const outputs = planOutputs(options.output, terminal.cwd);
      end(await planAndPrint(inRoot, outputs, workspace.host));
    },
  };
}

/**
 * Returns the options with all paths relative to the root of the workspace, except for those that are relative to two
 * folders.
 */
async function fromRoot(options: Arguments, workspace: Workspace, cwd: string): Promise<Arguments> {
  const { state = [], app, apps, fleet, policy } = options;
  const areFolders = state.length > 1;
  const path = areFolders ? (given: string) => given : workspace.path;
  return {
    ...options,
    state: areFolders ? await Promise.all(state.map((each) => stateFromRoot(each, workspace, cwd))) : state,
    app: app.map((word) => (word.includes('/') ? workspace.path(word) : word)),
    apps: apps && path(apps),
    fleet: fleet.map(path),
    policy: policy && path(policy),
  };
}

async function planAndPrint(
  options: Arguments,
  outputs: readonly PlanOutput[],
  terminal: Terminal,
): Promise<ExitCode> {
  const hidden = outputs.find(({ format, file }) => format !== 'text' || file !== undefined);
  const showSecrets = readShowSecrets({ ...options, output: hidden?.format ?? 'text' }, terminal);
  const linkBase = linkBaseOf(options['link-base']);
  await removeEarlier(outputs);
  const watch = new Stopwatch(terminal);
  const compare = async ({
    base,
    head,
    target,
    baseHub,
    settings,
    policies,
    states,
    diagnostics,
  }: Compared): Promise<ExitCode> => {
    const inHead = { ...terminal, cwd: head.cwd };
    const now = terminal.now();
    const findingsReport = new FindingsReport(policies.findings, options, inHead, {
      coversErrors: (accepted) => !policies.acceptedByChange.includes(accepted),
    });
    const { selection } = findingsReport;
    const resolved = resolvedStates(states, policies, { base, head, selection }, terminal);
    // Without one of the states, there is nothing to compare. Its errors have been reported.
    if (resolved === undefined) return exitCode.findings;
    const guardrails = withFlags(policies.guardrails, options);
    const labels = options.by?.split(',').filter((label) => label !== '') ?? settings.by;
    const by = [...new Set([...labels, ...guardrails.atMost.map(({ value }) => value.label)])];
    const engine = settings.engine ?? 'argocd';
    const { value, diagnostics: steps } = watch.run('compare', () =>
      plan(resolved.apps, {
        hub: target.hub,
        baseHub,
        by,
        allObjects: options.against === undefined,
        engine,
        showSecrets,
        sensitive: policies.sensitive,
      }),
    );
    // The hub's earlier objects are not all known, so neither are those that the engine deletes.
    const engineEffects =
      options.against === undefined
        ? await planEngine(resolved.apps, value, base.cwd, target, engine)
        : undefined;
    const verdict = checkGuardrails(value, guardrails);
    if (verdict.approved) terminal.err('the plan exceeds the guardrails and is approved\n');
    const all = [
      ...verdict.diagnostics,
      ...steps,
      ...removedApps(resolved.apps, engine),
      ...resolved.apps.flatMap((app) => removedOverrides(app.base, app.head, engine)),
      ...diagnostics,
      ...policies.diagnostics,
      ...(options.app.length === 0 ? idleGuardrails(resolved.apps, guardrails) : []),
      ...unknownLabels(resolved.apps, labels),
      ...resolved.findings,
      ...missingFleet(
        resolved.apps.map(({ app, head: { inventory } }) =>
          app === '' ? { inventory } : { app: path.join(options.apps ?? settings.apps, app), inventory },
        ),
      ),
      ...oldSnapshots(resolved.snapshots, maxAgeOf(options, policies), now),
    ];
    const hasAllFleets = resolved.apps.every(({ head: { inventory } }) => hasFleet(inventory));
    const problems = selection.problems(
      (code) => options.app.length === 0 && isReported(code, 'plan', hasAllFleets),
    );
    const findings = errorsFirst([...selection.select(all), ...problems]);
    const snapshots = resolved.snapshots.map(({ file, takenAt }) => ({
      file,
      takenAt: new Date(takenAt).toISOString().replace(/\.\d+Z$/, 'Z'),
    }));
    const commits = {
      ...(base.commit !== undefined && { base: base.commit }),
      ...(head.commit !== undefined && { head: head.commit }),
    };
    const report = {
      plan: value,
      base: base.label,
      head: head.label,
      ...(Object.keys(commits).length > 0 && { commits }),
      release: target.hub.name,
      findings,
      snapshots,
      ...(engineEffects && { engine: engineEffects }),
      plannedAt: now,
      ...(linkBase !== undefined && { linkBase }),
      ...(outputs.some(({ format }) => format === 'sarif') && { pages: await codePages(findings) }),
    };
    let printed: PlanTextParts = { body: '', summary: '' };
    for (const { format, file } of outputs) {
      const parts = watch.run('report', () => formatted(report, format, terminal, file));
      if (file === undefined) printed = parts;
      else await writeFile(file, parts.body + parts.summary);
    }
    const { body, summary } = printed;
    terminal.out(body);
    findingsReport.printSelected(findings, resolved.texts);
    findingsReport.end(resolved.apps.length);
    for (const { file, takenAt } of resolved.snapshots)
      terminal.err(`${terminalLine(file)} was taken ${ageWords(now - takenAt)} ago\n`);
    // The summary comes last on a terminal, after the findings.
    if (summary !== '' && findings.length + resolved.snapshots.length > 0) terminal.err('\n');
    terminal.out(summary);
    if (findingsReport.hasFailed) return exitCode.findings;
    return options['detailed-exit-code'] && changesAnything(value) ? exitCode.changes : exitCode.clean;
  };
  try {
    return await withCompared(options, terminal, watch, compare);
  } finally {
    if (options.timings) printTimings(watch, terminal);
  }
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
  return formats[format](shown, file === undefined ? terminal : { ...wide, colorOut: false });
}

function maxAgeOf(options: Arguments, { maxAge }: Policies): number | undefined {
  const written = options['max-age'];
  if (written === undefined) return maxAge;
  const age = parseAge(written);
  if (age === undefined)
    throw new UserError(`--max-age ${written} is not a valid age`, 'use the form 7d or 12h');
  return age;
}

interface ResolvedStates {
  readonly apps: readonly (AppStates & Pick<AppPair, 'isRemoved'>)[];
  /** The findings of the head: errors, and warnings that the base does not have. */
  readonly findings: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
  readonly snapshots: readonly Snapshot[];
}

/**
 * Returns both states of all apps, verified against the policies; undefined if one does not resolve. Its errors are
 * reported.
 */
function resolvedStates(
  states: readonly AppPair[],
  { policies, texts: policyTexts, findingsOfBase }: ComparedPolicies,
  { base, head, selection }: Pick<Compared, 'base' | 'head'> & Pick<FindingsReport, 'selection'>,
  terminal: Terminal,
): ResolvedStates | undefined {
  const apps: ResolvedStates['apps'][number][] = [];
  const findings: Diagnostic[] = [];
  const inBase = new FindingSelection(findingsOfBase, { now: terminal.now(), quiet: false });
  const texts = new Map(policyTexts);
  const snapshots = new Map<string, Snapshot>();
  for (const { app, before, after, folder, baseOnSameFleet, isRemoved } of states) {
    for (const [state, { resolution, diagnostics, texts }] of [
      [base, before],
      [head, after],
    ] as const) {
      if (resolution !== undefined) continue;
      printDiagnostics(diagnostics, texts, { ...terminal, cwd: state.cwd });
      terminal.err(`${state.label} cannot be resolved, so that there is no plan\n`);
      return undefined;
    }
    if (before.resolution === undefined || after.resolution === undefined) continue;
    for (const [file, text] of after.texts) texts.set(file, text);
    for (const snapshot of after.snapshots) snapshots.set(snapshot.file, snapshot);
    apps.push({
      app,
      base: before.resolution,
      head: after.resolution,
      ...(baseOnSameFleet && { baseOnSameFleet }),
      isRemoved,
    });
    const isLost = isEmptied(after.resolution.inventory) && !isEmptied(before.resolution.inventory);
    if (folder !== undefined && isLost) findings.push(emptiedApp(folder));
    const findingsIn = (state: Resolution, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
      ...diagnostics,
      ...checkPolicies(state, policies),
    ];
    // A finding that the base accepts and the head does not is new.
    const earlier = inBase.select(findingsIn(before.resolution, before.diagnostics));
    const later = selection.select(findingsIn(after.resolution, after.diagnostics));
    findings.push(...newFindings(earlier, later));
  }
  return { apps, findings, texts, snapshots: [...snapshots.values()] };
}

function errorsFirst(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))];
}
