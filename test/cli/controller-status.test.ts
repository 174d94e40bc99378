import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { statusProcess } from '../../src/cli/commands/controller/status-process.ts';
import { statusParameters } from '../../src/cli/commands/controller/start-status.ts';
import { readSettings } from '../../src/controller/configuration/settings.ts';
import type { Reading } from '../../src/controller/status/reading.ts';
import { statusSettings } from '../../src/controller/status/status-settings.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { app, config } from '../compiler/plan/states.ts';
import { condition, hubAtRest, served, type HubObjects } from '../compiler/status/served-hub.ts';
import { kubeconfigFor, refusal, serve } from './api-server.ts';
import { folderWith, runIn } from './terminal.ts';

// `controller status` as processes: the built command, which starts itself for each reading.

const program = path.resolve(import.meta.dirname, '../../build/cli/main.js');

const running: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

/** Starts the command in a folder, and returns functions that read from it. */
async function start(cwd: string, ...options: readonly string[]) {
  const all = ['controller', 'status', '--listen', '127.0.0.1:0', '--interval', '5s', ...options];
  const child = spawn(process.execPath, [program, ...all, '--kubeconfig', 'kubeconfig'], { cwd });
  running.push(child);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const port = async (): Promise<number | undefined> =>
    await Promise.resolve(Number(/"port":(\d+)/.exec(out)?.[1] ?? 0));
  await expect.poll(port, { timeout: 30_000 }).toBeGreaterThan(0);
  const at = await port();
  const get = async (url: string): Promise<string> =>
    await (await fetch(`http://127.0.0.1:${at}${url}`)).text();
  return { child, get, log: () => out };
}

/** Lets the work agent of c2 report that it cannot apply the manifest. */
function failToApply(hub: HubObjects, message: string): void {
  hub.reportWork('c2', 'False', 'True', message);
  hub.report('c2', condition('ManifestApplied', 'False', 'AddonManifestAppliedFailed', 'failed'));
}

const patience = { timeout: 60_000, interval: 200 };

test('it reports what is applied on the hub, and ends in order', async () => {
  const hub = hubAtRest();
  const server = await served(hub.objects);
  const { child, get, log } = await start(await folderWith({ kubeconfig: server.kubeconfig }));
  const clusters = 'fleetwright_predicted_add_on_clusters{add_on="hello",state';
  await expect.poll(async () => await get('/metrics'), patience).toContain(`${clusters}="as-predicted"} 5`);
  expect(await get('/readyz')).toBe('ok\n');
  failToApply(hub, 'Apply failed with 1 conflict: conflict with "kubectl": .data.level');
  await expect
    .poll(async () => await get('/metrics'), patience)
    .toContain(
      'fleetwright_predicted_cause_clusters{add_on="hello",state="different",cause="manifest-conflict"} 1',
    );
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(log()).toContain('"message":"stopped"');
});

test('with a workspace, the apps in it are the prediction', async () => {
  const server = await served(hubAtRest().objects);
  const cwd = await folderWith({
    kubeconfig: server.kubeconfig,
    'repository/apps/hello/hub.yaml': `${app}${config('prod', 'error')}`.replace(config('prod', 'warn'), ''),
  });
  const { get } = await start(cwd, '--workspace', 'repository');
  await expect
    .poll(async () => await get('/metrics'), patience)
    .toContain(
      'fleetwright_predicted_cause_clusters{add_on="hello",state="different",cause="git-not-applied"} 3',
    );
});

test('a kubeconfig that is not usable ends it at the start', async () => {
  const cwd = await folderWith({ kubeconfig: 'apiVersion: v1\nkind: Config\n' });
  const { code, err } = await runIn(cwd, ['controller', 'status', '--kubeconfig', 'kubeconfig']);
  expect(code).toBe(2);
  expect(err).toContain('error FW9004: ');
});

test('settings that contradict each other are rejected', async () => {
  const options = ['--hub', 'eu', '--interval', '10m', '--hub-version', '0.9'];
  const { code, err } = await runIn('.', ['controller', 'status', ...options]);
  expect(code).toBe(2);
  expect(err).toContain('error FW9201: --hub-version must be one of 1.');
  const { err: combined } = await runIn('.', ['controller', 'status', ...options.slice(0, 4)]);
  expect(combined).toContain(
    'error FW9201: --stale-after must be at least twice the interval, which is 600s',
  );
  expect(combined).toContain('error FW9201: --hub names a hub of a workspace: set workspace too');
});

/** Reads once from a folder with a kubeconfig. */
async function readFrom(
  kubeconfig: string,
  node: readonly string[] = [],
  signal = new AbortController().signal,
): Promise<Reading> {
  const cwd = await folderWith({ kubeconfig });
  const { value } = readSettings(statusSettings, { kubeconfig: 'kubeconfig' }, {});
  const command = [...node, program];
  return await statusProcess({ command, parameters: statusParameters(value, cwd), cwd })(signal);
}

describe('a reading fails', () => {
  test('if the hub does not answer', async () => {
    await expect(readFrom(kubeconfigFor('http://127.0.0.1:9'))).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringMatching(/^FW9005: http:\/\/127\.0\.0\.1:9 cannot be reached/) as string,
    });
  });

  test.each([
    [401, 'Unauthorized', 'unauthorized', 'FW9006'],
    [403, 'Forbidden', 'forbidden', 'FW9007'],
    [404, 'NotFound', 'no-hub', 'FW9008'],
  ])('if the hub answers %i', async (code, status, reason, finding) => {
    const { kubeconfig } = await serve(() => refusal(code, status, 'no'));
    await expect(readFrom(kubeconfig)).rejects.toMatchObject({
      reason,
      message: expect.stringContaining(finding) as string,
    });
  });

  test('if an object on the hub is not valid', async () => {
    const hub = hubAtRest();
    (hub.get('Placement', 'prod', 'default')['spec'] as Record<string, unknown>)['predicates'] = 'all';
    await expect(readFrom((await served(hub.objects)).kubeconfig)).rejects.toMatchObject({
      reason: 'invalid-input',
      message: expect.stringMatching(/^FW9043: .*Placement "default\/prod"/) as string,
    });
  });

  test('if the memory is not enough', async () => {
    const hub = hubAtRest();
    const first = hub.objects.find(({ kind }) => kind === 'ManagedCluster');
    const many = Array.from({ length: 20_000 }, (_, index): KubernetesObject => {
      const labels = { label: 'x'.repeat(60) };
      return { ...first, metadata: { name: `many-${index}`, labels } } as KubernetesObject;
    });
    const { kubeconfig } = await served([...hub.objects, ...many]);
    await expect(readFrom(kubeconfig, ['--max-old-space-size=40'])).rejects.toMatchObject({
      reason: 'out-of-memory',
    });
  });

  test('if it is ended', async () => {
    const end = new AbortController();
    const { kubeconfig } = await serve(() => {
      end.abort();
      return refusal(404, 'NotFound', 'no');
    });
    await expect(readFrom(kubeconfig, [], end.signal)).rejects.toThrow('aborted');
  });
});

test('messages of agents that look like errors are not failures', async () => {
  const hub = hubAtRest();
  const hostile = 'error FW9007: "\u001b[2J"';
  failToApply(hub, hostile);
  const { addOns } = await readFrom((await served(hub.objects)).kubeconfig);
  expect(addOns[0]?.classes.map(({ cause }) => cause.code)).toEqual(['manifest-failed']);
});
