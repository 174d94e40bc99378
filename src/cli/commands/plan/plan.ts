import type { Argv, CommandModule } from 'yargs';
import type { FailedPlan } from '../../../compiler/index.ts';
import { defaultSettings } from '../../../workspace/settings/default-settings.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import { Stopwatch } from '../../../workspace/stopwatch.ts';
import { examples } from '../../examples.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { hubSelectionOption } from '../../hub-selection.ts';
import {
  appsOption,
  hubAddressOptions,
  hubOptions,
  listOption,
  policyOption,
  timingOptions,
} from '../../options.ts';
import { showSecretsOption } from '../../show-secrets.ts';
import { findingOptions } from '../../terminal/findings-report.ts';
import { printTimings } from '../../terminal/print-timings.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { policyFromOption } from './compared-policies.ts';
import { errorOf, headOf, writeFailure } from './failed-plan.ts';
import { guardrailOptions } from './guardrails.ts';
import { checkRepetition } from './live/check-repetition.ts';
import { servePlan } from './live/serve-plan.ts';
import { watchPlan } from './live/watch-plan.ts';
import type { PlanArguments } from './plan-arguments.ts';
import { planFormatNames } from './plan-formats.ts';
import { planOutputs, removeEarlier, type PlanOutput } from './plan-outputs.ts';
import { printPlanned } from './print-planned.ts';
import { approvedPlanOf, withPlanned } from './with-planned.ts';

/** `plan BASE..HEAD`: the effect of a change on the fleet. */
export function planCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, PlanArguments> {
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
          'fleetwright plan main --serve': 'the effect of the working tree, live in a browser',
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
    .option('show-secrets', showSecretsOption)
    .option('watch', {
      describe: 'plan again after each change of files or revisions, and print what differs, until Ctrl-C',
      type: 'boolean',
      default: false,
    })
    .option('serve', {
      describe: 'serve the HTML page on 127.0.0.1, live, until Ctrl-C',
      type: 'boolean',
      default: false,
    })
    .option('port', {
      describe: 'port of --serve',
      type: 'number',
      defaultDescription: 'a free one',
    });
}

async function planStates(options: PlanArguments, terminal: Terminal): Promise<ExitCode> {
  const outputs = planOutputs(options.output, terminal.cwd);
  checkRepetition(options, outputs);
  if (options.serve) return await servePlan(options, terminal);
  if (options.watch) return await watchPlan(options, outputs, terminal);
  return await planAndPrint(options, outputs, terminal);
}

async function planAndPrint(
  options: PlanArguments,
  outputs: readonly PlanOutput[],
  terminal: Terminal,
): Promise<ExitCode> {
  const watch = new Stopwatch(terminal);
  const failed = async (code: ExitCode, errors: FailedPlan['errors']): Promise<void> =>
    await writeFailure(
      outputs,
      { ...(await headOf(options.state, terminal.cwd)), exitCode: code, errors },
      terminal,
    );
  try {
    // before the outputs of an earlier run are removed: one of them may be the approved plan
    const approved = await approvedPlanOf(options, terminal.cwd);
    await removeEarlier(outputs);
    return await withPlanned({ options, outputs, approved, watch }, terminal, async (planned) => {
      if (!('errors' in planned)) return await printPlanned(planned, { options, outputs, watch }, terminal);
      await failed(exitCode.findings, planned.errors);
      return exitCode.findings;
    });
  } catch (error) {
    await failed(exitCode.failure, [errorOf(error)]);
    throw error;
  } finally {
    if (options.timings) printTimings(watch, terminal);
  }
}
