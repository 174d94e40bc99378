import { checkNamedApps } from '../../workspace/settings/named-apps.ts';
import type { CommandModule } from 'yargs';
import { examples } from '../examples.ts';
import {
  type Diagnostic,
  type HubRollouts,
  hasErrors,
  type LoadedObject,
  type PredictedRollout,
  predictRollout,
  rolloutDocument,
  rolloutHtml,
  rolloutText,
} from '../../compiler/index.ts';
import { jsonText } from '../../compiler/report/json/json-text.ts';
import { previewRelease } from '../../workspace/settings/preview-release.ts';
import { maskOf } from '../../workspace/masked-findings.ts';
import { readInputs } from '../../workspace/inputs/inputs.ts';
import { missingFleet } from '../../workspace/inputs/missing-fleet.ts';
import {
  hubOptions,
  inputOptions,
  listOption,
  readHubOptions,
  type HubArguments,
  type InputArguments,
} from '../options.ts';
import { findingsReport } from '../terminal/findings-report.ts';
import { HubReports, type Report } from '../terminal/hub-reports.ts';
import { hubSelectionOption, type HubSelection } from '../hub-selection.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { hostsOfHubs, openWorkspace, pathsOrAllApps, workspaceInputs } from '../../workspace/workspace.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';

interface Arguments extends HubArguments, InputArguments, HubSelection {
  readonly update: readonly string[];
  readonly fail: readonly string[];
  readonly silent: readonly string[];
  readonly output: string;
}

/** Maximum number of clusters of each part of a wave that the text names. */
const namesInText = 12;

/** `rollout [PATH…] [--update PATH…]`: the waves in which clusters change. */
export function rolloutCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'rollout [path..]',
    describe: 'Print the waves in which clusters receive their configuration',
    builder: (command) =>
      hubSelectionOption(hubOptions(inputOptions(command)))
        .option('update', {
          describe:
            'what is applied after the installation: files or folders, whose objects replace those of the same name',
          ...listOption,
          defaultDescription: 'nothing',
        })
        .option('fail', {
          describe: 'clusters whose agents report a failure, separated by commas',
          ...listOption,
          defaultDescription: 'none',
        })
        .option('silent', {
          describe: 'clusters whose agents do not report, separated by commas',
          ...listOption,
          defaultDescription: 'none',
        })
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: ['text', 'json', 'html'],
          default: 'text',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright rollout apps/helloworld': 'the waves of the installation',
            'fleetwright rollout apps/helloworld --update next.yaml --fail cluster3':
              'an update that fails on a cluster',
            'fleetwright rollout apps/helloworld -o html > waves.html': 'a timeline for a browser',
          }),
        ),
    handler: async (options) => {
      end(await predictHubs(options, terminal));
    },
  };
}

/** Predicts the waves of each hub. The JSON of several hubs has the document of each under its name. */
async function predictHubs(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const hosts = await hostsOfHubs(terminal, options.hub);
  const [first = terminal] = hosts;
  const report = await findingsReport(first);
  const print: Report = (diagnostics, texts) => report.print(diagnostics, texts);
  const reports = new HubReports(print, hosts.length > 1);
  if (hosts.length === 1) {
    const predicted = await predict(options, first, reports.ofHub(first.hub));
    if (predicted !== undefined) terminal.out(formatted({ ...predicted, hub: first.hub }, options.output));
    report.end();
    return report.hasFailed ? exitCode.findings : exitCode.clean;
  }
  const documents: Record<string, object> = {};
  const pages: HubRollouts[] = [];
  for (const host of hosts) {
    const predicted = await predict(options, host, reports.ofHub(host.hub));
    if (predicted === undefined) continue;
    const name = host.hub ?? '';
    if (options.output === 'json') documents[name] = rolloutDocument(predicted);
    else if (options.output === 'html') pages.push({ ...predicted, hub: name });
    else terminal.out(`hub ${name}\n${rolloutText(predicted, namesInText)}\n`);
  }
  if (options.output === 'json') terminal.out(jsonText({ hubs: documents }));
  // A page without one of the hubs would look complete.
  if (options.output === 'html' && pages.length === hosts.length) terminal.out(rolloutHtml(pages));
  reports.print();
  report.end();
  return report.hasFailed ? exitCode.findings : exitCode.clean;
}

/** Undefined if the inputs have errors. */
async function predict(
  options: Arguments,
  terminal: Terminal,
  report: Report,
): Promise<PredictedRollout | undefined> {
  const { root, settings } = await openWorkspace(terminal);
  await checkNamedApps(root, settings);
  const { hub, now } = readHubOptions(options, settings);
  const ofWorkspace = await workspaceInputs(terminal);
  const inputs = await readInputs(await pathsOrAllApps(options.path, terminal), options.fleet, terminal, {
    ...ofWorkspace,
  });
  const { kustomize } = ofWorkspace;
  const updated =
    options.update.length === 0 ? undefined : await readInputs(options.update, [], terminal, { kustomize });
  const texts = new Map([...inputs.texts, ...(updated?.texts ?? [])]);
  const read: readonly Diagnostic[] = [...inputs.diagnostics, ...(updated?.diagnostics ?? [])];
  const objects = [...inputs.objects, ...(updated?.objects ?? [])];
  const masked = maskOf({ ...inputs, objects, texts }, terminal);
  if (hasErrors(read)) {
    report(masked(read), texts);
    return undefined;
  }
  const failing = names(options.fail);
  const silent = names(options.silent);
  checkNames([...failing, ...silent], objects);
  const { value, diagnostics } = predictRollout(inputs.objects, {
    now: now ?? inputs.time ?? terminal.now(),
    hub,
    failing,
    silent,
    surroundings: inputs.surroundings,
    ...(updated && { update: updated.objects }),
  });
  const fleet = value === undefined ? [] : missingFleet([value.before], terminal.hub);
  report(masked([...read, ...diagnostics, ...previewRelease(hub), ...fleet]), texts);
  return value;
}

function formatted(predicted: HubRollouts, format: string): string {
  if (format === 'json') return jsonText(rolloutDocument(predicted));
  return format === 'html' ? rolloutHtml([predicted]) : rolloutText(predicted, namesInText);
}

function names(lists: readonly string[]): ReadonlySet<string> {
  return new Set(
    lists
      .flatMap((list) => list.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

/**
 * @throws UserError for a cluster that the inputs do not have: a typing error would make the answer look better
 * than it is.
 */
function checkNames(clusters: readonly string[], objects: readonly LoadedObject[]): void {
  const known = new Set(
    objects
      .filter(({ object }) => object.kind === 'ManagedCluster')
      .map(({ object }) => object.metadata?.name),
  );
  const unknown = clusters.find((cluster) => !known.has(cluster));
  if (unknown !== undefined) throw new UserError(`the fleet has no cluster ${JSON.stringify(unknown)}`);
}
