import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests that ask a real hub: `npm run test:hub`. They share one hub, so their files run one after another.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/hub/*.test.ts'],
    globalSetup: 'test/hub/process/global-setup.ts',
    fileParallelism: false,
    // Some of the hub's own controllers race each other: what differs once is asked again before it counts.
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
