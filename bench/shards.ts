// Measures the companion for one hub with 20,000 clusters and 10 add-ons each, whose clusters its replicas divide into shards, beside one
// replica without shards. The API server is simulated, because no hub of this size fits on one machine: it answers lists, watches and
// writes from memory, and the objects are those that the companion itself has finished. Needs the output of `npm run build`. Run with:
// node --max-old-space-size=8000 --import tsx bench/shards.ts [--clusters 20000] [--add-ons 10] [--replicas 4] [--shards 8]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { goJson } from '../src/base/json/go-json.ts';
import type { ApiObject } from '../src/client/object.ts';
import type { Resource } from '../src/client/resource.ts';
import { managedClusterAddOns } from '../src/controller/add-on/managed-cluster-add-ons.ts';
import {
  addOnTemplates,
  clusterManagementAddOns,
  managedClusters,
  manifestWorks,
} from '../src/controller/hub/resources.ts';
import { answerJson, FakeApiServer } from '../test/controller/api-server.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '20000' },
    'add-ons': { type: 'string', default: '10' },
    replicas: { type: 'string', default: '4' },
    shards: { type: 'string', default: '8' },
  },
});
const [clusters, addOns] = [Number(values.clusters), Number(values['add-ons'])];
const [replicas, shards] = [Number(values.replicas), Number(values.shards)];
const nameOf = (index: number): string => `cluster-${String(index).padStart(5, '0')}`;
const model = nameOf(0);
const program = path.join(import.meta.dirname, '../build/fleetwright.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-bench-'));
const server = await FakeApiServer.start();
// Discovery is no collection of objects.
server.intercept = ({ url }, response) => {
  const isDiscovery = url === '/apis/addon.open-cluster-management.io';
  if (isDiscovery) answerJson(response, 200, { versions: [{ version: 'v1alpha1' }] });
  return isDiscovery;
};

try {
  await seedHub();
  process.stdout.write(
    '| replicas | shards | all served after (s) | memory of a replica, most (MB) | processor time of all (s) | writes |\n| --- | --- | --- | --- | --- | --- |\n',
  );
  await measure(1, 1);
  await measure(replicas, shards);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/** A replica of the companion. */
interface Replica {
  /** Returns a metric. */
  readonly value: (name: string) => Promise<number>;
  /** Peak memory in bytes. */
  readonly peakMemory: () => number;
  readonly stop: () => Promise<void>;
}

async function startReplica(count: number): Promise<Replica> {
  const kubeconfig = path.join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    `apiVersion: v1
kind: Config
current-context: hub
clusters: [{ name: hub, cluster: { server: "http://127.0.0.1:${server.port}" } }]
users: [{ name: companion, user: { token: companion } }]
contexts: [{ name: hub, context: { cluster: hub, user: companion, namespace: companion } }]
`,
  );
  const options = [`--kubeconfig=${kubeconfig}`, '--listen=127.0.0.1:0', `--shards=${count}`];
  const child = spawn(process.execPath, [program, 'controller', 'hub', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  while (!output.includes('"port":')) await delay(50);
  const port = /"port":(\d+)/.exec(output)?.[1];
  return {
    value: async (name) => {
      const lines = (await metricsAt(`http://127.0.0.1:${port}/metrics`)).split('\n');
      return lines
        .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    peakMemory: () =>
      Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Reads metrics. A replica that fills its caches may take longer than its server waits for a request. */
async function metricsAt(url: string): Promise<string> {
  for (;;) {
    const text = await fetch(url)
      .then(async (response) => await response.text())
      .catch(() => undefined);
    if (text !== undefined) return text;
    await delay(200);
  }
}

/** Creates one cluster, lets the companion finish its objects, and copies them to all others. */
async function seedHub(): Promise<void> {
  const annotations = {
    'addon.open-cluster-management.io/lifecycle': 'self',
    'fleetwright.dev/delivery': 'compiled',
  };
  const names = Array.from({ length: addOns }, (_, index) => `add-on-${index}`);
  for (const name of names) {
    const withTemplate = { ...annotations, 'fleetwright.dev/default-template': name };
    const registration = [{ type: 'KubeClient' }];
    seed(clusterManagementAddOns, { metadata: { name, annotations: withTemplate }, spec: {} });
    seed(addOnTemplates, { metadata: { name }, spec: { addonName: name, agentSpec: {}, registration } });
  }
  const client = server.client();
  await client.create(managedClusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: model },
    spec: { hubAcceptsClient: true },
  });
  for (const name of names) {
    await client.create(managedClusterAddOns, {
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'ManagedClusterAddOn',
      metadata: { name, namespace: model },
      spec: {},
    });
    seed(manifestWorks, workOf(name));
  }
  const companion = await startReplica(1);
  await untilStill();
  await companion.stop();
  const cluster = await client.get(managedClusters, { name: model });
  for (let index = 1; index < clusters; index += 1) copy(managedClusters, cluster, nameOf(index));
  for (const name of names) {
    const onCluster = await client.get(managedClusterAddOns, { name, namespace: model });
    for (let index = 1; index < clusters; index += 1) copy(managedClusterAddOns, onCluster, nameOf(index));
  }
  const uids = new Map<string, string>();
  for await (const { items } of client.pages(managedClusterAddOns, { pageSize: 5000 }))
    for (const { metadata } of items) uids.set(`${metadata.namespace}/${metadata.name}`, metadata.uid);
  for (const name of names) {
    const work = await client.get(manifestWorks, { name: workName(name), namespace: model });
    const uid = uids.get(`${model}/${name}`) ?? '';
    for (let index = 1; index < clusters; index += 1)
      copy(manifestWorks, work, nameOf(index), [uid, uids.get(`${nameOf(index)}/${name}`) ?? '']);
  }
}

function workName(addOn: string): string {
  return `addon-${addOn}-deploy-0`;
}

/** An object without its kind. */
type Content = Pick<ApiObject, 'metadata'> & Readonly<Record<string, unknown>>;

function workOf(addOn: string): Content {
  const at = { lastTransitionTime: '2026-01-01T00:00:00Z', status: 'True', message: 'as the agent says' };
  return {
    metadata: {
      name: workName(addOn),
      namespace: model,
      labels: { 'open-cluster-management.io/addon-name': addOn },
    },
    spec: { workload: { manifests: [] } },
    status: {
      conditions: [
        { type: 'Applied', reason: 'AppliedManifestWorkComplete', ...at },
        { type: 'Available', reason: 'ResourcesAvailable', ...at },
      ],
    },
  };
}

function seed(resource: Resource, object: Content): void {
  server.seed(resource, { ...object, apiVersion: resource.apiVersion, kind: resource.kind });
}

/** Stores an object of the model for another cluster. @param replaced - a text and its replacement there */
function copy(
  resource: Resource,
  object: ApiObject | undefined,
  cluster: string,
  replaced: readonly [string, string] = ['', ''],
): void {
  let text = goJson(object).replaceAll(model, cluster);
  if (replaced[0] !== '') text = text.replaceAll(replaced[0], replaced[1]);
  seed(resource, JSON.parse(text) as Content);
}

/** Waits until nothing but Leases has been written for some seconds. */
async function untilStill(): Promise<void> {
  for (let [writes, since] = [writesSoFar(), performance.now()]; performance.now() - since < 5000;) {
    await delay(200);
    if (writesSoFar() !== writes) [writes, since] = [writesSoFar(), performance.now()];
  }
}

function writesSoFar(): number {
  return server.requests.filter((line) => !/^(?:GET|WATCH) |\/leases/.test(line)).length;
}

async function measure(count: number, parts: number): Promise<void> {
  const writes = writesSoFar();
  const start = performance.now();
  const running = await Promise.all(Array.from({ length: count }, async () => await startReplica(parts)));
  const sum = async (name: string): Promise<number> =>
    (await Promise.all(running.map(async ({ value }) => await value(name)))).reduce((a, b) => a + b, 0);
  const isServed = async (): Promise<boolean> =>
    (await sum('fleetwright_shards')) === parts &&
    (await sum('fleetwright_reconcile_seconds_count')) >= clusters * addOns &&
    (await sum('fleetwright_queue_depth')) === 0;
  while (!(await isServed())) await delay(500);
  const seconds = (performance.now() - start) / 1000;
  const memory = Math.max(...running.map(({ peakMemory }) => peakMemory()));
  const cpu = await sum('process_cpu_seconds_total');
  await Promise.all(running.map(async ({ stop }) => await stop()));
  const cells = [count, parts, seconds.toFixed(0), (memory / 1e6).toFixed(0), cpu.toFixed(0)];
  process.stdout.write(`| ${[...cells, writesSoFar() - writes].join(' | ')} |\n`);
}
