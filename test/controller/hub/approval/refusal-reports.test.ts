import { expect, test } from 'vitest';
import type { EventRecorder } from '../../../../src/controller/events/event-recorder.ts';
import {
  RefusalReports,
  refusalSummaryController,
  type Unserved,
} from '../../../../src/controller/hub/approval/refusal-reports.ts';
import type { ApiObject, Stored } from '../../../../src/client/object.ts';
import { Metrics } from '../../../../src/controller/operation/metrics.ts';
import { runControllers } from '../../../../src/controller/queue/controller.ts';
import { RecordingLog } from '../../recording-log.ts';
import { ManualClock } from '../../manual-clock.ts';

const object = (kind: string, name: string): Stored<ApiObject> => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z' },
});

function unserved(party: string, request: string, more: Partial<Unserved> = {}): Unserved {
  return {
    party,
    request: object('CertificateSigningRequest', request),
    claim: { cluster: 'c1', addOn: 'hello' },
    addOn: object('ManagedClusterAddOn', party),
    reason: 'UsagesRefused',
    message: 'no',
    ...more,
  };
}

/** Records Events as `kind name reason: message`, with a clock that only moves when a test moves it. */
function newReports() {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  const recorded: string[] = [];
  const record: EventRecorder['record'] = async ({ kind, metadata }, _, reason, message) => {
    recorded.push(`${kind} ${metadata.name} ${reason}: ${message}`);
    return 'written';
  };
  return { clock, recorded, log, reports: new RefusalReports({ record }, log, clock) };
}

test('a refusal is reported on the request and on the add-on', async () => {
  const { recorded, reports } = newReports();
  await reports.report(unserved('c1/hello', 'a'));
  await reports.report(unserved('others', 'b', { addOn: undefined }));
  expect(recorded).toEqual([
    'CertificateSigningRequest a UsagesRefused: no',
    'ManagedClusterAddOn c1/hello UsagesRefused: a: no',
    'CertificateSigningRequest b UsagesRefused: no',
  ]);
});

test('of a flood the first refusals are reported one by one, and then their number', async () => {
  const { clock, recorded, reports } = newReports();
  for (let i = 0; i < 1000; i += 1)
    await reports.report(
      unserved('c1/hello', `r${i}`, { reason: i % 4 === 0 ? 'KeyRefused' : 'UsagesRefused' }),
    );
  expect(recorded).toHaveLength(2 * 19);
  expect(await reports.reportRest('c1/hello')).toBe(10_000);
  await clock.pass(10_000);
  expect(await reports.reportRest('c1/hello')).toBeUndefined();
  expect(recorded.slice(38)).toEqual([
    'ManagedClusterAddOn c1/hello RequestsRefused: 981 more, the latest r999: KeyRefused 245, UsagesRefused 736',
  ]);
  expect(await reports.reportRest('c1/hello')).toBeUndefined();
});

test('a flood that does not end costs an Event in five minutes', async () => {
  const { clock, recorded, reports } = newReports();
  const end = new AbortController();
  const log = new RecordingLog();
  const running = runControllers(
    [refusalSummaryController(reports)],
    { clock, log, metrics: new Metrics(false).ofShard() },
    end.signal,
  );
  const hour = 3_600_000;
  for (let second = 0; second < hour; second += 1000) {
    await reports.report(unserved('c1/hello', `r${second}`));
    await clock.pass(1000);
  }
  end.abort();
  await running;
  expect(recorded.length).toBeGreaterThan(38 + 10);
  expect(recorded.length).toBeLessThanOrEqual(38 + 1 + hour / 300_000);
  const counted = recorded.slice(38).map((line) => Number(/RequestsRefused: (\d+) more/.exec(line)?.[1]));
  // All are reported except those since the last time.
  expect(19 + counted.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(3600 - 310);
});

test('a flood takes nothing from others', async () => {
  const { recorded, reports } = newReports();
  for (let i = 0; i < 1000; i += 1) await reports.report(unserved('c1/hello', `r${i}`));
  recorded.length = 0;
  await reports.report(unserved('c1/world', 'b'));
  await reports.report(unserved('c2/hello', 'c'));
  expect(recorded).toHaveLength(4);
});

test('after a flood refusals are reported one by one again', async () => {
  const { clock, recorded, reports } = newReports();
  for (let i = 0; i < 100; i += 1) await reports.report(unserved('c1/hello', `r${i}`));
  await clock.pass(10_000);
  await reports.reportRest('c1/hello');
  await clock.pass(600_000);
  recorded.length = 0;
  await reports.report(unserved('c1/hello', 'a'));
  expect(recorded).toHaveLength(2);
});

test('the number of requests of others is reported on the latest request', async () => {
  const { clock, recorded, reports } = newReports();
  for (let i = 0; i < 30; i += 1) await reports.report(unserved('others', `r${i}`, { addOn: undefined }));
  await clock.pass(10_000);
  await reports.reportRest('others');
  expect(recorded.at(-1)).toBe(
    'CertificateSigningRequest r29 RequestsRefused: 11 more, the latest r29: UsagesRefused 11',
  );
});
