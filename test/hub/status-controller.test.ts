import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { FleetStatus } from '../../src/compiler/index.ts';
import type { PolicyRule } from '../../constructs/companion-permissions.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { askPrometheus, buildPrometheus, type AlertCase } from '../prometheus/go-program.ts';
import { ApiClient, ApiError } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { accountKubeconfig, statusObjects } from './companion/confined-companion.ts';
import { deploymentKind, kubeClientRegistration, reportReady } from './companion/deployed-add-on.ts';
import { allowedBy, kubeconfigAs, untilBound } from './companion/permissions.ts';
import { until } from './companion/until.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { placements, rejecting, templateAddOn } from './status/faulty-add-ons.ts';

// `controller status` as its construct installs it: the built command, with a token of its ServiceAccount, against a hub with a
// managed cluster.

const root = path.resolve(import.meta.dirname, '../..');
const eventKind: KindOf = ['v1', 'Event'];
const rbac = 'rbac.authorization.k8s.io/v1';
const configKind = { group: '', resource: 'configmaps' };
const props = { events: true, configKinds: [configKind] };
const addOn = 'watched';
/** An interval of 5 s, a reading, and the reaction of the work agent: seconds, and on a loaded machine many more. */
const soon = { timeout: 120_000, interval: 250 };

let running: RunningHub;
let hub: Hub;
let cluster: ApiClient;
let folder: string;
let confined: string;
let controller: ChildProcess;
let output = '';
let port = 0;

/** Returns an Event as `controller status` would write it, if both arguments were its own. */
function eventAbout(kind: string, reportingComponent: string): KubernetesObject {
  const involvedObject = { apiVersion: 'v1', kind, namespace: 'cluster1', name: 'any' };
  const event = { reason: 'Meant', type: 'Normal', message: 'meant', reportingComponent, involvedObject };
  return { ...reference(eventKind, 'of-nobody', 'cluster1'), ...event };
}

async function get(url: string): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}${url}`)).text();
}

/** Returns the value of a series; undefined if it does not exist. */
async function value(series: string): Promise<number | undefined> {
  const line = (await get('/metrics')).split('\n').find((each) => each.startsWith(`fleetwright_${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** Returns the Events of the add-on, as `type reason`, in their order. */
async function events(name: string): Promise<readonly string[]> {
  const all = (await hub.client.list(...eventKind, 'cluster1')) as readonly (KubernetesObject & {
    readonly involvedObject: { readonly name: string };
    readonly type: string;
    readonly reason: string;
    readonly reportingComponent: string;
  })[];
  return all
    .filter(
      (event) => event.reportingComponent === 'fleetwright-status' && event.involvedObject.name === name,
    )
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    .map(({ type, reason }) => `${type} ${reason}`);
}

const clusters = (state: string): string => `predicted_add_on_clusters{add_on="${addOn}",state="${state}"}`;
const unavailable = `predicted_cause_clusters{add_on="${addOn}",state="unhealthy",cause="workload-unavailable"}`;

beforeAll(async () => {
  buildPrometheus();
  running = await startHub({ managedCluster: 'cluster1' });
  hub = connect(running);
  cluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-status-'));
  confined = await accountKubeconfig(hub.client, running.kubeconfig, {
    name: 'status',
    objects: statusObjects('status', props),
    meant: eventAbout('Pod', 'fleetwright-status'),
  });
  await hub.client.merge(reference(ocmKinds.managedCluster, 'cluster1'), {
    metadata: { labels: { role: 'everywhere' } },
  });
  const deployment = {
    ...reference(deploymentKind, addOn, addOn),
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: addOn } },
      template: {
        metadata: { labels: { app: addOn } },
        spec: { containers: [{ name: 'agent', image: 'example.com/agent:1' }] },
      },
    },
  };
  const manifests = [reference(namespaceKind, addOn), deployment];
  const objects = [...placements, ...templateAddOn(addOn, { manifests, registration: [] })];
  for (const object of objects) await hub.client.apply(object as KubernetesObject);
  await until(
    'the Deployment',
    async () => (await cluster.get(...deploymentKind, addOn, addOn)) !== undefined,
  );
  await reportReady(cluster, addOn, 1);
  await until(
    'the add-on',
    async () => (await addOnCondition(hub.client, addOn, 'cluster1', 'Available'))?.status === 'True',
  );
  const options = ['--listen', '127.0.0.1:0', '--interval', '5s', '--hub-version', '1.2', '--events'];
  controller = spawn(
    process.execPath,
    [path.join(root, 'build/cli/main.js'), 'controller', 'status', '--kubeconfig', confined, ...options],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  controller.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until('the controller', async () => {
    port = Number(/"port":(\d+)/.exec(output)?.[1] ?? 0);
    return await Promise.resolve(port > 0);
  });
}, 600_000);
afterAll(async () => {
  if (controller.exitCode === null) {
    controller.kill('SIGKILL');
    await once(controller, 'close');
  }
  cluster.close();
  hub.close();
  await running.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

test('it is ready after the first reading, which reports no Event', async () => {
  await expect.poll(async () => await get('/readyz'), soon).toBe('ok\n');
  await expect.poll(async () => await value(clusters('as-predicted')), soon).toBe(1);
  expect(await events(addOn)).toEqual([]);
});

test('a fault changes the metric and is an Event, and both end when it is mended', async () => {
  await reportReady(cluster, addOn, 0);
  await expect.poll(async () => await value(unavailable), soon).toBe(1);
  expect(await value(clusters('unhealthy'))).toBe(1);
  await expect.poll(async () => await events(addOn), soon).toContain('Warning WorkloadUnavailable');

  await reportReady(cluster, addOn, 1);
  await expect.poll(async () => await value(unavailable), soon).toBeUndefined();
  expect(await value(clusters('as-predicted'))).toBe(1);
  await expect.poll(async () => (await events(addOn)).at(-1), soon).toBe('Normal AsPredicted');
  // Every Event is about another cause than the one before.
  const all = await events(addOn);
  expect(all.filter((event, index) => event === all[index - 1])).toEqual([]);
});

test('series of an add-on disappear with it, and there is no Event about it', async () => {
  for (const object of templateAddOn('passing')) await hub.client.apply(object as KubernetesObject);
  const series = 'predicted_add_on_clusters{add_on="passing",state="as-predicted"}';
  await expect.poll(async () => await value(series), soon).toBe(1);
  await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, 'passing'));
  await until(
    'the end of the add-on',
    async () => (await hub.client.get(...ocmKinds.managedClusterAddOn, 'passing', 'cluster1')) === undefined,
  );
  const before = await events('passing');
  await expect.poll(async () => await value(series), soon).toBeUndefined();
  expect(await events('passing')).toEqual(before);
});

test('the policy lets its token write Events of its own about add-ons only', async () => {
  const itself = new ApiClient(readAccess(confined));
  const refusal = async (event: KubernetesObject): Promise<string | undefined> => {
    try {
      await itself.create(event, { dryRun: true });
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error.refusal.message;
      throw error;
    }
  };
  expect(await refusal(eventAbout('ManagedClusterAddOn', 'fleetwright-status'))).toBeUndefined();
  expect(await refusal(eventAbout('Pod', 'fleetwright-status'))).toContain('Events are about');
  expect(await refusal(eventAbout('ManagedClusterAddOn', 'fleetwright-controller'))).toContain(
    'Events are about',
  );
  expect(await refusal({ ...reference(namespaceKind, 'mine') })).toContain('forbidden');
  itself.close();
});

describe('with the permissions of its construct', () => {
  const rules = statusObjects('status', props).flatMap(
    (object) => (object['rules'] ?? []) as readonly PolicyRule[],
  );
  /** The permissions that only Events need. */
  const ofEvents = new Set(['create events', 'patch events', 'get managedclusteraddons']);
  const permissions = rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => ({ verb, resource }))),
  );

  beforeAll(async () => {
    const unread = { ...reference(['v1', 'ConfigMap'], 'settings', 'add-ons'), data: { a: 'b' } };
    await hub.client.apply(unread);
    const policy = rejecting(
      'no-pended',
      'addon.open-cluster-management.io',
      'managedclusteraddons',
      'object.metadata.name != "pended"',
    );
    for (const object of policy) await hub.client.apply(object as KubernetesObject);
    // One that is missing, and one whose agent has to request a certificate, with a configuration of another kind.
    const demanding = [
      ...templateAddOn('pended'),
      ...templateAddOn('registered', { registration: [kubeClientRegistration('view')] }),
    ];
    await until('the policy', async () => {
      const meant = reference(ocmKinds.managedClusterAddOn, 'pended', 'cluster1');
      const { apiVersion, kind } = meant;
      const text = JSON.stringify({ ...meant, spec: {} });
      return (await hub.client.refusal({ apiVersion, kind, namespace: 'cluster1' }, text)) !== undefined;
    });
    for (const object of demanding) await hub.client.apply(object as KubernetesObject);
    await until(
      'the registration',
      async () =>
        (await hub.client.get(...ocmKinds.managedClusterAddOn, 'registered', 'cluster1')) !== undefined,
    );
    const configs = [{ ...configKind, name: 'settings', namespace: 'add-ons' }];
    await hub.client.merge(reference(ocmKinds.managedClusterAddOn, 'registered', 'cluster1'), {
      spec: { configs },
    });
  }, 120_000);

  /** Reads once as a user that has these rules. */
  async function readAs(user: string, allowed: readonly PolicyRule[]): Promise<string | FleetStatus> {
    const objects = [
      { ...reference([rbac, 'ClusterRole'], user), rules: allowed },
      {
        ...reference([rbac, 'ClusterRoleBinding'], user),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
      },
    ];
    for (const object of objects) await hub.client.apply(object);
    await untilBound(hub.client, objects);
    const change = (admin: object): object => ({ ...admin, as: user });
    const kubeconfig = kubeconfigAs(running.kubeconfig, { folder, name: user, change });
    let [out, err] = ['', ''];
    const code = await run(
      ['status', '--applied', '-o', 'json', '--hub-version', '1.2', '--kubeconfig', kubeconfig],
      {
        cwd: folder,
        now: () => Date.now(),
        readInput: () => Promise.resolve(new Uint8Array()),
        out: (text) => (out += text),
        err: (text) => (err += text),
        color: false,
      },
    );
    return code === 2 ? err : (JSON.parse(out) as FleetStatus);
  }

  test('everything is read', async () => {
    const status = await readAs('reader', rules);
    expect(status).toMatchObject({ unread: [] });
    const { addOns } = status as FleetStatus;
    expect(addOns.map((each) => each.addOn)).toEqual(['pended', 'registered', addOn]);
  });

  test.each(permissions.filter(({ verb, resource }) => !ofEvents.has(`${verb} ${resource}`)))(
    'each is needed: $verb $resource',
    async ({ verb, resource }) => {
      const lesser = rules.map((rule) => ({
        ...rule,
        resources: rule.resources.filter((each) => each !== resource || !rule.verbs.includes(verb)),
      }));
      const status = await readAs(
        `without-${verb}-${resource}`,
        lesser.filter(({ resources }) => resources.length > 0),
      );
      const unread =
        typeof status === 'string' ? [/FW9007: .* to list (\w+):/.exec(status)?.[1]] : status.unread;
      expect(unread).toEqual([resource]);
    },
  );

  test('it may read and write Events, and nothing else', () => {
    const writes = allowedBy(statusObjects('status', props)).filter((each) => !/^(?:get|list) /.test(each));
    expect(writes).toEqual(['create events', 'patch events']);
    const readOnly = allowedBy(statusObjects('status')).filter((each) => !each.startsWith('list '));
    expect(readOnly).toEqual([]);
  });

  test('no request of the controller was rejected', () => {
    expect(output).not.toContain('forbidden');
    expect(output).not.toContain('do not allow');
  });
});

describe('Prometheus and Grafana', () => {
  const rule = parse(readFileSync(path.join(root, 'docs/monitoring/prometheus-rule.yaml'), 'utf8')) as {
    readonly spec: {
      readonly groups: readonly {
        readonly rules: readonly { readonly alert: string; readonly annotations: Record<string, string> }[];
      }[];
    };
  };
  const dashboard = readFileSync(path.join(root, 'docs/monitoring/grafana-dashboard.json'), 'utf8');
  const ask = (scrape: string, cases: readonly AlertCase[] = []) =>
    askPrometheus({ rules: stringify(rule.spec), dashboard, scrape, cases });

  test('read the rules and the dashboard, and every metric and label in them exists', async () => {
    // The add-ons of the permissions are not as predicted.
    await expect
      .poll(
        async () =>
          await value('predicted_cause_clusters{add_on="pended",state="on-the-way",cause="hub-pending"}'),
        soon,
      )
      .toBe(1);
    const { errors, alerts, queries, metrics, lint } = ask(await get('/metrics'));
    expect(errors).toEqual([]);
    expect(lint.filter((line) => line.startsWith('fleetwright_predicted'))).toEqual([]);
    expect(alerts.length).toBe(rule.spec.groups.flatMap(({ rules }) => rules).length);
    expect(queries.length).toBeGreaterThan(8);
    const missing = [...alerts, ...queries].flatMap(({ where, selectors, grouping }) =>
      selectors.flatMap(({ metric, labels }) => {
        const existing = new Set(metrics[metric]);
        const unknown = [...labels, ...grouping].filter((label) => !existing.has(label));
        return metric in metrics
          ? unknown.map((label) => `${where}: ${metric}{${label}}`)
          : [`${where}: ${metric}`];
      }),
    );
    expect(missing).toEqual([]);
    // The labels in the texts of an alert are those of its metrics.
    const unknown = rule.spec.groups
      .flatMap(({ rules }) => rules)
      .flatMap(({ alert, annotations }) => {
        const parsed = alerts.find(({ where }) => where === alert);
        const existing = new Set(parsed?.selectors.flatMap(({ metric }) => metrics[metric] ?? []));
        const used = Object.values(annotations)
          .join(' ')
          .matchAll(/\$labels\.(\w+)/g);
        return [...used].flatMap(([, label = '']) => (existing.has(label) ? [] : [`${alert}: ${label}`]));
      });
    expect(unknown).toEqual([]);
    const { templating } = JSON.parse(dashboard) as {
      readonly templating: {
        readonly list: readonly { readonly name: string; readonly definition?: string }[];
      };
    };
    expect(templating.list.find(({ name }) => name === 'add_on')?.definition).toBe(
      'label_values(fleetwright_predicted_add_on_clusters, add_on)',
    );
  });

  const fresh = { series: 'fleetwright_predicted_last_success_timestamp_seconds', values: '0+60x200' };
  const since = (state: string, cause: string) =>
    `fleetwright_predicted_cause_since_timestamp_seconds{add_on="hello",state="${state}",cause="${cause}"}`;
  const hello = (state: string, cause: string): string =>
    `{add_on="hello", cause="${cause}", state="${state}"}`;
  const failing = 'fleetwright_predicted_reading_failures_total{reason="forbidden"}';
  const cases: readonly (AlertCase & { readonly name: string; readonly expected: readonly string[] })[] = [
    { name: 'nothing, as long as everything is as predicted', series: [fresh], minutes: 60, expected: [] },
    {
      name: 'nothing for a cluster that is different for 15 min',
      series: [fresh, { series: since('different', 'manifest-conflict'), values: '0x60' }],
      minutes: 15,
      expected: [],
    },
    {
      name: 'a cluster that is different for 21 min',
      series: [fresh, { series: since('different', 'manifest-conflict'), values: '0x60' }],
      minutes: 21,
      expected: [`FleetwrightClustersDifferent ${hello('different', 'manifest-conflict')}`],
    },
    {
      name: 'nothing while one cluster after the other is different for a while',
      series: [
        fresh,
        { series: since('different', 'manifest-conflict'), values: '0x10 600x10 1200x10 1800x10' },
      ],
      minutes: 40,
      expected: [],
    },
    {
      name: 'a cluster that is unhealthy for 21 min',
      series: [fresh, { series: since('unhealthy', 'lease-not-renewed'), values: '0x60' }],
      minutes: 21,
      expected: [`FleetwrightClustersUnhealthy ${hello('unhealthy', 'lease-not-renewed')}`],
    },
    {
      name: 'a cluster that is on the way for too long, and not one that waits for its wave',
      series: [
        fresh,
        { series: since('on-the-way', 'hub-pending'), values: '0x200' },
        { series: since('on-the-way', 'wave-not-reached'), values: '0x200' },
        { series: since('on-the-way', 'promotion-waits'), values: '0x200' },
      ],
      minutes: 70,
      expected: [`FleetwrightClustersOnTheWay ${hello('on-the-way', 'hub-pending')}`],
    },
    {
      name: 'readings that fail repeatedly, but not one that failed',
      series: [
        fresh,
        { series: failing, values: '0+1x60' },
        { series: failing.replace('forbidden', 'timeout'), values: '0x50 1x10' },
      ],
      minutes: 55,
      expected: ['FleetwrightStatusReadingsFail {reason="forbidden"}'],
    },
    {
      name: 'values that are stale',
      series: [{ series: fresh.series, values: '0x60' }],
      minutes: 40,
      expected: ['FleetwrightStatusStale {}'],
    },
    {
      name: 'a first reading that does not succeed',
      series: [{ series: fresh.series, values: '0x60' }],
      minutes: 36,
      expected: ['FleetwrightStatusStale {}'],
    },
    { name: 'metrics that are gone', series: [], minutes: 16, expected: ['FleetwrightStatusAbsent {}'] },
    {
      name: 'a comparison that is not complete',
      series: [
        fresh,
        { series: 'fleetwright_predicted_unread_kinds', values: '1x60' },
        { series: 'fleetwright_predicted_add_ons{series="other"}', values: '3x60' },
      ],
      minutes: 16,
      expected: ['FleetwrightStatusIncomplete {series="other"}', 'FleetwrightStatusIncomplete {}'],
    },
    {
      name: 'Events that are dropped',
      series: [
        fresh,
        { series: 'fleetwright_predicted_events_total{result="dropped"}', values: '0x20 900x40' },
      ],
      minutes: 25,
      expected: ['FleetwrightStatusEventsDropped {result="dropped"}'],
    },
  ];
  test('the alerts fire when they should, as Prometheus evaluates them', () => {
    const { firing } = ask('', cases);
    expect(Object.fromEntries(cases.map(({ name }, index) => [name, firing[index]]))).toEqual(
      Object.fromEntries(cases.map(({ name, expected }) => [name, expected])),
    );
  });
});

test('while the API server is down, the last values stay, and the failure is counted', async () => {
  const failures = 'predicted_reading_failures_total{reason="unreachable"}';
  const readAt = await value('predicted_last_success_timestamp_seconds');
  await running.cause('kill-api-server');
  await expect
    .poll(async () => await value(failures), { timeout: 120_000, interval: 250 })
    .toBeGreaterThan(0);
  expect(await value(clusters('as-predicted'))).toBe(1);
  expect(await get('/healthz')).toBe('ok\n');
  await running.cause('start-api-server');
  await expect
    .poll(async () => await value('predicted_last_success_timestamp_seconds'), {
      timeout: 120_000,
      interval: 250,
    })
    .toBeGreaterThan((readAt ?? Infinity) + 5);
});

test('it ends in order', async () => {
  controller.kill('SIGTERM');
  expect(await once(controller, 'close')).toEqual([0, null]);
  expect(output).toContain('"message":"stopped"');
});
