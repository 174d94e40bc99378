import type { TestProject } from 'vitest/node';
import type { HubAddress } from '../client/hub.ts';
import { hasGo } from './build-hub.ts';
import { startHub } from './start-hub.ts';

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
  project.provide('hub', { kubeconfig: hub.kubeconfig, versions: hub.versions });
  return () => hub.stop();
}
