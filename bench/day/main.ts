// Plays days of a fleet on a real hub: 24 compressed hours in which clusters join, move, leave and are lost, certificates are renewed,
// content is rolled out, and controllers and the API server end. Writes what it measured. Needs Go, and the output of `npm run build`. Run with:
// node --import tsx bench/day/main.ts [--clusters 3500] [--add-ons 10] [--minutes 60] [--seed 1] [--renewed 0.1] [--out day.json.gz [--out another-day.json.gz]]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { playDays } from './day.ts';
import { hours } from './schedule.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '3500' },
    'add-ons': { type: 'string', default: '10' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    // Certificates of a year are renewed after 292 days.
    renewed: { type: 'string', default: '0.1' },
    // A day for each file.
    out: { type: 'string', multiple: true, default: ['day.json.gz'] },
  },
});
const options = {
  clusters: Number(values.clusters),
  addOns: Number(values['add-ons']),
  hourSeconds: (Number(values.minutes) * 60) / hours,
  seed: Number(values.seed),
  renewed: Number(values.renewed),
};
const files = values.out.values();
for await (const day of playDays(options, values.out.length, (line) => process.stdout.write(`${line}\n`))) {
  const file = files.next().value ?? '';
  writeFileSync(file, gzipSync(JSON.stringify(day)));
  for (const fault of day.faults.slice(0, 50)) process.stdout.write(`fault: ${fault}\n`);
  process.stdout.write(`${day.faults.length} faults; written to ${file}\n`);
  if (day.faults.length > 0) process.exitCode = 1;
}
