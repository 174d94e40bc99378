import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests that open the HTML reports in Chromium: `npm run test:browser`.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/temporary-folder.setup.ts',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
