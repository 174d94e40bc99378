import type { Argv } from 'yargs';
import { createColors } from 'picocolors';
import type { Diagnostic, FindingSettings } from '../../compiler/index.ts';
import { countSeverities, type Counts } from '../../compiler/report/order.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { countsText } from '../../compiler/report/text/text.ts';
import { FindingSelection, subjectOf, type SelectionOptions } from '../../workspace/finding-selection.ts';
import { workspacePolicies } from '../../workspace/workspace.ts';
import { printText } from './print-diagnostics.ts';
import type { Terminal } from './terminal.ts';

/** The options of commands that report findings. */
export interface FindingArguments {
  readonly strict: boolean;
  readonly all: boolean;
}

/** The options of commands that have none for findings. */
export const noFindingOptions: FindingArguments = { strict: false, all: false };

const findings = 'Findings:';

export function findingOptions<T>(command: Argv<T>): Argv<T & FindingArguments> {
  return command
    .option('strict', { group: findings, describe: 'fail on warnings', type: 'boolean', default: false })
    .option('all', {
      group: findings,
      describe: 'print consequences in full, and list accepted findings',
      type: 'boolean',
      default: false,
    });
}

/** Whether findings make a run fail. */
export function fails(diagnostics: readonly Diagnostic[], strict: boolean): boolean {
  const { error, warning } = countSeverities(diagnostics);
  return error > 0 || (strict && warning > 0);
}

/**
 * Returns a report for a command without options for findings, as the workspace decides.
 *
 * @throws UserError, DiagnosedError if the settings are invalid
 */
export async function findingsReport(terminal: Terminal): Promise<FindingsReport> {
  return new FindingsReport((await workspacePolicies(terminal)).findings, noFindingOptions, terminal);
}

/** Reports the findings of one run: those that the settings and the options select, and one summary at the end. */
export class FindingsReport {
  readonly selection: FindingSelection;
  readonly #options: FindingArguments;
  readonly #terminal: Terminal;
  #counts: Counts = { error: 0, warning: 0, info: 0 };

  constructor(
    settings: FindingSettings,
    options: FindingArguments,
    terminal: Terminal,
    selection: Pick<SelectionOptions, 'coversErrors'> = {},
  ) {
    this.#options = options;
    this.#terminal = terminal;
    this.selection = new FindingSelection(settings, {
      ...selection,
      now: terminal.now(),
      quiet: terminal.isQuiet === true,
    });
  }

  /** Whether a finding that was printed makes the run fail. */
  get hasFailed(): boolean {
    return this.#counts.error > 0 || (this.#options.strict && this.#counts.warning > 0);
  }

  /** Whether any finding was printed. */
  get hasPrinted(): boolean {
    return this.#total > 0;
  }

  /** Selects and prints findings. */
  print(diagnostics: readonly Diagnostic[], texts: ReadonlyMap<string, string>): void {
    this.printSelected(this.selection.select(diagnostics), texts);
  }

  /** Prints findings that `selection` has returned. */
  printSelected(diagnostics: readonly Diagnostic[], texts: ReadonlyMap<string, string>): void {
    if (diagnostics.length === 0) return;
    if (this.#total > 0) this.#terminal.err('\n');
    printText(diagnostics, texts, this.#terminal, {
      summary: false,
      // A command without --all could not show them.
      ...(!this.#options.all && this.#options !== noFindingOptions && { foldedNote: '; --all prints them' }),
    });
    const { error, warning, info } = countSeverities(diagnostics);
    this.#counts = {
      error: this.#counts.error + error,
      warning: this.#counts.warning + warning,
      info: this.#counts.info + info,
    };
  }

  /**
   * Prints the summary and the accepted findings.
   *
   * @param apps - the number of apps, for the summary. @default - the summary does not contain it
   */
  end(apps = 1): void {
    const terminal = this.#terminal;
    if (this.#total > 0) {
      const counts = countsText(this.#counts, createColors(terminal.color));
      const inApps = apps > 1 ? ` in ${apps} apps` : '';
      terminal.err(`\n${counts}${inApps}\n`);
    }
    if (this.#options.strict && this.#counts.error === 0 && this.hasFailed)
      terminal.err('warnings fail with --strict\n');
    this.#printAcceptances();
  }

  get #total(): number {
    return this.#counts.error + this.#counts.warning + this.#counts.info;
  }

  #printAcceptances(): void {
    const { acceptances } = this.selection;
    if (acceptances.length === 0) return;
    const terminal = this.#terminal;
    const count = acceptances.length === 1 ? '1 finding is' : `${acceptances.length} findings are`;
    if (!this.#options.all) {
      const list = `; --all lists ${acceptances.length === 1 ? 'it' : 'them'}`;
      terminal.err(`${count} accepted${this.#options === noFindingOptions ? '' : list}\n`);
      return;
    }
    terminal.err(`${count} accepted\n`);
    for (const { finding, accepted } of acceptances) {
      const until = accepted.until === undefined ? '' : ` (until ${accepted.until})`;
      terminal.err(`  ${terminalLine(`${finding.code} ${subjectOf(accepted)}: ${finding.message}`)}\n`);
      terminal.err(`    ${terminalLine(`accepted: ${accepted.reason}${until}`)}\n`);
    }
  }
}
