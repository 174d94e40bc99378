import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import { chartFiles, type OpenedChart } from '../../../importer/charts/chart-app.ts';
import { packChart } from '../../../workspace/charts/pack-chart.ts';
import { writeApp } from '../../../workspace/output/imported-app.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { destinationOf, nextSteps } from './destination.ts';

/** `import CHART --upgrade`: replaces the chart of an app that an earlier import wrote, and nothing else. */
export async function upgradeChart(opened: OpenedChart, out: string, terminal: Terminal): Promise<ExitCode> {
  const folder = path.resolve(terminal.cwd, out);
  const { chart } = opened;
  if (!(await isThere(path.join(folder, 'app.ts'))))
    throw new UserError(
      `${out} has no app.ts, so there is no app to upgrade`,
      'omit --upgrade, or name it with --out',
    );
  const isArchive = await isThere(path.join(folder, 'chart.tgz'));
  if (!isArchive && !(await isThere(path.join(folder, 'chart'))))
    throw new UserError(
      `${out} has neither chart.tgz nor the folder chart`,
      'name another folder with --out',
    );
  const before = await chartBefore(folder, isArchive);
  if (before !== undefined && before.name !== chart.name)
    throw new UserError(
      `${out} has the chart ${before.name}, and this is ${chart.name}`,
      'name the folder of its app with --out',
    );
  const { content } = opened.imported;
  if (!isArchive && content instanceof Uint8Array)
    throw new UserError(
      `${out} has the chart as a folder, and this is an archive`,
      'in app.ts, write chart.tgz instead of chart; delete the folder, create an empty chart.tgz, and run the command again',
    );
  const packed = isArchive && !(content instanceof Uint8Array) ? packChart(content) : content;
  const files = new Map(chartFiles({ chart, imported: { ...opened.imported, content: packed } }));
  const stale = isArchive ? [] : await filesBelow(folder, 'chart', files);
  const removed = await writeApp(terminal.cwd, out, files, true, stale);
  const change = before === undefined || before.version === chart.version ? '' : `${before.version} -> `;
  const steps = nextSteps(await destinationOf(out, terminal), { hasFleet: true, isTypeScript: true });
  const lines = (texts: readonly string[]): string =>
    texts.map((text) => `  ${terminalLine(text)}\n`).join('');
  terminal.out(
    `${terminalLine(out)}: chart ${terminalLine(`${chart.name} ${change}${chart.version}`)}\n${lines([
      ...files.keys(),
      ...removed.map((name) => `${name}, removed`),
    ])}\nNext steps:\n${lines(steps)}`,
  );
  return exitCode.clean;
}

interface ChartBefore {
  readonly name: string;
  readonly version: string;
}

/** Returns the chart that the app has; undefined if it was not written by import. */
async function chartBefore(folder: string, isArchive: boolean): Promise<ChartBefore | undefined> {
  if (!isArchive) {
    const text = await readFile(path.join(folder, 'chart/Chart.yaml'), 'utf8').catch(() => '');
    const field = (key: string): string | undefined =>
      new RegExp(`^${key}: *["']?([^"'\\s#]+)`, 'm').exec(text)?.[1];
    const [name, version] = [field('name'), field('version')];
    return name === undefined || version === undefined ? undefined : { name, version };
  }
  try {
    const lock = JSON.parse(await readFile(path.join(folder, 'chart.lock'), 'utf8')) as Partial<ChartBefore>;
    const { name, version } = lock;
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

async function filesBelow(
  folder: string,
  below: string,
  files: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, below), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !files.has(name))
    .toSorted();
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
