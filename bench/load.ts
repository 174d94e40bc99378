// Measures loading a fleet of 100, 1,000 and 10,000 ManagedClusters, written as YAML documents, as the list that
// kubectl prints, and as JSON: time of load(), the best of several runs, how it grows from step to step (10 is
// linear), compared with the yaml library alone in the same run (parseAllDocuments and toJS); the heap that the
// loaded objects keep; the time to look up the location of a field in 1,000 objects; and the ratio to JSON.parse.
//   node --import tsx bench/load.ts
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseAllDocuments, stringify } from 'yaml';
import { byFloor, jsonFloor } from './floor.ts';
import { load } from '../src/compiler/load/load.ts';

const fleetSizes = [100, 1_000, 10_000];
const runs = 3;
const lastTransitionTime = '2026-11-01T08:00:00Z';

function managedCluster(index: number): object {
  const condition = (type: string, message: string): object => ({
    lastTransitionTime,
    message,
    reason: type,
    status: 'True',
    type,
  });
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: {
      labels: { environment: index % 3 === 0 ? 'dev' : 'prod', vendor: 'OpenShift' },
      name: `cluster${String(index).padStart(5, '0')}`,
    },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
    status: {
      allocatable: { cpu: '16', memory: '64Gi' },
      capacity: { cpu: '16', memory: '64Gi' },
      clusterClaims: [
        { name: 'platform.open-cluster-management.io', value: 'AWS' },
        { name: 'region.open-cluster-management.io', value: 'us-east-1' },
      ],
      conditions: [
        condition('HubAcceptedManagedCluster', 'Accepted by hub cluster admin'),
        condition('ManagedClusterJoined', 'Managed cluster joined'),
        condition('ManagedClusterConditionAvailable', 'Managed cluster is available'),
      ],
      version: { kubernetes: 'v1.35.4' },
    },
  };
}

const list = (clusters: readonly object[]): object => ({ apiVersion: 'v1', items: clusters, kind: 'List' });

/** The formats of a fleet. */
const forms: Readonly<Record<string, (clusters: readonly object[]) => string>> = {
  'YAML documents': (clusters) => clusters.map((cluster) => stringify(cluster)).join('---\n'),
  'YAML list': (clusters) => stringify(list(clusters), { indentSeq: false }),
  'JSON list': (clusters) => JSON.stringify(list(clusters), null, 2),
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function milliseconds(run: () => void, times: number): number {
  const each = Array.from({ length: times }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...each);
}

const columns = [16, 9, 7, 9, 8, 10, 8, 9, 12, 10];
const row = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, index) =>
      index === 0 ? String(cell).padEnd(columns[0] ?? 0) : String(cell).padStart(columns[index] ?? 0),
    )
    .join('');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(row(['', 'clusters', 'MB', 'load', 'growth', 'library', 'ratio', 'kept', '1000 places', 'by floor']));
for (const [form, write] of Object.entries(forms)) {
  let before: number | undefined;
  for (const size of fleetSizes) {
    const text = write(Array.from({ length: size }, (_, index) => managedCluster(index)));
    const floor = jsonFloor([
      forms['JSON list']?.(Array.from({ length: size }, (_, index) => managedCluster(index))) ?? '',
    ]);
    const texts = [{ file: 'fleet.yaml', text, source: 'fleet' as const }];
    const time = milliseconds(() => load(texts), runs);
    const library = milliseconds(() => {
      for (const document of parseAllDocuments(text)) document.toJS();
    }, 1);
    const empty = heap();
    const { value } = load(texts);
    const kept = heap() - empty;
    if (value.length !== size) throw new Error(`${form}: ${value.length} objects instead of ${size}`);
    const asked = Array.from({ length: 1000 }, (_, index) => value[Math.floor((index * size) / 1000)]);
    const places = milliseconds(() => {
      for (const object of asked) object?.origin.locate(['metadata', 'labels', 'environment']);
    }, 1);
    const cells = [
      (text.length / 1e6).toFixed(1),
      `${time.toFixed(0)} ms`,
      before === undefined ? '' : (time / before).toFixed(1),
    ];
    print(
      row([
        form,
        size,
        ...cells,
        `${library.toFixed(0)} ms`,
        (library / time).toFixed(1),
        `${(kept / 1e6).toFixed(1)} MB`,
        `${places.toFixed(0)} ms`,
        byFloor(time, floor),
      ]),
    );
    before = time;
  }
}
