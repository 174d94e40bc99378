import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/client/clock.ts';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { leases } from '../../../src/controller/election/lease.ts';
import { hubSettings } from '../../../src/controller/hub/hub-settings.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import { clusterManagementAddOns, managedClusters } from '../../../src/controller/hub/resources.ts';
import { runHub } from '../../../src/controller/hub/run-hub.ts';
import type { ApiRequest, Transport } from '../../../src/client/transport.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { answerJson, FakeApiServer, refuse } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';

const addOnVersion = 'addon.open-cluster-management.io/v1alpha1';
const name = { name: 'hello', namespace: 'cluster1' };
const lease = { name: 'fleetwright-controller', namespace: 'companion' };

let server: FakeApiServer;
let stop: AbortController;
let ended: Promise<void>;

beforeEach(async () => {
  server = await FakeApiServer.start();
  // Discovery is no collection of objects.
  server.intercept = ({ url }, response) => {
    const asked = url === '/apis/addon.open-cluster-management.io';
    if (asked) answerJson(response, 200, { versions: [{ version: 'v1alpha1' }] });
    return asked;
  };
  stop = new AbortController();
  const client = server.client();
  await client.create(managedClusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'cluster1' },
    spec: { hubAcceptsClient: true },
  });
  await client.create(clusterManagementAddOns, {
    apiVersion: addOnVersion,
    kind: 'ClusterManagementAddOn',
    metadata: {
      name: 'hello',
      annotations: {
        'addon.open-cluster-management.io/lifecycle': 'self',
        'fleetwright.dev/delivery': 'compiled',
      },
    },
    spec: {},
  });
  await client.create(managedClusterAddOns, {
    apiVersion: addOnVersion,
    kind: 'ManagedClusterAddOn',
    metadata: name,
    spec: {},
  });
});
afterEach(async () => {
  stop.abort();
  await ended;
  await server.stop();
});

/** Holds the first write to an add-on back until it is let through, or ended. */
class HeldWrites implements Transport {
  readonly #transport: Transport;
  readonly server: string;
  readonly outcomes: string[] = [];
  letThrough: (() => void) | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.server = transport.server;
  }

  async send(request: ApiRequest) {
    if (request.method === 'PATCH' && this.outcomes.length === 0) {
      this.outcomes.push('begun');
      await new Promise<void>((resolve, reject) => {
        this.letThrough = resolve;
        for (const signal of request.signals)
          signal.addEventListener('abort', () => {
            this.outcomes.push('ended');
            reject(new Error('aborted'));
          });
      });
      this.outcomes.push('let through');
    }
    return await this.#transport.send(request);
  }

  close(): void {
    this.#transport.close();
  }
}

/** As `start`, which waits until it has begun to write. */
async function launch(flags: Readonly<Record<string, unknown>> = {}) {
  const { value: settings } = readSettings(hubSettings, { listen: '127.0.0.1:0', ...flags }, {});
  const [log, transport] = [new RecordingLog(), new HeldWrites(server.transport())];
  const run = { settings, transport, namespace: 'companion', identity: 'a', clock: systemClock, log };
  let over = false;
  ended = runHub({ ...run, metrics: new Metrics(false) }, stop.signal).finally(() => (over = true));
  const port = (): string | undefined => /"port":(\d+)/.exec(log.lines.join('\n'))?.[1];
  await expect.poll(port).toBeDefined();
  return {
    transport,
    log,
    isOver: () => over,
    get: async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port()}${path}`);
      return [response.status, await response.text()] as const;
    },
  };
}

async function start(flags: Readonly<Record<string, unknown>> = {}) {
  const run = await launch(flags);
  await expect.poll(() => run.transport.outcomes).toEqual(['begun']);
  return run;
}

const holder = async (): Promise<string | undefined> =>
  (await server.client().get(leases, lease))?.spec?.holderIdentity;

test('a companion that cannot read a kind is not ready, and names the kind', async () => {
  const discovery = server.intercept;
  server.intercept = (request, response) => {
    if (/\/(?:addontemplates|managedclusters)\?/.exec(request.url ?? '') === null)
      return discovery?.(request, response) === true;
    refuse(response, 403, 'Forbidden', 'you may not');
    return true;
  };
  const { get } = await launch({ stopWithin: '1s' });
  await expect
    .poll(async () => await get('/readyz'))
    .toEqual([503, 'the caches of managedclusters, addontemplates are not filled yet\n']);
  server.intercept = discovery;
  await expect.poll(async () => await get('/readyz')).toEqual([200, 'ok\n']);
});

test('add-ons of --add-on that are not managed are reported', async () => {
  await server.client().create(clusterManagementAddOns, {
    apiVersion: addOnVersion,
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'theirs' },
    spec: {},
  });
  const { log } = await launch({ stopWithin: '1s', addOn: ['hello', 'theirs', 'helo'] });
  const warnings = (): readonly string[] => log.lines.filter((line) => line.includes('--add-on'));
  await expect
    .poll(warnings)
    .toEqual([
      `warn an add-on of --add-on is not managed {"addOn":"theirs","why":"the hub's addon-manager manages it, since it has no lifecycle: self"}`,
      'warn an add-on of --add-on is not managed {"addOn":"helo","why":"there is no ClusterManagementAddOn of that name"}',
    ]);
});

test('a clock that differs from that of the API server is in the log', async () => {
  const discovery = server.intercept;
  server.intercept = (request, response) => {
    response.setHeader('Date', new Date(Date.now() - 600_000).toUTCString());
    return discovery?.(request, response) === true;
  };
  const { log, get } = await launch({ stopWithin: '1s' });
  await expect
    .poll(() => log.lines.join('\n'))
    .toContain('warn the clock of this machine is ahead of that of the API server');
  expect((await get('/metrics'))[1]).toMatch(/^fleetwright_clock_skew_seconds (59\d|60\d|61\d)$/m);
});

test('a stopping companion is no longer ready, ends its work, and releases the lease', async () => {
  const { transport, get, isOver } = await start({
    leaseDuration: '90s',
    renewDeadline: '60s',
    retryPeriod: '500ms',
    stopWithin: '5m',
  });
  expect(await get('/readyz')).toEqual([200, 'ok\n']);
  stop.abort();
  expect(await get('/readyz')).toEqual([503, 'the controller stops\n']);
  expect(await get('/healthz')).toEqual([200, 'ok\n']);
  // It is renewed meanwhile, again and again.
  const renewals = (): number =>
    server.requests.filter((line) => line.startsWith('PUT ') && line.includes('/leases/')).length;
  const before = renewals();
  await expect.poll(renewals).toBeGreaterThan(before + 4);
  expect([await holder(), isOver(), transport.outcomes]).toEqual(['a', false, ['begun']]);
  transport.letThrough?.();
  await ended;
  expect(transport.outcomes.slice(0, 2)).toEqual(['begun', 'let through']);
  expect(await server.client().get(managedClusterAddOns, name)).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'ClusterManagementAddOn', name: 'hello' }] },
  });
  expect(await holder()).toBe('');
});

test.each([
  [true, ''],
  [false, undefined],
])(
  'work that takes longer than it may is abandoned, with leader election: %s',
  async (leaderElection, holderThen) => {
    const { transport } = await start({ stopWithin: '1s', leaderElection });
    stop.abort();
    await ended;
    expect(transport.outcomes[1]).toBe('ended');
    expect(await holder()).toBe(holderThen);
  },
);
