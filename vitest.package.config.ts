import { defineConfig } from 'vitest/config';

// The package as its users have it: `npm run test:package`. It asks the npm registry for its dependencies and for Node.
export default defineConfig({
  test: {
    include: ['test/package/install.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
