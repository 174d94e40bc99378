import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Impersonated } from '../client/api-client.ts';
import { connect } from '../client/hub.ts';
import { namespaceKind, reference, type KindOf } from '../client/kinds.ts';
import {
  accountKubeconfig,
  companionNamespace,
  confinedKubeconfig,
  statusObjects,
} from '../companion/confined-companion.ts';
import { agentOf } from '../companion/fleet.ts';
import { Random } from '../differential/random.ts';
import { startHub } from '../process/start-hub.ts';
import { agentCluster, ChurnedFleet, signer } from './churned-fleet.ts';
import { ControllerProcess, type Memory } from './controller-process.ts';
import { FaultyProxy } from './faulty-proxy.ts';

// Both controllers of the hub and an agent, each as its own process behind a proxy that answers wrongly, while add-ons come and go,
// clocks jump, and hostile requests are sent. After each storm everything has to be right again.

export interface ChurnOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Seconds of each storm, and at most until everything is right again. */
  readonly storm: number;
  readonly calm: number;
  readonly onSample?: (sample: Sample) => void;
}

/** The memory of each process after a number of minutes. */
export interface Sample {
  readonly minute: number;
  readonly memory: Readonly<Record<string, Memory>>;
}

export interface ChurnReport {
  readonly samples: readonly Sample[];
  /** Everything that must not happen. */
  readonly faults: readonly string[];
  readonly storms: number;
  readonly changes: number;
  readonly jumps: number;
  readonly restarts: number;
  readonly hostileRequests: number;
  readonly goodRequests: number;
  /** How often a replica acquired the lease. */
  readonly leads: number;
  /** Answers of the proxies that were wrong. */
  readonly wrongAnswers: Readonly<Record<string, number>>;
  /** Seconds after each storm until everything was right. */
  readonly recovered: readonly number[];
}

const eventKind: KindOf = ['v1', 'Event'];
/** Differences from the right time. */
const jumps = ['+30', '-30', '+3600', '-3600', '+400d', '-400d', '+3650d'];

/** Runs the controllers on a real hub under faults. */
export async function churn({ minutes, seed, storm, calm, onSample }: ChurnOptions): Promise<ChurnReport> {
  const random = new Random(seed);
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-churn-'));
  const running = await startHub();
  const hub = connect(running);
  const fleet = new ChurnedFleet(hub.client, random);
  const proxies: FaultyProxy[] = [];
  const processes: ControllerProcess[] = [];
  const proxied = async (name: string, as?: Impersonated): Promise<string> => {
    const proxy = await FaultyProxy.before(running.kubeconfig, random, as);
    proxies.push(proxy);
    const file = path.join(folder, `${name}.kubeconfig`);
    writeFileSync(file, kubeconfigFor(proxy.url));
    return file;
  };
  const start = (name: string, ...parameters: readonly string[]): ControllerProcess => {
    const started = new ControllerProcess(name, folder, [...parameters, '--listen=127.0.0.1:0']);
    processes.push(started);
    return started;
  };
  const [faults, samples, recovered]: [string[], Sample[], number[]] = [[], [], []];
  let [storms, changes, jumped, restarts] = [0, 0, 0, 0];
  try {
    await fleet.create();
    await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', {
      grants: [{ kind: 'ClusterRole', name: 'view' }],
      signers: [signer],
    });
    const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace: agentCluster, name: 'any' };
    const event = { reason: 'Meant', type: 'Normal', message: 'meant', involvedObject };
    await accountKubeconfig(hub.client, running.kubeconfig, {
      name: 'status',
      objects: statusObjects('status', { events: true }),
      meant: { ...reference(eventKind, 'of-nobody', agentCluster), ...event },
    });
    await hub.client.apply(reference(namespaceKind, addOnNamespace));
    const election = `--leader-election-namespace=${companionNamespace}`;
    const options = [election, '--leader-election-name=companion', '--resync=1m'];
    const account = accountOf('companion');
    const steady = start('hub', 'hub', `--kubeconfig=${await proxied('hub', account)}`, ...options);
    const other = start('replica', 'hub', `--kubeconfig=${await proxied('replica', account)}`, ...options);
    const agent = start(
      'agent',
      'agent',
      `--kubeconfig=${await proxied('cluster')}`,
      `--hub-kubeconfig=${await proxied('agent', agentOf(agentCluster))}`,
      `--cluster=${agentCluster}`,
      `--add-on=${fleet.addOn}`,
      `--namespace=${addOnNamespace}`,
      '--period=2s',
      '--credentials',
      '--health-report',
      '--certificate-lifetime=10m',
    );
    const status = `--kubeconfig=${await proxied('status', accountOf('status'))}`;
    start('status', 'status', status, '--interval=30s', '--events');
    const begin = performance.now();
    const minute = (): number => (performance.now() - begin) / 60_000;
    let nextSample = 0;
    const sample = async (): Promise<void> => {
      const memory: Record<string, Memory> = {};
      for (const each of processes) {
        // It was restarted a moment ago.
        if (!each.hasStarted) continue;
        try {
          memory[each.name] = await each.memory();
        } catch (error) {
          faults.push(`minute ${minute().toFixed(1)}: ${each.name} does not answer: ${String(error)}`);
        }
      }
      const taken = { minute: Math.round(minute() * 10) / 10, memory };
      samples.push(taken);
      onSample?.(taken);
      nextSample = minute() + Math.min(1, minutes / 5);
    };
    const recover = async (): Promise<void> => {
      for (const proxy of proxies) proxy.isStormy = false;
      for (const each of processes) each.jump('+0');
      const calmSince = performance.now();
      const isLate = (): boolean => performance.now() - calmSince > calm * 1000;
      const wait = async (): Promise<void> => await delay(500);
      let differences = await fleet.differences();
      while (differences.length > 0 && !isLate()) {
        await wait();
        differences = await fleet.differences();
      }
      const at = `minute ${minute().toFixed(1)}`;
      if (differences.length > 0) faults.push(`${at}: differs on ${differences.join(', ')}`);
      for (const each of processes) {
        while (!(await each.isReady()) && !isLate()) await wait();
        if (!(await each.isReady())) faults.push(`${at}: ${each.name} is not ready`);
      }
      if (!(await fleet.isApproved(isLate, wait))) faults.push(`${at}: a good request was not approved`);
      for (const name of await fleet.wrongApprovals()) faults.push(`${at}: approved: ${name}`);
      recovered.push(Math.round((performance.now() - calmSince) / 100) / 10);
    };
    await recover();
    recovered.length = 0;
    await sample();
    while (minute() < minutes) {
      storms += 1;
      for (const proxy of proxies) proxy.isStormy = true;
      const end = performance.now() + storm * 1000;
      while (performance.now() < end) {
        await fleet.change();
        changes += 1;
        await delay(random.between(100, 800));
        if (random.chance(0.05)) random.pick(proxies).cutWatches();
        if (random.chance(0.02)) await random.pick(proxies).restart(random.between(100, 12_000));
        if (random.chance(0.02)) {
          restarts += 1;
          await other.restart(random.pick(['SIGKILL', 'SIGTERM']));
        }
        if (random.chance(0.05)) {
          jumped += 1;
          random.pick([steady, other, agent]).jump(random.pick(jumps));
        }
        if (minute() >= nextSample) await sample();
      }
      await recover();
    }
    await sample();
  } finally {
    for (const each of processes) await each.stop();
    for (const proxy of proxies) await proxy.stop();
    fleet.close();
    hub.close();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const wrongAnswers: Record<string, number> = {};
  for (const { counts } of proxies)
    for (const [fault, count] of counts) wrongAnswers[fault] = (wrongAnswers[fault] ?? 0) + count;
  return {
    samples,
    faults: [...faults, ...processes.flatMap((each) => each.faults.map((fault) => `${each.name}: ${fault}`))],
    storms,
    changes,
    jumps: ControllerProcess.canJump ? jumped : 0,
    restarts,
    hostileRequests: fleet.hostileRequests,
    goodRequests: fleet.goodRequests,
    leads: processes.reduce((sum, { leads }) => sum + leads, 0),
    wrongAnswers,
    recovered,
  };
}

/** Where the agent runs: the hub is its managed cluster too. */
const addOnNamespace = 'churned-agent';

function accountOf(name: string): Impersonated {
  return {
    user: `system:serviceaccount:${companionNamespace}:${name}`,
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${companionNamespace}`,
      'system:authenticated',
    ],
  };
}

function kubeconfigFor(server: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'hub',
    clusters: [{ name: 'hub', cluster: { server } }],
    users: [{ name: 'proxied', user: {} }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'proxied' } }],
  });
}
