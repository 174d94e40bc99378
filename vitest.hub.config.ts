import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests that ask a real hub: `npm run test:hub`. They share one hub, so their files run one after another.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/hub/*.test.ts'],
    globalSetup: 'test/hub/process/global-setup.ts',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
