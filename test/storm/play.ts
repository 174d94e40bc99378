// Plays random histories and prints the result of each as a line of JSON: `play FIRST COUNT`. Storm.test.ts bundles and runs it.
import { storm } from './storm.ts';

const [first = 1, count = 1] = process.argv.slice(2).map(Number);
for (let seed = first; seed < first + count; seed++) {
  const before = process.cpuUsage();
  const result = await storm(seed);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ ...result, seconds: (user + system) / 1e6 })}\n`);
}
