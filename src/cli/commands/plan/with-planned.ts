import path from 'node:path';
import type { ApprovedPlan } from '../../../compiler/plan/effects/approved-plan.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { openWorkspace, stateFromRoot, type Workspace } from '../../../workspace/workspace.ts';
import { readShowSecrets } from '../../show-secrets.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { approvedPlanIn } from './approved-plan-file.ts';
import { withCompared } from './compared-states.ts';
import type { UnresolvedHub } from './hub-plan.ts';
import type { PlanArguments } from './plan-arguments.ts';
import { linkBaseOf, type PlanOutput } from './plan-outputs.ts';
import { plannedChange, type PlannedChange } from './planned-change.ts';

/** What is planned. */
export interface Planning {
  readonly options: PlanArguments;
  /** Where the plan goes, which decides whether it may show secrets. */
  readonly outputs: readonly PlanOutput[];
  readonly approved: ApprovedPlan | undefined;
  readonly watch: Stopwatch;
}

/**
 * Plans the change that a command line names. The files of both states exist while `use` runs.
 *
 * @throws UserError if the command line is wrong
 */
export async function withPlanned<T>(
  { options, outputs, approved, watch }: Planning,
  terminal: Terminal,
  use: (planned: PlannedChange | UnresolvedHub) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(terminal);
  const inRoot = await fromRoot(options, workspace, terminal.cwd);
  const hidden = outputs.find(({ format, file }) => format !== 'text' || file !== undefined);
  const showSecrets = readShowSecrets({ ...options, output: hidden?.format ?? 'text' }, terminal);
  linkBaseOf(options['link-base']);
  const context = { options: inRoot, approved, showSecrets, watch, terminal: workspace.host };
  return await withCompared(inRoot, workspace.host, watch, async (compared) =>
    use(await plannedChange(compared, context)),
  );
}

/** Returns the plan of `--verify`. */
export async function approvedPlanOf(
  { verify }: Pick<PlanArguments, 'verify'>,
  cwd: string,
): Promise<ApprovedPlan | undefined> {
  return verify === undefined ? undefined : await approvedPlanIn(verify, cwd);
}

/**
 * Returns the options with all paths relative to the root of the workspace. Of two compared folders, each is a root: `--apps` is relative
 * to it, and files of the current folder have absolute paths.
 */
async function fromRoot(options: PlanArguments, workspace: Workspace, cwd: string): Promise<PlanArguments> {
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
