// Plays random histories and prints the result of each as a line of JSON: `play SEED…`. Storm.test.ts bundles and runs it.
import { ModelHub } from './model-hub.ts';
import { storm } from './storm.ts';

for (const seed of process.argv.slice(2).map(Number)) {
  const before = process.cpuUsage();
  const result = await storm(seed, new ModelHub(seed % 2 === 0 ? 'argocd' : 'flux'));
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ ...result, seconds: (user + system) / 1e6 })}\n`);
}
