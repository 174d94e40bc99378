import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { slowestFirst } from './test/hub/process/slowest-first.ts';

const slow = [
  'record',
  'parameters',
  'differential',
  'drift',
  'apply',
  'companion-endings',
  'plan-is-true',
  'companion-certificates',
  'status',
  'status-churn',
  'fleet-pull',
  'work-replica-sets',
];

// The tests that ask a real hub: `npm run test:hub`. The files of a worker share a hub, so each worker has its own.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/hub/*.test.ts'],
    globalSetup: 'test/hub/process/global-setup.ts',
    // Hubs and agents have the tests wait more than they compute, and a hub takes a gigabyte.
    maxWorkers: Math.min(3, availableParallelism() + 1),
    sequence: { sequencer: slowestFirst(slow) },
    testTimeout: 900_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
