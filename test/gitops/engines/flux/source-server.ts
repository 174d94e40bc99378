import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '../../../../schemas/object-meta.ts';
import type { ApiClient } from '../../../hub/client/api-client.ts';

/**
 * Does what Flux's source-controller does with a GitRepository: serves each commit as a tarball over HTTP, and writes its
 * address, revision and digest into the status. source-controller itself cannot be built from the module proxy.
 */
export interface SourceServer {
  /** Publishes the last commit of a working tree as the artifact of a GitRepository. */
  publish(repository: KubernetesObject, folder: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server on loopback. */
export async function startSourceServer(client: ApiClient): Promise<SourceServer> {
  const tarballs = new Map<string, Buffer>();
  const server = createServer(({ url = '' }, response) => {
    const tarball = tarballs.get(url);
    response.writeHead(tarball === undefined ? 404 : 200);
    response.end(tarball);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    publish: async (repository, folder) => {
      const git = (...args: string[]): Buffer =>
        execFileSync('git', args, { cwd: folder, maxBuffer: 1 << 28 });
      const commit = git('rev-parse', 'HEAD').toString().trim();
      const tarball = git('archive', '--format=tar.gz', commit);
      const { namespace = '', name = '' } = repository.metadata;
      const place = `gitrepository/${namespace}/${name}/${commit}.tar.gz`;
      tarballs.set(`/${place}`, tarball);
      const now = new Date().toISOString();
      const artifact = {
        path: place,
        url: `http://127.0.0.1:${port}/${place}`,
        revision: revisionOf(commit),
        digest: `sha256:${createHash('sha256').update(tarball).digest('hex')}`,
        lastUpdateTime: now,
        size: tarball.length,
      };
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: 'Succeeded',
        message: '',
        lastTransitionTime: now,
      };
      await client.merge(repository, { status: { artifact, conditions: [ready] } }, 'status');
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** How Flux writes a commit of branch main. */
export function revisionOf(commit: string): string {
  return `main@sha1:${commit}`;
}
