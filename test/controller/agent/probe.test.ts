import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseProbeTarget, probeFault } from '../../../src/controller/agent/probe/probe-target.ts';
import { probeOf } from '../../../src/controller/agent/probe/probe.ts';
import { deployments, type Deployment } from '../../../src/controller/agent/resources.ts';
import { FakeApiServer } from '../api-server.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function probe(
  target: string,
  { timeout = 60_000, api = undefined as FakeApiServer | undefined } = {},
) {
  const parsed = parseProbeTarget(target);
  if (parsed === undefined) throw new Error(`${target} is no target`);
  const client = (api ?? (await FakeApiServer.start())).client();
  return await probeOf(parsed, { client, namespace: 'agents', timeout })(new AbortController().signal);
}

describe('a target', () => {
  test.each([
    'http://127.0.0.1:8080/healthz',
    'https://[::1]/',
    'tcp://db:5432',
    'deployment:agent',
    'exec:/healthy now',
  ])('can be %s', (text) => {
    expect(probeFault(text)).toBeUndefined();
  });

  test.each(['', 'healthz', 'tcp://db', 'ftp://db:21', 'deployment:', 'deployment:A B', 'exec:', 'exec: '])(
    'cannot be "%s"',
    (text) => {
      expect(probeFault(text)).toBe(
        'http://HOST:PORT/PATH, tcp://HOST:PORT, deployment:NAME or exec:COMMAND',
      );
    },
  );
});

describe('a probe of HTTP', () => {
  const answering = async (status: number): Promise<string> => {
    const port = await listening(createHttp((_request, response) => response.writeHead(status).end()));
    return `http://127.0.0.1:${port}/healthz`;
  };

  test('passes for every status that the kubelet accepts', async () => {
    for (const status of [200, 204, 302, 399]) expect(await probe(await answering(status))).toBe(true);
  });

  test('fails for any other answer, and reports it', async () => {
    expect(await probe(await answering(503))).toBe('it answers 503');
    expect(await probe(await answering(404))).toBe('it answers 404');
  });

  test('fails if no server listens, and if no server answers in time', async () => {
    expect(await probe('http://127.0.0.1:1/')).toBe('connect ECONNREFUSED 127.0.0.1:1');
    const port = await listening(createTcp((socket) => socket.on('error', () => undefined).resume()));
    expect(await probe(`http://127.0.0.1:${port}/`, { timeout: 100 })).toBe('no answer within 100 ms');
  });

  test('does not verify the certificate', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-probe-'));
    const [key, cert] = [path.join(folder, 'key'), path.join(folder, 'cert')];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', [...request, '-subj', '/CN=nobody', '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    const files = { key: readFileSync(key), cert: readFileSync(cert) };
    rmSync(folder, { recursive: true });
    const port = await listening(createHttps(files, (_request, response) => response.end('ok')));
    expect(await probe(`https://127.0.0.1:${port}/`)).toBe(true);
  });
});

test('a TCP probe passes if a server listens', async () => {
  const port = await listening(createTcp((socket) => socket.end()));
  expect(await probe(`tcp://127.0.0.1:${port}`)).toBe(true);
  expect(await probe('tcp://127.0.0.1:1')).toBe('connect ECONNREFUSED 127.0.0.1:1');
});

test('a command passes when it ends with 0', async () => {
  expect(await probe('exec:true')).toBe(true);
  expect(await probe('exec:false')).toBe('false ended with 1');
  expect(await probe('exec:/not/there')).toBe('spawn /not/there ENOENT');
  expect(await probe('exec:sleep 60', { timeout: 100 })).toBe('no answer within 100 ms');
});

test('a Deployment is healthy with one ready replica, or if it needs none', async () => {
  const api = await FakeApiServer.start();
  const deployment = async (replicas: number, readyReplicas: number): Promise<void> => {
    const object: Deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'agent', namespace: 'agents' },
      spec: { replicas },
    };
    await api.client().delete(deployments, { name: 'agent', namespace: 'agents' });
    await api.client().create(deployments, { ...object, status: { readyReplicas } });
  };
  expect(await probe('deployment:agent', { api })).toBe('there is no Deployment agents/agent');
  await deployment(2, 0);
  expect(await probe('deployment:agent', { api })).toBe('no replica of Deployment agents/agent is ready');
  await deployment(2, 1);
  expect(await probe('deployment:agent', { api })).toBe(true);
  await deployment(0, 0);
  expect(await probe('deployment:agent', { api })).toBe(true);
  await api.stop();
});
