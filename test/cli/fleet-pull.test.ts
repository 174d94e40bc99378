import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/client/clock.ts';
import { ProxyServer } from '../client/proxy-server.ts';
import { kubeconfigFor, refusal, serve, type ApiServer, type Response } from './api-server.ts';
import { folderWith, runIn, type Ran } from './terminal.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const cluster = (index: number, status: object = {}): object => ({
  metadata: {
    name: `c${index}`,
    uid: `uid-${index}`,
    resourceVersion: String(1000 + index),
    generation: 3,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { env: 'prod' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', owner: 'team-a' },
    finalizers: ['cluster.open-cluster-management.io/api-resource-cleanup'],
    managedFields: [{ manager: 'registration' }],
  },
  spec: {
    hubAcceptsClient: true,
    leaseDurationSeconds: 60,
    managedClusterClientConfigs: [{ url: 'https://c', caBundle: 'c2VjcmV0' }],
  },
  status: {
    capacity: { cpu: '4' },
    version: { kubernetes: 'v1.35.0' },
    conditions: [
      {
        type: 'ManagedClusterConditionAvailable',
        status: 'True',
        reason: 'ManagedClusterAvailable',
        message: 'Managed cluster is available',
        lastTransitionTime: '2026-02-01T00:00:00Z',
        observedGeneration: 3,
      },
    ],
    ...status,
  },
});

/** What a hub holds, by plural. */
type Hub = Readonly<Record<string, readonly object[]>>;

const hub: Hub = {
  managedclusters: [cluster(2), cluster(10), cluster(1)],
  managedclustersets: [
    {
      metadata: { name: 'global', resourceVersion: '7' },
      spec: { clusterSelector: {} },
      status: { conditions: [] },
    },
  ],
  managedclustersetbindings: [
    { metadata: { name: 'global', namespace: 'default' }, spec: { clusterSet: 'global' } },
  ],
  addonplacementscores: [
    {
      metadata: { name: 'a', namespace: 'c1' },
      status: { scores: [{ name: 'cpu', value: 7 }], validUntil: '2026-06-01T00:05:00Z' },
    },
    {
      metadata: { name: 'a', namespace: 'c2' },
      status: { scores: [{ name: 'cpu', value: 9 }], validUntil: '2026-05-31T00:00:00Z' },
    },
  ],
  placementdecisions: [
    {
      metadata: {
        name: 'p-decision-1',
        namespace: 'default',
        labels: { 'cluster.open-cluster-management.io/placement': 'p' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Placement', name: 'p', uid: 'x' }],
      },
      status: { decisions: [{ clusterName: 'c1', reason: '' }] },
    },
    { metadata: { name: 'q-decision-1', namespace: 'default' }, status: {} },
  ],
  placements: [
    {
      metadata: {
        name: 'global',
        namespace: 'shared',
        uid: 'u',
        labels: { 'velero.io/exclude-from-backup': 'true' },
      },
      spec: { clusterSets: ['global'] },
      status: { numberOfSelectedClusters: 3 },
    },
    {
      metadata: {
        name: 'p',
        namespace: 'default',
        labels: { 'app.kubernetes.io/managed-by': 'fleetwright' },
        annotations: {
          'argocd.argoproj.io/tracking-id': 'hello:cluster.open-cluster-management.io/Placement:default/p',
        },
      },
      spec: { clusterSets: ['default'] },
    },
  ],
  clustermanagementaddons: [
    {
      metadata: {
        name: 'search-collector',
        annotations: { 'addon.open-cluster-management.io/lifecycle': 'addon-manager' },
      },
      spec: { installStrategy: { type: 'Manual' } },
      status: {},
    },
    {
      metadata: {
        name: 'hello',
        labels: {
          'app.kubernetes.io/managed-by': 'fleetwright',
          'kustomize.toolkit.fluxcd.io/name': 'hello-add-ons',
          'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
        },
      },
      spec: {},
    },
  ],
  addontemplates: [
    {
      metadata: { name: 'search-v1' },
      spec: {
        addonName: 'search',
        agentSpec: {
          workload: {
            manifests: [
              {
                apiVersion: 'v1',
                kind: 'Secret',
                metadata: { name: 'credentials' },
                data: { password: 'aHVudGVyMg==' },
                stringData: { token: 'hunter2' },
              },
            ],
          },
        },
      },
    },
    { metadata: { name: 'hello-v1', labels: { 'app.kubernetes.io/managed-by': 'fleetwright' } }, spec: {} },
  ],
  managedclusteraddons: [
    {
      metadata: { name: 'hello', namespace: 'c1', annotations: { 'argocd.argoproj.io/tracking-id': 'x' } },
      spec: { configs: [{ resource: 'configmaps', name: 'in-git' }] },
      status: {
        namespace: 'agents',
        conditions: [
          {
            type: 'Progressing',
            status: 'False',
            reason: 'Completed',
            message: 'done',
            lastTransitionTime: '2026-03-01T00:00:00Z',
          },
          {
            type: 'Available',
            status: 'True',
            reason: 'Lease',
            message: 'seen 12:34',
            lastTransitionTime: '2026-03-01T00:00:00Z',
          },
        ],
      },
    },
    {
      metadata: { name: 'hello', namespace: 'c2' },
      spec: { configs: [{ resource: 'configmaps', name: 'by-hand' }] },
    },
  ],
};

const pluralOf = ({ pathname }: URL): string => path.basename(pathname);

/** Serves a hub two objects a page; `before` may answer first. */
async function serveHub(
  held: Hub,
  before: (url: URL) => Response | undefined = () => undefined,
): Promise<ApiServer> {
  return await serve((url) => {
    const first = before(url);
    if (first !== undefined) return first;
    const items = held[pluralOf(url)];
    if (items === undefined) return { status: 404, body: '404 page not found' };
    const from = Number(url.searchParams.get('continue') ?? '0');
    const more = from + 2 < items.length ? { continue: String(from + 2) } : {};
    return {
      status: 200,
      body: { kind: 'List', metadata: { resourceVersion: '1', ...more }, items: items.slice(from, from + 2) },
    };
  });
}

async function pullFrom(
  server: Pick<ApiServer, 'kubeconfig'>,
  ...options: readonly string[]
): Promise<Ran & { cwd: string }> {
  const cwd = await folderWith({ kubeconfig: server.kubeconfig });
  return { cwd, ...(await runIn(cwd, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', ...options])) };
}

describe('fleet pull', () => {
  test('writes the deciding fields of every object, by name', async () => {
    const { code, out, err, cwd } = await pullFrom(await serveHub(hub));
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'fleet.yaml: 3 managedclusters, 1 managedclustersets, 1 managedclustersetbindings, 2 addonplacementscores, 2 placementdecisions, 2 placements, 2 clustermanagementaddons, 2 addontemplates, 2 managedclusteraddons, without 3 of them that Git has\n',
      err: '',
    });
    expect(await readFile(path.join(cwd, 'fleet.yaml'), 'utf8')).toMatchSnapshot();
    expect((await readdir(cwd)).toSorted()).toEqual(['fleet.yaml', 'kubeconfig']);
  });

  test('requests pages, and only lists', async () => {
    const server = await serveHub(hub);
    await pullFrom(server, '--no-add-ons');
    expect(server.requests).toEqual([
      'GET /apis/cluster.open-cluster-management.io/v1/managedclusters?limit=500',
      'GET /apis/cluster.open-cluster-management.io/v1/managedclusters?limit=500&continue=2',
      'GET /apis/cluster.open-cluster-management.io/v1beta2/managedclustersets?limit=500',
      'GET /apis/cluster.open-cluster-management.io/v1beta2/managedclustersetbindings?limit=500',
      'GET /apis/cluster.open-cluster-management.io/v1alpha1/addonplacementscores?limit=500',
      'GET /apis/cluster.open-cluster-management.io/v1beta1/placementdecisions?limit=500',
      'GET /apis/cluster.open-cluster-management.io/v1beta1/placements?limit=500',
      'GET /apis/addon.open-cluster-management.io/v1alpha1/clustermanagementaddons?limit=500',
      'GET /apis/addon.open-cluster-management.io/v1alpha1/addondeploymentconfigs?limit=500',
      'GET /apis/addon.open-cluster-management.io/v1alpha1/addontemplates?limit=500',
    ]);
  });

  test('reaches the hub through the proxy of the environment', async () => {
    const server = await serveHub(hub);
    const proxy = await ProxyServer.http({ hosts: { 'hub.example:80': Number(new URL(server.url).port) } });
    vi.stubEnv('http_proxy', proxy.url.host);
    const { code, err } = await pullFrom({ kubeconfig: kubeconfigFor('http://hub.example') }, '--out', '-');
    proxy.stop();
    expect([code, err, [...new Set(proxy.asked)]]).toEqual([0, '', ['hub.example:80']]);
  });

  test('presents the token of the kubeconfig, and writes it nowhere', async () => {
    const seen = new Set<string | undefined>();
    const server = await serve((url, { headers }) => {
      seen.add(headers.authorization);
      return { status: 200, body: { kind: 'List', items: hub[pluralOf(url)] ?? [] } };
    });
    const { out } = await pullFrom(server, '--out', '-');
    expect([...seen]).toEqual(['Bearer the-token']);
    for (const secret of ['the-token', 'c2VjcmV0', 'aHVudGVyMg==', 'hunter2'])
      expect(out).not.toContain(secret);
  });

  test('writes the same bytes for any order and revisions of the hub', async () => {
    const shuffled = Object.fromEntries(
      Object.entries(hub).map(([plural, items]) => [plural, items.toReversed()]),
    );
    const later = JSON.parse(
      JSON.stringify(shuffled).replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"9"'),
    ) as Hub;
    const first = await pullFrom(await serveHub(hub), '--out', '-');
    const second = await pullFrom(await serveHub(later), '--out', '-');
    expect(second.out).toBe(first.out);
  });

  test('writes JSON with one line per object if the file is named so', async () => {
    const { cwd } = await pullFrom(await serveHub(hub), '--out', 'fleets/prod.json', '--no-add-ons');
    const lines = (await readFile(path.join(cwd, 'fleets/prod.json'), 'utf8')).split('\n');
    expect(lines[0]).toBe(
      '{"apiVersion":"v1","kind":"List","metadata":{"annotations":{"fleetwright.dev/covers":"AddOnDeploymentConfig AddOnPlacementScore AddOnTemplate ClusterManagementAddOn ManagedCluster ManagedClusterSet ManagedClusterSetBinding Placement PlacementDecision","fleetwright.dev/taken-at":"2026-06-01T00:00:00Z","fleetwright.dev/written-in-git":"Placement.cluster.open-cluster-management.io default/p argocd:hello\\nClusterManagementAddOn.addon.open-cluster-management.io hello flux:flux-system/hello-add-ons\\nAddOnTemplate.addon.open-cluster-management.io hello-v1 fleetwright\\n"}},"items":[',
    );
    expect(lines).toHaveLength(1 + 9 + 3 + 2);
    expect(lines[2]).toContain('"name":"c10"');
  });

  test('begins a list anew that expired while it was read', async () => {
    let expired = false;
    const server = await serveHub(hub, (url) => {
      if (expired || !url.searchParams.has('continue')) return undefined;
      expired = true;
      return refusal(410, 'Expired', 'The provided continue parameter is too old');
    });
    const { code, out } = await pullFrom(server);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^fleet\.yaml: 3 managedclusters, /),
    });
    expect(server.requests.slice(0, 4).map((request) => request.replace(/.*\?/, ''))).toEqual([
      'limit=500',
      'limit=500&continue=2',
      'limit=500',
      'limit=500&continue=2',
    ]);
  });

  test('retries if the hub is busy', async () => {
    let busy = true;
    const server = await serveHub(hub, () => {
      if (!busy) return undefined;
      busy = false;
      return { ...refusal(429, 'TooManyRequests', 'slow down'), headers: { 'Retry-After': '0' } };
    });
    expect((await pullFrom(server)).code).toBe(0);
  });

  test('with --check compares the file with the hub, regardless of when it was taken', async () => {
    const { kubeconfig } = await serveHub(hub);
    const cwd = await folderWith({ kubeconfig });
    const pull = async (...options: readonly string[]): Promise<Ran> =>
      await runIn(cwd, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', '--no-add-ons', ...options]);
    expect(await pull('--check')).toMatchObject({ code: 1, out: 'fleet.yaml: no such file\n' });
    await pull();
    const text = await readFile(path.join(cwd, 'fleet.yaml'), 'utf8');
    const older = await folderWith({
      kubeconfig,
      'fleet.yaml': text.replace('2026-06-01T00:00:00Z', '2026-05-01T00:00:00Z'),
    });
    expect(
      await runIn(older, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', '--no-add-ons', '--check']),
    ).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^fleet\.yaml: 3 managedclusters, .*, as on the hub\n$/) as string,
    });
    const other = await folderWith({ kubeconfig, 'fleet.yaml': text.replace('env: prod', 'env: stage') });
    expect(
      await runIn(other, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', '--no-add-ons', '--check']),
    ).toEqual({
      code: 1,
      out: 'fleet.yaml: outdated\n',
      err: 'run fleet pull and commit its output\n',
    });
  });
});

test('fleet pull does not replace a snapshot that another run wrote in the meantime: FW9042', async () => {
  const folder = await folderWith({ 'fleet.yaml': 'old' });
  const server = await serveHub(hub, (url) => {
    // The other run reads the hub later, and is done first.
    if (pluralOf(url) === 'managedclustersets') writeFileSync(path.join(folder, 'fleet.yaml'), 'newer');
    return undefined;
  });
  await writeFile(path.join(folder, 'kubeconfig'), server.kubeconfig);
  const ran = await runIn(folder, ['fleet', 'pull', '--kubeconfig', 'kubeconfig']);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toContain(
    'error FW9042: another program wrote fleet.yaml while the hub was read, and its snapshot can be newer\n  = hint: nothing was written; run fleet pull again\n',
  );
  expect(await readFile(path.join(folder, 'fleet.yaml'), 'utf8')).toBe('newer');
});

describe('a hub that cannot be read', () => {
  const failing = async (
    server: Pick<ApiServer, 'kubeconfig'> & { url?: string },
    ...options: readonly string[]
  ): Promise<string> => {
    const { code, out, err, cwd } = await pullFrom(server, ...options);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(await readdir(cwd)).toEqual(['kubeconfig']);
    return err.replaceAll(server.url ?? 'http://127.0.0.1:1', 'HUB');
  };

  test('because no server listens there: FW9005', async () => {
    expect(await failing({ kubeconfig: kubeconfigFor('http://127.0.0.1:1') })).toMatchInlineSnapshot(`
      "error FW9005: HUB cannot be reached: connect ECONNREFUSED 127.0.0.1:1
        = hint: check the address in the kubeconfig, and what is in between: VPN, proxy, certificates

      1 error
      "
    `);
  });

  test('because the token has run out: FW9006', async () => {
    const server = await serve(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    expect(await failing(server)).toMatchInlineSnapshot(`
      "error FW9006: HUB rejected the credentials: Unauthorized
        = hint: the token or certificate of the kubeconfig is invalid or has expired; log in again

      1 error
      "
    `);
  });

  test('because a kind may not be read: FW9007', async () => {
    const server = await serveHub(hub, (url) =>
      pluralOf(url) === 'placementdecisions'
        ? refusal(
            403,
            'Forbidden',
            'placementdecisions.cluster.open-cluster-management.io is forbidden: User "a" cannot list it',
          )
        : undefined,
    );
    expect(await failing(server)).toMatchInlineSnapshot(`
      "error FW9007: HUB does not allow this user to list placementdecisions: placementdecisions.cluster.open-cluster-management.io is forbidden: User "a" cannot list it
        = hint: grant it a ClusterRole with the rule apiGroups: ["cluster.open-cluster-management.io"], resources: ["placementdecisions"], verbs: ["get", "list"]

      1 error
      "
    `);
  });

  test('because it is not a hub of OCM: FW9008', async () => {
    expect(await failing(await serveHub({}))).toMatchInlineSnapshot(`
      "error FW9008: HUB does not serve managedclusters of cluster.open-cluster-management.io/v1
        = hint: is that the hub? The kubeconfig may name a managed cluster, or OCM's cluster manager is not installed

      1 error
      "
    `);
  });

  test('because the server is not an API server', async () => {
    const server = await serve(() => ({ status: 200, body: '<html>log in</html>' }));
    expect(await failing(server)).toMatchInlineSnapshot(`
      "error FW9005: HUB did not return JSON
        = hint: is that the address of a Kubernetes API server?

      1 error
      "
    `);
  });

  test('because it fails', async () => {
    const server = await serve(() => refusal(500, 'InternalError', 'etcdserver: request timed out'));
    expect(await failing(server)).toMatchInlineSnapshot(`
      "error FW9005: HUB answers etcdserver: request timed out
        = hint: the API server is unhealthy; try again later

      1 error
      "
    `);
  });

  test('because every list expires', async () => {
    const server = await serve(() => refusal(410, 'Expired', 'too old'));
    expect(await failing(server)).toMatchInlineSnapshot(`
      "error FW9005: HUB expires the list of managedclusters before it is read, 3 times in a row
        = hint: the hub compacts its history faster than it answers; try again when it has less load

      1 error
      "
    `);
    expect(server.requests).toHaveLength(3);
  });

  test('because the kubeconfig has no such context: FW9004', async () => {
    const kubeconfig = kubeconfigFor('http://127.0.0.1:1');
    expect(await failing({ kubeconfig }, '--context', 'prod')).toMatchInlineSnapshot(`
      "error FW9004: kubeconfig has no context "prod"; it has hub, nowhere
        = hint: name another file with --kubeconfig, or a context with --context

      1 error
      "
    `);
    expect(await failing({ kubeconfig }, '--context', 'nowhere')).toMatchInlineSnapshot(`
      "error FW9004: kubeconfig has no current context with a cluster
        = hint: name another file with --kubeconfig, or a context with --context

      1 error
      "
    `);
  });

  test('because the proxy is not a URL, whose password is masked: FW9012', async () => {
    const kubeconfig = kubeconfigFor('https://hub.example');
    vi.stubEnv('HTTPS_PROXY', 'http://me:s3cr/t@proxy.corp:3128');
    expect(await failing({ kubeconfig })).toMatchInlineSnapshot(`
      "error FW9012: HTTPS_PROXY is not a valid proxy URL
        = hint: write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT, and in a password %40 for @, %2F for /, %23 for #, %25 for %

      1 error
      "
    `);
    const cluster = 'insecure-skip-tls-verify: true';
    const given = kubeconfig.replace(cluster, `${cluster}, proxy-url: "me:s3cret@proxy.corp"`);
    expect((await failing({ kubeconfig: given })).split('\n')[0]).toBe(
      'error FW9012: proxy-url of context "hub" in kubeconfig is not a valid proxy URL',
    );
  });

  test('because the proxy does not find it', async () => {
    const proxy = await ProxyServer.http({ hosts: {} });
    vi.stubEnv('HTTP_PROXY', proxy.url.href);
    const err = await failing({ kubeconfig: kubeconfigFor('http://hub.example') });
    proxy.stop();
    expect(err.replace(proxy.url.host, 'PROXY')).toMatchInlineSnapshot(`
      "error FW9005: http://hub.example cannot be reached: through the proxy PROXY: 502 Bad Gateway
        = hint: check the address in the kubeconfig, and what is in between: VPN, proxy, certificates

      1 error
      "
    `);
  });

  test('because the kubeconfig is missing or invalid', async () => {
    expect((await failing({ kubeconfig: '{' })).split('\n')[0]).toMatchInlineSnapshot(
      `"error FW9004: kubeconfig cannot be read: it is not YAML, line 1, column 2"`,
    );
    expect((await failing({ kubeconfig: '' })).split('\n')[0]).toBe(
      'error FW9004: kubeconfig cannot be read: it is empty, or not a kubeconfig',
    );
    const cwd = await folderWith({});
    const missing = await runIn(cwd, ['fleet', 'pull', '--kubeconfig', 'missing']);
    expect(missing.err).toMatch(/^error FW9004: missing cannot be read: ENOENT/);
    expect(missing.code).toBe(2);
  });
});

describe('a server that is not a hub', () => {
  const list = (next: string, items: unknown = []): object => ({
    kind: 'List',
    items,
    metadata: { continue: next },
  });
  const pullFrom = async (answer: Parameters<typeof serve>[0]): Promise<Ran & { requests: number }> => {
    const { kubeconfig, requests } = await serve(answer);
    const folder = await folderWith({ kubeconfig });
    const ran = await runIn(folder, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', '--out', 'fleet.yaml']);
    expect(await readdir(folder)).toEqual(['kubeconfig']);
    return { ...ran, requests: requests.length };
  };

  test('and lists without an end is left: FW9034', async () => {
    const { code, err, requests } = await pullFrom(() => ({ status: 200, body: list('again') }));
    expect({ code, requests }).toEqual({ code: 2, requests: expect.any(Number) as number });
    expect(requests).toBeLessThan(10);
    expect(err).toContain('error FW9034: http://127.0.0.1:');
    expect(err).toContain(' returns an endless list of ');
    let page = 0;
    const { err: growing } = await pullFrom(() => ({ status: 200, body: list(String((page += 1))) }));
    expect(growing).toContain('FW9034');
  });

  /** Pulls from a server that answers with the parts that `send` writes, in JSON. */
  const pullParts = async (send: (response: ServerResponse) => void): Promise<Ran> => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      send(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const folder = await folderWith({ kubeconfig: kubeconfigFor(url) });
    try {
      return await runIn(folder, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', '--out', 'fleet.yaml']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  test('and answers without an end is left: FW9034', async () => {
    const part = ' '.repeat(1024 * 1024);
    const { code, err } = await pullParts((response) => {
      const send = (): void => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', send);
      send();
    });
    expect(code).toBe(2);
    expect(err).toContain('error FW9034: http://127.0.0.1:');
    expect(err).toContain('answers with more than 256 MiB');
  });

  test('and answers byte by byte is left: FW9034', async () => {
    // A minute passes with each byte.
    let minutes = 0;
    const elapsed = systemClock.elapsed.bind(systemClock);
    vi.spyOn(systemClock, 'elapsed').mockImplementation(() => elapsed() + minutes * 60_000);
    let parts = 0;
    const { code, err } = await pullParts((response) => {
      const timer = setInterval(() => {
        if (response.destroyed) clearInterval(timer);
        else response.write(' ');
        minutes += 1;
        parts += 1;
      }, 20);
    });
    expect(code).toBe(2);
    expect(err).toContain('error FW9034: ');
    expect(err).toContain('answers too slowly: byte by byte, or for more than 300 s');
    expect(parts).toBeGreaterThan(0);
  });

  test.each([
    ['a text', 'hello', 'did not return JSON'],
    ['no list', {}, 'did not return a list of'],
    ['a list of something else', list('', [1, null]), 'did not return a list of'],
    ['a list of objects without names', list('', [{ metadata: {} }]), 'did not return a list of'],
    [
      'a continue token without a value',
      { ...list(''), metadata: { continue: {} } },
      'did not return a list of',
    ],
  ])('and answers with %s is reported', async (_what, body, message) => {
    const { code, err } = await pullFrom(() => ({ status: 200, body }));
    expect(code).toBe(2);
    expect(err).toContain(`error FW9005: http://127.0.0.1:`);
    expect(err).toContain(message);
  });

  test('is not followed to another server', async () => {
    const other = await serve(() => ({ status: 200, body: list('') }));
    const { code, err } = await pullFrom(() => ({ status: 302, body: '', headers: { Location: other.url } }));
    expect(code).toBe(2);
    expect(err).toContain('FW9005');
    expect(other.requests).toEqual([]);
  });
});
