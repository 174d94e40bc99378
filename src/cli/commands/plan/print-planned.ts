import { writeFile } from 'node:fs/promises';
import { type PlanReport, type PlanTextParts, readableReport } from '../../../compiler/index.ts';
import { changesAnything } from '../../../compiler/report/plan-words.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import { codePages } from '../../../workspace/code-pages.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { PlanArguments } from './plan-arguments.ts';
import { type PlanFormat, planFormats } from './plan-formats.ts';
import { linkBaseOf, type PlanOutput } from './plan-outputs.ts';
import type { PlannedChange } from './planned-change.ts';

/** How a plan is printed. */
export interface Printing {
  readonly options: Pick<PlanArguments, 'link-base' | 'detailed-exit-code'>;
  readonly outputs: readonly PlanOutput[];
  readonly watch: Stopwatch;
}

/** Writes a plan in all formats, and prints its findings. */
export async function printPlanned(
  { report, findingsReport, texts, apps, isApproved, ages, verification }: PlannedChange,
  { options, outputs, watch }: Printing,
  terminal: Terminal,
): Promise<ExitCode> {
  const { findings } = report;
  const linkBase = linkBaseOf(options['link-base']);
  if (isApproved) terminal.err('the plan exceeds the guardrails and is approved\n');
  const written = {
    ...report,
    ...(linkBase !== undefined && { linkBase }),
    ...(outputs.some(({ format }) => format === 'sarif') && { pages: await codePages(findings) }),
  };
  const { body, summary } = await writeOutputs(outputs, written, watch, terminal);
  terminal.out(body);
  findingsReport.printSelected(findings, texts);
  findingsReport.end(apps);
  const lines = [...ages, ...(verification === undefined ? [] : [verification])];
  for (const line of lines) terminal.err(`${terminalLine(line)}\n`);
  // The summary comes last on a terminal, after the findings.
  if (summary !== '' && findings.length + lines.length > 0) terminal.err('\n');
  terminal.out(summary);
  if (findingsReport.hasFailed) return exitCode.findings;
  return options['detailed-exit-code'] && changesAnything(report.plan) ? exitCode.changes : exitCode.clean;
}

/** Writes the report into files; returns the text of the output that goes to the terminal. */
async function writeOutputs(
  outputs: readonly PlanOutput[],
  report: PlanReport,
  watch: Stopwatch,
  terminal: Terminal,
): Promise<PlanTextParts> {
  let printed: PlanTextParts = { body: '', summary: '' };
  for (const { format, file } of outputs) {
    const parts = watch.run('report', () => formatted(report, format, terminal, file));
    if (file === undefined) printed = parts;
    else await writeFile(file, parts.body + parts.summary);
  }
  return printed;
}

/** Returns a report in a format. A file has neither the colors nor the width of the terminal. */
function formatted(
  report: PlanReport,
  format: PlanFormat,
  terminal: Terminal,
  file: string | undefined,
): PlanTextParts {
  const { columns: _columns, ...wide } = terminal;
  // JSON is for programs: its texts stay as they are.
  const shown = format === 'json' ? report : readableReport(report);
  return planFormats[format](shown, file === undefined ? terminal : { ...wide, colorOut: false });
}
