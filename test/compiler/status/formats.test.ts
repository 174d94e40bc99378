import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { causes } from '../../../src/compiler/index.ts';
import { app } from '../plan/states.ts';
import { refusal, serve } from '../../cli/api-server.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { condition, hubAtRest, served, status, type HubObjects } from './served-hub.ts';

function unhealthy(message = 'Probe addon unavailable'): HubObjects {
  const hub = hubAtRest();
  for (const cluster of ['c1', 'c2'])
    hub.report(cluster, condition('Available', 'False', 'ProbeUnavailable', message));
  return hub;
}

test('a hub at rest is as predicted', async () => {
  expect(await status(hubAtRest())).toEqual({
    code: 0,
    err: '',
    out: `ADD-ON  AS PREDICTED  ON THE WAY  DIFFERENT  UNHEALTHY
hello              5           0          0          0

everything is as predicted: 1 add-on, 5 installations
`,
  });
});

test('JSON has every cluster', async () => {
  const { out, code } = await status(unhealthy(), ['-o', 'json']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    time: '2026-06-01T00:00:00Z',
    asPredicted: false,
    addOns: [
      {
        addOn: 'hello',
        counts: { 'as predicted': 3, 'on the way': 0, different: 0, unhealthy: 2 },
        classes: [
          {
            state: 'unhealthy',
            cause: {
              code: 'workload-unavailable',
              message: 'ProbeUnavailable: Probe addon unavailable',
            },
            since: '2026-05-31T00:00:00Z',
            clusters: ['c1', 'c2'],
          },
        ],
        excluded: [],
        emptyPlacements: [],
      },
    ],
    notInGit: [],
    contested: [],
    unread: [],
    placed: { policies: [], applicationSets: [], notCompared: [] },
    leftOnHub: { objects: [], unread: [] },
  });
});

test('Markdown has a table of causes, in which nothing of the hub is markup', async () => {
  const { out } = await status(unhealthy('<b>|x|'), ['-o', 'markdown']);
  expect(out).toBe(`## Status at 2026-06-01T00:00:00Z

not as predicted: 1 add-on on 2 clusters.

| add-on | state | clusters | first cause | names |
| --- | --- | --- | --- | --- |
| hello | as predicted | 3 |  |  |
| hello | unhealthy | 2 | the workload is not available (workload-unavailable): ProbeUnavailable: &lt;b&gt;\\|x\\|, since 2026-05-31T00:00:00Z | c1, c2 |
`);
});

test('the page has a matrix of the clusters that are not as predicted', async () => {
  const { out } = await status(unhealthy('<script>alert(1)</script>'), ['-o', 'html']);
  expect(out).toContain(
    '<tr><th scope="row">c1</th><td class="unhealthy" title="ProbeUnavailable: &lt;script&gt;alert(1)&lt;/script&gt;">unhealthy: workload-unavailable</td></tr>',
  );
  expect(out).not.toContain('<script>');
  expect(out).not.toContain('<th scope="row">c3</th>');
});

test('--cluster shows one cluster', async () => {
  const bad = await status(unhealthy(), ['--cluster', 'c1']);
  expect(bad.out).toMatch(/^hello +0 +0 +0 +1$/m);
  expect(bad.code).toBe(1);
  const good = await status(unhealthy(), ['--cluster', 'c3']);
  expect(good.out).toMatch(/^hello +1 +0 +0 +0$/m);
  expect(good.code).toBe(0);
});

test('names that do not exist are wrong use, with a hint', async () => {
  expect(await status(hubAtRest(), ['helo'])).toMatchObject({
    code: 2,
    err: 'fleetwright: there is no add-on helo\n  did you mean "hello"?\n',
  });
  expect(await status(hubAtRest(), ['c1'])).toMatchObject({
    code: 2,
    err: 'fleetwright: there is no add-on c1\n  for a cluster: status --cluster c1\n',
  });
  expect((await status(hubAtRest(), ['--cluster', 'c9'])).err).toContain('the hub has no cluster c9');
  expect((await status(hubAtRest(), ['--timeout', '5m'])).err).toContain('--timeout limits --watch');
});

test('an app with errors fails before the hub is read', async () => {
  const server = await served(hubAtRest().objects);
  const broken = app.replace('requiredClusterSelector', 'requiredClusterSelektor');
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': broken });
  const { code, out, err } = await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('requiredClusterSelektor');
});

test('add-ons that only the hub has are listed', async () => {
  const { out, code } = await status(hubAtRest(), [], app.replace(/\n---\n[\s\S]*/, ''));
  expect(out).toContain('not compared, because only the hub has them: hello\n');
  expect(code).toBe(0);
});

test('kinds that may not be read are named, and the rest is compared', async () => {
  const { objects } = unhealthy();
  const server = await serve(({ pathname, searchParams }) => {
    const plural = path.basename(pathname);
    if (plural === 'manifestworks') return refusal(403, 'Forbidden', 'no');
    if (searchParams.has('labelSelector')) return { status: 200, body: { kind: 'List', items: [] } };
    return {
      status: 200,
      body: { kind: 'List', items: objects.filter(({ kind }) => `${kind.toLowerCase()}s` === plural) },
    };
  });
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': app });
  const { out } = await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  expect(out).toContain(
    'not read, because the credentials do not allow it: manifestworks; causes are less exact\n',
  );
  expect(out).toContain('workload-unavailable');
});

test('nothing but GET is sent, and works are read for suspects only', async () => {
  const server = await served(unhealthy().objects);
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': app });
  await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
  const works = server.requests.filter((request) => request.includes('manifestworks'));
  expect(works).toHaveLength(2);
});

test('--watch ends when everything is as predicted', { timeout: 30_000 }, async () => {
  const hub = unhealthy();
  const server = await served(hub.objects);
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': app });
  const watching = runIn(cwd, ['status', '--kubeconfig', 'kubeconfig', '--watch', '--timeout', '1m']);
  await expect
    .poll(() => server.requests.filter((request) => request.includes('manifestworks')).length)
    .toBe(2);
  for (const cluster of ['c1', 'c2']) hub.report(cluster, condition('Available', 'True', 'ProbeAvailable'));
  const { code, out } = await watching;
  expect(code).toBe(0);
  expect(out).toMatch(/not as predicted: 1 add-on on 2 clusters\n\nADD-ON[\s\S]*everything is as predicted/);
});

test('docs/status.md has all causes, in the order in which they are checked, with their states', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/status.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| ([\w ]+?) +\|/gm)].map(([, code, state]) => [
    code,
    state,
  ]);
  expect(rows.filter(([code = '']) => code in causes)).toEqual(
    Object.entries(causes).map(([code, { state }]) => [code, state]),
  );
});

test('an add-on that is for no cluster any more is named, with the reason of the hub', async () => {
  const text = app.replaceAll('key: env', 'key: environment').replaceAll('env: prod', 'environment: prod');
  const { out, code } = await status(hubAtRest(text), [], text);
  expect(out).toContain(`
hello is for no cluster: Placement default/stage selects none: No ManagedCluster matches any of the cluster predicate; Placement default/prod selects none: No ManagedCluster matches any of the cluster predicate
everything is as predicted: 1 add-on, 0 installations
`);
  expect(code).toBe(0);
});

test('objects that a second engine applies are named', async () => {
  const hub = hubAtRest();
  Object.assign(hub.get('ClusterManagementAddOn', 'hello').metadata, {
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
    annotations: {
      'argocd.argoproj.io/tracking-id':
        'hello:addon.open-cluster-management.io/ClusterManagementAddOn:/hello',
    },
  });
  const { out } = await status(hub);
  expect(out).toContain(
    'ClusterManagementAddOn hello is applied by Argo CD and Flux: each overwrites the other, and deletes what it no longer has; see fleetwright doctor --against hub\n',
  );
  const json = JSON.parse((await status(hub, ['-o', 'json'])).out) as { contested: unknown };
  expect(json.contested).toEqual([{ object: 'ClusterManagementAddOn hello', engines: ['Argo CD', 'Flux'] }]);
});
