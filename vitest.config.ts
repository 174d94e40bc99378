import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { commandTests } from './test/command-tests.ts';

export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    // Those directly in test/hub need a real hub, those in test/browser a browser, those in test/gitops tools built with Go,
    // and two in test/package the npm registry and root. commandTests run other programs for seconds.
    exclude: [
      'test/hub/*.test.ts',
      'test/browser/**',
      'test/gitops/**',
      'test/package/install.test.ts',
      'test/package/image-steps.test.ts',
      ...commandTests,
    ],
    globalSetup: ['test/temporary-folder.setup.ts', 'test/without-go.setup.ts'],
    // Files share the modules that they import: to load them again for each costs more than the tests.
    isolate: false,
    // More than processors: a fourth of the time, a test waits for a clock or a connection.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Keeps transformed modules from one run to the next.
    experimental: { fsModuleCache: true },
    // A machine may be many times slower than ours, and pause for seconds. These limits end tests that hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
