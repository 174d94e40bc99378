import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/client/clock.ts';
import { ConfigCache } from '../../../src/controller/hub/configuration/config-cache.ts';
import { configKey } from '../../../src/controller/hub/configuration/config-references.ts';
import type { ApiObject } from '../../../src/client/object.ts';
import { cachedConfig } from '../../../src/controller/hub/configuration/followed-configs.ts';
import { namespacedResource } from '../../../src/client/resource.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { answerJson, FakeApiServer } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';

interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: unknown;
}
const widgets = namespacedResource<Widget>('example.com/v1', 'Widget', 'widgets');
const widget = (name: string, spec: unknown): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'ns' },
  spec,
});
const named = (name: string, resource = 'widgets', group = 'example.com') => ({
  group,
  resource,
  namespace: 'ns',
  name,
});

let server: FakeApiServer;
let stop: AbortController;
let cache: ConfigCache;
let served: boolean;
let log: RecordingLog;
/** Of every request, with its query. */
let targets: string[];
let ahead: number;

beforeEach(async () => {
  server = await FakeApiServer.start();
  stop = new AbortController();
  setMaxListeners(0, stop.signal);
  [served, log, targets, ahead] = [true, new RecordingLog(), [], 0];
  server.intercept = ({ url = '' }, response) => {
    targets.push(url);
    if (url === '/apis/example.com') {
      const versions = [{ groupVersion: 'example.com/v1' }, { groupVersion: 'example.com/v1alpha1' }];
      answerJson(response, served ? 200 : 404, served ? { versions } : { code: 404, message: 'not found' });
      return true;
    }
    const resources = { v1: 'widgets', v1alpha1: 'gadgets' };
    const name = new Map(Object.entries(resources)).get(url?.replace('/apis/example.com/', '') ?? '');
    if (name === undefined) return false;
    answerJson(response, 200, { resources: [{ name, kind: 'Widget', namespaced: true }] });
    return true;
  };
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
  cache = new ConfigCache(
    {
      client: server.client(),
      clock,
      log,
      metrics: new Metrics(false).ofShard().informers,
      resync: 600_000,
      mostSecrets: 60,
    },
    stop.signal,
  );
});
afterEach(async () => {
  stop.abort();
  await cache.ended();
  await server.stop();
});

/** Refuses a collection for want of permission, until that ends. */
function forbid(collection: string): { end(): void } {
  const { intercept } = server;
  server.intercept = (request, response) => {
    if (request.url?.startsWith(collection) !== true) return intercept?.(request, response) ?? false;
    answerJson(response, 403, { code: 403, reason: 'Forbidden', message: 'forbidden' });
    return true;
  };
  return { end: () => (server.intercept = intercept) };
}

test('a configuration of any kind is hashed as the hub does, without its metadata', async () => {
  await server.client().create(widgets, widget('a', { test: 1 }));
  // of addon-framework's own tests: {"spec":{"test":1}}
  expect((await cache.facts(named('a'))).specHash).toBe(
    'af144391b79b4b07bd7c579980ae9ed42dc8e34f7babebbf3fd08cacb578fba4',
  );
});

test('a missing one has an empty hash until it is created', async () => {
  const changed: string[] = [];
  cache.onChange((config) => changed.push(configKey(config)));
  expect(await cache.facts(named('a'))).toEqual({ specHash: '', generation: 0, missing: 'does not exist' });
  await server.client().create(widgets, widget('a', {}));
  await expect.poll(() => changed).toEqual(['widgets.example.com/ns/a']);
  expect((await cache.facts(named('a'))).specHash).not.toBe('');
});

test('a kind is looked up and listed once, regardless of the number of lookups', async () => {
  const all = await Promise.all(['a', 'b', 'c'].map(async (name) => await cache.facts(named(name))));
  expect(all).toHaveLength(3);
  const gets = server.requests.filter((each) => each.startsWith('GET'));
  expect(gets).toEqual([
    'GET /apis/example.com',
    'GET /apis/example.com/v1',
    'GET /apis/example.com/v1/widgets',
  ]);
});

test('a kind that the preferred version of its group does not have is found in another version', async () => {
  const gadgets = namespacedResource<Widget>('example.com/v1alpha1', 'Gadget', 'gadgets');
  const gadget = { ...widget('a', {}), apiVersion: 'example.com/v1alpha1', kind: 'Gadget' };
  await server.client().create(gadgets, gadget);
  expect((await cache.facts(named('a', 'gadgets'))).specHash).not.toBe('');
});

test('a kind that is not served yet is requested again, once for all configurations', async () => {
  served = false;
  for (const name of ['a', 'b', 'c'])
    expect(await cache.facts(named(name))).toMatchObject({
      missing: 'is of a kind that the hub does not serve',
      retryAfter: 60_000,
    });
  expect(server.requests).toHaveLength(1);
  served = true;
  await server.client().create(widgets, widget('a', {}));
  expect((await cache.facts(named('a'))).specHash).toBe('');
  ahead = 60_000;
  expect((await cache.facts(named('a'))).specHash).not.toBe('');
});

test('a kind that may not be read is reported immediately, and requested until it may', async () => {
  const changed: string[] = [];
  cache.onChange((config) => changed.push(configKey(config)));
  const forbidden = forbid('/apis/example.com/v1/widgets');
  expect(await cache.facts(named('a'))).toEqual({
    specHash: '',
    generation: 0,
    missing: 'may not be read: this controller lacks "list" and "watch" on its kind',
  });
  forbidden.end();
  // Reported although it did not change: the reason why it has no hash is different now.
  await expect.poll(() => changed).toEqual(['widgets.example.com/ns/a']);
  expect((await cache.facts(named('a'))).missing).toBe('does not exist');
});

describe('a Secret', () => {
  const core = namespacedResource<ApiObject & { readonly data?: object; readonly type?: string }>(
    'v1',
    'Secret',
    'secrets',
  );
  const secret = (name: string, password: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: 'ns',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': password },
    },
    data: { password },
    type: 'Opaque',
  });
  const secretNamed = (name: string) => named(name, 'secrets', '');

  test('is hashed as the hub does: its content and its type', async () => {
    await server.client().create(core, secret('a', 'cGFzcw=='));
    const digest = createHash('sha256')
      .update('{"data":{"password":"cGFzcw=="},"type":"Opaque"}')
      .digest('hex');
    expect(await cache.facts(secretNamed('a'))).toEqual({ specHash: digest, generation: 0 });
  });

  test('is requested by its name, and no other is', async () => {
    await server.client().create(core, secret('a', 'cGFzcw=='));
    targets.length = 0;
    await Promise.all([cache.facts(secretNamed('a')), cache.facts(secretNamed('a'))]);
    await expect.poll(() => server.watches).toBe(1);
    const asked = targets.map((each) => each.replace(/&(limit|allowWatchBookmarks).*/, ''));
    expect(asked).toEqual([
      '/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Da',
      '/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Da&watch=true',
    ]);
  });

  test('is reported when it changes, is created and is deleted', async () => {
    const changed: string[] = [];
    cache.onChange((config) => changed.push(configKey(config)));
    expect((await cache.facts(secretNamed('a'))).missing).toBe('does not exist');
    await server.client().create(core, secret('a', 'cGFzcw=='));
    await expect.poll(() => changed).toEqual(['secrets/ns/a']);
    const before = await cache.facts(secretNamed('a'));
    await server.client().merge(core, { namespace: 'ns', name: 'a' }, { data: { password: 'bmV3' } });
    await expect.poll(() => changed).toHaveLength(2);
    expect((await cache.facts(secretNamed('a'))).specHash).not.toBe(before.specHash);
    await server.client().delete(core, { namespace: 'ns', name: 'a' });
    await expect.poll(() => changed).toHaveLength(3);
    expect((await cache.facts(secretNamed('a'))).missing).toBe('does not exist');
  });

  test('that may not be read is reported with the missing permission', async () => {
    forbid('/api/v1/namespaces/ns/secrets');
    expect((await cache.facts(secretNamed('a'))).missing).toBe(
      'may not be read: this controller lacks "list" and "watch" on it',
    );
  });

  test('that is named without a namespace is not requested', async () => {
    expect((await cache.facts({ ...secretNamed('a'), namespace: '' })).missing).toBe(
      'is named without a namespace',
    );
    expect(targets).toEqual([]);
  });

  test('is in no log', async () => {
    await server.client().create(core, secret('a', 'cGFzcw=='));
    await cache.facts(secretNamed('a'));
    await expect.poll(() => server.watches).toBe(1);
    server.compact();
    server.cutWatches();
    await expect.poll(() => log.lines.join('\n')).toContain('cannot be watched');
    expect(log.lines.join('\n')).not.toContain('cGFzcw==');
  });

  test("is cached as its hash alone, without kubectl's annotation", () => {
    const meta = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z' };
    const { metadata, ...content } = secret('a', 'cGFzcw==');
    const kept = cachedConfig({ ...content, metadata: { ...metadata, ...meta } });
    expect(kept).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', namespace: 'ns', ...meta },
      facts: { specHash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, generation: 0 },
    });
  });

  test('is dropped when it is no longer needed', async () => {
    await cache.facts(secretNamed('a'));
    await expect.poll(() => server.watches).toBe(1);
    ahead = 3 * 600_000;
    await cache.facts(secretNamed('b'));
    await expect
      .poll(() => targets.filter((each) => each.includes('metadata.name%3Db&watch')))
      .toHaveLength(1);
    await expect.poll(() => server.watches).toBe(1);
  });

  test.each([
    { namespace: '..' },
    { namespace: '.' },
    { namespace: 'a/b' },
    { name: 'a,metadata.name!=zzz' },
    { name: '../b' },
  ])('that has an invalid name of a Secret is not requested: %j', async (name) => {
    expect((await cache.facts({ ...secretNamed('a'), ...name })).missing).toBe('does not exist');
    expect(targets).toEqual([]);
  });

  test('is not followed if a cluster references too many, or all together do', async () => {
    const missingOf = async (name: string, cluster?: string): Promise<string | undefined> =>
      (await cache.facts(secretNamed(name), cluster)).missing;
    const named = (count: number, prefix: string): readonly string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    await Promise.all(named(50, 'a').map(async (name) => await missingOf(name, 'c1')));
    expect(await missingOf('a-50', 'c1')).toBe('is not read: add-ons on c1 name more than 50 Secrets');
    expect(await missingOf('a-0', 'c1')).toBe('does not exist');
    await Promise.all(named(9, 'b').map(async (name) => await missingOf(name, 'c2')));
    expect(await missingOf('by-definition')).toBe('does not exist');
    expect(await cache.facts(secretNamed('b-9'), 'c2')).toMatchObject({
      missing: 'is not read: this controller follows 60 Secrets already',
      retryAfter: 60_000,
    });
    expect(server.watches).toBeLessThanOrEqual(60);
    expect(log.lines.filter((line) => line.includes('is not read'))).toHaveLength(2);
  });
});

test.each([
  ['../api/v1/namespaces/kube-system/secrets?x=', 'widgets'],
  ['..', 'widgets'],
  ['example.com/v1', 'widgets'],
  ['example.com', '../widgets'],
  ['', '..'],
])('a kind of the group %j and the resource %j is not requested', async (group, resource) => {
  expect((await cache.facts(named('a', resource, group))).missing).toBe(
    'is of a kind that the hub does not serve',
  );
  expect(targets).toEqual([]);
});
