import { setTimeout as delay } from 'node:timers/promises';
import { ControllerProcess } from '../../test/hub/churn/controller-process.ts';

/** The replicas of the companion, as its Deployment runs them. */
export class CompanionReplicas {
  /** Requests by verb and resource, of replicas that have ended. */
  readonly #ended: Record<string, number> = {};
  readonly #replicas: readonly ControllerProcess[];

  constructor(kubeconfig: string, namespace: string, count: number) {
    const parameters = [
      'hub',
      `--kubeconfig=${kubeconfig}`,
      `--leader-election-namespace=${namespace}`,
      '--leader-election-name=companion',
      '--listen=127.0.0.1:0',
    ];
    this.#replicas = Array.from(
      { length: count },
      (_, index) => new ControllerProcess(`replica ${index}`, undefined, parameters),
    );
  }

  get all(): readonly ControllerProcess[] {
    return this.#replicas;
  }

  get faults(): readonly string[] {
    return this.#replicas.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
  }

  async untilReady(): Promise<void> {
    for (const replica of this.#replicas) while (!(await replica.isReady())) await delay(200);
  }

  /** Kills the leader. */
  async killLeader(): Promise<void> {
    for (const replica of this.#replicas)
      if (/^fleetwright_leader 1$/m.test(await replica.metrics()))
        return await this.#restart(replica, 'SIGKILL');
    throw new Error('there is no leader');
  }

  /** Ends one replica after the other and starts a new one, as a Deployment with another image. */
  async upgrade(): Promise<void> {
    for (const replica of this.#replicas) {
      await this.#restart(replica, 'SIGTERM');
      while (!(await replica.isReady())) await delay(200);
    }
  }

  /** Returns the number of requests so far by verb and resource, also of replicas that have ended. */
  async requests(): Promise<Readonly<Record<string, number>>> {
    const requests = { ...this.#ended };
    for (const replica of this.#replicas) await count(replica, requests);
    return requests;
  }

  /** Starts all replicas again, and returns when they follow the hub. */
  async start(): Promise<void> {
    for (const replica of this.#replicas) await replica.restart('SIGTERM');
    await this.untilReady();
  }

  async stop(): Promise<void> {
    for (const replica of this.#replicas) await replica.stop();
  }

  async #restart(replica: ControllerProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await count(replica, this.#ended);
    await replica.restart(signal);
  }
}

/** Adds what a replica has asked of the API server since it was started. */
async function count(replica: ControllerProcess, requests: Record<string, number>): Promise<void> {
  const line = /^fleetwright_api_requests_total\{verb="(\w+)",resource="([^"]+)",code="\d+"\} (\d+)$/gm;
  for (const [, verb = '', resource = '', times] of (await replica.metrics()).matchAll(line)) {
    const key = `${verb} ${resource}`;
    requests[key] = (requests[key] ?? 0) + Number(times);
  }
}
