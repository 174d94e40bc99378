import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../controller/clock.ts';
import { ConfigCache } from '../../../controller/hub/configuration/config-cache.ts';
import { configKey } from '../../../controller/hub/configuration/config-references.ts';
import { namespacedResource } from '../../../controller/kube/resource.ts';
import { Metrics } from '../../../controller/operation/metrics.ts';
import { answerJson, FakeApiServer } from '../api-server.ts';
import { KeptLog } from '../kept-log.ts';

interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: unknown;
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

beforeEach(async () => {
  server = await FakeApiServer.start();
  stop = new AbortController();
  served = true;
  server.intercept = ({ url }, response) => {
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
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() * 100 };
  cache = new ConfigCache(
    {
      client: server.client(),
      clock,
      log: new KeptLog(),
      metrics: new Metrics(false).informers,
      resync: 600_000,
    },
    stop.signal,
  );
});
afterEach(async () => {
  stop.abort();
  await cache.ended();
  await server.stop();
});

test('a configuration of any kind is hashed as the hub does, without its metadata', async () => {
  await server.client().create(widgets, widget('a', { test: 1 }));
  // of addon-framework's own tests: {"spec":{"test":1}}
  expect((await cache.facts(named('a'))).specHash).toBe(
    'af144391b79b4b07bd7c579980ae9ed42dc8e34f7babebbf3fd08cacb578fba4',
  );
});

test('one that is not there has an empty hash, until it comes', async () => {
  const changed: string[] = [];
  cache.onChange((config) => changed.push(configKey(config)));
  expect(await cache.facts(named('a'))).toEqual({ specHash: '', generation: 0 });
  await server.client().create(widgets, widget('a', {}));
  await expect.poll(() => changed).toEqual(['widgets.example.com/ns/a']);
  expect((await cache.facts(named('a'))).specHash).not.toBe('');
});

test('a kind is looked up and listed once, however many ask', async () => {
  const all = await Promise.all(['a', 'b', 'c'].map(async (name) => await cache.facts(named(name))));
  expect(all).toHaveLength(3);
  const gets = server.requests.filter((each) => each.startsWith('GET'));
  expect(gets).toEqual([
    'GET /apis/example.com',
    'GET /apis/example.com/v1',
    'GET /apis/example.com/v1/widgets',
  ]);
});

test('a kind that the preferred version of its group does not have is found in another', async () => {
  const gadgets = namespacedResource<Widget>('example.com/v1alpha1', 'Gadget', 'gadgets');
  const gadget = { ...widget('a', {}), apiVersion: 'example.com/v1alpha1', kind: 'Gadget' };
  await server.client().create(gadgets, gadget);
  expect((await cache.facts(named('a', 'gadgets'))).specHash).not.toBe('');
});

test('a kind that is not served yet is asked for again, not for every configuration', async () => {
  served = false;
  for (const name of ['a', 'b', 'c']) expect((await cache.facts(named(name))).specHash).toBe('');
  expect(server.requests).toHaveLength(1);
  served = true;
  await server.client().create(widgets, widget('a', {}));
  await expect.poll(async () => (await cache.facts(named('a'))).specHash, { timeout: 5000 }).not.toBe('');
});

test('Secrets are not read', async () => {
  expect(await cache.facts(named('a', 'secrets', ''))).toEqual({ specHash: '', generation: 0 });
  expect(server.requests).toEqual([]);
});
