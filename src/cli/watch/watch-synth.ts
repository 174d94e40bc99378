import path from 'node:path';
import { counted } from '../../compiler/model/words.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { repeatOnChange } from './repeat-on-change.ts';
import { watchedFiles } from './watched-files.ts';

/** How long the run may take that is under way when the user stops the command, in milliseconds. */
const longestRun = 120_000;

/** The paths of a command line, relative to the folder in which it was started. */
export interface WatchedPaths {
  /** Inputs that may be outside of the workspace. */
  readonly inputs: readonly string[];
  /** Files and folders that a run writes. */
  readonly outputs: readonly string[];
}

/**
 * Runs synth after each change of the workspace, until Ctrl-C. Each run has its own lock and its own processes of
 * apps, and reports its errors.
 *
 * @param run - runs synth once, as on the command line
 */
export async function watchSynth(
  { inputs, outputs }: WatchedPaths,
  terminal: Terminal,
  run: (terminal: Terminal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const absolute = (given: string): string => path.resolve(terminal.cwd, given);
  const stop = stopSignal(longestRun);
  const { root } = await openWorkspace(terminal);
  let written: readonly string[] = [];
  await repeatOnChange({
    stop,
    read: async () => {
      // Settings that are being edited can be invalid.
      written = await outputsOf(terminal).catch(() => written);
      return await watchedFiles(
        [root, ...inputs.map(absolute)],
        new Set([...written, ...outputs.map(absolute)]),
      );
    },
    run: async () => {
      const texts: (() => void)[] = [];
      const code = await run({
        ...terminal,
        out: (text) => texts.push(() => terminal.out(text)),
        err: (text) => texts.push(() => terminal.err(text)),
      });
      // Ctrl-C also ends the processes of apps. The failure that follows is not a fault of the sources.
      if (stop.aborted && code !== exitCode.clean) return;
      for (const print of texts) print();
      if (!stop.aborted) terminal.err('waiting for changes; Ctrl-C ends the command\n');
    },
    onChange: (files) => {
      const [first = ''] = files.map((file) => path.relative(terminal.cwd, file));
      const more = files.length === 1 ? '' : ` and ${counted(files.length - 1, 'more file')}`;
      terminal.err(`\n${terminalLine(first)}${more} changed\n`);
    },
  });
  return exitCode.clean;
}

/** Returns the output folders of all hubs, as absolute paths. */
async function outputsOf({ settingsFiles: _, ...terminal }: Terminal): Promise<readonly string[]> {
  // The settings of the command's start are not those of the next run.
  const { root, settings } = await openWorkspace(terminal);
  return [settings.out, ...settings.hubs.map(({ out }) => out)].map((out) => path.join(root, out));
}
