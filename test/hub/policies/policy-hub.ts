import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isJsonMap } from '../../../src/base/json/json-map.ts';
import { freePorts, listening, startProgram, type RunningProgram } from '../../gitops/engines/program.ts';
import { ApiError, UnservedKind } from '../client/api-client.ts';
import { connect, type Hub } from '../client/hub.ts';
import { namespaceKind, ocmKinds, reference } from '../client/kinds.ts';
import { startHub, type RunningHub } from '../process/start-hub.ts';
import { parseObjects } from '../record/scenario.ts';
import { clusterObjects, policyKinds, type PolicyCase, type PolicyCopies } from './policy-case.ts';

/** A hub with governance-policy-propagator. */
export class PolicyHub {
  readonly hub: Hub;
  readonly #running: RunningHub;
  readonly #propagator: RunningProgram;
  /** The clusters of the last case. They stay, because it takes seconds until one is gone. */
  #clusters: ReadonlySet<string> = new Set();

  private constructor(running: RunningHub, hub: Hub, propagator: RunningProgram) {
    this.#running = running;
    this.hub = hub;
    this.#propagator = propagator;
  }

  /**
   * Starts a hub with the propagator.
   *
   * @param program - the program of the propagator
   * @param definitions - the folder with its CustomResourceDefinitions
   */
  static async start(program: string, definitions: string): Promise<PolicyHub> {
    const running = await startHub();
    const hub = connect(running);
    const files = readdirSync(definitions).filter((name) => name.endsWith('.yaml'));
    for (const name of files)
      for (const object of parseObjects(readFileSync(path.join(definitions, name), 'utf8')))
        await hub.client.apply(object);
    for (const kind of Object.values(policyKinds))
      while (!(await isServed(hub, kind[0], kind[1]))) await delay(200);
    const [probe = 0] = await freePorts(1);
    const propagator = startProgram(program, {
      arguments: [
        '--leader-elect=false',
        '--enable-webhooks=false',
        '--metrics-bind-address=0',
        `--health-probe-bind-address=127.0.0.1:${probe}`,
      ],
      environment: {
        ...process.env,
        KUBECONFIG: running.kubeconfig,
        WATCH_NAMESPACE: '',
        DISABLE_REPORT_METRICS: 'true',
      },
      folder: path.dirname(running.kubeconfig),
    });
    await listening(propagator, probe);
    return new PolicyHub(running, hub, propagator);
  }

  /** The last lines that the propagator wrote about a Policy. */
  logOf(policy: string): string {
    const lines = this.#propagator.tail(20_000).split('\n');
    return lines
      .filter((line) => line.includes(policy))
      .slice(-5)
      .join('\n');
  }

  async stop(): Promise<void> {
    await this.#propagator.stop();
    this.hub.close();
    await this.#running.stop();
  }

  /**
   * Applies a case, and deletes the clusters of the one before.
   *
   * @returns why the API server rejects objects, by kind and name
   */
  async apply({ clusters, objects }: PolicyCase): Promise<ReadonlyMap<string, string>> {
    const { client } = this.hub;
    const gone = [...this.#clusters].filter((name) => !(name in clusters));
    for (const name of gone) await client.delete(reference(ocmKinds.managedCluster, name));
    for (const name of gone)
      while ((await client.get(...ocmKinds.managedCluster, name)) !== undefined) await delay(200);
    this.#clusters = new Set(Object.keys(clusters));
    for (const object of clusterObjects(clusters)) {
      const { status, ...rest } = object;
      await client.apply(rest);
      if (status !== undefined) await client.merge(object, { status }, 'status');
    }
    const namespaces = new Set([
      ...Object.keys(clusters),
      ...objects.flatMap(({ metadata }) => metadata.namespace ?? []),
    ]);
    for (const name of namespaces) await client.apply(reference(namespaceKind, name));
    const rejected = new Map<string, string>();
    for (const object of objects)
      try {
        await client.apply(object);
      } catch (error) {
        if (!(error instanceof ApiError) && !(error instanceof UnservedKind)) throw error;
        const message = error instanceof ApiError ? error.refusal.message : error.message;
        rejected.set(`${object.kind} ${object.metadata.name ?? ''}`, message);
      }
    return rejected;
  }

  /** Deletes the objects of a case, and waits until the copies of its Policies and the decisions of its Placements are gone. */
  async delete({ objects }: PolicyCase): Promise<void> {
    const { client } = this.hub;
    for (const object of objects.toReversed()) await client.delete(object);
    while (Object.keys(await this.copies()).length > 0) await delay(100);
    while ((await client.list(...ocmKinds.placementDecision)).length > 0) await delay(100);
  }

  async copies(): Promise<PolicyCopies> {
    const policies = await this.hub.client.list(...policyKinds.policy);
    const copies = policies.filter(
      ({ metadata }) =>
        metadata.labels?.['policy.open-cluster-management.io/root-policy'] !== undefined &&
        metadata['deletionTimestamp'] === undefined,
    );
    return Object.fromEntries(
      copies.map((copy) => {
        const spec = copy['spec'];
        const action = isJsonMap(spec) ? spec['remediationAction'] : undefined;
        const { namespace, name } = copy.metadata;
        return [`${namespace ?? ''} ${name ?? ''}`, typeof action === 'string' ? action.toLowerCase() : '-'];
      }),
    );
  }
}

async function isServed(hub: Hub, apiVersion: string, kind: string): Promise<boolean> {
  try {
    await hub.client.list(apiVersion, kind);
    return true;
  } catch (error) {
    if (error instanceof UnservedKind || error instanceof ApiError) return false;
    throw error;
  }
}
