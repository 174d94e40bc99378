import path from 'node:path';
import { stagesFolder } from '../../../compiler/emit/sync-order.ts';
import { isReported } from '../../../workspace/finding-selection.ts';
import type { ResolvedInputs } from '../../../workspace/inputs/resolve-inputs.ts';
import {
  hasRootFiles,
  isHubOutput,
  outputsOfNoHub,
  removeOutput,
} from '../../../workspace/output/hub-outputs.ts';
import { removeFolder } from '../../../workspace/output/output-folder.ts';
import { readPolicies } from '../../../workspace/settings/policies.ts';
import { readWorkspaceSettings } from '../../../workspace/settings/settings.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { hostsOfHubs, openWorkspace } from '../../../workspace/workspace.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { FindingsReport } from '../../terminal/findings-report.ts';
import { HubReports } from '../../terminal/hub-reports.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { print } from './finish-output.ts';
import { type SynthesizedHub, synthHub } from './synth-hub.ts';
import { type SynthArguments, fromRoot } from './synth-options.ts';

/**
 * Compiles the apps for each hub, then writes the outputs of all hubs, or of none.
 *
 * @param resolved - what the same run has already resolved for the one hub, by app
 */
export async function synthHubs(
  options: SynthArguments,
  started: Terminal,
  watch: Stopwatch,
  resolved: ReadonlyMap<string, ResolvedInputs> = new Map(),
): Promise<ExitCode> {
  const hosts = await hostsOfHubs(started, options.hub);
  if (hosts.length > 1 && options.provenance !== undefined)
    throw new UserError('a statement of provenance describes the output of one hub', 'select it with --hub');
  const { host: terminal, path: inRoot } = await openWorkspace(started);
  const policyFile = options.policy && inRoot(options.policy);
  const policies = await readPolicies({ policy: policyFile }, terminal);
  const report = new FindingsReport(policies.findings, options, terminal);
  const reports = new HubReports((diagnostics, texts) => report.print(diagnostics, texts), hosts.length > 1);
  const hubs: SynthesizedHub[] = [];
  for (const host of hosts) {
    const workspace = await openWorkspace(host);
    const ofHub = reports.ofHub(host.hub);
    const run = { policies, watch, report: ofHub, resolved };
    hubs.push(await synthHub(fromRoot(options, workspace), workspace, run));
  }
  reports.print();
  const isComplete = hubs.every((hub) => hub.isComplete) && options.hub.length === 0;
  const hasAllFleets = hubs.every((hub) => hub.hasAllFleets);
  const problems = report.selection.problems((code) => isComplete && isReported(code, 'synth', hasAllFleets));
  report.print(problems, policies.texts);
  report.end(new Set(hubs.flatMap(({ names }) => names)).size);
  // All or nothing: a failed synth leaves every folder as it was.
  if (report.hasFailed) return exitCode.findings;
  let code: ExitCode = exitCode.clean;
  for (const { finish } of hubs) if ((await finish()) !== exitCode.clean) code = exitCode.findings;
  const isWhole = options.app.length + options.hub.length === 0 && options.out === undefined;
  if (!isWhole || !(await hasStaleHubOutputs(options.check, started))) return code;
  return options.check ? exitCode.findings : code;
}

/** Removes the outputs of hubs that no longer exist, or only reports them. @returns whether there are any */
async function hasStaleHubOutputs(isCheck: boolean, started: Terminal): Promise<boolean> {
  const { root, host } = await openWorkspace(started);
  const { out, hubs } = await readWorkspaceSettings(host);
  if (hubs.length < 2) return false;
  const stale = await outputsOfNoHub(
    root,
    out,
    hubs.map((hub) => hub.out),
  );
  for (const folder of stale) {
    const name = path.basename(folder);
    const what = (await isHubOutput(path.join(root, folder)))
      ? 'the hub no longer exists'
      : 'the output of an app is in the folders of the hubs';
    print(host, isCheck ? `${name}: ${what}, but there is ${folder}` : `${name}: ${what}, removed ${folder}`);
    if (!isCheck) await removeOutput(path.join(root, folder));
  }
  const hasOwnFiles = hasRootFiles(path.join(root, out));
  if (hasOwnFiles && isCheck) print(host, `${out}: its files are of one hub`);
  if (hasOwnFiles && !isCheck)
    for (const folder of [path.join(out, stagesFolder), out]) await removeFolder(path.join(root, folder));
  return stale.length > 0 || hasOwnFiles;
}
