import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventRecorder, events } from '../../../src/controller/events/event-recorder.ts';
import type { ApiObject, Stored } from '../../../src/client/object.ts';
import { FakeApiServer, refuse } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

let server: FakeApiServer;
beforeEach(async () => {
  server = await FakeApiServer.start();
});
afterEach(async () => await server.stop());

const about = (name: string, namespace?: string): Stored<ApiObject> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    uid: `uid-of-${name}`,
    resourceVersion: '7',
    creationTimestamp: '2026-01-31T12:00:00Z',
    ...(namespace !== undefined && { namespace }),
  },
});

function newRecorder() {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  const client = server.client();
  const recorder = new EventRecorder({ client, clock, log, component: 'test', instance: 'one' });
  return { clock, log, recorder };
}

test('an Event describes its object, in the namespace of that', async () => {
  const { recorder } = newRecorder();
  await recorder.record(about('a', 'cluster1'), 'Warning', 'Refused', 'the name is wrong');
  await recorder.record(about('b'), 'Normal', 'Approved', 'it fits');
  expect(await server.client().list(events)).toMatchObject([
    {
      metadata: { namespace: 'cluster1', name: expect.stringMatching(/^a\.[0-9a-f]+$/) as unknown },
      involvedObject: { kind: 'ConfigMap', name: 'a', namespace: 'cluster1', uid: 'uid-of-a' },
      type: 'Warning',
      reason: 'Refused',
      message: 'the name is wrong',
      count: 1,
      firstTimestamp: '2026-01-31T12:00:00Z',
      source: { component: 'test' },
    },
    { metadata: { namespace: 'default' }, reason: 'Approved' },
  ]);
});

test('a repeated Event increases its count', async () => {
  const { recorder, clock } = newRecorder();
  for (let i = 0; i < 3; i += 1) {
    await recorder.record(about('a', 'n'), 'Warning', 'Refused', 'no');
    await clock.pass(60_000);
  }
  expect(await server.client().list(events)).toMatchObject([
    { count: 3, firstTimestamp: '2026-01-31T12:00:00Z', lastTimestamp: '2026-01-31T12:02:00Z' },
  ]);
});

test('too many Events about one object are dropped, and others are not', async () => {
  const { recorder } = newRecorder();
  for (let i = 0; i < 100; i += 1) await recorder.record(about('a', 'n'), 'Warning', 'Refused', `no ${i}`);
  await recorder.record(about('b', 'n'), 'Warning', 'Refused', 'no');
  expect(await server.client().list(events)).toHaveLength(26);
});

test('an Event that cannot be written is only logged', async () => {
  const { recorder, log } = newRecorder();
  server.intercept = (_, response) => {
    refuse(response, 403, 'Forbidden', 'events is forbidden');
    return true;
  };
  await recorder.record(about('a', 'n'), 'Warning', 'Refused', 'no');
  expect(log.lines.join('\n')).toMatch(/^warn an Event was not written .*events is forbidden/);
});

test('a busy server gets no retry, because work would wait for it', async () => {
  const { recorder, log } = newRecorder();
  let asked = 0;
  server.intercept = (_, response) => {
    asked += 1;
    response.setHeader('Retry-After', '30');
    refuse(response, 429, 'TooManyRequests', 'come again later');
    return true;
  };
  await recorder.record(about('a', 'n'), 'Warning', 'Refused', 'no');
  expect(asked).toBe(1);
  expect(log.lines.join('\n')).toMatch(/^warn an Event was not written .*come again later/);
});

test('long messages are cut', async () => {
  const { recorder } = newRecorder();
  await recorder.record(about('a', 'n'), 'Warning', 'Refused', 'x'.repeat(5000));
  const [event] = await server.client().list(events);
  expect(event?.message).toHaveLength(1024);
});
