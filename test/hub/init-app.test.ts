import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { exampleApp } from '../../src/cli/commands/new/example-app.ts';
import { GitRepository } from '../e2e/repository.ts';
import { synthesizedIn } from './apply/emitted.ts';
import { ApiClient, type WatchEvent } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// The add-on that `init` writes, on a hub with OCM's webhooks, and with OCM's own agents on one cluster per environment.

const patience = { timeout: 240_000, interval: 250 };
const environments = { 'dev-1': 'dev', 'prod-1': 'prod', 'prod-2': 'prod', 'staging-1': 'staging' } as const;
const names = Object.keys(environments) as (keyof typeof environments)[];

let running: RunningHub;
let hub: Hub;
let repository: GitRepository;
const clusters = new Map<string, ApiClient>();

beforeAll(async () => {
  running = await startHub({ managedCluster: names.join(','), defaultReports: true });
  hub = connect(running);
  for (const { name, kubeconfig } of running.managedClusters ?? [])
    clusters.set(name, new ApiClient(readAccess(kubeconfig)));
  for (const [name, env] of Object.entries(environments))
    await hub.client.merge(reference(ocmKinds.managedCluster, name), { metadata: { labels: { env } } });
}, 300_000);
afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
});
afterAll(async () => {
  for (const cluster of clusters.values()) cluster.close();
  hub.close();
  await running.stop();
}, 60_000);

test('production changes last, at the installation and at an update', { timeout: 600_000 }, async () => {
  await commitApp('greeter');
  const followed = new FollowedWorks('greeter');
  for (const greeting of ['Hello', 'Welcome']) {
    repository.write({
      'apps/greeter/app.ts': (await exampleApp('greeter')).replace(
        "GREETING: 'Hello'",
        `GREETING: '${greeting}'`,
      ),
    });
    expect(await repository.fleetwright(['synth'])).toMatchObject({ code: 0 });
    await applyOutput('greeter');
    await expect.poll(() => followed.inOrder(greeting).length, patience).toBe(names.length);
    const order = followed.inOrder(greeting);
    process.stdout.write(`greeter, ${greeting}: ${order.join(', ')}\n`);
    expect(order.slice(0, 2)).toEqual(['dev-1', 'staging-1']);
  }
  await followed.close();
});

/** The order in which the works of an add-on change. Waves can follow each other within milliseconds, so it is that of a watch. */
class FollowedWorks {
  readonly #seen: { readonly cluster: string; readonly spec: string }[] = [];
  readonly #end = new AbortController();
  readonly #watch: Promise<void>;

  constructor(addOn: string) {
    const see = ({ type, object }: WatchEvent): void => {
      const { name = '', namespace: cluster = '' } = object.metadata;
      if ((type === 'ADDED' || type === 'MODIFIED') && name.startsWith(`addon-${addOn}-`))
        this.#seen.push({ cluster, spec: JSON.stringify(object['spec']) });
    };
    this.#watch = hub.client.watch(...ocmKinds.manifestWork, see, this.#end.signal);
  }

  /** The clusters whose works have had a text, the first one first. */
  inOrder(text: string): readonly string[] {
    return [...new Set(this.#seen.filter(({ spec }) => spec.includes(text)).map(({ cluster }) => cluster))];
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#watch;
  }
}

/** Commits the app that `init` writes. */
async function commitApp(name: string): Promise<void> {
  for (const role of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${role}_NAME`, 'A');
    vi.stubEnv(`GIT_${role}_EMAIL`, 'a@example.com');
  }
  repository = new GitRepository();
  const fleet = names.map((cluster) => ({
    ...reference(ocmKinds.managedCluster, cluster),
    metadata: { name: cluster, labels: { env: environments[cluster] } },
    spec: { hubAcceptsClient: true },
  }));
  repository.write({
    'package.json': '{ "type": "module" }\n',
    'fleet.yaml': [...fleet, globalSet].map((object) => JSON.stringify(object)).join('\n---\n'),
    [`apps/${name}/app.ts`]: await exampleApp(name),
  });
  expect(await repository.fleetwright(['synth'])).toMatchObject({ code: 0 });
  repository.commit('start', {});
  for (const cluster of clusters.values()) await cluster.apply(reference(namespaceKind, addOnNamespace));
}

const addOnNamespace = 'open-cluster-management-agent-addon';
const globalSet: KubernetesObject = {
  ...reference(ocmKinds.managedClusterSet, 'global'),
  spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
};

/** As a GitOps engine applies the last commit. */
async function applyOutput(app: string): Promise<void> {
  for (const object of synthesizedIn(path.join(repository.root, 'dist', app))) await hub.client.apply(object);
}
