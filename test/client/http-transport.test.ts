import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getEventListeners } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/client/clock.ts';
import { ApiClient } from '../../src/client/api-client.ts';
import { AnswerError } from '../../src/client/api-error.ts';
import { fenced } from '../../src/client/fence.ts';
import { HttpTransport, type Credentials } from '../../src/client/http-transport.ts';
import type { ApiObject } from '../../src/client/object.ts';
import { namespacedResource } from '../../src/client/resource.ts';

const pods = namespacedResource('v1', 'Pod', 'pods');
const pod = {
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default', resourceVersion: '1' },
};
const name = { namespace: 'default', name: 'a' };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const sockets = new Set<Socket>();
  const started = createServer(answer).on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  server = started;
  const url = new URL(`http://127.0.0.1:${(started.address() as AddressInfo).port}`);
  return { url, sockets };
}

interface ClientOptions {
  readonly patience?: number;
  readonly credentials?: (refused: boolean) => Promise<Credentials>;
  readonly credentialsAge?: number;
}

function transportOf(url: URL, { credentials, credentialsAge }: ClientOptions = {}): HttpTransport {
  return new HttpTransport({
    server: url,
    credentials: credentials ?? (async () => await Promise.resolve({ headers: {} })),
    ...(credentialsAge !== undefined && { credentialsAge }),
    clock: systemClock,
    userAgent: 'test/1',
    maxConnections: 2,
  });
}

const clientOver = (
  transport: HttpTransport,
  options: { patience?: number; urgent?: boolean } = {},
): ApiClient =>
  new ApiClient(transport, { clock: systemClock, fieldManager: 'test', patience: 60_000, ...options });

function clientOf(url: URL, options: ClientOptions = {}): ApiClient {
  return clientOver(transportOf(url, options), options);
}

const json = (response: ServerResponse, status: number, body: object, headers: object = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

test.each([
  ['{}', 'without metadata'],
  ['{"metadata":{"name":"a","namespace":"default"}}', 'without a version'],
  ['{"metadata":{"name":"b","namespace":"default","resourceVersion":"1"}}', 'of another name'],
  ['{"metadata":{"name":"a","namespace":"other","resourceVersion":"1"}}', 'of another namespace'],
  ['{"metadata":{"name":"a","resourceVersion":"1"}}', 'without a namespace'],
  ['{"metadata":{"name":"..","namespace":"default","resourceVersion":"1"}}', 'whose name is no name'],
  ['{"metadata":null}', 'with metadata that is null'],
])('a success without the requested object is an error: %s (%s)', async (text) => {
  const { url } = await serve((_, response) => response.end(text));
  for (const call of [
    async (client: ApiClient) => await client.get(pods, name),
    async (client: ApiClient) => await client.merge(pods, name, {}),
  ])
    await expect(call(clientOf(url))).rejects.toThrow(
      'the answer is not an object with a name and a version',
    );
});

test.each([
  'null',
  '[]',
  '7',
  '{}',
  '{"type":"ADDED"}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED","object":{}}',
  '{"type":"DELETED","object":{"metadata":{"name":"a"}}}',
  '{"type":"MODIFIED","object":{"metadata":{"name":7,"resourceVersion":"1"}}}',
  '{"type":"BOOKMARK","object":{"metadata":{}}}',
  '{"type":"UNKNOWN","object":{"metadata":{"name":"a","namespace":"default","resourceVersion":"1"}}}',
])('a line of a watch that is not an event is an error: %s', async (line) => {
  const { url } = await serve((_, response) => response.end(`${line}\n`));
  const watch = clientOf(url).watch(pods, { resourceVersion: '1', timeoutSeconds: 5 });
  await expect(watch.next()).rejects.toThrow('the watch sent a line that is not an event');
});

test('a field of another type is an error, and null counts as missing', async () => {
  const leases = namespacedResource('coordination.k8s.io/v1', 'Lease', 'leases');
  const metadata = { ...name, resourceVersion: '1' };
  let lease: object = { metadata, spec: { holderIdentity: 7 } };
  const { url } = await serve(({ url: target }, response) => {
    const event = `${JSON.stringify({ type: 'ADDED', object: lease })}\n`;
    if (target?.includes('watch=') === true) response.end(event);
    else if (target?.includes('limit=') === true)
      json(response, 200, { kind: 'LeaseList', metadata: { resourceVersion: '1' }, items: [lease] });
    else json(response, 200, lease);
  });
  const client = clientOf(url);
  const reads = [
    async () => await client.get(leases, name),
    async () => (await client.list(leases))[0],
    async () => {
      const { value } = await client.watch(leases, { resourceVersion: '1', timeoutSeconds: 5 }).next();
      return (value as { readonly object: object }).object;
    },
  ];
  for (const read of reads)
    await expect(read()).rejects.toThrow('spec.holderIdentity of Lease default/a must be a text');
  lease = { metadata: { ...metadata, labels: null }, spec: null };
  for (const read of reads) expect(await read()).toMatchObject({ metadata });
  for (const read of reads) expect(await read()).not.toHaveProperty('spec');
});

test('connections are reused', async () => {
  const { url, sockets } = await serve((_, response) => json(response, 200, pod));
  const client = clientOf(url);
  for (let i = 0; i < 5; i += 1) await client.get(pods, name);
  expect(sockets.size).toBe(1);
});

test('a server below a path is reached, and gets the credentials', async () => {
  const seen: unknown[] = [];
  const { url } = await serve(({ url, headers }, response) => {
    seen.push([url, headers['user-agent'], headers.authorization]);
    json(response, 200, pod);
  });
  const credentials = { headers: { Authorization: 'Bearer abc' } };
  await clientOf(new URL('/hub/', url), { credentials: async () => await Promise.resolve(credentials) }).get(
    pods,
    name,
  );
  expect(seen).toEqual([['/hub/api/v1/namespaces/default/pods/a', 'test/1', 'Bearer abc']]);
});

test('a silent server times out', async () => {
  const { url } = await serve(() => undefined);
  await expect(clientOf(url, { patience: 50 }).get(pods, name)).rejects.toThrow(
    'GET /api/v1/namespaces/default/pods/a: timed out: no response for 0.05 s',
  );
});

test('an answer that breaks off is an error', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{"kind"');
    setTimeout(() => response.destroy(), 20);
  });
  await expect(clientOf(url).get(pods, name)).rejects.toThrow(
    'GET /api/v1/namespaces/default/pods/a: aborted',
  );
});

test('a rejected token is requested again, once', async () => {
  const tokens = ['old', 'new', 'newer'];
  const { url } = await serve(({ headers }, response) => {
    if (headers.authorization === 'Bearer new') json(response, 200, pod);
    else json(response, 401, { code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
  });
  const credentials = async (): Promise<Credentials> =>
    await Promise.resolve({ headers: { Authorization: `Bearer ${tokens.shift()}` } });
  const client = clientOf(url, { credentials });
  expect(await client.get(pods, name)).toEqual(pod);
  expect(tokens).toEqual(['newer']);
});

test('a second rejection is reported', async () => {
  const { url } = await serve((_, response) =>
    json(response, 401, { code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),
  );
  await expect(clientOf(url).get(pods, name)).rejects.toMatchObject({ status: { code: 401 } });
});

test('credentials that are not available are requested again with the next request', async () => {
  const { url } = await serve((_, response) => json(response, 200, pod));
  let fails = true;
  const credentials = async (): Promise<Credentials> =>
    fails ? await Promise.reject(new Error('the plugin is not installed')) : { headers: {} };
  const client = clientOf(url, { credentials });
  await expect(client.get(pods, name)).rejects.toThrow('the plugin is not installed');
  fails = false;
  expect(await client.get(pods, name)).toEqual(pod);
});

test('a busy server gets a retry at the time that it sets', async () => {
  let busy = 2;
  const { url } = await serve((_, response) => {
    busy -= 1;
    if (busy >= 0) json(response, 429, { message: 'too many requests' }, { 'Retry-After': '0' });
    else json(response, 200, pod);
  });
  expect(await clientOf(url).get(pods, name)).toEqual(pod);
});

test('it gets no retry before the time that it sets, and not from all clients at once', async () => {
  let busy = 2;
  const { url } = await serve((_, response) => {
    busy -= 1;
    if (busy >= 0) json(response, 429, { message: 'too many requests' }, { 'Retry-After': '32' });
    else json(response, 200, pod);
  });
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    await Promise.resolve();
  };
  const clock = { ...systemClock, random: () => 0.5, sleep };
  await new ApiClient(transportOf(url), { clock, fieldManager: 'test' }).get(pods, name);
  expect(slept).toEqual([35_200, 35_200]);
});

test('a server that remains busy is an error in the end', async () => {
  let requests = 0;
  const { url } = await serve((_, response) => {
    requests += 1;
    json(response, 503, { message: 'the server is currently unable' }, { 'Retry-After': '0' });
  });
  await expect(clientOf(url).get(pods, name)).rejects.toMatchObject({
    message: 'GET /api/v1/namespaces/default/pods/a: the server is currently unable',
    status: { code: 503, retryAfterSeconds: 0 },
  });
  expect(requests).toBe(6);
});

test("the first line of a proxy's answer is reported", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(502);
    response.end('Bad Gateway\n<html>');
  });
  await expect(clientOf(url).get(pods, name)).rejects.toThrow('/pods/a: Bad Gateway');
});

test('a page in HTML is not a message', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(502);
    response.end('<html>\n<h1>Bad Gateway</h1>');
  });
  await expect(clientOf(url).get(pods, name)).rejects.toThrow('/pods/a: status 502');
});

test('an object that is not there is undefined, and its deletion no error', async () => {
  const { url } = await serve((_, response) =>
    json(response, 404, { code: 404, reason: 'NotFound', message: 'pods "a" not found' }),
  );
  const client = clientOf(url);
  expect(await client.get(pods, name)).toBeUndefined();
  await client.delete(pods, name);
});

test('a watch reads objects that arrive in pieces', async () => {
  const { url } = await serve((_, response) => {
    const text = ['a', 'b', 'c']
      .map(
        (name) =>
          `${JSON.stringify({ type: 'ADDED', object: { metadata: { name, resourceVersion: '2' } } })}\n`,
      )
      .join('');
    response.writeHead(200);
    const pieces = text.match(/.{1,7}|\n/gs) ?? [];
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) response.end();
      else response.write(piece, next);
    };
    next();
  });
  const names: string[] = [];
  for await (const { object } of clientOf(url).watch(pods, { resourceVersion: '1', timeoutSeconds: 5 }))
    names.push(object.metadata.name);
  expect(names).toEqual(['a', 'b', 'c']);
});

test('an error that a watch reports is thrown with its status', async () => {
  const { url } = await serve((_, response) => {
    const object = {
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: 'too old resource version: 1 (9)',
    };
    response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
  });
  const watch = clientOf(url).watch(pods, { resourceVersion: '1', timeoutSeconds: 5 });
  await expect(watch.next()).rejects.toMatchObject({
    message: 'WATCH /api/v1/pods: too old resource version: 1 (9)',
    status: { code: 410 },
  });
});

test('a watch ends at once when its signal is aborted, whether it has begun or not', async () => {
  const [early, late] = [new AbortController(), new AbortController()];
  const { url } = await serve((_, response) => {
    early.abort();
    response.writeHead(200);
    response.flushHeaders();
  });
  const client = clientOf(url);
  const watch = ({ signal }: AbortController) =>
    client.watch(pods, { resourceVersion: '1', timeoutSeconds: 300, signal });
  await expect(watch(early).next()).rejects.toThrow('WATCH /api/v1/pods: aborted');
  const begun = watch(late).next();
  setTimeout(() => late.abort(), 100);
  await expect(begun).rejects.toThrow('WATCH /api/v1/pods: aborted');
});

/** A server that answers nothing below `/pods`, and a client whose two connections wait for it. */
async function busy(patience = 120_000) {
  const { url } = await serve((request, response) => {
    if (request.url?.includes('/pods/') !== true) json(response, 200, pod);
  });
  const transport = transportOf(url);
  const client = clientOver(transport, { patience });
  const stop = new AbortController();
  const waiting = [1, 2].map(async () => await client.get(pods, name, stop.signal).catch(() => undefined));
  return { transport, client, end: async () => (stop.abort(), await Promise.all(waiting)) };
}

test('a request that waits for a connection ends with its signal', async () => {
  const { client, end } = await busy();
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  await expect(client.get(pods, name, stop.signal)).rejects.toThrow('/pods/a: aborted');
  await end();
});

test('a request that waits too long for a connection times out', async () => {
  const { transport, end } = await busy();
  await expect(clientOver(transport, { patience: 50 }).get(pods, name)).rejects.toThrow(
    'timed out: no response for 0.05 s',
  );
  await end();
});

test('urgent requests do not wait for others', async () => {
  const { transport, end } = await busy();
  const leases = namespacedResource('coordination.k8s.io/v1', 'Lease', 'leases');
  expect(await clientOver(transport, { urgent: true, patience: 60_000 }).get(leases, name)).toEqual(pod);
  await end();
});

test('nothing of a request remains on its signal', async () => {
  const { url } = await serve((_, response) => json(response, 200, pod));
  const [stop, lead] = [new AbortController(), new AbortController()];
  const fence = { holds: () => true, signal: lead.signal };
  const client = clientOf(url).over((transport) => fenced(transport, fence));
  for (let i = 0; i < 20; i += 1) await client.merge(pods, name, {}, { signal: stop.signal });
  await expect
    .poll(() => [stop, lead].map(({ signal }) => getEventListeners(signal, 'abort').length))
    .toEqual([0, 0]);
});

test('a connection that the server closes while it is idle does not fail a read', async () => {
  const answered = new WeakSet<object>();
  const { url } = await serve((request, response) => {
    if (answered.has(request.socket)) request.socket.destroy();
    else json(response, 200, pod);
    answered.add(request.socket);
  });
  const client = clientOf(url);
  for (let i = 0; i < 5; i += 1) expect(await client.get(pods, name)).toEqual(pod);
  // What writes may have been done: that is for the caller to find out.
  await expect(client.merge(pods, name, {})).rejects.toThrow('socket hang up');
});

test('the wait for credentials ends with the request', async () => {
  const { url } = await serve((_, response) => json(response, 200, pod));
  const credentials = async (): Promise<Credentials> => await new Promise(() => undefined);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  await expect(clientOf(url, { credentials }).get(pods, name, stop.signal)).rejects.toThrow('aborted');
  await expect(clientOf(url, { credentials, patience: 50 }).get(pods, name)).rejects.toThrow('timed out');
});

test('of many requests that are rejected at a time, one requests credentials', async () => {
  const asked: boolean[] = [];
  const { url } = await serve(({ headers }, response) => {
    if (headers.authorization === 'Bearer 2') json(response, 200, pod);
    else setTimeout(() => json(response, 401, { code: 401, reason: 'Unauthorized', message: 'no' }), 50);
  });
  const credentials = async (refused: boolean): Promise<Credentials> => {
    asked.push(refused);
    return await Promise.resolve({ headers: { Authorization: `Bearer ${asked.length}` } });
  };
  const client = clientOf(url, { credentials });
  const found = await Promise.all([1, 2, 3, 4].map(async () => await client.get(pods, name)));
  expect(found).toEqual([pod, pod, pod, pod]);
  expect(asked).toEqual([false, true]);
});

test('credentials that cannot be read anew are used as they were', async () => {
  const { url } = await serve(({ headers }, response) =>
    json(response, headers.authorization === 'Bearer a' ? 200 : 403, pod),
  );
  const found = [{ headers: { Authorization: 'Bearer a' } }];
  const credentials = async (): Promise<Credentials> =>
    found.shift() ?? (await Promise.reject(new Error('ENOENT: the file is being replaced')));
  const client = clientOf(url, { credentials, credentialsAge: -1 });
  for (let i = 0; i < 3; i += 1) expect(await client.get(pods, name)).toEqual(pod);
});

test('a password in the address of the server is masked', () => {
  expect(transportOf(new URL('https://admin:secret@hub.example.com/')).server).toBe(
    'https://hub.example.com/',
  );
});

test('an answer that is not JSON is not printed', async () => {
  const { url } = await serve((_, response) => response.end('{"data": {"tls.key": "c2VjcmV0"'));
  await expect(clientOf(url).get(pods, name)).rejects.toThrow(
    new AnswerError('GET /api/v1/namespaces/default/pods/a', 'not-json', 'the answer is not JSON'),
  );
});

test.each([
  ['as it was sent', (data: string) => data],
  ['decoded', (data: string) => Buffer.from(data, 'base64').toString()],
])('the answer of a server about a Secret does not reveal it, %s', async (_case, answer) => {
  const secrets = namespacedResource<ApiObject & { data?: object }>('v1', 'Secret', 'secrets');
  const key = Buffer.from('a private key of some length').toString('base64');
  let message = `Secret "a" is invalid: data[tls.key]: Invalid value: "${answer(key)}"`;
  const { url } = await serve((_, response) =>
    json(response, 422, { code: 422, reason: 'Invalid', message }),
  );
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: name, data: { 'tls.key': key } };
  await expect(clientOf(url).apply(secrets, secret)).rejects.toThrow(
    'PATCH /api/v1/namespaces/default/secrets/a: Invalid; the reason contains parts of the Secret, so it is not printed',
  );
  message = 'secrets "a" is forbidden: User "me" cannot patch resource "secrets"';
  await expect(clientOf(url).apply(secrets, secret)).rejects.toThrow(`secrets/a: ${message}`);
});

test('a replica that does not lead does not write, and continues to read', async () => {
  const methods: (string | undefined)[] = [];
  const { url } = await serve(({ method }, response) => {
    methods.push(method);
    json(response, 200, pod);
  });
  let leads = true;
  const fence = { holds: () => leads, signal: new AbortController().signal };
  const client = clientOf(url).over((transport) => fenced(transport, fence));
  await client.merge(pods, name, {});
  leads = false;
  await expect(client.merge(pods, name, {})).rejects.toThrow('another replica leads');
  await client.get(pods, name);
  expect(methods).toEqual(['PATCH', 'GET']);
});

test('a write that is under way ends when the lead is lost', async () => {
  const { url } = await serve(() => undefined);
  const lost = new AbortController();
  const fence = { holds: () => true, signal: lost.signal };
  const client = clientOf(url).over((transport) => fenced(transport, fence));
  setTimeout(() => lost.abort(), 50);
  await expect(client.merge(pods, name, {})).rejects.toThrow('/pods/a: aborted');
});
