import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import type { Diagnostic } from '../compiler/diagnostic.ts';
import { checkGuardrails } from '../compiler/plan/guardrails.ts';
import { noKnownContent } from '../compiler/known-content.ts';
import { plan, type AppStates } from '../compiler/plan/plan.ts';
import { planHtml } from '../compiler/report/plan-html.ts';
import { planGithub } from '../compiler/report/plan-github.ts';
import { planJson } from '../compiler/report/plan-json.ts';
import { planJunit } from '../compiler/report/plan-junit.ts';
import { planMarkdown } from '../compiler/report/plan-markdown.ts';
import type { PlanReport } from '../compiler/report/plan-report.ts';
import { planSarif } from '../compiler/report/plan-sarif.ts';
import { planText } from '../compiler/report/plan-text.ts';
import { resolve, type Resolution } from '../compiler/resolve.ts';
import type { ReadOptions } from './inputs.ts';
import {
  hubOptions,
  readHubOptions,
  timingOptions,
  type Hub,
  type HubArguments,
  type TimingArguments,
} from './options.ts';
import { withStates, type FileState, type FileStates } from './plan-states.ts';
import { painter } from './painter.ts';
import { policyFile, readGuardrails, type GuardrailArguments } from './policy.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { resolveInputs, type ResolvedInputs } from './resolve-inputs.ts';
import { Stopwatch } from './stopwatch.ts';
import { CommandError, exitCode, type ExitCode, type Terminal } from './terminal.ts';

interface Arguments extends HubArguments, GuardrailArguments, TimingArguments {
  readonly state: readonly string[];
  readonly app: readonly string[];
  readonly apps: string;
  readonly fleet: readonly string[];
  readonly by: string;
  readonly output: string;
}

/** How a report is written, by the name of its format. */
const formats: Readonly<Record<string, (report: PlanReport, terminal: Terminal) => string>> = {
  text: ({ plan }, terminal) => planText(plan, { paint: painter(terminal), names: 10 }),
  json: (report) => planJson(report),
  markdown: (report) => planMarkdown(report),
  github: (report) => planGithub(report),
  sarif: (report) => planSarif(report),
  junit: (report) => planJunit(report),
  html: (report) => planHtml(report),
};

/** `plan BASE..HEAD`: what a change does to the fleet. */
export function planCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'plan <state..>',
    describe: 'Say what a change does: to which clusters, why, and in which order',
    builder: (command) =>
      timingOptions(hubOptions(command))
        .positional('state', {
          describe: 'Git revisions as BASE..HEAD, or BASE up to the files as they are; or two folders',
          type: 'string',
          array: true,
          demandOption: true,
        })
        .option('app', {
          describe: 'names of folders in the apps folder',
          type: 'string',
          array: true,
          nargs: 1,
          default: [] as string[],
          defaultDescription: 'all',
        })
        .option('apps', { describe: 'the folder of the apps', type: 'string', default: 'apps' })
        .option('fleet', {
          describe: 'the fleet snapshot in each state: a file or folder',
          type: 'string',
          array: true,
          nargs: 1,
          default: [] as string[],
          defaultDescription: 'fleet.yaml, fleet.json or fleet/ of each app',
        })
        .option('by', {
          describe: 'labels of clusters to count the reach by, such as env,region',
          type: 'string',
          default: '',
          defaultDescription: 'cluster sets only',
        })
        .option('policy', {
          describe: 'the file with guardrails',
          type: 'string',
          defaultDescription: `${policyFile}, where it is there`,
        })
        .option('max-uninstalls', {
          describe: 'so many times an add-on may be uninstalled from a cluster',
          type: 'number',
        })
        .option('at-most', {
          describe: 'how many clusters with a label may be reached, such as env=prod:10%',
          type: 'string',
          array: true,
          nargs: 1,
          default: [] as string[],
        })
        .option('protect', {
          describe: 'clusters that may not be reached',
          type: 'string',
          array: true,
          nargs: 1,
          default: [] as string[],
        })
        .option('approve', {
          describe: 'hashes of plans that may exceed the guardrails',
          type: 'string',
          array: true,
          nargs: 1,
          default: [] as string[],
        })
        .option('output', { alias: 'o', describe: 'format', choices: Object.keys(formats), default: 'text' })
        .example('$0 plan main..HEAD', 'what a branch does')
        .example('$0 plan main --by env', 'what the files as they are do, counted by the label env')
        .example('$0 plan old/ new/ -o json', 'two folders, for other tools'),
    handler: async (options) => {
      end(await planAndPrint(options, terminal));
    },
  };
}

async function planAndPrint(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const hub = readHubOptions(options);
  const format = formats[options.output];
  if (format === undefined) throw new Error(`no format ${options.output}`);
  const watch = new Stopwatch(terminal);
  const checkedOut = watch.begin('check out');
  const compare = async (states: FileStates): Promise<ExitCode> => {
    checkedOut();
    const resolved = await resolveStates(options, hub, states, terminal, watch);
    // Without the one state there is nothing to compare the other with; what is wrong with it was said.
    if (resolved === undefined) return exitCode.findings;
    const guardrails = await readGuardrails(options, states.head.cwd);
    const labels = guardrails.atMost.map(({ value }) => value.label);
    const by = [...new Set([...options.by.split(',').filter((label) => label !== ''), ...labels])];
    const { value, diagnostics } = watch.run('compare', () => plan(resolved.apps, { hub: hub.hub, by }));
    const verdict = checkGuardrails(value, guardrails);
    if (verdict.approved) terminal.err('the plan exceeds the guardrails and is approved\n');
    const findings = [...verdict.diagnostics, ...diagnostics, ...states.diagnostics, ...resolved.findings];
    const { base, head } = states;
    const report = { plan: value, base: base.label, head: head.label, findings: errorsFirst(findings) };
    terminal.out(watch.run('report', () => format(report, terminal)));
    const inHead = { ...terminal, cwd: head.cwd };
    return printDiagnostics(report.findings, resolved.texts, inHead) ? exitCode.findings : exitCode.clean;
  };
  try {
    return await withStates(options.state, terminal.cwd, compare);
  } finally {
    checkedOut();
    if (options.timings) watch.print();
  }
}

interface ResolvedStates {
  readonly apps: readonly AppStates[];
  /** What the head has wrong: errors, and warnings that the base does not have. */
  readonly findings: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
}

async function resolveStates(
  options: Arguments,
  hub: Hub,
  { base, head }: FileStates,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<ResolvedStates | undefined> {
  // Both states are resolved for one time where neither the user nor the fleet tells one.
  const now = terminal.now();
  const at = (state: FileState): Terminal => ({ ...terminal, cwd: state.cwd, now: () => now });
  const apps: AppStates[] = [];
  const findings: Diagnostic[] = [];
  const texts = new Map<string, string>();
  // The states have most of their content in common.
  const known = noKnownContent();
  for (const { app, folder } of await appsOf(options, base, head)) {
    const before = await resolveState(folder, options, hub, at(base), { known, watch: watch.of('base') });
    const after = await resolveState(folder, options, hub, at(head), { known, watch: watch.of('head') });
    for (const [state, { resolution, diagnostics, texts }] of [
      [base, before],
      [head, after],
    ] as const) {
      if (resolution !== undefined) continue;
      printDiagnostics(diagnostics, texts, at(state));
      terminal.err(`${state.label} does not resolve, so that there is no plan\n`);
      return undefined;
    }
    for (const [file, text] of after.texts) texts.set(file, text);
    findings.push(...newFindings(before, after));
    if (before.resolution && after.resolution)
      apps.push({ app, base: before.resolution, head: after.resolution });
  }
  return { apps, findings, texts };
}

/** An app in one state; where the state does not have it, the resolution of nothing. */
async function resolveState(
  folder: string,
  { fleet }: Arguments,
  hub: Hub,
  terminal: Terminal,
  read: ReadOptions,
): Promise<ResolvedInputs> {
  const found = await stat(path.resolve(terminal.cwd, folder)).catch(() => undefined);
  if (found !== undefined) return await resolveInputs({ path: [folder], fleet }, hub, terminal, read);
  return { resolution: nothing(hub, terminal), diagnostics: [], texts: new Map() };
}

function nothing({ hub, now }: Hub, terminal: Terminal): Resolution | undefined {
  return resolve([], { now: now ?? terminal.now(), hub }).value;
}

/** Errors count whoever made them; other findings only where the change did. */
function newFindings(before: ResolvedInputs, after: ResolvedInputs): readonly Diagnostic[] {
  const keyOf = ({ code, message, object }: Diagnostic): string => JSON.stringify([code, message, object]);
  const known = new Set(before.diagnostics.map(keyOf));
  return after.diagnostics.filter(
    (diagnostic) => diagnostic.severity === 'error' || !known.has(keyOf(diagnostic)),
  );
}

function errorsFirst(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))];
}

interface NamedApp {
  readonly app: string;
  /** Relative to the state's folder. */
  readonly folder: string;
}

/**
 * The apps of either state, by name. Where neither has a folder of apps, the states themselves are read as one.
 *
 * @throws CommandError where an app that the user named is in neither state.
 */
async function appsOf(
  { app, apps }: Arguments,
  base: FileState,
  head: FileState,
): Promise<readonly NamedApp[]> {
  const found = await Promise.all([base, head].map(({ cwd }) => foldersIn(path.resolve(cwd, apps))));
  const known = new Set(found.flatMap((names) => names ?? []));
  for (const name of app) {
    if (!known.has(name))
      throw new CommandError(`there is no app ${name}`, `neither state has ${path.join(apps, name)}`);
  }
  if (found.every((names) => names === undefined)) return [{ app: '', folder: '.' }];
  const names = app.length > 0 ? app : [...known].sort();
  if (names.length === 0) throw new CommandError(`${apps} has no apps: folders with an app.ts or YAML`);
  return names.map((name) => ({ app: name, folder: path.join(apps, name) }));
}

/** The names of the folders in a folder; undefined where it is not there. */
async function foldersIn(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return entries
    ?.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
}
