import { afterEach, beforeEach, expect, test } from 'vitest';
import { Informer, type Change, type InformerOptions } from '../../../src/controller/cache/informer.ts';
import { systemClock, type Clock } from '../../../src/client/clock.ts';
import { keyOf, type ApiObject } from '../../../src/client/object.ts';
import { namespacedResource } from '../../../src/client/resource.ts';
import { FakeApiServer, refuse } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
const configMaps = namespacedResource<ConfigMap>('v1', 'ConfigMap', 'configmaps');

const configMap = (name: string, value = 'a'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
});

let ahead = 0;
/** A hundred times as fast, so that backoffs take no time worth mentioning. */
const fast: Clock = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() + ahead,
  sleep: async (ms, signal) => await systemClock.sleep(ms / 100, signal),
};

let server: FakeApiServer;
let stop: AbortController;
let ended: Promise<void>;

beforeEach(async () => {
  server = await FakeApiServer.start();
  stop = new AbortController();
  ahead = 0;
});
afterEach(async () => {
  stop.abort();
  await ended;
  await server.stop();
});

type Options = Partial<
  Pick<InformerOptions<ConfigMap, 'value'>, 'pageSize' | 'resync' | 'transform' | 'hasRoom'>
>;

function follow(options: Options = {}) {
  const [log, seen] = [new RecordingLog(), [] as string[]];
  const informer = new Informer(configMaps, {
    client: server.client(fast),
    clock: fast,
    log,
    indexes: { value: ({ data }: ConfigMap) => [data?.['value'] ?? ''] },
    ...options,
  });
  informer.onChange((change) => seen.push(described(change)));
  ended = informer.run(stop.signal);
  return { informer, log, seen };
}

function described({ before, after }: Change<ConfigMap>): string {
  const [was, is] = [before?.data?.['value'], after?.data?.['value']];
  return `${(after ?? before)?.metadata.name}: ${was ?? '-'} to ${is ?? '-'}`;
}

const client = () => server.client();
const change = async (name: string, value: string) =>
  await client().merge(configMaps, { name, namespace: 'default' }, { data: { value } });

test('a new handler gets existing objects in pieces if it takes long, until it is removed', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await client().create(configMaps, configMap(name));
  const { informer } = follow();
  await expect.poll(() => informer.hasSynced).toBe(true);
  const slowHandler = (calls: string[]) => (change: Change<ConfigMap>) => {
    ahead += 100;
    calls.push(described(change));
  };
  const [calls, removedCalls]: [string[], string[]] = [[], []];
  informer.onChange(slowHandler(calls));
  const remove = informer.onChange(slowHandler(removedCalls));
  remove();
  expect(calls).toEqual(['a: - to a']);
  const callsAtPause = await new Promise((resolve) => {
    setImmediate(() => resolve(calls.length));
  });
  expect(callsAtPause).toBeLessThan(names.length);
  await expect.poll(() => calls).toEqual(names.map((name) => `${name}: - to a`));
  expect(removedCalls).toEqual(['a: - to a']);
});

test('existing objects are listed, page by page, and changes are followed', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await client().create(configMaps, configMap(name));
  const { informer, seen } = follow({ pageSize: 2 });
  await expect.poll(() => informer.hasSynced).toBe(true);
  expect([...informer.store.keys()]).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `default/${name}`));
  expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(3);
  await change('a', 'b');
  await client().delete(configMaps, { name: 'c', namespace: 'default' });
  await client().create(configMaps, configMap('f'));
  await expect.poll(() => seen.slice(5)).toEqual(['a: a to b', 'c: a to -', 'f: - to a']);
  expect(informer.store.by('value', 'b').map(({ metadata }) => metadata.name)).toEqual(['a']);
  expect(informer.store.by('value', 'a').map(({ metadata }) => metadata.name)).toEqual(['b', 'd', 'e', 'f']);
});

test('a watch that is cut a hundred times loses nothing and reports nothing twice', async () => {
  await client().create(configMaps, configMap('a', '0'));
  // A hundred rounds may take longer than the usual time until the next resync.
  const { informer, seen } = follow({ resync: 86_400_000 });
  await expect.poll(() => server.watches).toBe(1);
  for (let round = 1; round <= 100; round += 1) {
    server.cutWatches();
    await change('a', String(round));
    await expect
      .poll(() => informer.store.get('default/a')?.data?.['value'], { interval: 2 })
      .toBe(String(round));
  }
  expect(seen).toEqual([
    'a: - to 0',
    ...Array.from({ length: 100 }, (_, round) => `a: ${round} to ${round + 1}`),
  ]);
  expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(1);
});

test('a watch that is too far behind starts with a list again, and reports the deletions of the meantime', async () => {
  for (const name of ['a', 'b', 'c']) await client().create(configMaps, configMap(name));
  const { seen, log } = follow();
  await expect.poll(() => server.watches).toBe(1);
  let silent = true;
  server.intercept = (request, response) => {
    if (silent && request.url?.includes('watch=true') === true) response.destroy();
    return silent && request.url?.includes('watch=true') === true;
  };
  server.cutWatches();
  await client().delete(configMaps, { name: 'b', namespace: 'default' });
  await change('c', 'new');
  server.compact();
  silent = false;
  await expect.poll(() => seen.slice(3)).toEqual(['c: a to new', 'b: a to -']);
  expect(log.lines.join('\n')).toContain('too far behind: listing all again');
});

test('a bookmark moves the watch on, so that a compaction behind it does no harm', async () => {
  await client().create(configMaps, configMap('a'));
  const { informer, seen } = follow();
  await expect.poll(() => server.watches).toBe(1);
  // Only other kinds change: without bookmarks the watch would stay where it was.
  const others = namespacedResource('v1', 'Secret', 'secrets');
  for (const name of ['x', 'y', 'z'])
    await client().create(others, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'n' } });
  const hour = 3_600_000;
  ahead = hour;
  server.bookmark();
  // It has come: the server is no longer silent.
  await expect.poll(() => informer.silence).toBeLessThan(hour);
  server.compact();
  server.cutWatches();
  await expect.poll(() => server.watches).toBe(1);
  await change('a', 'b');
  await expect.poll(() => seen).toEqual(['a: - to a', 'a: a to b']);
  expect(server.requests.filter((each) => each.startsWith('GET /api/v1/configmaps'))).toHaveLength(1);
});

test('an object that is deleted and created again is reported as both', async () => {
  await client().create(configMaps, configMap('a', 'old'));
  const { seen } = follow();
  await expect.poll(() => server.watches).toBe(1);
  server.intercept = (request, response) => {
    const isWatch = request.url?.includes('watch=true') === true;
    if (isWatch) refuse(response, 410, 'Expired', 'too old resource version');
    return isWatch;
  };
  await client().delete(configMaps, { name: 'a', namespace: 'default' });
  server.cutWatches();
  await client().create(configMaps, configMap('a', 'new'));
  server.intercept = undefined;
  await expect.poll(() => seen).toEqual(['a: - to old', 'a: old to -', 'a: - to new']);
});

test('a server that is away is waited for', async () => {
  await client().create(configMaps, configMap('a'));
  const { seen, log } = follow();
  await expect.poll(() => server.watches).toBe(1);
  const { port } = server;
  await server.stop();
  await expect
    .poll(() => log.lines.filter((line) => line.includes('cannot be watched')).length)
    .toBeGreaterThan(2);
  await server.listen(port);
  await change('a', 'b');
  await expect.poll(() => seen).toEqual(['a: - to a', 'a: a to b']);
});

test('a kind that may not be read yet is tried until it may', async () => {
  let refusals = 3;
  server.intercept = (request, response) => {
    if (request.method !== 'GET' || refusals === 0) return false;
    refusals -= 1;
    refuse(response, 403, 'Forbidden', 'configmaps is forbidden');
    return true;
  };
  const { informer, log } = follow();
  await expect.poll(() => informer.hasSynced).toBe(true);
  expect(log.lines).toHaveLength(3);
  expect(log.lines[0]).toContain('configmaps is forbidden');
});

test('kinds of one name in different groups are counted apart, and so are parts of a kind', async () => {
  const objectCounts = new Map<string, number>();
  const metrics = {
    began: () => undefined,
    failed: () => undefined,
    cached: (resource: string, objects: number) => void objectCounts.set(resource, objects),
  };
  const of = (apiVersion: string) => namespacedResource(apiVersion, 'Config', 'configs');
  const [first, second] = [of('a.example.com/v1'), of('b.example.com/v1')];
  await client().create(first, { ...configMap('a'), apiVersion: first.apiVersion, kind: 'Config' });
  const options = { client: client(), clock: fast, log: new RecordingLog(), metrics };
  const caches = [
    ...[first, second].map((each) => new Informer(each, options)),
    new Informer(first, { ...options, part: 'own' }),
  ];
  const running = caches.map(async (cache) => await cache.run(stop.signal));
  ended = Promise.all(running).then(() => undefined);
  await expect
    .poll(() => Object.fromEntries(objectCounts))
    .toEqual({ 'configs.a.example.com': 1, 'configs.a.example.com:own': 1, 'configs.b.example.com': 0 });
});

test('every object is reported again periodically', async () => {
  await client().create(configMaps, configMap('a'));
  const { seen } = follow({ resync: 5000 });
  await expect.poll(() => seen.slice(0, 3)).toEqual(['a: - to a', 'a: a to a', 'a: a to a']);
});

test.each([429, 503, 401, 403])(
  'after a server rejects a watch with %i, it gets no new list request',
  async (code) => {
    await client().create(configMaps, configMap('a'));
    let refusals = 3;
    server.intercept = (request, response) => {
      const refused = request.url?.includes('watch=true') === true && refusals > 0;
      if (refused) refuse(response, code, 'Busy', 'not now');
      if (refused) refusals -= 1;
      return refused;
    };
    const { seen } = follow();
    await expect.poll(() => server.watches).toBe(1);
    await change('a', 'b');
    await expect.poll(() => seen).toEqual(['a: - to a', 'a: a to b']);
    expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(1);
  },
);

test('a list whose rest has expired starts again, and nothing is reported twice', async () => {
  for (const name of ['a', 'b', 'c']) await client().create(configMaps, configMap(name));
  let expired = 2;
  server.intercept = (request, response) => {
    const isExpired = request.url?.includes('continue=') === true && expired > 0;
    if (isExpired) refuse(response, 410, 'Expired', 'The provided continue parameter is too old');
    if (isExpired) expired -= 1;
    return isExpired;
  };
  const { informer, seen } = follow({ pageSize: 2 });
  await expect.poll(() => informer.hasSynced).toBe(true);
  expect(seen).toEqual(['a: - to a', 'b: - to a', 'c: - to a']);
});

test('a watch that ends in the middle of a line, and of a character, continues from the line before', async () => {
  await client().create(configMaps, configMap('a'));
  let cut = true;
  server.intercept = (request, response) => {
    if (!cut || request.url?.includes('watch=true') !== true) return false;
    cut = false;
    const event = {
      type: 'MODIFIED',
      object: { ...configMap('a', 'größer'), metadata: { resourceVersion: '99' } },
    };
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    response.writeHead(200);
    response.end(line.subarray(0, line.indexOf('ö') + 1));
    return true;
  };
  const { seen } = follow();
  await expect.poll(() => server.watches).toBe(1);
  await change('a', 'größer');
  await expect.poll(() => seen).toEqual(['a: - to a', 'a: a to größer']);
});

test('an object that is not cached is missing, and is listed again once there is room', async () => {
  for (const name of ['a', 'b', 'c']) await client().create(configMaps, configMap(name));
  let hasRoom = false;
  const { informer, seen } = follow({
    transform: (object, store) =>
      store.size < 2 || store.get(keyOf(object)) !== undefined ? object : undefined,
    hasRoom: (store) => hasRoom && store.size < 2,
  });
  await expect.poll(() => server.watches).toBe(1);
  await client().create(configMaps, configMap('d'));
  await change('c', 'changed');
  await client().delete(configMaps, { name: 'a', namespace: 'default' });
  await expect.poll(() => seen).toEqual(['a: - to a', 'b: - to a', 'a: a to -']);
  hasRoom = true;
  server.cutWatches();
  await expect.poll(() => [...informer.store.keys()].sort()).toEqual(['default/b', 'default/c']);
  expect(seen.slice(3)).toEqual(['c: - to changed']);
});

test('an object that is no longer selected is reported as deleted', async () => {
  await client().create(configMaps, configMap('a'));
  const { seen } = follow({
    transform: (object) => (object.data?.['value'] === 'closed' ? undefined : object),
  });
  await expect.poll(() => server.watches).toBe(1);
  await change('a', 'closed');
  await expect.poll(() => seen).toEqual(['a: - to a', 'a: a to -']);
});

test('a server that repeatedly reports a future version gets fewer and fewer requests', async () => {
  server.intercept = ({ url }, response) => {
    const isWatch = url?.includes('watch=true') === true;
    if (isWatch) refuse(response, 410, 'Expired', 'too old resource version');
    return isWatch;
  };
  const { informer } = follow();
  await expect.poll(() => informer.hasSynced).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  // 8 ms, 16 ms and so on up to 300 ms, each less up to a third.
  expect(server.requests.filter((each) => each.startsWith('WATCH')).length).toBeLessThan(30);
});

test('a list whose rest the server no longer has begins again, less and less often', async () => {
  for (const name of ['a', 'b', 'c']) await client().create(configMaps, configMap(name));
  let isExpired = true;
  server.intercept = ({ url }, response) => {
    const isRest = isExpired && url?.includes('continue=') === true;
    if (isRest) refuse(response, 410, 'Expired', 'the provided continue parameter is too old');
    return isRest;
  };
  const { informer } = follow({ pageSize: 2 });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(informer.hasSynced).toBe(false);
  expect(server.requests.length).toBeLessThan(60);
  isExpired = false;
  await expect.poll(() => informer.hasSynced).toBe(true);
  expect(informer.store.size).toBe(3);
});
