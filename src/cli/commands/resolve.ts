import { checkNamedApps } from '../../workspace/settings/named-apps.ts';
import type { CommandModule } from 'yargs';
import { examples } from '../examples.ts';
import { hubObjects } from '../../compiler/index.ts';
import { yamlDocument } from '../../compiler/emit/yaml.ts';
import { previewRelease } from '../../workspace/settings/preview-release.ts';
import { goJson } from '../../base/json/go-json.ts';
import { missingFleet } from '../../workspace/inputs/missing-fleet.ts';
import { resolveInputs } from '../../workspace/inputs/resolve-inputs.ts';
import {
  hubOptions,
  inputOptions,
  readHubOptions,
  timingOptions,
  type HubArguments,
  type InputArguments,
  type TimingArguments,
} from '../options.ts';
import { findingsReport } from '../terminal/findings-report.ts';
import { Stopwatch } from '../../workspace/stopwatch.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { openWorkspace, pathsOrAllApps } from '../../workspace/workspace.ts';
import { hubSelectionOption, oneHub, type HubSelection } from '../hub-selection.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { printTimings } from '../terminal/print-timings.ts';

interface Arguments extends HubArguments, InputArguments, TimingArguments, HubSelection {
  readonly output: string;
}

/** `resolve [PATH…]`: the objects that the hub will hold. */
export function resolveCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'resolve [path..]',
    describe: 'Print the objects that the hub will have',
    builder: (command) =>
      timingOptions(hubSelectionOption(hubOptions(inputOptions(command))))
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: ['yaml', 'json'],
          default: 'yaml',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright resolve apps/helloworld': 'an app, with the fleet next to it',
            'fleetwright resolve manifests/ --fleet fleet.yaml -o json':
              'plain YAML against a fleet snapshot',
          }),
        ),
    handler: async (options) => {
      const what = 'resolve prints the objects of one hub, and the workspace has several';
      end(await resolveAndPrint(options, await oneHub(terminal, options, what)));
    },
  };
}

async function resolveAndPrint(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { root, settings } = await openWorkspace(terminal);
  await checkNamedApps(root, settings);
  const target = readHubOptions(options, settings);
  const watch = new Stopwatch(terminal);
  const inputs = { path: await pathsOrAllApps(options.path, terminal), fleet: options.fleet };
  const { resolution, diagnostics, texts } = await resolveInputs(inputs, target, terminal, { watch });
  if (resolution !== undefined) {
    const items = hubObjects(resolution, target);
    const print = options.output === 'json' ? printJson : printYaml;
    await watch.wait('write', async () => await print(items, terminal));
  }
  const fleet = resolution === undefined ? [] : missingFleet([resolution], terminal.hub);
  const report = await findingsReport(terminal);
  report.print([...diagnostics, ...previewRelease(target.hub), ...fleet], texts);
  report.end();
  if (options.timings) printTimings(watch, terminal);
  return report.hasFailed ? exitCode.findings : exitCode.clean;
}

/** Prints one item at a time: the whole list can exceed the maximum length of a string. */
async function printJson(items: Iterable<object>, terminal: Terminal): Promise<void> {
  terminal.out('{"apiVersion":"v1","kind":"List","items":[');
  let separator = '\n';
  for (const item of items) {
    terminal.out(separator + goJson(item));
    separator = ',\n';
    await terminal.taken?.();
  }
  terminal.out('\n]}\n');
}

async function printYaml(items: Iterable<object>, terminal: Terminal): Promise<void> {
  let head = 'apiVersion: v1\nkind: List\nitems:\n';
  for (const item of items) {
    terminal.out(head + yamlDocument([item]));
    head = '';
    await terminal.taken?.();
  }
  if (head !== '') terminal.out(head.replace('items:', 'items: []'));
}
