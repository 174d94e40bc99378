import { expect, test } from 'vitest';
import { ApiReader } from '../../src/client/api-reader.ts';
import { systemClock } from '../../src/client/clock.ts';
import type { ApiObject } from '../../src/client/object.ts';
import { readOnly } from '../../src/client/read-only.ts';
import { namespacedResource } from '../../src/client/resource.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../src/client/transport.ts';

const pods = namespacedResource<ApiObject>('v1', 'Pod', 'pods');

interface Answer {
  readonly status?: number;
  readonly retryAfter?: number;
  readonly body: object;
}

/** A server that answers in this process. */
function server(answer: (request: ApiRequest) => Answer): Transport & { readonly requests: string[] } {
  const requests: string[] = [];
  return {
    requests,
    server: 'http://hub/',
    close: () => undefined,
    send: async (request): Promise<ApiResponse> => {
      requests.push(`${request.method} ${request.target}`);
      const { status = 200, retryAfter, body } = answer(request);
      const parts = async function* () {
        yield await Promise.resolve(JSON.stringify(body));
      };
      return await Promise.resolve({ status, retryAfter, body: parts() });
    },
  };
}

const list = (next: string, ...names: readonly string[]): object => ({
  kind: 'List',
  metadata: { resourceVersion: '1', continue: next },
  items: names.map((name) => ({ metadata: { name, namespace: 'default' } })),
});

test('no method of a reader writes', async () => {
  const methods = new Set(Object.getOwnPropertyNames(ApiReader.prototype));
  methods.delete('constructor');
  expect([...methods].toSorted()).toEqual([
    'get',
    'list',
    'listParts',
    'pages',
    'read',
    'readIfThere',
    'watch',
  ]);
  const metadata = { name: 'a', namespace: 'default', resourceVersion: '1' };
  const hub = server(({ target }) => {
    if (target.includes('watch=')) return { body: {} };
    return { body: target.endsWith('/a') ? { metadata } : list('') };
  });
  const reader = new ApiReader(hub, { clock: systemClock });
  await reader.get(pods, { name: 'a', namespace: 'default' });
  await reader.list(pods);
  await reader.listParts(pods, {}, ({ metadata }) => metadata.name);
  await reader.read('/version');
  await reader.readIfThere('/apis/example.com');
  for await (const _ of reader.watch(pods, { resourceVersion: '1', timeoutSeconds: 1 })) break;
  expect(new Set(hub.requests.map((request) => request.split(' ', 1)[0]))).toEqual(new Set(['GET']));
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a read-only connection sends no %s',
  async (method) => {
    const hub = server(() => ({ body: {} }));
    const request = { method, target: '/api/v1/namespaces/default/pods/a', signals: [], patience: 1000 };
    await expect(readOnly(hub).send(request)).rejects.toThrow(`this connection is read-only: ${method}`);
    expect(hub.requests).toEqual([]);
  },
);

test('a wait beyond the maximum is cut, and the number of retries is unchanged', async () => {
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    await Promise.resolve();
  };
  const clock = { ...systemClock, random: () => 0, sleep };
  const hub = server(() => ({ status: 429, retryAfter: 3600, body: {} }));
  for (const options of [{ clock }, { clock, longestWait: 10 }])
    await expect(new ApiReader(hub, options).list(pods)).rejects.toThrow('status 429');
  expect(slept).toEqual([60, 60, 60, 60, 60, 10, 10, 10, 10, 10].map((seconds) => seconds * 1000));
});

test('a list whose continue token expires starts again, and has each object once', async () => {
  let expired = 0;
  const hub = server(({ target }) => {
    if (!target.includes('continue=')) return { body: list('2', 'a') };
    expired += 1;
    return expired <= 2 ? { status: 410, body: {} } : { body: list('', 'b') };
  });
  const objects = await new ApiReader(hub, { clock: systemClock }).list(pods);
  expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  expired = -3;
  await expect(new ApiReader(hub, { clock: systemClock }).list(pods)).rejects.toThrow('status 410');
});

test.each([
  ['repeats a continue token', () => list('again'), 'the list does not end'],
  ['has no items', () => ({}), 'the answer is not a list'],
  ['has no kind', () => ({ items: null }), 'the answer is not a list'],
  [
    'has objects without names',
    () => ({ kind: 'List', items: [{ metadata: {} }] }),
    'the answer is not a list',
  ],
  [
    'has a continue token that is not a text',
    () => ({ kind: 'List', items: [], metadata: { continue: {} } }),
    'not a list',
  ],
])('a list that %s is an error', async (_what, body, message) => {
  const hub = server(() => ({ body: body() }));
  await expect(new ApiReader(hub, { clock: systemClock }).list(pods)).rejects.toThrow(message);
  expect(hub.requests.length).toBeLessThan(4);
});

test('an empty list may be null, as Go writes it', async () => {
  const hub = server(() => ({ body: { kind: 'List', metadata: { resourceVersion: '1' }, items: null } }));
  expect(await new ApiReader(hub, { clock: systemClock }).list(pods)).toEqual([]);
});
