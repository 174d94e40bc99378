import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { slowestFirst } from './test/hub/process/slowest-first.ts';

const slow = [
  'record',
  'drift',
  'differential',
  'apply',
  'parameters',
  'plan-is-true',
  'companion-endings',
  'overrides',
  'status-churn',
  'work-replica-sets',
  'companion-certificates',
  'fleet-pull',
  'status',
  'companion-hooks',
];

// The tests that ask a real hub: `npm run test:hub`. The files of a worker share a hub, so each worker has its own.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/hub/*.test.ts'],
    globalSetup: 'test/hub/process/global-setup.ts',
    // Two processors are idle more than half of the time with three workers: hubs and agents have the tests wait. A hub takes up to
    // a gigabyte.
    maxWorkers: Math.min(5, availableParallelism() + 3),
    sequence: { sequencer: slowestFirst(slow) },
    testTimeout: 900_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
