import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Promotion } from '../../src/promotion/decide/promotion.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connectToHub } from '../../src/workspace/hub/connect-to-hub.ts';
import { readOutsideGates } from '../../src/promotion/gates/outside-gates.ts';
import { connect } from './client/hub.ts';
import { namespaceKind, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';

// The gate of a Job with the Jobs that a real API server stores. Their statuses are those of the Job controller, which the API server
// verifies.

const address = await sharedHub();
const hub = connect(address);
const commit = 'c'.repeat(40);
const promotion: Promotion = {
  app: 'hello',
  spec: { gates: [{ name: 'smoke', job: { namespace: 'gates', name: 'smoke-{release}-{wave}' } }] },
  status: {
    release: {
      hash: '0123456789abcdef'.repeat(4),
      source: commit,
      base: commit,
      released: 2,
      gates: {},
      waves: [[], [], []],
    },
  },
};
const namespace = reference(namespaceKind, 'gates');
const job: KubernetesObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace: 'gates', name: 'smoke-0123456789ab-2' },
  spec: {
    // Nothing starts its pod.
    suspend: true,
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'smoke', image: 'registry.example.com/smoke:1' }],
      },
    },
  },
};

/** Returns the line of the gate, and whether it is open. */
async function lineOf(waveStart = 0): Promise<string> {
  const reports = await readOutsideGates(promotion, {
    host: {},
    hub: async () => await connectToHub({ ...address, context: undefined }, '/'),
    startOf: (wave) => (wave === 2 ? waveStart : undefined),
  });
  return reports
    .map(
      ({ isOpen, text, hasFailed }) =>
        `${isOpen ? 'open' : hasFailed === true ? 'failed' : 'closed'}: ${text}`,
    )
    .join();
}

/** Ends the Job as the Job controller does. */
async function end(type: 'Complete' | 'Failed'): Promise<void> {
  const at = new Date().toISOString().replace(/\.\d+/, '');
  const condition = (of: string): object => ({
    type: of,
    status: 'True',
    lastTransitionTime: at,
    lastProbeTime: at,
  });
  const first = condition(type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget');
  const completionTime = type === 'Complete' ? { completionTime: at } : {};
  await hub.client.merge(
    job,
    { status: { startTime: at, ...completionTime, conditions: [first, condition(type)] } },
    'status',
  );
}

beforeAll(async () => {
  await hub.client.apply(namespace);
});
afterAll(async () => {
  await hub.client.delete(namespace);
  hub.close();
});

test('the gate of a Job opens after the Job of this wave and release is complete', async () => {
  expect(await lineOf()).toBe('closed: Job gates/smoke-0123456789ab-2 does not exist yet: create it');
  await hub.client.create(job);
  expect(await lineOf()).toBe('closed: Job gates/smoke-0123456789ab-2 is not complete yet');
  await hub.client.merge(job, { spec: { suspend: false } });
  await end('Complete');
  expect(await lineOf()).toBe('open: Job gates/smoke-0123456789ab-2 is complete');
  expect(await lineOf(Date.now() + 60_000)).toBe(
    'closed: Job gates/smoke-0123456789ab-2 is older than wave 2: delete it and create it again',
  );
  await hub.client.delete(job);
});

test('the gate of a Job that failed does not open by itself', async () => {
  await expect.poll(async () => await lineOf()).toContain('does not exist');
  await hub.client.create({ ...job, spec: { ...(job.spec as object), suspend: false } });
  await end('Failed');
  expect(await lineOf()).toBe('failed: Job gates/smoke-0123456789ab-2 has failed');
  await hub.client.delete(job);
});
