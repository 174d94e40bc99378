/**
 * Measures how many fields `explain` traces to the value that they come from: `npx tsx test/charts/measure-explain.ts FOLDER…`. The user
 * brings the folders with charts. The fields are found without `explain`: one value of a values.yaml is changed, and the fields that are
 * then different come from it.
 */
import { parseArgs } from 'node:util';
import { Random } from '../engines/charts/random.ts';
import { corpusCharts, type CorpusChart } from './corpus.ts';
import { ExplainedChart } from './explained-chart.ts';
import { ChangedValues, type DerivedField } from './changed-values.ts';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    fields: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    missed: { type: 'boolean', default: false },
  },
});
if (folders.length === 0) {
  process.stderr.write(
    'usage: npx tsx test/charts/measure-explain.ts [--fields N] [--seed N] [--missed] FOLDER…\n',
  );
  process.exit(2);
}

interface Measured {
  readonly chart: string;
  readonly fields: number;
  readonly missed: readonly string[];
}

const measured: Measured[] = [];
process.stdout.write('| chart | fields | traced | share |\n| --- | ---: | ---: | ---: |\n');
for (const chart of corpusCharts(folders)) {
  const result = measure(chart);
  if (typeof result === 'string') {
    process.stderr.write(`${chart.name} is left out: ${result}\n`);
    continue;
  }
  measured.push(result);
  process.stdout.write(row(result));
}
const all: Measured = {
  chart: `all ${measured.length}`,
  fields: measured.reduce((sum, { fields }) => sum + fields, 0),
  missed: measured.flatMap(({ missed }) => missed),
};
process.stdout.write(row(all));
if (options.missed) process.stdout.write(all.missed.map((each) => `${each}\n`).join(''));

/** Returns the fields that `explain` does not trace, or why the chart cannot be measured. */
function measure(chart: CorpusChart): Measured | string {
  const explained = new ExplainedChart(chart);
  const objects = explained.objects();
  if (objects.length === 0) return 'its default values render no objects';
  const random = new Random(Number(options.seed));
  const fields = new ChangedValues(chart, objects).someFields(random, Number(options.fields));
  const missed = fields.filter((field) => !isTraced(explained, field));
  return { chart: chart.name, fields: fields.length, missed: missed.map((field) => wordsOf(chart, field)) };
}

/** Whether `explain` names the path of the value and its line in the values.yaml. */
function isTraced(explained: ExplainedChart, { object, field, value }: DerivedField): boolean {
  return explained
    .explain(object, field)
    .flatMap(({ values }) => values)
    .some(({ path, location }) => {
      if (path !== pathText(value.path) || location === undefined || !('file' in location)) return false;
      return location.file === value.file && value.lines.includes(location.line);
    });
}

/** As `explain` prints paths: `image.tag`, `hosts[0].name`, `labels["app.kubernetes.io/name"]`. */
function pathText(path: DerivedField['value']['path']): string {
  let text = '';
  for (const step of path)
    if (typeof step === 'number') text += `[${step}]`;
    else if (/[.[\]\s]/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  return text;
}

function wordsOf({ name }: CorpusChart, { object, field, value }: DerivedField): string {
  return `${name}: ${object} ${field} comes from ${pathText(value.path)} (${value.file}:${value.lines.join('-')})`;
}

function row({ chart, fields, missed }: Measured): string {
  const traced = fields - missed.length;
  const share = fields === 0 ? '' : `${((100 * traced) / fields).toFixed(1)} %`;
  return `| ${chart} | ${fields} | ${traced} | ${share} |\n`;
}
