import { defineConfig } from 'vitest/config';

// The package as its users have it: `npm run test:package`. It asks the npm registry for its dependencies and for Node, and
// runs the steps of the Dockerfiles as root.
export default defineConfig({
  test: {
    include: ['test/package/install.test.ts', 'test/package/image-steps.test.ts'],
    globalSetup: 'test/temporary-folder.setup.ts',
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
