/**
 * Compares our rendering of public charts with Helm's: `npx tsx test/charts/compare-corpus.ts FOLDER…`. The user brings the
 * folders. Every chart in them is rendered with its default values, with each values file in its folder `ci/`, and with generated values
 * until it has `--sets` sets. Dependencies that the charts do not have are taken from other charts of the folders.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askGoProgram, buildProgram } from './go-releases.ts';
import { comparedCase, outcomes, type ComparedCase, type Outcome } from './outcome.ts';
import { corpusCharts, type CorpusChart } from './corpus.ts';
import { valueSets } from './value-sets.ts';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string' },
    report: { type: 'string' },
    sets: { type: 'string', default: '1' },
  },
});
if (folders.length === 0) {
  process.stderr.write(
    'usage: npx tsx test/charts/compare-corpus.ts [--limit N] [--report FILE] [--sets N] FOLDER…\n',
  );
  process.exit(2);
}

buildProgram();
const { apiVersions = [] } = (await askGoProgram([{ apiVersions: true }]))[0] ?? {};
const charts = corpusCharts(folders).slice(0, Number(options.limit ?? Infinity));
const compared: ComparedCase[] = [];
for (const [index, chart] of charts.entries()) {
  const cases = await compare(chart);
  compared.push(...cases);
  // A line per case, so that a run that is ended leaves its results.
  if (options.report !== undefined)
    appendFileSync(options.report, cases.map((each) => `${JSON.stringify(each)}\n`).join(''));
  process.stderr.write(`\r${index + 1} of ${charts.length} charts`);
}
process.stderr.write('\n');
process.stdout.write(table(compared));
for (const { chart, values, outcome, detail } of compared)
  if (!['equal', 'both fail'].includes(outcome))
    process.stdout.write(`\n${outcome}: ${chart} with ${values}\n${detail.replaceAll(/^/gm, '  ')}\n`);

async function compare(chart: CorpusChart): Promise<ComparedCase[]> {
  const sets = valueSets(chart, Number(options.sets));
  const answers = await askGoProgram(
    sets.map(({ text }) => ({
      release: {
        files: Object.fromEntries(
          Array.from(chart.files, ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
        ),
        values: text,
        release: 'release',
        namespace: 'namespace',
        kubeVersion: 'v1.34.2',
      },
    })),
  );
  return sets.map((values, index) =>
    comparedCase(
      chart,
      values,
      answers[index] ?? { error: 'the program ended without an answer' },
      apiVersions,
    ),
  );
}

/** Returns the number of charts and of cases by outcome. */
function table(cases: readonly ComparedCase[]): string {
  const count = (outcome: Outcome): number => cases.filter((each) => each.outcome === outcome).length;
  const charts = (outcome: Outcome): number =>
    new Set(cases.filter((each) => each.outcome === outcome).map(({ chart }) => chart)).size;
  const rows = outcomes.map((outcome) => `| ${outcome} | ${count(outcome)} | ${charts(outcome)} |\n`);
  const total = new Set(cases.map(({ chart }) => chart)).size;
  return `| outcome | cases | charts |\n| --- | ---: | ---: |\n${rows.join('')}| all | ${cases.length} | ${total} |\n`;
}
