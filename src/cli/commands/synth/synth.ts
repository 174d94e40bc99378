import path from 'node:path';
import type { CommandModule } from 'yargs';
import { engines } from '../../../compiler/index.ts';
import { readSteadily } from '../../../workspace/lock/steady.ts';
import { writing } from '../../../workspace/lock/writing.ts';
import { defaultSettings } from '../../../workspace/settings/default-settings.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import { Stopwatch } from '../../../workspace/stopwatch.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { examples } from '../../examples.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { hubSelectionOption } from '../../hub-selection.ts';
import { appsOption, fleetOption, hubOptions, policyOption, timingOptions } from '../../options.ts';
import { findingOptions } from '../../terminal/findings-report.ts';
import { printTimings } from '../../terminal/print-timings.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { watchSynth } from '../../watch/watch-synth.ts';
import { synthHubs } from './synth-hubs.ts';
import { type SynthArguments, fromRoot } from './synth-options.ts';

/**
 * `synth [app…]`: compile apps/ into dist/.
 *
 * @param repeat - runs this command line again without `--watch`
 */
export function synthCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
  repeat: (terminal: Terminal) => Promise<ExitCode>,
): CommandModule<object, SynthArguments> {
  return {
    command: 'synth [app..]',
    describe: 'Compile apps into YAML for Argo CD or Flux',
    builder: (command) =>
      timingOptions(findingOptions(policyOption(appsOption(hubSelectionOption(hubOptions(command))))))
        .positional('app', {
          describe: 'names or folders of apps',
          type: 'string',
          array: true,
          default: [] as string[],
          defaultDescription: 'all',
        })
        .option('out', {
          describe: 'output folder, with one subfolder per app, or per hub and app',
          type: 'string',
          defaultDescription: `out of ${settingsFile}, else ${defaultSettings.out}`,
        })
        .option('fleet', fleetOption('of each app'))
        .option('engine', {
          describe: 'GitOps engine, which determines how the output expresses its order',
          choices: engines,
          defaultDescription: `engine of ${settingsFile}, else ${defaultSettings.engine}`,
        })
        .option('check', {
          describe: 'write nothing; exit 1 if the output is outdated',
          type: 'boolean',
          default: false,
        })
        .option('base', {
          describe: 'revision whose objects the output keeps: clusters may still use them',
          type: 'string',
          defaultDescription: 'base of the request in CI, else where the branch left origin, else HEAD^',
        })
        .option('allow-empty', {
          describe: 'allow apps that no longer have objects, and outputs of another apps folder',
          type: 'boolean',
          default: false,
        })
        .option('provenance', {
          describe: 'write an in-toto statement with the digests of inputs and output to this file',
          type: 'string',
          defaultDescription: 'no statement',
        })
        .option('watch', {
          describe: 'compile again after each change of the workspace, until Ctrl-C',
          type: 'boolean',
          default: false,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright synth': 'every app',
            'fleetwright synth helloworld --check': 'in a pull request: is dist/helloworld up to date?',
            'fleetwright synth --watch': 'while you edit',
            'fleetwright synth --check --provenance dist.intoto.json':
              'in CI: the provenance of dist, for signing',
          }),
        ),
    handler: async (options) => {
      if (options.watch === true) end(await watchSynth(watchedPaths(options), terminal, repeat));
      else await synthOnce(options, terminal, end);
    },
  };
}

function watchedPaths({ fleet, policy, out, provenance }: SynthArguments): {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
} {
  const given = (file: string | undefined): readonly string[] => (file === undefined ? [] : [file]);
  return { inputs: [...fleet, ...given(policy)], outputs: [...given(out), ...given(provenance)] };
}

async function synthOnce(
  options: SynthArguments,
  terminal: Terminal,
  end: (code: ExitCode) => void,
): Promise<void> {
  const watch = new Stopwatch(terminal);
  const workspace = await openWorkspace(terminal);
  const { out } = fromRoot(options, workspace);
  const synthesize = async (): Promise<ExitCode> => await synthHubs(options, terminal, watch);
  end(
    options.check
      ? await checkSteadily(path.resolve(workspace.root, out), options, terminal, watch)
      : await writing(out, 'synth', workspace.host, synthesize),
  );
  if (options.timings) printTimings(watch, terminal);
}

/** Compares the output without a lock: again, if another run wrote it in the meantime. Only the last result is printed. */
async function checkSteadily(
  out: string,
  options: SynthArguments,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<ExitCode> {
  let printed: (() => void)[] = [];
  const held: Terminal = {
    ...terminal,
    out: (text) => printed.push(() => terminal.out(text)),
    err: (text) => printed.push(() => terminal.err(text)),
  };
  try {
    return await readSteadily({
      out,
      read: async () => {
        printed = [];
        return await synthHubs(options, held, watch);
      },
      isSuspect: (code) => code !== exitCode.clean,
    });
  } finally {
    for (const print of printed) print();
  }
}
