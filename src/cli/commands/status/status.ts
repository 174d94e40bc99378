import { setTimeout as wait } from 'node:timers/promises';
import type { CommandModule } from 'yargs';
import {
  type FleetStatus,
  readableAnswer,
  statusHtml,
  statusMarkdown,
  statusText,
} from '../../../compiler/index.ts';
import { jsonText } from '../../../compiler/report/json/json-text.ts';
import { wrapLines } from '../../../compiler/report/text/wrap.ts';
import { parseAge } from '../../../workspace/settings/policies.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { examples } from '../../examples.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { hubSelectionOption, oneHub } from '../../hub-selection.ts';
import { appsOption, hubAddressOptions, hubOptions, listOption } from '../../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { readStatus, type StatusArguments } from './read-status.ts';

interface Arguments extends StatusArguments {
  readonly output: string;
  readonly watch: boolean;
  readonly timeout: string | undefined;
}

type Format = (status: FleetStatus, terminal: Terminal) => string;

const formats: Readonly<Record<string, Format>> = {
  text: (status, { columns }) => {
    const text = statusText(readableAnswer(status));
    return columns === undefined ? text : wrapLines(text, columns);
  },
  json: jsonText,
  markdown: (status) => statusMarkdown(readableAnswer(status)),
  html: statusHtml,
};

/** `status [ADDON]`: the hub compared with the prediction, with the first cause of each difference. */
export function statusCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'status [addon]',
    describe: 'Compare the hub with the prediction, and name the first cause of each difference',
    builder: (command) =>
      appsOption(hubAddressOptions(hubSelectionOption(hubOptions(command))))
        .positional('addon', {
          describe: 'name of a ClusterManagementAddOn',
          type: 'string',
          defaultDescription: 'all add-ons of the apps',
        })
        .option('app', { ...listOption, describe: 'names or folders of apps', defaultDescription: 'all' })
        .option('cluster', {
          ...listOption,
          describe: 'names of ManagedClusters',
          defaultDescription: 'all',
        })
        .option('applied', {
          describe: 'compare with what the objects on the hub predict, not with the apps',
          type: 'boolean',
          default: false,
        })
        .option('watch', {
          describe: 'repeat until everything is as predicted, and print what changes',
          type: 'boolean',
          default: false,
        })
        .option('timeout', {
          describe: 'maximum time to watch, such as 30m',
          type: 'string',
          defaultDescription: 'no limit',
        })
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: Object.keys(formats),
          default: 'text',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright status': 'all add-ons; exits 1 if something is not as predicted',
            'fleetwright status helloworld --watch --timeout 30m': 'wait until an add-on is rolled out',
            'fleetwright status --cluster cluster1': 'all add-ons of a cluster',
            'fleetwright status -o html > status.html': 'a matrix for a browser',
            'fleetwright status --applied': 'without a workspace: what is applied to the hub',
          }),
        ),
    handler: async (options) => {
      end(await status(options, terminal));
    },
  };
}

/** The shortest pause between two readings, in milliseconds. A reading of a large hub is repeated less often. */
const shortestPause = 5000;

async function status(options: Arguments, started: Terminal): Promise<ExitCode> {
  const what = 'status reads one hub, and the workspace has several';
  const terminal = options.applied ? started : await oneHub(started, options, what);
  const limit = limitOf(options);
  const { applied, app, apps, hub } = options;
  if (applied && (app.length > 0 || apps !== undefined || hub.length > 0))
    throw new UserError('--applied reads no apps', 'omit --app, --apps and --hub');
  const begin = performance.now();
  let shown = '';
  for (;;) {
    const readAt = performance.now();
    const current = await readStatus(options, terminal);
    // Its errors are printed.
    if (current === undefined) return exitCode.failure;
    // The time alone is no change.
    const content = JSON.stringify({ ...current, time: '' });
    if (content !== shown) {
      if (shown !== '' && options.output !== 'json') terminal.out('\n');
      terminal.out(formats[options.output]?.(current, terminal) ?? '');
      shown = content;
    }
    if (current.asPredicted) return exitCode.clean;
    const now = performance.now();
    if (!options.watch || now - begin >= limit) return exitCode.findings;
    await wait(Math.max(shortestPause, 4 * (now - readAt)));
  }
}

function limitOf({ watch, output, now, timeout }: Arguments): number {
  if (watch && output === 'html')
    throw new UserError('--watch prints several reports, and -o html is one page');
  if (watch && now !== undefined)
    throw new UserError('--watch compares with the present, not with one time', 'omit --now');
  if (timeout === undefined) return Infinity;
  if (!watch) throw new UserError('--timeout limits --watch', 'add --watch');
  const limit = parseAge(timeout);
  if (limit === undefined)
    throw new UserError(
      `--timeout ${timeout} is not a valid time`,
      'a number of days, hours or minutes, such as 30m',
    );
  return limit;
}
