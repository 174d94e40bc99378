// Measures the effect of a flood of certificate requests by one cluster on the companion and the other clusters.
// Needs the output of `npm run build`.
// Run with: node --import tsx bench/flood.ts [--requests 10000] [--spoils 50] [--patience 120] [--command
// build/cli/main.js]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureFlood } from '../test/controller/flooded-hub.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    spoils: { type: 'string', default: '50' },
    patience: { type: 'string', default: '120' },
    command: { type: 'string', default: path.join(import.meta.dirname, '../build/cli/main.js') },
  },
});
const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-flood-'));
try {
  const { longestStop, slowestAnswer, lostLeases, memory, approvals, lines } = await measureFlood({
    command: values.command,
    requests: Number(values.requests),
    spoils: Number(values.spoils),
    patience: Number(values.patience),
    folder,
  });
  const times = approvals.map((seconds) => (seconds === undefined ? 'never' : `${seconds.toFixed(2)} s`));
  process.stdout
    .write(`| requests | longest stop of the event loop | slowest answer of /metrics | lost leases | approvals of the other cluster | memory | lines of the log |
| --- | --- | --- | --- | --- | --- | --- |
| ${values.requests} | ${longestStop.toFixed(2)} s | ${slowestAnswer.toFixed(2)} s | ${lostLeases} | ${times.join(', ')} | ${Math.round(memory / 1e6)} MB | ${lines.length} |
`);
} finally {
  rmSync(folder, { recursive: true });
}
