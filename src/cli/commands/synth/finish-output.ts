import path from 'node:path';
import { counted } from '../../../compiler/model/words.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import type { CompletedOutput } from '../../../workspace/output/compile-app.ts';
import { isHubOutput, removeOutput } from '../../../workspace/output/hub-outputs.ts';
import { conflictsIn } from '../../../workspace/output/output-faults.ts';
import {
  type FolderDifference,
  compareFolder,
  writeFolder,
} from '../../../workspace/output/output-folder.ts';
import type { RootKustomization } from '../../../workspace/output/root-kustomization.ts';
import type { StageKustomizations } from '../../../workspace/output/stage-kustomizations.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** One app and its output folder. */
export interface Compiled extends CompletedOutput {
  readonly name: string;
  readonly folder: string;
}

/** What synth writes beside the folders of the apps. */
export interface OutputOfAllApps {
  readonly root: RootKustomization;
  /** Its file, relative to the working folder. */
  readonly rootFile: string;
  readonly stages: StageKustomizations;
  /** Their folder, relative to the working folder. */
  readonly stagesFolder: string;
}

/** Writes the folders of the apps, and removes those of apps that no longer exist. */
export async function write(
  compiled: readonly Compiled[],
  obsolete: readonly string[],
  { root, stages }: OutputOfAllApps,
  terminal: Terminal,
): Promise<ExitCode> {
  for (const { name, folder, tree, memory, summary } of compiled) {
    const conflicts = await conflictsIn(path.resolve(terminal.cwd, folder));
    const isChanged = await writeFolder(path.resolve(terminal.cwd, folder), tree, memory);
    if (conflicts.size > 0)
      print(terminal, `${name}: wrote ${counted(conflicts.size, 'file')} with conflict markers again`);
    print(terminal, `${name}: ${summary} -> ${folder}${isChanged ? '' : ' (unchanged)'}`);
  }
  for (const folder of obsolete) {
    const what = await missingWords(folder, terminal.cwd);
    await removeOutput(path.resolve(terminal.cwd, folder));
    print(terminal, `${path.basename(folder)}: ${what}, removed ${folder}`);
  }
  await stages.write();
  await root.write();
  return exitCode.clean;
}

export async function check(
  compiled: readonly Compiled[],
  obsolete: readonly string[],
  { root, rootFile, stages, stagesFolder: folderOfStages }: OutputOfAllApps,
  terminal: Terminal,
): Promise<ExitCode> {
  let different = obsolete.length > 0;
  for (const folder of obsolete)
    print(
      terminal,
      `${path.basename(folder)}: ${await missingWords(folder, terminal.cwd)}, but there is ${folder}`,
    );
  for (const { name, folder, tree, memory, summary } of compiled) {
    const lines = changes(await compareFolder(path.resolve(terminal.cwd, folder), tree, memory));
    if (lines.length === 0) {
      print(terminal, `${name}: ${summary}, as in ${folder}`);
      continue;
    }
    different = true;
    print(terminal, `${name}: ${folder} is not what the app produces`, ...lines.map((line) => `  ${line}`));
  }
  if (!(await root.isCurrent())) {
    different = true;
    terminal.out(`${rootFile} does not match these apps\n`);
  }
  if (!(await stages.isCurrent())) {
    different = true;
    terminal.out(`${folderOfStages} does not match these apps\n`);
  }
  if (different) terminal.err('run synth and commit its output\n');
  return different ? exitCode.findings : exitCode.clean;
}

async function missingWords(folder: string, cwd: string): Promise<string> {
  return `the ${(await isHubOutput(path.resolve(cwd, folder))) ? 'hub' : 'app'} no longer exists`;
}

/** Names of apps and files are names of folders, which anyone may have chosen. */
export function print(terminal: Terminal, ...lines: readonly string[]): void {
  terminal.out(lines.map((line) => `${terminalLine(line)}\n`).join(''));
}

function changes({ missing, changed, stale }: FolderDifference): string[] {
  return [
    ...missing.map((name) => `missing  ${name}`),
    ...changed.map((name) => `changed  ${name}`),
    ...stale.map((name) => `stale    ${name}`),
  ];
}
