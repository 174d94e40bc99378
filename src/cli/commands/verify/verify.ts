import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { verificationJunit } from '../../../compiler/report/ci/verification-junit.ts';
import { verificationMarkdown } from '../../../compiler/report/ci/verification-markdown.ts';
import { jsonText } from '../../../compiler/report/json/json-text.ts';
import { verificationText } from '../../../compiler/report/text/verification-text.ts';
import { wrapLines } from '../../../compiler/report/text/wrap.ts';
import { countAnswers, type Verification } from '../../../compiler/verify/index.ts';
import { verificationText as recordText } from '../../../workspace/verification-file.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { examples } from '../../examples.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { oneHub } from '../../hub-selection.ts';
import { appsOption, hubAddressOptions, hubOptions, listOption } from '../../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { askHub, type VerifyArguments } from './ask-hub.ts';

interface Arguments extends VerifyArguments {
  readonly hub: string | undefined;
  readonly report: string | undefined;
  readonly output: string;
}

type Format = (verification: Verification, terminal: Terminal) => string;

const formats: Readonly<Record<string, Format>> = {
  text: (verification, { columns }) => {
    const text = verificationText(verification);
    return columns === undefined ? text : wrapLines(text, columns);
  },
  json: jsonText,
  junit: verificationJunit,
  markdown: verificationMarkdown,
};

/** `verify --hub`: asks the hub of the user whether it answers as predicted. */
export function verifyCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'verify',
    describe: 'Ask the hub of the kubeconfig, and compare its answers with the prediction (verify --hub)',
    builder: (command) =>
      appsOption(hubAddressOptions(hubOptions(command)))
        .option('hub', {
          describe: 'name of the hub, if the workspace has several',
          type: 'string',
          defaultDescription: 'the only hub of the workspace',
        })
        .option('app', { ...listOption, describe: 'names or folders of apps', defaultDescription: 'all' })
        .option('random', {
          describe: 'random variations of each Placement to ask about',
          type: 'number',
          default: 0,
        })
        .option('seed', {
          describe: 'seed of the random variations, to repeat them',
          type: 'number',
          defaultDescription: 'the time',
        })
        .option('placement-server', {
          describe: 'URL of the server that answers for Placements, such as https://127.0.0.1:9443',
          type: 'string',
          defaultDescription: 'its pod on the hub, through the API server',
        })
        .option('placement-server-ca', {
          describe: 'file with the certificate authority of this server',
          type: 'string',
          defaultDescription: 'those of the system; none on this machine',
        })
        .option('hub-namespace', {
          describe: "namespace of OCM's controllers on the hub",
          type: 'string',
          default: 'open-cluster-management-hub',
        })
        .option('report', {
          describe: 'write date, releases and numbers to a file, which plan names if it is verified.json',
          type: 'string',
          defaultDescription: 'no file',
        })
        .option('output', { alias: 'o', describe: 'format', choices: Object.keys(formats), default: 'text' })
        .epilogue(
          examples(terminal, {
            'fleetwright verify --hub':
              'everything that the workspace contains; exits 1 if an answer differs',
            'fleetwright verify --hub --random 200': '200 random variations of each Placement, too',
            'fleetwright verify --hub prod-eu --context prod-eu': 'one hub of the workspace',
          }),
        ),
    handler: async (options) => {
      end(await verify(options, terminal));
    },
  };
}

async function verify(options: Arguments, started: Terminal): Promise<ExitCode> {
  checkNumbers(options);
  // --hub alone means the hub of the kubeconfig.
  const hub = options.hub === undefined || options.hub === '' ? [] : [options.hub];
  const terminal = await oneHub(started, { hub }, 'verify asks one hub, and the workspace has several');
  const verification = await askHub(options, terminal);
  // Its errors are printed.
  if (verification === undefined) return exitCode.failure;
  if (options.report !== undefined) await writeReport(options.report, verification, terminal);
  terminal.out(formats[options.output]?.(verification, terminal) ?? '');
  const { answers, equal } = countAnswers(verification.subjects);
  return equal === answers ? exitCode.clean : exitCode.findings;
}

async function writeReport(given: string, verification: Verification, terminal: Terminal): Promise<void> {
  const { root, path: fromRoot } = await openWorkspace(terminal);
  const file = path.join(root, fromRoot(given));
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, recordText(verification));
  } catch (error) {
    throw new UserError(
      `${given} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const mostVariations = 100_000;

function checkNumbers({ random, seed }: Arguments): void {
  if (!Number.isSafeInteger(random) || random < 0 || random > mostVariations)
    throw new UserError(
      `--random ${random} is not a number of variations`,
      'a whole number from 0 to 100000',
    );
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new UserError(`--seed ${seed} is not a valid seed`, 'the whole number that an earlier run printed');
  if (seed !== undefined && random === 0)
    throw new UserError('--seed repeats random variations', 'add --random');
}
