import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import type { CommandModule } from 'yargs';
import { previewRelease } from '../../../workspace/settings/preview-release.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import { existingApps, namedApps } from '../../../workspace/inputs/app-names.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import { readPolicies } from '../../../workspace/settings/policies.ts';
import { headCommit, uncommittedFiles } from '../../../workspace/git-commits.ts';
import { writing } from '../../../workspace/lock/writing.ts';
import { readPromotions } from '../../../promotion/git/promotions.ts';
import { promotionFile } from '../../../workspace/inputs/promotion-files.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { examples } from '../../examples.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { hubSelectionOption, oneHub, type HubSelection } from '../../hub-selection.ts';
import { hubAddressOptions, hubOptions, readHubOptions, type HubArguments } from '../../options.ts';
import { FindingsReport, noFindingOptions } from '../../terminal/findings-report.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { actions, type Action } from './action.ts';
import { promoteApp, type Step } from './promote-app.ts';

/** The arguments of `promote`. */
export interface PromoteArguments extends HubAddress, HubArguments, HubSelection {
  readonly app: readonly string[];
  readonly commit: boolean;
  readonly 'dry-run': boolean;
  readonly output: string;
  readonly abort: boolean;
  readonly 'at-once': boolean;
  readonly pause: boolean;
  readonly resume: boolean;
  readonly retry: boolean;
}

/** `promote [app…]`: performs at most one step of each promotion. */
export function promoteCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, PromoteArguments> {
  return {
    command: 'promote [app..]',
    describe: 'Release the next wave of a promotion, if its gates are open',
    builder: (command) =>
      hubAddressOptions(hubSelectionOption(hubOptions(command)))
        .positional('app', {
          describe: 'names of apps with a promotion',
          type: 'string',
          array: true,
          default: [] as string[],
          defaultDescription: 'all',
        })
        .option('commit', { describe: 'commit the step', type: 'boolean', default: false })
        .option('dry-run', {
          describe: 'print the step and write nothing',
          type: 'boolean',
          default: false,
        })
        .option('output', {
          alias: 'o',
          describe: 'output format',
          choices: ['text', 'json'],
          default: 'text',
        })
        .option('abort', {
          describe: 'roll back the current release: restore the previous files of its clusters',
          type: 'boolean',
          default: false,
        })
        .option('at-once', {
          describe: 'with --abort: roll back all waves together instead of in reverse order',
          type: 'boolean',
          default: false,
        })
        .option('pause', { describe: 'start no further wave', type: 'boolean', default: false })
        .option('resume', { describe: 'start waves again', type: 'boolean', default: false })
        .option('retry', {
          describe: 'release content again that was rolled back',
          type: 'boolean',
          default: false,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright promote --dry-run': 'what each promotion waits for',
            'fleetwright promote --commit': 'in a scheduled job: one step of each promotion, as a commit',
            'fleetwright promote shop-beacon --abort --commit': 'roll back a release',
          }),
        ),
    handler: async (options) => {
      end(await promote(options, terminal));
    },
  };
}

async function promote(options: PromoteArguments, started: Terminal): Promise<ExitCode> {
  const action = actionOf(options);
  const selected = await oneHub(started, options, 'promote reads one hub, and the workspace has several');
  const workspace = await openWorkspace(selected);
  const step = async (): Promise<ExitCode> => await promoteApps(action, options, workspace);
  // The state must not change between the decision and the files that follow from it.
  return options['dry-run']
    ? await step()
    : await writing(workspace.settings.out, 'promote', workspace.host, step);
}

async function promoteApps(
  action: Action | undefined,
  options: PromoteArguments,
  { root, settings, host: terminal }: Workspace<Terminal>,
): Promise<ExitCode> {
  let head = await headCommit(root);
  const existing = existingApps(settings.apps, terminal.cwd);
  await checkNamedApps(root, settings);
  const named = namedApps(options.app, settings.apps, existing, terminal.cwd);
  const policies = await readPolicies({ policy: undefined }, terminal);
  const promotions = await readPromotions(root, settings, existing);
  const report = new FindingsReport(policies.findings, noFindingOptions, terminal);
  const { hub } = readHubOptions(options, settings);
  report.print([...previewRelease(hub), ...promotions.diagnostics], promotions.texts);
  if (report.hasFailed) return exitCode.findings;
  const apps = named.length > 0 ? named : [...promotions.byApp.keys()];
  if (action !== undefined && apps.length > 1)
    throw new UserError(`--${action} is for one app`, `name it: promote ${apps[0] ?? ''} --${action}`);
  if (apps.length === 0)
    throw new UserError(
      'no app has a promotion',
      `create ${promotionFile('APP', settings)}: docs/promotion.md describes it`,
    );
  const [changed] = await uncommittedFiles(root, [settings.out, 'promotions']);
  if (changed !== undefined)
    throw new UserError(
      `${changed} is not committed, and a release is compiled from a commit`,
      'commit or stash the change first',
    );
  const steps: Step[] = [];
  for (const app of apps) {
    const promotion = promotions.byApp.get(app);
    if (promotion === undefined)
      throw new UserError(
        `app ${app} has no promotion`,
        `create ${promotionFile(app, settings)}: docs/promotion.md describes it`,
      );
    const step = await promoteApp(promotion, {
      head,
      action,
      options,
      root,
      settings,
      policies,
      report,
      terminal,
    });
    if (step === undefined) return exitCode.findings;
    steps.push(step);
    head = step.commit ?? head;
    if (options.output === 'text')
      terminal.out(`${terminalLine(stepText(step, options['dry-run'], action))}\n`);
  }
  if (options.output === 'json') terminal.out(`${JSON.stringify({ promotions: steps }, null, 2)}\n`);
  return codeOf(steps, action);
}

function actionOf(options: PromoteArguments): Action | undefined {
  const given = actions.filter((action) => options[action]);
  const [action, other] = given;
  if (action !== undefined && other !== undefined)
    throw new UserError(`--${action} and --${other} cannot be combined`);
  if (options['at-once'] && action !== 'abort') throw new UserError('--at-once is an option of --abort');
  if (options.commit && options['dry-run']) throw new UserError('--commit and --dry-run cannot be combined');
  return action;
}

const verbs = { waiting: 'waits', stopped: 'stopped', finished: 'finished' } as const;

function stepText(
  { app, outcome, reason, commit }: Step,
  isDryRun: boolean,
  action: Action | undefined,
): string {
  // A promotion that a person pauses does not advance.
  const changed = action === undefined || action === 'abort' ? 'advanced' : 'changed';
  const wouldChange = changed === 'advanced' ? 'would advance' : 'would change';
  const verb = outcome !== 'advanced' ? verbs[outcome] : isDryRun ? wouldChange : changed;
  return `${app} ${verb}: ${reason}${commit === undefined ? '' : `, commit ${commit.slice(0, 12)}`}`;
}

/** A promotion that a person must look at counts most. A pause is no step of a release. */
function codeOf(steps: readonly Step[], action: Action | undefined): ExitCode {
  if (action === 'pause' || action === 'resume') return exitCode.clean;
  const outcomes = new Set(steps.map(({ outcome }) => outcome));
  if (outcomes.has('stopped')) return exitCode.findings;
  if (outcomes.has('advanced')) return exitCode.changes;
  return outcomes.has('waiting') ? exitCode.waiting : exitCode.clean;
}
