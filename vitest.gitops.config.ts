import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests that hold emitted trees against the tools that read them: `npm run test:gitops`. Go builds the tools.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/gitops/*.test.ts'],
    globalSetup: 'test/gitops/build-tools.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
