import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { commandTests } from './test/command-tests.ts';

// Tests that run whole commands as programs, with Git, npm, tsc and other programs: `npm run test:commands`.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: [...commandTests],
    globalSetup: 'test/temporary-folder.setup.ts',
    isolate: false,
    maxWorkers: '100%',
    experimental: { fsModuleCache: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
