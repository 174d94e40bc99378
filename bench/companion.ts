// How long the companion takes for many ManagedClusterAddOns and certificate requests that come at once, with its memory
// and the writes that it costs the API server, beside OCM's addon-manager on the same hub in the same run. Needs Go, and
// what `npm run build` made. Run with:
// node --import tsx bench/companion.ts [--clusters 1000] [--add-ons 5] [--requests 2000] [--hubs-own 1000]
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newCertificateRequest } from '../controller/certificates/new-certificate-request.ts';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { connect } from '../test/hub/client/hub.ts';
import { namespaceKind, ocmKinds, reference } from '../test/hub/client/kinds.ts';
import { readAccess } from '../test/hub/client/kubeconfig.ts';
import { agentOf, goodRequest, ownSubject, requestKind } from '../test/hub/companion/fleet.ts';
import { startHub } from '../test/hub/process/start-hub.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '1000' },
    'add-ons': { type: 'string', default: '5' },
    requests: { type: 'string', default: '2000' },
    'hubs-own': { type: 'string', default: '1000' },
  },
});
const numbered = (name: string, count: string): readonly string[] =>
  Array.from({ length: Number(count) }, (_, index) => `${name}-${index}`);
const clusters = numbered('cluster', values.clusters);
const addOns = numbered('compiled', values['add-ons']);
const hubsOwn = 'hubs-own';

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
    '| what | objects | written in | all served after | writes for each | companion: memory | processor time |',
  );
  say('| --- | --- | --- | --- | --- | --- | --- |');
  await measure(
    'registered by the companion',
    addOns.flatMap((addOn) => clusters.map((cluster) => onCluster(addOn, cluster))),
    async (object) => void (await client.create(object)),
    async () => await countRegistered((name) => name !== hubsOwn),
  );
  await measure(
    'certificates by the companion',
    clusters
      .flatMap((cluster) => addOns.map((addOn) => goodRequest(cluster, addOn)))
      .slice(0, Number(values.requests)),
    askForCertificate,
    async () => await countCertificates((addOn) => addOn !== hubsOwn),
  );
  const some = clusters.slice(0, Number(values['hubs-own']));
  await measure(
    'registered by the addon-manager',
    some.map((cluster) => onCluster(hubsOwn, cluster)),
    async (object) => void (await client.create(object)),
    async () => await countRegistered((name) => name === hubsOwn),
  );
  await measure(
    'certificates by the addon-manager',
    some.map((cluster) => goodRequest(cluster, hubsOwn, { request: requestOfOldRelease(cluster) })),
    askForCertificate,
    async () => await countCertificates((addOn) => addOn === hubsOwn),
  );
} finally {
  const ended = once(companion, 'exit');
  companion.kill('SIGTERM');
  await ended;
  hub.close();
  await running.stop();
}

/** The clusters, the add-ons, and what they need; nothing is installed yet. */
async function prepare(): Promise<void> {
  for (const name of [...addOns, hubsOwn]) {
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
      name === hubsOwn
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

function onCluster(addOn: string, cluster: string): KubernetesObject {
  return { ...reference(ocmKinds.managedClusterAddOn, addOn, cluster), spec: {} };
}

/** Asks for a certificate as the agent of the cluster that the request names. */
async function askForCertificate(object: KubernetesObject): Promise<void> {
  const cluster = object.metadata.labels?.['open-cluster-management.io/cluster-name'] ?? '';
  const agent = client.as(agentOf(cluster));
  try {
    await agent.create(object);
  } finally {
    agent.close();
  }
}

/** OCM up to 1.2 takes requests only with the group of everybody. */
function requestOfOldRelease(cluster: string): string {
  const { user, groups } = ownSubject(cluster, hubsOwn);
  const subject = {
    commonName: user,
    organizations: [...groups, 'system:authenticated'],
    organizationalUnits: [],
  };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return Buffer.from(newCertificateRequest(privateKey, { subject })).toString('base64');
}

async function countRegistered(isCounted: (addOn: string) => boolean): Promise<number> {
  const all = await client.list(...ocmKinds.managedClusterAddOn);
  return all.filter(
    (object) =>
      isCounted(object.metadata.name ?? '') &&
      conditions(object).some(({ type, status }) => type === 'RegistrationApplied' && status === 'True'),
  ).length;
}

async function countCertificates(isCounted: (addOn: string) => boolean): Promise<number> {
  const all = await client.list(...requestKind);
  return all.filter(
    ({ metadata, status }) =>
      isCounted(metadata.labels?.['open-cluster-management.io/addon-name'] ?? '') &&
      (status as { readonly certificate?: string } | undefined)?.certificate !== undefined,
  ).length;
}

function conditions(object: KubernetesObject): readonly { readonly type: string; readonly status: string }[] {
  const { conditions = [] } = (object['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions;
}

async function measure<T>(
  what: string,
  objects: readonly T[],
  write: (object: T) => Promise<void>,
  count: () => Promise<number>,
): Promise<void> {
  const [writes, used] = [await writesOfServer(), await companionCost()];
  const start = performance.now();
  await atATime(objects, 16, write);
  const written = seconds(start);
  const deadline = start + 900_000;
  let served = await count();
  while (served < objects.length && performance.now() < deadline) {
    await delay(2000);
    served = await count();
  }
  const after = served < objects.length ? `${served} in ${seconds(start)}` : seconds(start);
  // What follows from the last one is written a little later.
  await delay(3000);
  const each = ((await writesOfServer()) - writes - objects.length) / objects.length;
  const { memory, cpu } = await companionCost();
  say(
    `| ${what} | ${objects.length} | ${written} | ${after} | ${each.toFixed(1)} | ${Math.round(memory / 1e6)} MB | ${(cpu - used.cpu).toFixed(1)} s |`,
  );
}

async function atATime<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** Writes that the API server has answered, whoever sent them and whether they succeeded. */
async function writesOfServer(): Promise<number> {
  const lines = (await metricsOfServer()).split('\n');
  return sumOf(
    lines.filter((line) => /^apiserver_request_total\{.*verb="(?:POST|PUT|PATCH|APPLY|DELETE)"/.test(line)),
  );
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
