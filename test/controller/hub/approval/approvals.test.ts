import { beforeEach, expect, test } from 'vitest';
import { Approvals } from '../../../../src/controller/hub/approval/approvals.ts';
import {
  createRequestInformer,
  cachedRequest,
  type CachedRequest,
  type RequestInformer,
} from '../../../../src/controller/hub/approval/certificate-requests.ts';
import { fingerprintOf } from '../../../../src/controller/hub/approval/content.ts';
import { defaultLimits } from '../../../../src/controller/hub/approval/facts.ts';
import type { Stored } from '../../../../src/client/object.ts';
import { timestamp } from '../../../../src/client/clock.ts';
import { FakeApiServer } from '../../api-server.ts';
import { RecordingLog } from '../../recording-log.ts';
import { ManualClock } from '../../manual-clock.ts';
import { forged, request } from './entitled-request.ts';

const minute = 60_000;
const claim = 'cluster1/hello';
let clock: ManualClock;
let requests: RequestInformer;
let approvals: Approvals;

beforeEach(async () => {
  clock = new ManualClock();
  const server = await FakeApiServer.start();
  requests = createRequestInformer({
    client: server.client(),
    clock,
    log: new RecordingLog(),
    limits: defaultLimits,
  });
  approvals = new Approvals(requests, clock, 10 * minute);
  await server.stop();
});

/** A request that was approved at some time. */
function approved(name: string, at = clock.now(), pem = forged()): Stored<CachedRequest> {
  const made = request({ metadata: { name }, spec: { request: pem } });
  const lastUpdateTime = timestamp(at);
  const kept = cachedRequest(
    {
      ...made,
      metadata: { ...made.metadata, uid: name, resourceVersion: '1', creationTimestamp: lastUpdateTime },
      status: { conditions: [{ type: 'Approved', status: 'True', lastUpdateTime }] },
    },
    defaultLimits,
  );
  if (kept === undefined) throw new Error('it is of no add-on');
  return kept;
}

test('approvals count for as long as the window is', () => {
  for (const age of [0, 9, 10, 11]) requests.store.set(approved(`addon-${age}`, clock.now() - age * minute));
  expect(approvals.recent(claim)).toHaveLength(2);
  expect(approvals.recent('cluster1/other')).toEqual([]);
});

test('an approval counts from the moment it is sent, and once', () => {
  approvals.assume('addon-a', { claim, fingerprint: 'f' });
  expect(approvals.recent(claim)).toHaveLength(1);
  expect(approvals.withKey('f')).toEqual(['addon-a']);
  requests.store.set(approved('addon-a'));
  expect(approvals.recent(claim)).toHaveLength(1);
});

test('an approval that failed does not count, nor one that never arrives', async () => {
  approvals.assume('addon-a', { claim, fingerprint: 'f' });
  approvals.forget('addon-a');
  expect(approvals.withKey('f')).toEqual([]);
  approvals.assume('addon-b', { claim, fingerprint: 'f' });
  await clock.pass(2 * minute);
  expect(approvals.withKey('f')).toEqual([]);
});

test('the key index returns the requests with a key', () => {
  const pem = forged();
  requests.store.set(approved('addon-a', clock.now(), pem));
  requests.store.set(approved('addon-b'));
  expect(approvals.withKey(fingerprintOf(pem, defaultLimits) ?? '')).toEqual(['addon-a']);
});

test('a clock that is set back does not stop approvals for longer than the window is', () => {
  requests.store.set(approved('addon-a'));
  clock.step(-60 * minute);
  expect(approvals.recent(claim)).toEqual([]);
});
