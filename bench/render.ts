// Measures how fast works are rendered, and whether twice the clusters take twice the time. Times are CPU seconds of
// this process, so that other programs on the machine do not count. One core at 100 % renders this number of works
// per second.
//
//   node --import tsx bench/render.ts [--hub]
//
// With --hub a real hub does the same work, on all cores, in wall-clock time.
import { admit } from '../src/compiler/admit/admit.ts';
import { configure } from '../src/compiler/configure/configure.ts';
import { goJson } from '../src/base/json/go-json.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { place } from '../src/compiler/place/place.ts';
import { render } from '../src/compiler/render/render.ts';
import { byFloor, jsonFloor } from './floor.ts';
import { hubRate } from './hub-rate.ts';
import { templateFleet } from './template-fleet.ts';

const location = { construct: 'bench' };
const origin = { location, locate: () => location };

interface Run {
  readonly clusters: number;
  readonly works: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly heapMegabytes: number;
  /** Milliseconds to write the works as JSON. */
  readonly floor: number;
}

function run(clusters: number): Run {
  const objects = templateFleet(clusters).map((object) => ({ object, origin, source: 'app' as const }));
  const inventory = admit(objects).value;
  const decisions = place(inventory, { now: 0 }).value;
  const configuration = configure(inventory, decisions, hubVersion('1.3')).value;
  const start = process.cpuUsage();
  const { value } = render(inventory, decisions, configuration, { hub: hubVersion('1.3') });
  let works = 0;
  let bytes = 0;
  let heap = 0;
  const sample: unknown[] = [];
  for (const cluster of configuration.get('agent')?.clusters.keys() ?? []) {
    for (const work of value.clusterAddOn('agent', cluster)?.works ?? []) {
      works++;
      // one in a hundred, so that measuring the size does not count
      if (works % 100 !== 0) continue;
      bytes += goJson(work).length * 100;
      sample.push(work);
    }
    if (works % 1000 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed);
  }
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  return {
    clusters,
    works,
    megabytes: bytes / 1e6,
    seconds,
    heapMegabytes: heap / 1e6,
    floor: jsonFloor([], sample) * 100,
  };
}

run(1000); // to warm up
const runs = [1250, 2500, 5000, 10_000].map(run);
const rows = runs.map(({ clusters, works, megabytes, seconds, heapMegabytes, floor }) => ({
  clusters,
  works,
  'MB of works': megabytes.toFixed(1),
  'CPU s': seconds.toFixed(2),
  'works/s': Math.round(works / seconds),
  'heap MB': Math.round(heapMegabytes),
  'by floor': byFloor(seconds * 1000, floor),
}));
const columns = Object.keys(rows[0] ?? {});
for (const line of [columns, ...rows.map((row) => Object.values(row).map(String))]) {
  process.stdout.write(`${line.map((cell) => cell.padStart(12)).join('')}\n`);
}

if (process.argv.includes('--hub')) {
  const clusters = 100;
  const seconds = await hubRate(templateFleet(clusters));
  process.stdout.write(
    `a real hub: ${clusters} works in ${seconds.toFixed(1)} s, ${(clusters / seconds).toFixed(1)} works/s\n`,
  );
}
