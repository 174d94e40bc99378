// Measures what it costs to resolve an add-on that delivers a public chart to many clusters, with all its works: the chart is rendered once
// if it does not read the names of the clusters. The user brings the chart; nothing of it is in this repository.
//
//   node --import tsx bench/public-chart-fleet.ts [--clusters 1000] [--values FILE] FOLDER
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { load } from '../src/compiler/load/load.ts';
import { resolve } from '../src/compiler/resolve.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { corpusCharts } from '../test/charts/corpus.ts';
import { addOn, manifestsFor } from '../test/charts/explained-chart.ts';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { clusters: { type: 'string', default: '1000' }, values: { type: 'string' } },
});
const [chart] = corpusCharts(folders);
if (chart === undefined) throw new Error('the folder has no chart');
const values = (options.values === undefined ? {} : parse(readFileSync(options.values, 'utf8'))) as object;
const clusters = Array.from({ length: Number(options.clusters) }, (_, index) => `cluster${index}`);
const text = manifestsFor(chart, clusters, values);

const start = process.cpuUsage();
const loaded = load([{ file: 'app.yaml', text, source: 'app' }]);
const resolved = resolve(loaded.value, { now: Date.parse('2026-01-31T12:00:00Z'), hub: hubVersion('1.3') });
const { rendering } = resolved.value ?? {};
if (rendering === undefined) throw new Error(JSON.stringify(resolved.diagnostics));
let [works, manifests] = [0, 0];
for (const cluster of clusters)
  for (const { spec } of rendering.predicted(addOn, cluster)?.works ?? []) {
    works += 1;
    manifests += spec?.workload?.manifests?.length ?? 0;
  }
const { user, system } = process.cpuUsage(start);
process.stdout.write(
  `${clusters.length} clusters, ${works} works, ${manifests} manifests: ${((user + system) / 1e6).toFixed(1)} s, ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB\n`,
);
