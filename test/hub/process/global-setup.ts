import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { HubAddress } from '../client/hub.ts';
import { hasGo } from './build-hub.ts';
import { folderOf, startHub } from './start-hub.ts';

declare module 'vitest' {
  interface ProvidedContext {
    hubs: readonly HubAddress[];
  }
}

/** Builds the hub where needed and starts one per worker for the whole run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!hasGo())
    throw new Error(
      'the tests of test/hub compare the compiler with a real hub, and building that needs Go 1.26',
    );
  const first = await startHub();
  const workers = project.config.maxWorkers;
  const others = await Promise.all(Array.from({ length: workers - 1 }, () => startHub()));
  const hubs = [first, ...others];
  // Temporary folders of the tests lie in that of a hub, which removes it even where the tests are killed.
  process.env['TMPDIR'] = path.join(folderOf(first), 'tests');
  mkdirSync(process.env['TMPDIR']);
  project.provide(
    'hubs',
    hubs.map(({ kubeconfig, versions }) => ({ kubeconfig, versions })),
  );
  return async () => {
    await Promise.all(hubs.map((hub) => hub.stop()));
  };
}
