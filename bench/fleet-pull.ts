// Measures `fleet pull` as a whole process, from a hub on this machine that answers page by page over HTTPS.
// Run with: npm run build && node --import tsx bench/fleet-pull.ts [CLUSTERS…]
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fleetObjects, pagingHub } from './paging-hub.ts';
import { processCost } from './process-cost.ts';

const addOns = 2;
const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');
const named = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const sizes = named.length > 0 ? named.map(Number) : [1000, 10_000];

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  process.stdout.write(
    '| clusters | add-ons | requests | connections | time (s) | CPU (s) | memory (MB) | file (MB) |\n',
  );
  process.stdout.write('| --- | --- | --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const hub = await pagingHub(fleetObjects(clusters, addOns));
    const kubeconfig = path.join(folder, 'kubeconfig');
    await writeFile(kubeconfig, hub.kubeconfig);
    const out = path.join(folder, 'fleet.json');
    const parameters = ['fleet', 'pull', '--kubeconfig', kubeconfig, '--out', out];
    const cost = await processCost(process.execPath, [fleetwright, ...parameters]);
    const { connections, requests } = hub.counts();
    await hub.close();
    const cells = [
      clusters,
      clusters * addOns,
      requests,
      connections,
      cost.seconds.toFixed(2),
      cost.cpuSeconds.toFixed(2),
      (cost.peakMemory / 1e6).toFixed(0),
      ((await stat(out)).size / 1e6).toFixed(1),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}
