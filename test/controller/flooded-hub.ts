import { spawn } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { oids } from '../../src/base/certificates/object-identifiers.ts';
import {
  certificateSigningRequests,
  type CertificateSigningRequestV1,
} from '../../src/controller/hub/approval/certificate-requests.ts';
import { managedClusterAddOns } from '../../src/controller/add-on/managed-cluster-add-ons.ts';
import {
  addOnTemplates,
  clusterManagementAddOns,
  managedClusters,
} from '../../src/controller/hub/resources.ts';
import type { Resource } from '../../src/client/resource.ts';
import type { ObjectMeta } from '../../src/base/objects/object-meta.ts';
import { answerJson, FakeApiServer } from './api-server.ts';
import { attribute, forge, inBase64, newKey } from '../base/certificates/forged-request.ts';

const addOn = 'hello';
/** The cluster that floods the hub with requests, and one that does not. */
export const [hostile, peaceful] = ['hostile', 'peaceful'];

/** What a companion on a flooded hub showed. */
export interface FloodReport {
  /** The longest time that the event loop stood still, in seconds. */
  readonly longestStop: number;
  /** How often the lease was lost. */
  readonly lostLeases: number;
  /** Seconds until each request of the other cluster was approved; undefined where it was not within the patience. */
  readonly approvals: readonly (number | undefined)[];
  /** The slowest answer of `/metrics`, in seconds. */
  readonly slowestAnswer: number;
  /** Resident memory at most, in bytes. */
  readonly memory: number;
  /** Lines of the log. */
  readonly lines: readonly string[];
}

export interface FloodOptions {
  /** The built command. */
  readonly command: string;
  /** How many requests the hostile cluster has sent. */
  readonly requests: number;
  /** How often its agent spoils the status of its add-on. */
  readonly spoils: number;
  /** Seconds to wait for the approval of each good request. */
  readonly patience: number;
  /** For a kubeconfig. */
  readonly folder: string;
  /** Further options of `controller hub`. */
  readonly options?: readonly string[];
}

/**
 * Runs the built `controller hub` with leader election against an API server in which one cluster has sent many requests that do
 * not fit, spoils the status of its add-on, and another cluster sends good requests meanwhile.
 */
export async function measureFlood(options: FloodOptions): Promise<FloodReport> {
  const { requests, spoils, patience } = options;
  const server = await FakeApiServer.start();
  // Discovery is no collection of objects.
  server.intercept = ({ url }, response) => {
    const isDiscovery = url === '/apis/addon.open-cluster-management.io';
    if (isDiscovery) answerJson(response, 200, { versions: [{ version: 'v1alpha1' }] });
    return isDiscovery;
  };
  seedHub(server);
  for (const request of hostileRequests(requests)) server.seed(certificateSigningRequests, request);
  const companion = await startCompanion(server, options);
  try {
    await companion.logged('"leads"');
    await companion.ready();
    const approvals: (number | undefined)[] = [];
    const approve = async (): Promise<void> => void approvals.push(await approval(server, patience));
    await approve();
    for (let spoilt = 0; spoilt < spoils; spoilt += 1) {
      await server
        .client()
        .merge(
          managedClusterAddOns,
          { name: addOn, namespace: hostile },
          { status: { registrations: [{ signerName: `example.com/${spoilt}` }] } },
          { subresource: 'status' },
        );
      await delay(200);
      if (spoilt % 10 === 0) await approve();
    }
    await approve();
    await companion.measure();
    return { ...companion.report(), approvals };
  } finally {
    await companion.stop();
    await server.stop();
  }
}

/** Two clusters with the add-on. */
function seedHub(server: FakeApiServer): void {
  const addOnVersion = 'addon.open-cluster-management.io/v1alpha1';
  const seed = (resource: Resource, apiVersion: string, metadata: ObjectMeta, spec: object): void => {
    const object = { apiVersion, kind: resource.kind, metadata, spec };
    server.seed(resource, object);
  };
  const annotations = {
    'addon.open-cluster-management.io/lifecycle': 'self',
    'fleetwright.dev/delivery': 'compiled',
    'fleetwright.dev/default-template': addOn,
  };
  seed(clusterManagementAddOns, addOnVersion, { name: addOn, annotations }, {});
  const registration = [{ type: 'KubeClient' }];
  seed(addOnTemplates, addOnVersion, { name: addOn }, { addonName: addOn, agentSpec: {}, registration });
  for (const cluster of [hostile, peaceful]) {
    const accepted = { hubAcceptsClient: true };
    seed(managedClusters, 'cluster.open-cluster-management.io/v1', { name: cluster }, accepted);
    seed(managedClusterAddOns, addOnVersion, { name: addOn, namespace: cluster }, {});
  }
}

function subjectOn(cluster: string): { readonly user: string; readonly groups: readonly string[] } {
  const group = `system:open-cluster-management:cluster:${cluster}:addon:${addOn}`;
  return {
    user: `${group}:agent:${addOn}-agent`,
    groups: [group, `system:open-cluster-management:addon:${addOn}`],
  };
}

function nameOn(cluster: string, groups?: readonly string[]): readonly (readonly Buffer[])[] {
  const subject = subjectOn(cluster);
  return [
    (groups ?? subject.groups).map((group) => attribute(oids.organization, group)),
    [attribute(oids.commonName, subject.user)],
  ];
}

function requestOf(cluster: string, name: string, request: string): CertificateSigningRequestV1 {
  const group = `system:open-cluster-management:${cluster}`;
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {
      name,
      labels: {
        'open-cluster-management.io/cluster-name': cluster,
        'open-cluster-management.io/addon-name': addOn,
      },
    },
    spec: {
      request,
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['digital signature', 'key encipherment', 'client auth'],
      username: `${group}:agent1`,
      groups: [group, 'system:open-cluster-management:managed-clusters', 'system:authenticated'],
    },
  };
}

/** Requests that cost as much as can be: large keys, signatures of others, the largest size; in the agent's own name. */
function* hostileRequests(count: number): Iterable<CertificateSigningRequestV1> {
  const [key, other] = [newKey('P-521'), newKey('P-521')];
  const bulk = 'x'.repeat(11_000);
  const contents = [
    forge({ key, name: nameOn(hostile, ['system:masters']) }),
    // Signed by another key.
    forge({ key: other, name: nameOn(hostile), publicKey: publicKeyOf(key) }),
    forge({ key, name: [...nameOn(hostile), [attribute(oids.organizationalUnit, bulk)]] }),
  ].map(inBase64);
  for (let index = 0; index < count; index += 1) {
    const isMisnamed = index % 4 === 3;
    const number = index.toString(36).padStart(5, '0');
    yield requestOf(
      hostile,
      isMisnamed ? `misnamed-${number}` : `addon-${hostile}-${addOn}-${number}`,
      contents[index % contents.length] ?? '',
    );
  }
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

let sent = 0;

/** Seconds until a good request of the peaceful cluster is approved; undefined where that takes longer than the patience. */
async function approval(server: FakeApiServer, patience: number): Promise<number | undefined> {
  const client = server.client();
  sent += 1;
  const name = `addon-${peaceful}-${addOn}-${String(sent).padStart(5, '0')}`;
  const start = performance.now();
  await client.create(
    certificateSigningRequests,
    requestOf(peaceful, name, inBase64(forge({ name: nameOn(peaceful) }))),
  );
  const elapsed = (): number => (performance.now() - start) / 1000;
  while (elapsed() < patience) {
    const { status } = (await client.get(certificateSigningRequests, { name })) ?? {};
    if (status?.conditions?.some(({ type }) => type === 'Approved') === true) return elapsed();
    await delay(20);
  }
  return undefined;
}

/** Milliseconds between two looks at the metrics. */
const pause = 500;

/** Starts the built command, and looks at its metrics all the time. */
async function startCompanion(server: FakeApiServer, { command, folder, options = [] }: FloodOptions) {
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
  const child = spawn(
    process.execPath,
    // What Node takes in a container of 512 MiB.
    [
      '--max-old-space-size=256',
      command,
      'controller',
      'hub',
      `--kubeconfig=${kubeconfig}`,
      '--listen=127.0.0.1:0',
      ...options,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const logged = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      if (child.exitCode !== null) throw new Error(`the companion ended:\n${output}`);
      await delay(50);
    }
  };
  await logged('"port":');
  const port = /"port":(\d+)/.exec(output)?.[1];
  let [longestStop, slowestAnswer, memory] = [0, 0, 0];
  const measure = async (): Promise<void> => {
    const start = performance.now();
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    slowestAnswer = Math.max(slowestAnswer, (performance.now() - start) / 1000);
    const value = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? NaN);
    longestStop = Math.max(longestStop, value('nodejs_eventloop_lag_max_seconds'));
    memory = Math.max(memory, value('process_resident_memory_bytes'));
  };
  const end = new AbortController();
  const measuring = (async () => {
    while (!end.signal.aborted && child.exitCode === null) {
      await measure();
      await delay(pause);
    }
  })().catch(() => undefined);
  return {
    logged,
    measure,
    ready: async () => {
      while (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) await delay(100);
    },
    report: () => {
      const lines = output.split('\n');
      const lostLeases = lines.filter((line) => line.includes('the lease is lost')).length;
      return { longestStop, slowestAnswer, memory, lostLeases, lines };
    },
    stop: async () => {
      end.abort();
      child.kill('SIGTERM');
      const killed = setTimeout(() => child.kill('SIGKILL'), 60_000);
      await exited;
      clearTimeout(killed);
      await measuring;
    },
  };
}
