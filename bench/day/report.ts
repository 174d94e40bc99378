// Writes the figures of one or two days into docs/scale.md, and their plots into docs/images. Run with:
// node --import tsx bench/day/report.ts day.json.gz [another-day.json.gz]
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DayRecord } from './day-record.ts';
import { plots, tables } from './figures.ts';
import { svg } from './plot.ts';

const days = process.argv
  .slice(2)
  .map((file) => JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as DayRecord);
const [day] = days;
if (day === undefined) throw new Error('usage: report.ts DAY.json.gz [DAY.json.gz]');

const docs = path.join(import.meta.dirname, '../../docs');
const page = path.join(docs, 'scale.md');
const [begin, end] = ['<!-- figures of bench/day -->', '<!-- end of the figures -->'];
const [before = '', rest = ''] = readFileSync(page, 'utf8').split(begin);
const after = rest.split(end)[1];
if (after === undefined) throw new Error(`${page} has no place for the figures`);
const drawn = Object.entries(plots(day)).map(([name, plot]) => {
  writeFileSync(path.join(docs, `images/day-${name}.svg`), svg(plot));
  return `![${plot.title}](images/day-${name}.svg)`;
});
writeFileSync(page, `${before}${begin}\n\n${drawn.join('\n\n')}\n\n${tables(days)}\n${end}${after}`);
