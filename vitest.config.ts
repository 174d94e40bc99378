import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    // Those directly in test/hub need a real hub, those in test/browser a browser, those in test/gitops tools built with Go,
    // and one in test/package the npm registry.
    exclude: ['test/hub/*.test.ts', 'test/browser/**', 'test/gitops/**', 'test/package/install.test.ts'],
    globalSetup: 'test/without-go.setup.ts',
    testTimeout: 30_000,
  },
});
