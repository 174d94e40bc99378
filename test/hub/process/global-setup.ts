import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { buildHub, hasGo } from './build-hub.ts';
import { startHub, type RunningHub } from './start-hub.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A URL that answers `/N` with the address of the hub of worker N. The first request starts the hub. */
    hubs: string;
  }
}

/** Builds the hub where needed, and starts one for each worker that asks, for the whole run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!hasGo())
    throw new Error(
      'the tests of test/hub compare the compiler with a real hub, and building that needs Go 1.26',
    );
  // Before test files that run at the same time would build it at the same time.
  buildHub();
  const hubs = new Map<string, Promise<RunningHub>>();
  const server = createServer((request, response) => {
    const worker = request.url ?? '';
    const hub = hubs.get(worker) ?? startHub();
    hubs.set(worker, hub);
    hub.then(
      ({ kubeconfig, versions }) => response.end(JSON.stringify({ kubeconfig, versions })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('hubs', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    const started = await Promise.allSettled(hubs.values());
    await Promise.all(started.map(async (each) => each.status === 'fulfilled' && (await each.value.stop())));
  };
}
