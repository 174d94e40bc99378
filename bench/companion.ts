// Measures how long the companion takes for many ManagedClusterAddOns and certificate requests at once, its memory,
// and the number of writes to the API server, compared with OCM's addon-manager on the same hub in the same run.
// Needs Go, and the output of `npm run build`. Run with:
// node --import tsx bench/companion.ts [--clusters 1000] [--add-ons 5] [--requests 2000]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { connect } from '../test/hub/client/hub.ts';
import { atATime } from './at-a-time.ts';
import { namespaceKind, ocmKinds, reference } from '../test/hub/client/kinds.ts';
import { readAccess } from '../test/hub/client/kubeconfig.ts';
import { agentOf, goodRequest, requestKind, requestOfOldRelease } from '../test/hub/companion/fleet.ts';
import { startHub } from '../test/hub/process/start-hub.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '1000' },
    'add-ons': { type: 'string', default: '5' },
    requests: { type: 'string', default: '2000' },
  },
});
const numbered = (name: string, count: string): readonly string[] =>
  Array.from({ length: Number(count) }, (_, index) => `${name}-${index}`);
const clusters = numbered('cluster', values.clusters);
const compiled = numbered('compiled', values['add-ons']);
const managed = numbered('managed', values['add-ons']);

const running = await startHub();
const hub = connect(running);
const { client } = hub;
const access = readAccess(running.kubeconfig);
const port = await freePort();
const companion = spawn(
  process.execPath,
  [
    path.join(import.meta.dirname, '../build/cli/main.js'),
    'controller',
    'hub',
    `--kubeconfig=${running.kubeconfig}`,
    `--listen=127.0.0.1:${port}`,
    '--no-leader-election',
    '--log-level=warn',
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const prepared = performance.now();
  await prepare();
  say(`${clusters.length} clusters after ${seconds(prepared)}`);
  say(
    '| what | objects | written in | all served after | writes for each | reads for each | companion: memory | processor time |',
  );
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  await measureRegistrations('registered by the companion', compiled);
  await measureCertificates('certificates by the companion', compiled, () => ({}));
  await measureRegistrations('registered by the addon-manager', managed);
  await measureCertificates('certificates by the addon-manager', managed, requestOfOldRelease);
} finally {
  const ended = once(companion, 'exit');
  companion.kill('SIGTERM');
  await ended;
  hub.close();
  await running.stop();
}

/** Creates the clusters, the add-ons, and the objects that they need; nothing is installed yet. */
async function prepare(): Promise<void> {
  for (const name of [...compiled, ...managed]) {
    const hubPermissions = [{ type: 'CurrentCluster', currentCluster: { clusterRoleName: 'view' } }];
    const spec = {
      addonName: name,
      agentSpec: { workload: { manifests: [] } },
      registration: [{ type: 'KubeClient', kubeClient: { hubPermissions } }],
    };
    await client.create({ ...reference(ocmKinds.addOnTemplate, name), spec });
    const definition = reference(ocmKinds.clusterManagementAddOn, name);
    const annotations = {
      'addon.open-cluster-management.io/lifecycle': 'self',
      'fleetwright.dev/delivery': 'compiled',
      'fleetwright.dev/default-template': name,
    };
    const supportedConfigs = [
      { group: 'addon.open-cluster-management.io', resource: 'addontemplates', defaultConfig: { name } },
    ];
    await client.create(
      managed.includes(name)
        ? { ...definition, spec: { supportedConfigs } }
        : { ...definition, metadata: { name, annotations }, spec: {} },
    );
  }
  await atATime(clusters, 16, async (cluster) => {
    const spec = { hubAcceptsClient: true, leaseDurationSeconds: 3600 };
    await client.create({ ...reference(ocmKinds.managedCluster, cluster), spec });
  });
  for (;;) {
    const namespaces = await client.list(...namespaceKind);
    const there = new Set(namespaces.map(({ metadata }) => metadata.name));
    if (clusters.every((cluster) => there.has(cluster))) return;
    await delay(1000);
  }
}

/** Requests a certificate as the agent of the cluster that the request names. */
async function askForCertificate(object: KubernetesObject): Promise<void> {
  const cluster = object.metadata.labels?.['open-cluster-management.io/cluster-name'] ?? '';
  const agent = client.as(agentOf(cluster));
  try {
    await agent.create(object);
  } finally {
    agent.close();
  }
}

async function measureRegistrations(what: string, addOns: readonly string[]): Promise<void> {
  const objects = addOns.flatMap((addOn) =>
    clusters.map((cluster) => ({ ...reference(ocmKinds.managedClusterAddOn, addOn, cluster), spec: {} })),
  );
  const create = async (object: KubernetesObject): Promise<void> => void (await client.create(object));
  const counted = new Set(addOns);
  await measure(what, objects, create, async () => {
    const all = await client.list(...ocmKinds.managedClusterAddOn);
    return all.filter((object) => counted.has(object.metadata.name ?? '') && isRegistered(object)).length;
  });
}

async function measureCertificates(
  what: string,
  addOns: readonly string[],
  specOf: (cluster: string, addOn: string) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const pairs = clusters.flatMap((cluster) => addOns.map((addOn) => [cluster, addOn] as const));
  const requests = pairs
    .slice(0, Number(values.requests))
    .map(([cluster, addOn]) => goodRequest(cluster, addOn, specOf(cluster, addOn)));
  const counted = new Set(requests.map(({ metadata }) => metadata.name));
  await measure(what, requests, askForCertificate, async () => {
    const all = await client.list(...requestKind);
    return all.filter(({ metadata, status }) => counted.has(metadata.name ?? '') && hasCertificate(status))
      .length;
  });
}

function isRegistered(addOn: KubernetesObject): boolean {
  const { conditions = [] } = (addOn['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status }) => type === 'RegistrationApplied' && status === 'True');
}

function hasCertificate(status: unknown): boolean {
  return (status as { readonly certificate?: string } | undefined)?.certificate !== undefined;
}

async function measure<T>(
  what: string,
  objects: readonly T[],
  write: (object: T) => Promise<void>,
  count: () => Promise<number>,
): Promise<void> {
  const [before, used] = [await requestsOfServer(), await companionCost()];
  const start = performance.now();
  await atATime(objects, 16, write);
  const written = seconds(start);
  const deadline = start + 1_800_000;
  let served = await count();
  while (served < objects.length && performance.now() < deadline) {
    await delay(2000);
    served = await count();
  }
  const after = served < objects.length ? `${served} in ${seconds(start)}` : seconds(start);
  // The effects of the last one are written a little later.
  await delay(3000);
  const { writes, reads } = await requestsOfServer();
  const writesForEach = (writes - before.writes - objects.length) / objects.length;
  const readsForEach = (reads - before.reads) / objects.length;
  const { memory, cpu } = await companionCost();
  say(
    `| ${what} | ${objects.length} | ${written} | ${after} | ${writesForEach.toFixed(1)} | ${readsForEach.toFixed(1)} | ${Math.round(memory / 1e6)} MB | ${(cpu - used.cpu).toFixed(1)} s |`,
  );
}

/** Returns the number of requests that the API server has answered, for any client and with any result. */
async function requestsOfServer(): Promise<{ readonly writes: number; readonly reads: number }> {
  const lines = (await metricsOfServer()).split('\n');
  const answered = (verb: RegExp): number =>
    sumOf(lines.filter((line) => line.startsWith('apiserver_request_total{') && verb.test(line)));
  return {
    writes: answered(/verb="(?:POST|PUT|PATCH|APPLY|DELETE)"/),
    reads: answered(/verb="(?:GET|LIST|WATCH)"/),
  };
}

async function metricsOfServer(): Promise<string> {
  const { server, ca, certificate: cert, key } = access;
  return await new Promise((resolve, reject) => {
    request(new URL('/metrics', server), { ca, cert, key }, (response) => {
      text(response).then(resolve, reject);
    })
      .on('error', reject)
      .end();
  });
}

async function companionCost(): Promise<{ readonly memory: number; readonly cpu: number }> {
  for (;;) {
    try {
      const metrics = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');
      const value = (name: string): number => sumOf(metrics.filter((line) => line.startsWith(`${name} `)));
      return { memory: value('process_resident_memory_bytes'), cpu: value('process_cpu_seconds_total') };
    } catch {
      // It is about to start.
      await delay(200);
    }
  }
}

function sumOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
