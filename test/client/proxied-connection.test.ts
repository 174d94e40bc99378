import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Informer } from '../../src/controller/cache/informer.ts';
import { systemClock, type Clock } from '../../src/client/clock.ts';
import { ApiClient } from '../../src/client/api-client.ts';
import { connect, endpointOf } from '../../src/client/kubeconfig/connect.ts';
import type { ApiObject } from '../../src/client/object.ts';
import { namespacedResource } from '../../src/client/resource.ts';
import { FakeApiServer } from '../controller/api-server.ts';
import { RecordingLog } from '../controller/recording-log.ts';
import { ProxyServer } from './proxy-server.ts';
import { serverCertificate } from './server-certificate.ts';

// Nobody but the proxies of these tests knows the name.
const { certificate, key } = serverCertificate('hub.example');
const hub = { server: 'https://hub.example', 'certificate-authority-data': base64(certificate) };

let folder: string;
let server: Server;
let hosts: Readonly<Record<string, number>>;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-proxy-'));
  server = createServer({ cert: certificate, key }, (_, response) => response.end('{"major":"1"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hosts = { 'hub.example:443': (server.address() as AddressInfo).port };
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'])
    for (const each of [name, name.toLowerCase()]) vi.stubEnv(each, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) end();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function kubeconfig(cluster: object, user: object = {}): string {
  const file = path.join(folder, 'config');
  const config = {
    clusters: [{ name: 'hub', cluster }],
    users: [{ name: 'me', user }],
    contexts: [{ name: 'main', context: { cluster: 'hub', user: 'me' } }],
    'current-context': 'main',
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

interface Options {
  readonly clock?: Clock;
  readonly user?: object;
}

function clientOf(cluster: object, { clock = systemClock, user }: Options = {}): ApiClient {
  const { transport } = connect({ kubeconfig: kubeconfig(cluster, user) }, clock, 'test/1');
  ends.push(() => transport.close());
  return new ApiClient(transport, { clock, fieldManager: 'test', patience: 10_000 });
}

const read = async (cluster: object): Promise<unknown> => await clientOf(cluster).read('/version');

function running(proxy: ProxyServer): ProxyServer {
  ends.push(() => proxy.stop());
  return proxy;
}

/** The URL of a proxy, with who asks it. */
function as(userInfo: string, { url }: ProxyServer): string {
  return url.href.replace('//', `//${userInfo}@`);
}

describe('the hub is reached through the proxy', () => {
  test('that the environment names', async () => {
    const proxy = running(await ProxyServer.http({ hosts }));
    vi.stubEnv('https_proxy', proxy.url.host);
    expect(await read(hub)).toEqual({ major: '1' });
    expect(proxy.asked).toEqual(['hub.example:443']);
  });

  test('of the kubeconfig, whatever the environment sets', async () => {
    const [proxy, other] = [
      running(await ProxyServer.http({ hosts })),
      running(await ProxyServer.http({ hosts })),
    ];
    vi.stubEnv('HTTPS_PROXY', other.url.href);
    vi.stubEnv('NO_PROXY', '*');
    expect(await read({ ...hub, 'proxy-url': proxy.url.href })).toEqual({ major: '1' });
    expect([proxy.asked, other.asked]).toEqual([['hub.example:443'], []]);
  });

  test('that speaks SOCKS, which looks up its name', async () => {
    const proxy = running(await ProxyServer.socks({ hosts }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    expect(await read(hub)).toEqual({ major: '1' });
    expect(await read({ ...hub, 'proxy-url': proxy.url.href })).toEqual({ major: '1' });
    expect(proxy.asked).toEqual(['hub.example:443', 'hub.example:443']);
  });

  test('that requires authentication', async () => {
    const authorization = `Basic ${base64('me:s3cr@t')}`;
    const proxy = running(await ProxyServer.http({ hosts, authorization }));
    vi.stubEnv('HTTPS_PROXY', as('me:s3cr%40t', proxy));
    expect(await read(hub)).toEqual({ major: '1' });
  });

  test('that has a certificate, if it is trusted', async () => {
    const proxy = running(await ProxyServer.http({ hosts, tls: { certificate, key } }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    await expect(read(hub)).rejects.toThrow(`through the proxy ${proxy.url.host}: self-signed certificate`);
    expect(proxy.asked).toEqual([]);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const client = clientOf(hub);
    expect(await client.read('/version')).toEqual({ major: '1' });
    proxy.cut();
    expect(await client.read('/version')).toEqual({ major: '1' });
    expect(proxy.asked).toEqual(['hub.example:443', 'hub.example:443']);
  });

  test('by its address', async () => {
    const at = '[fd00::1]:6443';
    const proxy = running(await ProxyServer.http({ hosts: { [at]: hosts['hub.example:443'] ?? 0 } }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    const cluster = { ...hub, server: `https://${at}`, 'tls-server-name': 'hub.example' };
    expect(await read(cluster)).toEqual({ major: '1' });
    expect(proxy.asked).toEqual([at]);
  });

  test('over connections that are reused, and opened again if the proxy ends them', async () => {
    const proxy = running(await ProxyServer.http({ hosts }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    const client = clientOf(hub);
    for (let i = 0; i < 3; i += 1) await client.read('/version');
    expect(proxy.asked).toEqual(['hub.example:443']);
    proxy.cut();
    for (let i = 0; i < 3; i += 1) await client.read('/version');
    expect(proxy.asked).toEqual(['hub.example:443', 'hub.example:443']);
  });

  test('that the kubeconfig names by now', async () => {
    const [proxy, other] = [
      running(await ProxyServer.http({ hosts })),
      running(await ProxyServer.http({ hosts })),
    ];
    let passed = 0;
    // Credentials are read again with every request.
    const clock = { ...systemClock, elapsed: () => (passed += 20_000) };
    const client = clientOf({ ...hub, 'proxy-url': proxy.url.href }, { clock });
    await client.read('/version');
    kubeconfig({ ...hub, 'proxy-url': other.url.href });
    await client.read('/version');
    expect([proxy.asked.length, other.asked.length]).toEqual([1, 1]);
  });
});

describe('the proxy is left out', () => {
  test('if NO_PROXY names the hub', async () => {
    const proxy = running(await ProxyServer.http({ hosts }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    vi.stubEnv('NO_PROXY', '.example');
    await expect(read(hub)).rejects.toThrow(/getaddrinfo \w+ hub\.example$/);
    expect(proxy.asked).toEqual([]);
  });

  test('if the hub is on this machine', async () => {
    const proxy = running(await ProxyServer.http({ hosts }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    const local = { ...hub, server: `https://127.0.0.1:${hosts['hub.example:443']}` };
    expect(await read({ ...local, 'tls-server-name': 'hub.example' })).toEqual({ major: '1' });
    expect(proxy.asked).toEqual([]);
  });

  test('in kubeconfigs for others, unless this one names it', () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.corp:3128');
    const { server } = hub;
    expect(endpointOf({ kubeconfig: kubeconfig({ server }) })).toEqual({ server });
    const cluster = { server, 'proxy-url': 'socks5://proxy.corp' };
    expect(endpointOf({ kubeconfig: kubeconfig(cluster) })).toEqual({
      server,
      proxyUrl: 'socks5://proxy.corp',
    });
  });
});

describe('a failure on the way is reported with the proxy, and without its password', () => {
  test('that rejects the credentials', async () => {
    const proxy = running(await ProxyServer.http({ hosts, authorization: 'Basic eDp5' }));
    vi.stubEnv('HTTPS_PROXY', as('me:s3cret', proxy));
    await expect(read(hub)).rejects.toThrow(
      `GET /version: through the proxy ${proxy.url.host}: 407 Proxy Authentication Required`,
    );
  });

  test('that does not find the hub', async () => {
    const proxy = running(await ProxyServer.http({ hosts: {} }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    await expect(read(hub)).rejects.toThrow(`through the proxy ${proxy.url.host}: 502 Bad Gateway`);
  });

  test('that does not run', async () => {
    const proxy = await ProxyServer.http({ hosts });
    proxy.stop();
    vi.stubEnv('HTTPS_PROXY', as('me:s3cret', proxy));
    const { host } = proxy.url;
    await expect(read(hub)).rejects.toThrow(
      new RegExp(`^GET /version: through the proxy ${host}: connect ECONNREFUSED ${host}$`),
    );
  });

  test('that leads to the hub, with an invalid client certificate', async () => {
    const proxy = running(await ProxyServer.http({ hosts }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    const user = { 'client-certificate-data': base64('none'), 'client-key-data': base64('none') };
    const client = clientOf(hub, { user });
    await expect(client.read('/version')).rejects.toThrow(
      /through the proxy 127\.0\.0\.1:\d+: error:.*no start line$/,
    );
  });

  test('that accepts the address of the hub', async () => {
    const other = serverCertificate('hub.example');
    const proxy = running(await ProxyServer.http({ hosts }));
    vi.stubEnv('HTTPS_PROXY', proxy.url.href);
    const stranger = { ...hub, 'certificate-authority-data': base64(other.certificate) };
    await expect(read(stranger)).rejects.toThrow(`through the proxy ${proxy.url.host}: `);
  });
});

test('a watch continues when the proxy ends an idle connection', async () => {
  const api = await FakeApiServer.start();
  const proxy = running(await ProxyServer.http({ hosts: { 'hub.example:80': api.port } }));
  vi.stubEnv('HTTP_PROXY', proxy.url.href);
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms, signal) => await systemClock.sleep(ms / 100, signal),
  };
  const client = clientOf({ server: 'http://hub.example' }, { clock });
  const configMaps = namespacedResource<ApiObject>('v1', 'ConfigMap', 'configmaps');
  const informer = new Informer(configMaps, { client, clock, log: new RecordingLog() });
  const seen: (string | undefined)[] = [];
  informer.onChange(({ after }) => seen.push(after?.metadata.name));
  const watches = (): number => api.requests.filter((request) => request.startsWith('WATCH')).length;
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  try {
    for (const [cuts, name] of ['a', 'b', 'c'].entries()) {
      await expect.poll(() => watches()).toBe(cuts + 1);
      proxy.cut();
      const metadata = { name, namespace: 'default' };
      await api.client().create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      await expect.poll(() => seen.at(-1)).toBe(name);
    }
  } finally {
    stop.abort();
    await ended;
    await api.stop();
  }
  expect(seen).toEqual(['a', 'b', 'c']);
});
