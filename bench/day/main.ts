// Plays a day of a fleet on a real hub: 24 compressed hours in which clusters join, move, leave and are lost, certificates are renewed,
// content is rolled out, and controllers and the API server end. Writes what it measured. Needs Go, and the output of `npm run build`. Run with:
// node --import tsx bench/day/main.ts [--clusters 3500] [--add-ons 10] [--minutes 60] [--seed 1] [--out day.json.gz]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { playDay } from './day.ts';
import { hours } from './schedule.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '3500' },
    'add-ons': { type: 'string', default: '10' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'day.json.gz' },
  },
});
const options = {
  clusters: Number(values.clusters),
  addOns: Number(values['add-ons']),
  hourSeconds: (Number(values.minutes) * 60) / hours,
  seed: Number(values.seed),
};
const record = await playDay(options, (line) => process.stdout.write(`${line}\n`));
writeFileSync(values.out, gzipSync(JSON.stringify(record)));
for (const fault of record.faults.slice(0, 50)) process.stdout.write(`fault: ${fault}\n`);
process.stdout.write(`${record.faults.length} faults; written to ${values.out}\n`);
process.exitCode = record.faults.length === 0 ? 0 : 1;
