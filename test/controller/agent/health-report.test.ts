import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { availabilityOf, healthReport } from '../../../src/controller/agent/health-report.ts';
import { microTimestamp } from '../../../src/client/clock.ts';
import { leases, type Lease } from '../../../src/controller/election/lease.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import type { ManagedClusterAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import { FakeApiServer } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const renewed = (secondsAgo: number): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'hello', namespace: 'agents' },
  spec: { leaseDurationSeconds: 60, renewTime: microTimestamp(now - secondsAgo * 1000) },
});

describe('a Lease and the status of its add-on', () => {
  test('that it is available for five periods after the last renewal', () => {
    const available = {
      type: 'Available',
      status: 'True',
      reason: 'ManagedClusterAddOnLeaseUpdated',
      message: 'hello add-on is available.',
    };
    expect(availabilityOf('hello', renewed(0), now)).toEqual(available);
    expect(availabilityOf('hello', renewed(299), now)).toEqual(available);
    expect(availabilityOf('hello', renewed(-60), now)).toEqual(available);
  });

  test('that it is not available after that, also if it was never renewed', () => {
    const stopped = {
      type: 'Available',
      status: 'False',
      reason: 'ManagedClusterAddOnLeaseUpdateStopped',
      message: 'hello add-on is not available.',
    };
    expect(availabilityOf('hello', renewed(300), now)).toEqual(stopped);
    expect(availabilityOf('hello', { ...renewed(0), spec: {} }, now)).toEqual(stopped);
  });

  test('is empty by default', () => {
    expect(availabilityOf('hello', undefined, now)).toEqual({
      type: 'Available',
      status: 'Unknown',
      reason: 'ManagedClusterAddOnLeaseNotFound',
      message: 'The status of hello add-on is unknown.',
    });
  });
});

describe('the report', () => {
  let hub: FakeApiServer;
  let cluster: FakeApiServer;
  beforeEach(async () => {
    [hub, cluster] = [await FakeApiServer.start(), await FakeApiServer.start()];
  });
  afterEach(async () => {
    await hub.stop();
    await cluster.stop();
  });

  const name = { namespace: 'c1', name: 'hello' };
  const addOn: ManagedClusterAddOnV1alpha1 = {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: name,
    spec: { installNamespace: 'agents' },
  };
  const registered = {
    type: 'RegistrationApplied',
    status: 'True' as const,
    reason: 'Set',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };

  async function reported(status: NonNullable<ManagedClusterAddOnV1alpha1['status']>) {
    const clock = new ManualClock();
    await hub.client().create(managedClusterAddOns, { ...addOn, status });
    await cluster.client().create(leases, {
      ...renewed(0),
      spec: { renewTime: microTimestamp(clock.now()) },
    });
    const step = async (): Promise<number> =>
      await healthReport({
        hub: hub.client(clock),
        cluster: cluster.client(clock),
        clock,
        log: new RecordingLog(),
        addOn: { name: 'hello', cluster: 'c1', namespace: undefined },
      }).step(new AbortController().signal);
    const conditions = async () =>
      (await hub.client().get(managedClusterAddOns, name))?.status?.conditions?.map(
        ({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime],
      );
    return { clock, step, conditions };
  }

  test('is written beside the conditions of others, once, and its time moves only with its status', async () => {
    const { clock, step, conditions } = await reported({ conditions: [registered] });
    expect(await step()).toBe(30_000);
    expect(await conditions()).toEqual([
      ['RegistrationApplied', 'True', '2026-01-01T00:00:00Z'],
      ['Available', 'True', '2026-01-31T12:00:00Z'],
    ]);
    await clock.pass(200_000);
    await step();
    expect(hub.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
    await clock.pass(100_000);
    await step();
    expect(await conditions()).toEqual([
      ['RegistrationApplied', 'True', '2026-01-01T00:00:00Z'],
      ['Available', 'False', '2026-01-31T12:05:00Z'],
    ]);
  });

  test('is left to the hub if the hub judges the add-on in another way', async () => {
    const { step, conditions } = await reported({
      healthCheck: { mode: 'Customized' },
      conditions: [registered],
    });
    await step();
    expect(await conditions()).toEqual([['RegistrationApplied', 'True', '2026-01-01T00:00:00Z']]);
  });

  test('looks for the Lease in the namespace that the hub reports', async () => {
    const { step, conditions } = await reported({ namespace: 'elsewhere' });
    await step();
    expect(await conditions()).toEqual([['Available', 'Unknown', '2026-01-31T12:00:00Z']]);
    expect(cluster.requests.at(-1)).toBe(
      'GET /apis/coordination.k8s.io/v1/namespaces/elsewhere/leases/hello',
    );
  });
});
