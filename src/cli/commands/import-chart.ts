import { chartApp, type ChartApp } from '../../importer/chart-app.ts';
import type { TemplateTarget } from '../../importer/as-template.ts';
import { readChart } from '../../workspace/inputs/read-chart.ts';
import { writeApp } from '../../workspace/output/imported-app.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { printDiagnostics } from '../terminal/print-diagnostics.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';

/** What `import CHART` writes, and where. */
interface ChartImport {
  readonly chart: string;
  readonly addOn: string | undefined;
  readonly placement: TemplateTarget['placement'];
  /** The folder of the app, by the name of the add-on. */
  readonly folderOf: (addOn: string) => Promise<string>;
  readonly overwrite: boolean;
  readonly nextSteps: (folder: string) => Promise<readonly string[]>;
}

/** `import CHART`: writes an app that delivers a Helm chart. */
export async function importChart(
  { chart, addOn, placement, folderOf, overwrite, nextSteps }: ChartImport,
  terminal: Terminal,
): Promise<ExitCode> {
  const content = await readChart(chart, terminal.cwd);
  const { value: app, diagnostics } = chartApp({ path: chart, content, addOn, placement });
  printDiagnostics(diagnostics, new Map(), terminal);
  if (app === undefined) return exitCode.findings;
  const folder = await folderOf(app.addOn);
  await writeApp(terminal.cwd, folder, app.files, overwrite);
  terminal.out(summary(app, folder, await nextSteps(folder)));
  return exitCode.clean;
}

function summary(
  { addOn, chart, files, registration }: ChartApp,
  folder: string,
  next: readonly string[],
): string {
  const names = (lines: Iterable<string>): string =>
    Array.from(lines, (line) => `  ${terminalLine(line)}\n`).join('');
  return `${terminalLine(folder)}: chart ${terminalLine(chart)} as add-on "${addOn}"\n${names(files.keys())}\nAssumed, check it in app.ts:\n${names([registration])}\nNext steps:\n${names(next)}`;
}
