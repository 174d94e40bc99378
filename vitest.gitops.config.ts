import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { slowestFirst } from './test/hub/process/slowest-first.ts';

const slow = [
  'argo-cd-apps',
  'flux-guides',
  'flux-engine',
  'argo-cd-promotion',
  'argo-cd-rollout',
  'argo-cd-recovery',
  'argo-cd-removal',
  'argo-cd-overrides',
  'flux-promotion',
  'flux-recovery',
  'argo-cd-guides',
  'argo-cd-hubs',
];

// The tests that hold emitted trees against the tools that read them: `npm run test:gitops`. Go builds the tools.
export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  test: {
    include: ['test/gitops/*.test.ts'],
    globalSetup: ['test/temporary-folder.setup.ts', 'test/gitops/build-tools.ts'],
    // Engines and rollouts have the tests wait more than they compute. Every file has its own hub, folder and ports.
    maxWorkers: Math.min(3, availableParallelism() + 1),
    sequence: { sequencer: slowestFirst(slow) },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
