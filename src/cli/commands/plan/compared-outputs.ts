import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { counted } from '../../../compiler/model/words.ts';
import { resolutionFile } from '../../../compiler/emit/emit.ts';
import { yamlDocument } from '../../../compiler/emit/yaml.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { resolutionDocument, type Diagnostic, type Resolution } from '../../../compiler/index.ts';
import { outputsIn, type CommittedApp } from '../../../workspace/inputs/committed-app.ts';
import { outputIn } from '../../../workspace/output/earlier-output.ts';
import { differsBelow, findRepository } from '../../../workspace/git.ts';
import { SourceLines } from '../../../workspace/output/source-lines.ts';
import { hasCode } from '../../../workspace/inputs/input-reader.ts';
import type { FileState } from '../../../workspace/revisions.ts';

/** The output folders of two states, relative to the folder of each. */
export interface ComparedOutputs {
  readonly base: string;
  readonly head: string;
}

interface States {
  readonly base: FileState;
  readonly head: FileState;
}

/** An app in two states. */
interface AppFolders {
  readonly app: string;
  /** Its folder, relative to that of each state. */
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the output folders if a plan reads the committed output of apps instead of running their code; undefined if it runs them.
 *
 * @param runApps - undefined if the command line does not decide. Apps are run then if the later state is the working tree, or if
 *   neither state has committed output
 */
export async function comparedOutputs(
  runApps: boolean | undefined,
  outputs: ComparedOutputs,
  { base, head }: States,
  isWorkingTree: boolean,
): Promise<ComparedOutputs | undefined> {
  if (runApps !== undefined) return runApps ? undefined : outputs;
  if (isWorkingTree) return undefined;
  const existing = await Promise.all([
    outputsIn(path.resolve(base.cwd, outputs.base)),
    outputsIn(path.resolve(head.cwd, outputs.head)),
  ]);
  return existing.flat().length > 0 ? outputs : undefined;
}

/** Returns an app in both states if one of them has code for it; undefined if its sources are data, which are read as they are. */
export async function committedApp(
  { app, before, after }: AppFolders,
  outputs: ComparedOutputs,
  { base, head }: States,
): Promise<{ readonly base: CommittedApp; readonly head: CommittedApp } | undefined> {
  const hasSources = await Promise.all([
    isPresent(path.resolve(base.cwd, before)),
    isPresent(path.resolve(head.cwd, after)),
  ]);
  const isCode = hasCode(path.resolve(base.cwd, before)) || hasCode(path.resolve(head.cwd, after));
  if (!isCode && hasSources.includes(true)) return undefined;
  const output = { base: path.join(outputs.base, app), head: path.join(outputs.head, app) };
  return {
    base: { sources: before, output: output.base },
    head: {
      sources: after,
      output: output.head,
      earlier: outputIn(path.resolve(base.cwd, output.base)),
    },
  };
}

/** Returns the apps that have an output in the later state, and sources in neither. */
export async function appsWithoutSources(
  known: readonly AppFolders[],
  outputs: ComparedOutputs,
  { head }: States,
): Promise<readonly AppFolders[]> {
  const names = new Set(known.map(({ app }) => app));
  const [first] = known;
  const folder = path.dirname(first?.after ?? '');
  return (await outputsIn(path.resolve(head.cwd, outputs.head)))
    .filter((app) => !names.has(app))
    .map((app) => ({ app, before: path.join(folder, app), after: path.join(folder, app) }));
}

/** Reports the apps of which a plan compared the output, and which nothing has compared with their sources. */
export function unverifiedOutputs(outputs: readonly string[], label: string): Diagnostic[] {
  if (outputs.length === 0) return [];
  return [
    diagnostic('FW8140', {
      message: `the plan compares the committed output of ${counted(outputs.length, 'app')}, and runs no code of ${label}; it does not verify that the output belongs to the sources`,
      hint: 'run fleetwright synth --check on the change, in a job without secrets',
    }),
  ];
}

/**
 * Reports an output that does not agree with itself: its resolution describes other objects or another fleet. It was edited by hand, or
 * synth did not run after the last change.
 */
export async function staleOutput(
  folder: string,
  cwd: string,
  resolution: Resolution | undefined,
): Promise<Diagnostic[]> {
  const file = path.join(folder, resolutionFile);
  const place = path.join(await realpath(cwd), file);
  if (resolution === undefined || (await realpath(place).catch(() => undefined)) !== place) return [];
  if ((await readFile(place, 'utf8')) === yamlDocument(resolutionDocument(resolution))) return [];
  return [
    diagnostic('FW8141', {
      message: `${folder} is unverified: ${file} does not describe the objects beside it, so the output is stale or was edited by hand`,
      hint: 'run fleetwright synth and commit the result; fleetwright synth --check verifies it',
    }),
  ];
}

/** Reports an app whose sources change between two commits, and whose output does not. */
export async function unchangedOutput(
  { sources, output }: CommittedApp,
  cwd: string,
  { base, head }: States,
): Promise<Diagnostic[]> {
  if (base.commit === undefined || head.commit === undefined) return [];
  const repository = await findRepository(cwd);
  const differ = async (folder: string): Promise<boolean> =>
    await differsBelow(repository, base.commit ?? '', head.commit ?? '', folder);
  if (!(await differ(sources)) || (await differ(output))) return [];
  return [
    diagnostic('FW8141', {
      message: `${output} is unverified: ${sources} changes and the output does not, so the output may be stale`,
      hint: 'run fleetwright synth; fleetwright synth --check verifies that nothing is missing',
    }),
  ];
}

/** Words in the sources of an app for what its output has in another form. */
const losses: Readonly<Record<string, string>> = {
  AddOnParameters:
    'has the compiled configurations of AddOnParameters: causes name these instead of the layers',
  AddOnValues: 'has the compiled configurations of AddOnValues: causes name these instead of the layers',
  ManagerProfile: 'contains no ManagerProfile: the plan does not show the manifests that the manager renders',
};

/** Reports what the output of an app does not contain, and a plan of its sources shows. */
export function outputLosses({ sources, output }: CommittedApp, cwd: string, range: string): Diagnostic[] {
  const lines = new SourceLines(sources, cwd);
  const texts = Object.entries(losses).flatMap(([word, text]) => (lines.mention(word) ? [text] : []));
  return texts.map((text) =>
    diagnostic('FW8144', {
      message: `${output} ${text}`,
      hint: `plan ${range} --run-apps shows it; that runs the code of both states`,
    }),
  );
}

/** Reports objects in the output folder that no sources explain. */
export function outputWithoutSources(folder: string): Diagnostic {
  return diagnostic('FW8141', {
    message: `${folder} is unverified: it has objects, and no app has that name`,
    hint: 'delete the folder, or add the sources of the app; fleetwright synth --check verifies the output',
  });
}

/** Reports that the later state has an app without an output. */
export function missingOutput({ sources, output }: CommittedApp, { label }: FileState): Diagnostic {
  return diagnostic('FW8143', {
    message: `${label} has no output of ${sources} in ${output}, and plan runs no code of a revision`,
    hint: 'run fleetwright synth and commit the output; if the repository commits no output, plan with --run-apps in a job without secrets',
  });
}

/** Reports that the earlier state has an app without an output. */
export function missingEarlierOutput({ sources, output }: CommittedApp, { label }: FileState): Diagnostic {
  return diagnostic('FW8142', {
    message: `${label} has no output of ${sources} in ${output}, so everything in the output of the change counts as added`,
    hint: 'commit the output of synth before the change, or plan with --run-apps in a job without secrets',
  });
}

async function isPresent(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => undefined)) !== undefined;
}
