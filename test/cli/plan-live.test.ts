import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { planJson } from '../../src/compiler/index.ts';
import { LivePlan } from '../../src/cli/commands/plan/live/live-plan.ts';
import { argumentsOf } from '../../src/cli/commands/plan/plan-arguments.ts';
import { PlanServer } from '../../src/cli/commands/plan/live/plan-server.ts';
import { commitAll, silentTerminal } from './editor/editor.ts';
import { folderWith, runIn } from './terminal.ts';
import { startIn } from './watching.ts';

const cluster = (name: string, env: string): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`;
const fleet = (...envs: readonly string[]): string =>
  envs.map((env, index) => cluster(`c${index + 1}`, env)).join('---\n');
const app = (env: string): string => `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: some, namespace: agents }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }] }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec: { installStrategy: { type: Placements, placements: [{ name: some, namespace: agents }] } }
`;

async function repository(): Promise<string> {
  const folder = await folderWith({
    'fleetwright.yaml': 'engine: none\n',
    'fleet.yaml': fleet('prod', 'prod', 'dev'),
    'apps/agent/objects.yaml': app('prod'),
  });
  commitAll(folder);
  return folder;
}

test('plan --watch prints the plan again if it differs, follows HEAD, and ends with Ctrl-C', async () => {
  const cwd = await repository();
  const objects = path.join(cwd, 'apps/agent/objects.yaml');
  const { child, printed } = startIn(cwd, ['plan', 'HEAD', '--watch']);
  const plans = (): number => printed().split('waiting for changes; Ctrl-C ends the command').length - 1;
  await expect.poll(plans).toBe(1);
  expect(printed()).toContain('plan: nothing changes on 3 clusters');

  await writeFile(objects, app('dev'));
  await expect.poll(plans).toBe(2);
  expect(printed()).toContain('\napps/agent/objects.yaml changed\n');
  expect(printed()).toContain('UNINSTALLED from 2 clusters: c1, c2');

  await writeFile(objects, `${app('dev')}# no change of any object\n`);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(plans()).toBe(2);

  await writeFile(objects, app('dev').replace('kind: Placement\n', 'kind: Placemen\n'));
  await expect.poll(plans).toBe(3);
  expect(printed()).toContain('did you mean "Placement"?');

  await writeFile(objects, app('dev'));
  await expect.poll(plans).toBe(4);
  commitAll(cwd);
  await expect.poll(plans).toBe(5);
  expect(printed()).toContain('\nHEAD changed\n');
  await expect.poll(printed).toMatch(/\nHEAD changed\n[^]*plan: nothing changes on 3 clusters\n/);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(printed()).not.toContain('    at ');
});

test('plan --serve requires its token and the name of this machine, and reports changes', async () => {
  const cwd = await repository();
  const { child, printed } = startIn(cwd, ['plan', 'HEAD', '--serve']);
  await expect.poll(printed).toMatch(/^http:\S+\n/m);
  const [url = ''] = /http:\S+/.exec(printed()) ?? [];
  const { host, origin } = new URL(url);
  expect(host).toMatch(/^127\.0\.0\.1:\d+$/);

  const first = await fetch(url);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; .*; frame-ancestors 'none'$/,
    ) as string,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  expect(await first.text()).toContain('nothing changes on 3 clusters');
  for (const other of ['/', '/events', `/${'a'.repeat(32)}/`]) {
    const refused = await fetch(origin + other);
    expect([refused.status, await refused.text()]).toEqual([
      403,
      'Open the URL that fleetwright plan --serve printed, with its token.\n',
    ]);
  }
  expect((await fetch(url, { method: 'POST', body: 'a' })).status).toBe(405);
  expect((await fetch(`${url}other`)).status).toBe(404);
  expect(await statusAs('attacker.example', url)).toBe(421);
  expect(await statusAs('localhost:1234', url)).toBe(200);

  const events = await fetch(`${url}events`);
  const reader = events.body?.getReader();
  let received = '';
  await writeFile(path.join(cwd, 'apps/agent/objects.yaml'), app('dev'));
  while (!received.includes('"version":"2","isPlanning":false')) {
    const { value } = (await reader?.read()) ?? {};
    received += Buffer.from(value ?? []).toString();
  }
  expect(received).toContain('event: state\ndata: {"version":"1","isPlanning":true}\n\n');
  expect(await (await fetch(url)).text()).toContain('2 uninstalled');

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(reader?.read()).rejects.toThrow('terminated');
});

/** The status of a request that is addressed to another name. */
async function statusAs(host: string, url: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('a port that another program uses is named', async () => {
  const server = await PlanServer.start();
  const { port } = new URL(server.url);
  const { code, err } = await runIn(await repository(), ['plan', 'HEAD', '--serve', '--port', port]);
  await server.end();
  expect([code, err]).toEqual([
    2,
    `fleetwright: --port ${port}: another program uses this port\n  omit --port to use a free one\n`,
  ]);
});

test.each([
  [['--serve', '--watch'], '--serve follows changes on its page, and --watch prints them'],
  [['--port', '1'], '--port is the port of --serve'],
  [['--serve', '--port', '70000'], '--port 70000 is not a valid port'],
  [['--serve', '-o', 'json'], '--serve serves the HTML page, and writes no other format'],
  [['--serve', '--show-secrets'], '--show-secrets requires text output'],
  [['--watch', '-o', 'html'], '--watch prints several plans, and -o html is one page'],
  [['--watch', '--timings'], '--watch makes many plans, and --timings measures one'],
  [['--watch', '--detailed-exit-code'], '--watch ends with Ctrl-C, so it has no exit code of a plan'],
])('plan HEAD %j is wrong use', async (words, message) => {
  const { code, err } = await runIn(await repository(), ['plan', 'HEAD', ...words]);
  expect([code, err.split('\n')[0]]).toEqual([2, `fleetwright: ${message}`]);
});

test('plan --watch needs states, and does not follow the hub', async () => {
  const cwd = await repository();
  expect((await runIn(cwd, ['plan', '--watch'])).err).toContain('missing states to compare');
  expect((await runIn(cwd, ['plan', '--against', 'hub', '--watch'])).err).toContain(
    'fleetwright status --watch follows the hub',
  );
});

const typescriptApp = (
  level: string,
): string => `import { AddOnDeploymentConfig, App, Chart } from 'fleetwright';
const app = new App();
new AddOnDeploymentConfig(new Chart(app, 'typed', { namespace: 'agents' }), 'config', { customizedVariables: { LEVEL: '${level}' } });
export default app;
`;

test('a live plan is that of a new command after every edit', async () => {
  const cwd = await folderWith({
    'fleetwright.yaml': 'engine: argocd\n',
    'package.json': '{ "type": "module" }\n',
    'fleet.yaml': fleet('prod', 'prod', 'dev'),
    'apps/agent/objects.yaml': app('prod'),
    'apps/typed/app.ts': typescriptApp('one'),
  });
  commitAll(cwd);
  const at = (file: string): string => path.join(cwd, file);
  const edits: readonly (() => Promise<void>)[] = [
    async () => await writeFile(at('apps/agent/objects.yaml'), app('dev')),
    async () => await writeFile(at('apps/typed/app.ts'), typescriptApp('two')),
    async () => await writeFile(at('fleet.yaml'), fleet('prod', 'dev', 'dev', 'prod')),
    async () => await Promise.resolve(commitAll(cwd)),
    async () => await writeFile(at('fleetwright.yaml'), 'engine: flux\nfindings: { off: [FW7204] }\n'),
    async () => await writeFile(at('apps/agent/objects.yaml'), app('prod')),
    async () => await writeFile(at('apps/typed/app.ts'), 'export default 1;\n'),
    async () => await writeFile(at('apps/typed/app.ts'), typescriptApp('three')),
    async () => await Promise.resolve(void execFileSync('git', ['reset', '-q', '--hard', 'HEAD^'], { cwd })),
    async () => await rm(at('apps/typed'), { recursive: true }),
    async () => await Promise.resolve(void execFileSync('git', ['checkout', '-q', '.'], { cwd })),
  ];
  const plan = new LivePlan(
    { ...argumentsOf('HEAD'), output: ['json'] },
    {
      ...silentTerminal(cwd),
      now: () => Date.parse('2026-06-01T00:00:00Z'),
    },
  );
  let files = await plan.read();
  for (const edit of [async () => await Promise.resolve(), ...edits]) {
    await edit();
    const present = await plan.read();
    await plan.forget([...present.keys()].filter((file) => present.get(file) !== files.get(file)));
    files = present;
    const live = await plan.answer(
      async (answer) => await Promise.resolve('errors' in answer ? 'no plan' : planJson(answer.report)),
    );
    const { code, out } = await runIn(cwd, ['plan', 'HEAD', '-o', 'json']);
    expect(live).toBe(out === '' ? 'no plan' : out);
    expect(code).toBeLessThan(3);
  }
  await plan.end();
  expect(readFileSync(at('apps/typed/app.ts'), 'utf8')).toContain("'one'");
});
