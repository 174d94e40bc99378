import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A hub that answers lists page by page over HTTPS, as an API server does. */
export interface PagingHub {
  /** For `--kubeconfig`, as YAML. */
  readonly kubeconfig: string;
  readonly url: string;
  /** Returns the number of connections, and of the requests over them. */
  counts(): { readonly connections: number; readonly requests: number };
  close(): Promise<void>;
}

/**
 * Starts a hub with these objects, by plural.
 *
 * @param written - returns the text of an answer: JSON that JavaScript could not write itself
 * @param posted - returns the answer to a request with a body. @default - requests with a body are answered like others
 */
export async function pagingHub(
  objects: ReadonlyMap<string, readonly object[]>,
  written: (body: string) => string = (body) => body,
  posted?: (body: string) => string,
): Promise<PagingHub> {
  const { key, cert } = certificate();
  let requests = 0;
  let connections = 0;
  const server = https.createServer({ key, cert }, (request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://hub');
    const plural = pathname.split('/').at(-1) ?? '';
    const all = objects.get(plural);
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'POST' && posted !== undefined) {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(posted(Buffer.concat(chunks).toString())));
      return;
    }
    if (all === undefined) {
      response.statusCode = 404;
      response.end('{"kind":"Status","message":"not found"}');
      return;
    }
    const start = Number(searchParams.get('continue') ?? '0');
    const end = start + Number(searchParams.get('limit') ?? all.length);
    const metadata = end < all.length ? { continue: String(end) } : {};
    response.end(written(JSON.stringify({ kind: 'List', metadata, items: all.slice(start, end) })));
  });
  // As long as Go's: a client that its machine delayed continues over the same connection.
  server.keepAliveTimeout = 180_000;
  server.on('secureConnection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    kubeconfig: `apiVersion: v1
kind: Config
current-context: hub
clusters: [{ name: hub, cluster: { server: "${url}", certificate-authority-data: ${Buffer.from(cert).toString('base64')} } }]
users: [{ name: someone, user: { token: the-token } }]
contexts: [{ name: hub, context: { cluster: hub, user: someone } }]
`,
    counts: () => ({ connections, requests }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Creates a certificate with openssl. */
function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-hub-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
  if (key === undefined || cert === undefined) throw new Error('two files');
  try {
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const subject = ['-subj', '/CN=hub', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns clusters as on a hub, and add-ons on each, with the conditions and times that agents report. */
export function fleetObjects(clusters: number, addOns: number): ReadonlyMap<string, readonly object[]> {
  const conditions = (types: readonly string[]): object[] =>
    types.map((type) => ({
      type,
      status: 'True',
      reason: `${type}Reason`,
      message: `What the agent says of ${type}, in a sentence or two as controllers write them`,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }));
  const meta = (name: string, more: object = {}): object => ({
    name,
    uid: '00000000-0000-4000-8000-000000000000',
    resourceVersion: '123456',
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{ manager: 'registration', operation: 'Update', fieldsV1: { 'f:status': {} } }],
    ...more,
  });
  const names = Array.from({ length: clusters }, (_, index) => `cluster-${String(index).padStart(5, '0')}`);
  const managedClusters = names.map((name, index) => ({
    metadata: meta(name, {
      labels: { env: ['dev', 'stage', 'prod'][index % 3], region: `region-${index % 12}` },
    }),
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
    status: {
      conditions: conditions([
        'HubAcceptedManagedCluster',
        'ManagedClusterJoined',
        'ManagedClusterConditionAvailable',
      ]),
      clusterClaims: ['id', 'kubeversion', 'platform', 'region', 'product'].map((claim) => ({
        name: `${claim}.open-cluster-management.io`,
        value: `${claim}-${index % 7}`,
      })),
      capacity: { cpu: '64', memory: '256Gi', pods: '500' },
      allocatable: { cpu: '60', memory: '240Gi', pods: '500' },
      version: { kubernetes: 'v1.33.1' },
    },
  }));
  const managedClusterAddOns = names.flatMap((namespace) =>
    Array.from({ length: addOns }, (_, index) => ({
      metadata: meta(`add-on-${index}`, { namespace }),
      spec: { installNamespace: 'open-cluster-management-agent-addon' },
      status: { conditions: conditions(['Available', 'Configured', 'ManifestApplied', 'Progressing']) },
    })),
  );
  return new Map<string, readonly object[]>([
    ['managedclusters', managedClusters],
    ['managedclusteraddons', managedClusterAddOns],
    ['managedclustersets', []],
    ['managedclustersetbindings', []],
    ['placementdecisions', []],
    ['addonplacementscores', []],
  ]);
}
