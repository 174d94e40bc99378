import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import type { Diagnostic } from '../../../compiler/index.ts';
import { jsonText } from '../../../compiler/report/json/json-text.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import {
  hubOptions,
  inputOptions,
  listOption,
  type HubArguments,
  type InputArguments,
  policyOption,
  type PolicyArguments,
} from '../../options.ts';
import {
  fails,
  findingOptions,
  FindingsReport,
  type FindingArguments,
} from '../../terminal/findings-report.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { findingsOfHubs } from '../../hub-findings.ts';
import { webhookCodes } from '../../../compiler/check/webhooks/webhook-codes.ts';
import { hubSelectionOption, type HubSelection } from '../../hub-selection.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { judgeHubs, withDiagnostics, type Judgement, type Result } from './judgement.ts';

interface Arguments extends HubArguments, InputArguments, PolicyArguments, FindingArguments, HubSelection {
  readonly output: string;
  readonly exclude: readonly string[];
  readonly verbose: boolean;
}

/** `validate PATH…`: the API server's verdict on every document, and the findings of our rules. */
export function validateCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'validate [path..]',
    describe: "Check objects with the validation of the API server and Fleetwright's rules",
    builder: (command) =>
      findingOptions(policyOption(hubSelectionOption(hubOptions(inputOptions(command)))))
        .option('exclude', {
          ...listOption,
          describe: 'files and folders to exclude, as .gitignore patterns',
          defaultDescription: 'only those in .gitignore',
        })
        .option('verbose', {
          describe: 'list skipped files',
          type: 'boolean',
          default: false,
        })
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: ['text', 'json'],
          default: 'text',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright validate': 'all apps of the workspace',
            "fleetwright validate . --exclude 'test/**'": 'every manifest of a repository',
            'kustomize build . | fleetwright validate - -o json': 'standard input, for other tools',
          }),
        ),
    handler: async (options) => {
      end(await validate(options, terminal));
    },
  };
}

async function validate(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const judged = await judgeHubs(options, terminal);
  const { texts, skipped, isReported } = judged;
  const report = new FindingsReport(judged.findings, options, terminal);
  const results = judged.results.map((result) =>
    withDiagnostics(result, report.selection.select(result.diagnostics)),
  );
  // An acceptance matches the findings of all documents.
  const unplaced = [
    ...report.selection.select(judged.unplaced),
    ...report.selection.problems((code) => options.path.length === 0 && isReported(code)),
  ];
  const all = [...unplaced, ...results.flatMap((result) => result.diagnostics)];
  if (options.output === 'json') {
    const document = { results, ...(unplaced.length === 0 ? {} : { diagnostics: unplaced }) };
    terminal.out(jsonText(document));
    return fails(all, options.strict) ? exitCode.findings : exitCode.clean;
  }
  report.printSelected(findingsOf(results, unplaced), texts);
  report.end();
  terminal.err(skippedText(skipped, options.verbose));
  const valid = results.filter((result) => result.valid);
  if (judged.units.some(({ resolution }) => resolution === undefined))
    terminal.err(
      'rules across objects were not checked where an object is invalid or a file cannot be read\n',
    );
  const accepted = valid.filter((result) => !isRejectedByWebhook(result)).length;
  terminal.out(summary(accepted, results.length, all.filter(({ severity }) => severity === 'error').length));
  return report.hasFailed ? exitCode.findings : exitCode.clean;
}

/** Returns the findings of all documents, those that several hubs share once. */
function findingsOf(results: readonly Result[], unplaced: readonly Diagnostic[]): readonly Diagnostic[] {
  const hubs = [...new Set(results.map(({ hub }) => hub))];
  const ofDocuments = hubs.map((hub) => ({
    hub,
    diagnostics: results.flatMap((result) => (result.hub === hub ? result.diagnostics : [])),
  }));
  return [...unplaced, ...(hubs.length === 0 ? [] : findingsOfHubs(ofDocuments))];
}

/** Whether a webhook of the hub rejects a valid object. The hub accepts sets whose works it rejects. */
function isRejectedByWebhook({ kind, diagnostics }: Result): boolean {
  return kind !== 'ManifestWorkReplicaSet' && diagnostics.some(({ code }) => webhookCodes.has(code));
}

function summary(valid: number, objects: number, errors: number): string {
  const count = `${valid} of ${objects} ${objects === 1 ? 'object' : 'objects'}`;
  if (errors === 0) return `${count} ${objects === 1 ? 'is' : 'are'} valid\n`;
  return `${errors} ${errors === 1 ? 'error' : 'errors'}; the API server accepts ${count}\n`;
}

function skippedText(skipped: Judgement['skipped'], isVerbose: boolean): string {
  if (skipped.size === 0) return '';
  if (isVerbose)
    return [...skipped]
      .flatMap(([reason, files]) => files.map((file) => `${terminalLine(`skipped ${file}: ${reason}`)}\n`))
      .join('');
  const counts = [...skipped].map(([reason, files]) => `${files.length} ${reason}`);
  return `skipped: ${counts.join(', ')}; --verbose lists them\n`;
}
