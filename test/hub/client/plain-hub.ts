import { afterAll, beforeAll } from 'vitest';
import { startHub, type RunningHub } from '../process/start-hub.ts';
import { connect, type Hub } from './hub.ts';

/**
 * Runs a hub without OCM's webhooks for the tests of a file: they have no say in the kinds of Kubernetes.
 *
 * @returns a function that returns the hub, once the tests run
 */
export function plainHub(): () => Hub {
  let running: RunningHub;
  let hub: Hub;
  beforeAll(async () => {
    running = await startHub({ admissionWebhooks: false });
    hub = connect(running);
    // the admission of Pods looks for it, and no controller creates it here
    await hub.client.apply({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: 'default' },
    });
  });
  afterAll(async () => {
    hub.close();
    await running.stop();
  });
  return () => hub;
}
