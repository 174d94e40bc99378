import { Gauge } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { serve, type RunningServer } from '../../../src/controller/operation/http-server.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';

let running: RunningServer | undefined;
afterEach(async () => await running?.close());

async function start(ready: true | string = true) {
  const metrics = new Metrics(false);
  running = await serve({
    listen: '127.0.0.1:0',
    healthy: () => true,
    ready: () => ready,
    registry: metrics.registry,
  });
  const { port } = running;
  return {
    metrics,
    get: async (path: string, method = 'GET') => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      return [response.status, await response.text()] as const;
    },
  };
}

test('health and readiness are reported separately', async () => {
  const { get } = await start('the caches are not filled yet');
  expect(await get('/healthz')).toEqual([200, 'ok\n']);
  expect(await get('/readyz')).toEqual([503, 'the caches are not filled yet\n']);
});

test('counts are reported to Prometheus, queues from their beginning', async () => {
  const { get, metrics } = await start();
  metrics.ofShard().announceQueue('registration');
  metrics.onRequest({ verb: 'get', resource: 'leases', code: 200, seconds: 0.1 });
  metrics.onShards(1);
  const [, text] = await get('/metrics');
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'fleetwright_queue_depth{queue="registration"} 0',
      'fleetwright_queue_retries_total{queue="registration"} 0',
      'fleetwright_reconcile_errors_total{queue="registration",terminal="true"} 0',
      'fleetwright_api_requests_total{verb="get",resource="leases",code="200"} 1',
      'fleetwright_leader 1',
    ]),
  );
});

test('nothing else is served, and nothing taken', async () => {
  const { get } = await start();
  expect(await get('/')).toEqual([404, 'there are /healthz, /readyz and /metrics\n']);
  expect(await get('/metrics', 'POST')).toEqual([405, 'only GET\n']);
});

test('a failing answer is reported, and the server continues', async () => {
  const { get, metrics } = await start();
  metrics.registry.registerMetric(
    new Gauge({
      name: 'failing',
      help: 'fails',
      registers: [],
      collect: () => {
        throw new Error('no figure');
      },
    }),
  );
  expect(await get('/metrics')).toEqual([500, 'no figure\n']);
  expect(await get('/healthz')).toEqual([200, 'ok\n']);
});
