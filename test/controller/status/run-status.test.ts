import { afterEach, expect, test } from 'vitest';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { ReadingError, type Read } from '../../../src/controller/status/reading.ts';
import { runStatus } from '../../../src/controller/status/run-status.ts';
import { statusSettings } from '../../../src/controller/status/status-settings.ts';
import { ManualClock } from '../manual-clock.ts';
import { RecordingLog } from '../recording-log.ts';
import { addOnWith, classOf, readingOf } from './readings.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Runs it with a clock that only moves when a test moves it. */
async function running(
  read: (signal: AbortSignal, clock: ManualClock) => ReturnType<Read>,
  flags: Readonly<Record<string, unknown>> = {},
) {
  const [clock, log, metrics, stop] = [
    new ManualClock(),
    new RecordingLog(),
    new Metrics(false),
    new AbortController(),
  ];
  const { value: settings } = readSettings(statusSettings, { listen: '127.0.0.1:0', ...flags }, {});
  const started = { settings, read: async (signal: AbortSignal) => await read(signal, clock) };
  const ended = runStatus({ ...started, identity: 'one', clock, log, metrics }, stop.signal);
  const port = await new Promise<number>((resolve) => {
    const look = (): void => {
      const line = log.lines.find((each) => each.startsWith('info started'));
      if (line === undefined) setImmediate(look);
      else resolve((JSON.parse(line.replace('info started ', '')) as { port: number }).port);
    };
    look();
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  ends.push(end);
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return `${response.status} ${(await response.text()).trim()}`;
  };
  const value = async (name: string): Promise<number> => {
    const line = (await get('/metrics')).split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? Number.NaN);
  };
  return { clock, log, get, value, end };
}

const hello = readingOf(addOnWith('hello', 2, classOf('different manifest-conflict: c1')));
const different = 'fleetwright_predicted_add_on_clusters{add_on="hello",state="different"}';
const lastSuccess = 'fleetwright_predicted_last_success_timestamp_seconds';

test('it is ready after the first complete reading, and reads once per interval', async () => {
  let readings = 0;
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  const { clock, get, value } = await running(async () => {
    readings += 1;
    await promise;
    return hello;
  });
  expect(await get('/readyz')).toBe('503 the first reading is not complete');
  expect(await get('/healthz')).toBe('200 ok');
  resolve();
  await clock.pass(0);
  expect(await get('/readyz')).toBe('200 ok');
  expect(await value(different)).toBe(1);
  await clock.pass(59_000);
  expect(readings).toBe(1);
  await clock.pass(1000);
  expect(readings).toBe(2);
});

test('the pause is at least four times as long as the reading', async () => {
  let readings = 0;
  const { clock, value } = await running(async (signal, itsClock) => {
    readings += 1;
    await itsClock.sleep(30_000, signal);
    return hello;
  });
  await clock.pass(30_000);
  expect(await value('fleetwright_predicted_reading_duration_seconds')).toBe(30);
  await clock.pass(119_000);
  expect(readings).toBe(1);
  await clock.pass(1000);
  expect(readings).toBe(2);
});

test('a failure is counted and logged, and the last values stay with their time until they are stale', async () => {
  let isDown = false;
  const { clock, log, get, value } = await running(async () => {
    if (isDown) throw new ReadingError('unreachable', 'FW9005: https://hub cannot be reached: ECONNREFUSED');
    return await Promise.resolve(hello);
  });
  await clock.pass(0);
  const succeededAt = await value(lastSuccess);
  isDown = true;
  await clock.pass(15 * 60_000);
  expect(await get('/readyz')).toBe('200 ok');
  expect(await value(different)).toBe(1);
  expect(await value(lastSuccess)).toBe(succeededAt);
  expect(await value('fleetwright_predicted_reading_failures_total{reason="unreachable"}')).toBe(15);
  expect(await value('fleetwright_predicted_reading_failures_total{reason="forbidden"}')).toBe(0);
  expect(log.lines.at(-1)).toBe(
    'error the reading failed: the last values remain {"reason":"unreachable","error":"FW9005: https://hub cannot be reached: ECONNREFUSED"}',
  );
  await clock.pass(60_000);
  expect(await get('/readyz')).toBe(
    '503 no reading has succeeded for 16 min: FW9005: https://hub cannot be reached: ECONNREFUSED',
  );
  expect(await get('/healthz')).toBe('200 ok');
  isDown = false;
  await clock.pass(60_000);
  expect(await get('/readyz')).toBe('200 ok');
});

test('any other error is a failure too, and does not end the process', async () => {
  const { clock, get, value } = await running(async () => {
    await Promise.resolve();
    throw new TypeError('a bug');
  });
  await clock.pass(60_000);
  expect(await get('/readyz')).toBe('503 the first reading is not complete: a bug');
  expect(await value('fleetwright_predicted_reading_failures_total{reason="other"}')).toBe(2);
  expect(await value(lastSuccess)).toBe(0);
});

test('a reading that does not end is ended', async () => {
  const { clock, get, value } = await running(
    async (signal, itsClock) => {
      await itsClock.sleep(Infinity, signal);
      throw new Error('aborted');
    },
    { staleAfter: '5m' },
  );
  await clock.pass(5 * 60_000);
  expect(await value('fleetwright_predicted_reading_failures_total{reason="timeout"}')).toBe(1);
  expect(await get('/readyz')).toBe('503 the first reading is not complete: it took more than 300 s');
});

test('it is unhealthy only if readings neither begin nor end', async () => {
  const { clock, get } = await running(
    async () => {
      await new Promise(() => undefined);
      return hello;
    },
    { staleAfter: '5m' },
  );
  ends.pop();
  await clock.pass(45 * 60_000);
  expect(await get('/healthz')).toBe('200 ok');
  await clock.pass(60_000);
  expect(await get('/healthz')).toBe('503 no reading has begun or ended for 46 min');
});

test('an incomplete reading is logged when it changes', async () => {
  let reading = { ...hello, unread: ['manifestworks'], notInGit: ['other'] };
  const { clock, log } = await running(async () => await Promise.resolve(reading), { maxAddOns: 1 });
  await clock.pass(120_000);
  reading = { ...readingOf(...hello.addOns, addOnWith('more', 1)), unread: [], notInGit: [] };
  await clock.pass(120_000);
  expect(log.lines.filter((line) => line.startsWith('warn'))).toEqual([
    'warn the permissions do not allow to read these kinds: causes are less exact {"kinds":["manifestworks"]}',
    'warn only the hub has these add-ons: they are not compared {"addOns":1,"first":["other"]}',
    'warn these add-ons have no separate metrics {"addOns":1,"maxAddOns":1}',
  ]);
});

test('it stops while it reads', async () => {
  const { get, end } = await running(async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('aborted');
  });
  expect(await get('/healthz')).toBe('200 ok');
  await end();
  await expect(get('/healthz')).rejects.toThrow('fetch failed');
});
