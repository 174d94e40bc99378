import { expect, test } from 'vitest';
import { addOn, app, config, installed, placement, template } from '../plan/states.ts';
import { condition, fleet, hubAtRest, status, type HubObjects } from './served-hub.ts';

const progressive = (strategy: string): string =>
  addOn(installed('prod', undefined, `{ type: Progressive, progressive: ${strategy} }`)) +
  placement('prod', '{ matchLabels: { env: prod } }') +
  config('base', 'info') +
  template('t1', '{ level: "{{LEVEL}}" }');

interface Applied {
  desiredConfig: object;
  lastAppliedConfig: object;
}

/** Lets a cluster have an earlier configuration: of all kinds, or only as the last applied one. */
function setBack(hub: HubObjects, cluster: string, ...fields: readonly (keyof Applied)[]): void {
  const { configReferences } = hub.get('ManagedClusterAddOn', 'hello', cluster)['status'] as {
    configReferences: Applied[];
  };
  for (const reference of configReferences)
    for (const field of fields) reference[field] = { ...reference[field], specHash: 'old' };
}

async function text(hub: HubObjects, written: string, ...options: readonly string[]): Promise<string> {
  const { out, err } = await status(hub, options, written);
  expect(err).toBe('');
  return out;
}

/** One cluster works on an update, and two wait for it. */
function updating(written: string): HubObjects {
  const hub = hubAtRest(written);
  setBack(hub, 'c1', 'lastAppliedConfig');
  hub.report('c1', condition('Progressing', 'True', 'Progressing', 'progressing... work is not ready'));
  for (const cluster of ['c2', 'c3']) setBack(hub, cluster, 'desiredConfig', 'lastAppliedConfig');
  return hub;
}

test('a cluster waits for its wave, with the time and the clusters that it waits for', async () => {
  const written = progressive('{ maxConcurrency: 1, minSuccessTime: 5m, progressDeadline: 72h }');
  expect(await text(updating(written), written)).toBe(`\
ADD-ON  AS PREDICTED  ON THE WAY  DIFFERENT  UNHEALTHY
hello              0           3          0          0

hello
  on the way: its wave is not reached (wave-not-reached)
    1 cluster: c2
    wave 1 of 2 that are left, due at 2026-06-01T00:05:00Z at the earliest, waits for c1
  on the way: its wave is not reached (wave-not-reached)
    1 cluster: c3
    wave 2 of 2 that are left, due at 2026-06-01T00:05:00Z at the earliest, waits for c1
  on the way: the workload is not available yet (workload-starting)
    1 cluster: c1
    progressing... work is not ready, since 2026-05-31T00:00:00Z

not as predicted: 1 add-on on 3 clusters
`);
});

test('a deadline that has passed spends the budget of the others', async () => {
  const written = progressive('{ maxConcurrency: 1, progressDeadline: 1h }');
  const hub = updating(written);
  expect(await text(hub, written)).toContain(`
  different: more clusters failed than maxFailures allows (budget-spent)
    2 clusters: c2, c3
    the rollout of default/prod stops: "c1" failed, more than maxFailures allows
  different: its progressDeadline has passed (deadline-passed)
    1 cluster: c1
    the progressDeadline has passed: progressing... work is not ready, since 2026-05-31T01:00:00Z
`);
});

test('the time of the last rollout is no deadline of one that has just begun', async () => {
  const written = progressive('{ maxConcurrency: 1, progressDeadline: 1h }');
  const hub = updating(written);
  hub.report('c1', condition('Progressing', 'False', 'Completed', 'completed with no errors'));
  expect(await text(hub, written)).not.toContain('deadline-passed');
});

test('an edited configuration in Git is the cause on the clusters that use it', async () => {
  const edited = app.replace('value: "warn"', 'value: "debug"');
  expect(await text(hubAtRest(), edited)).toBe(`\
ADD-ON  AS PREDICTED  ON THE WAY  DIFFERENT  UNHEALTHY
hello              2           0          3          0

hello
  different: Git is not applied yet (git-not-applied)
    3 clusters: c1, c2, c3
    the hub does not have the working tree's "AddOnDeploymentConfig default/prod"

not as predicted: 1 add-on on 3 clusters
`);
});

test('a Placement in Git that the hub does not have selects clusters that lack the add-on', async () => {
  const edited = app.replace('values: [prod, stage]', 'values: [prod, stage, dev]');
  expect(await text(hubAtRest(), edited)).toContain(`
    1 cluster: c6
    the hub does not have the working tree's "Placement default/stage"
`);
});

test('a cluster that Git no longer selects still has the add-on', async () => {
  const edited = app.replace('values: [prod, stage]', 'values: [prod]');
  expect(await text(hubAtRest(), edited)).toContain(`
  different: Git is not applied yet (git-not-applied)
    2 clusters: c4, c5
    the hub does not have the working tree's "Placement default/stage"
`);
});

const tainted = fleet.replace(
  /(name: c4, [\s\S]*?spec: \{ hubAcceptsClient: true)/,
  '$1, taints: [{ key: gpu, effect: NoSelect, timeAdded: "2026-05-30T00:00:00Z" }]',
);

test('a taint is the cause while the add-on is still on the cluster', async () => {
  const hub = hubAtRest(app, tainted);
  hub.objects.push({
    ...structuredClone(
      hub.get('ManagedClusterAddOn', 'hello', 'c5') as unknown as HubObjects['objects'][number],
    ),
  });
  Object.assign(hub.objects.at(-1)?.metadata ?? {}, { namespace: 'c4' });
  expect(await text(hub, app)).toContain(`
  on the way: a taint excludes the cluster (taint)
    1 cluster: c4
    taint gpu:NoSelect excludes the cluster from the placements of hello, since 2026-05-30T00:00:00Z
`);
});

test('a cluster that a taint excludes is as predicted, and listed', async () => {
  const { code, out } = await status(hubAtRest(app, tainted), []);
  expect(out).toContain('\n  excluded by taint gpu:NoSelect, as predicted: c4\n');
  expect(code).toBe(0);
});

const intolerant = app.replaceAll(/\n {2}tolerations:(\n {2}- .*)+/g, '');

/** Replaces the conditions of c4, which the hub taints because it has not reported. */
function tainted4(conditions: readonly string[]): string {
  return fleet.replace(
    /(name: c4, [\s\S]*?spec: \{ hubAcceptsClient: true)([\s\S]*?)conditions:[\s\S]*?(?=\n---|$)/,
    `$1, taints: [{ key: cluster.open-cluster-management.io/unreachable, effect: NoSelect }]$2conditions:${conditions
      .map(
        (each) =>
          `\n  - { type: ${each}, reason: Reported, message: "", status: "True", lastTransitionTime: "2026-05-31T23:59:58Z" }`,
      )
      .join('')}`,
  );
}

test.each([
  [
    'has joined 2 s ago',
    ['HubAcceptedManagedCluster', 'ManagedClusterJoined'],
    'on the way: the cluster is joining (cluster-joining)',
  ],
  [
    'is accepted since 2 s',
    ['HubAcceptedManagedCluster'],
    'on the way: the cluster is joining (cluster-joining)',
  ],
])('a cluster with the taint of the hub that %s is on the way', async (_, conditions, expected) => {
  const { out } = await status(hubAtRest(intolerant, tainted4(conditions)), [], intolerant);
  expect(out).toContain(`${expected}\n    1 cluster: c4\n`);
});

test('a cluster that the hub tainted because it is unreachable is unhealthy', async () => {
  const unreachable = fleet.replace(
    /(name: c4, [\s\S]*?ManagedClusterConditionAvailable, status: )"True", reason: Available, message: ""/,
    '$1"Unknown", reason: ManagedClusterLeaseUpdateStopped, message: "silent"',
  );
  const { code, out } = await status(hubAtRest(intolerant, unreachable), [], intolerant);
  expect(out).toContain('unhealthy: the cluster is unavailable (cluster-unavailable)\n    1 cluster: c4\n');
  expect(code).toBe(1);
});
