// Runs `controller hub`, `controller status` and `controller agent` on a real hub under faults, churn and jumping clocks, and prints
// their memory and everything that must not happen. Needs Go, and the output of `npm run build`. Run with:
// node --import tsx bench/churn.ts [--minutes 60] [--seed 1]
import { parseArgs } from 'node:util';
import { churn } from '../test/hub/churn/churn.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const report = await churn({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  storm: 150,
  calm: 120,
  onSample: (sample) => void process.stdout.write(`${JSON.stringify(sample)}\n`),
});
const { samples: _, ...rest } = report;
process.stdout.write(`${JSON.stringify(rest, undefined, 1)}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
