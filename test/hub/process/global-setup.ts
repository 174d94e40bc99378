import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { HubAddress } from '../client/hub.ts';
import { hasGo } from './build-hub.ts';
import { folderOf, startHub } from './start-hub.ts';

declare module 'vitest' {
  interface ProvidedContext {
    hub: HubAddress;
  }
}

/** Builds the hub where needed and starts one for the whole run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!hasGo())
    throw new Error(
      'the tests of test/hub hold the compiler against a real hub, and building that needs Go 1.26',
    );
  const hub = await startHub();
  // Temporary folders of the tests lie in that of the hub, which removes it even where the tests are killed.
  process.env['TMPDIR'] = path.join(folderOf(hub), 'tests');
  mkdirSync(process.env['TMPDIR']);
  project.provide('hub', { kubeconfig: hub.kubeconfig, versions: hub.versions });
  return () => hub.stop();
}
