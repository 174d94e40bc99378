import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { tarball } from '../../engines/charts/chart-files.ts';

/** What a server answers. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A request that a server got. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server on this machine, until the test ends. */
export interface ChartServer {
  /** Such as `127.0.0.1:40000`. */
  readonly host: string;
  readonly received: readonly Received[];
}

/** Starts a server of charts. Undefined leaves a request without an answer. */
export async function serve(
  answer: (request: Received) => Answer | undefined | Promise<Answer | undefined>,
): Promise<ChartServer> {
  const received: Received[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { method = '', url = '', headers } = request;
    const got = {
      method,
      url,
      authorization: headers.authorization,
      body: Buffer.concat(parts).toString('utf8'),
    };
    received.push(got);
    const answered = await answer(got);
    if (answered === undefined) return;
    response.writeHead(answered.status ?? 200, { ...answered.headers });
    response.end(answered.body ?? '');
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    async () =>
      await new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  );
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Returns the archive of a small chart. */
export function packedChart(version: string, files: Readonly<Record<string, string>> = {}): Uint8Array {
  const all = {
    'Chart.yaml': `apiVersion: v2\nname: agent\nversion: ${version}\n`,
    'values.yaml': 'level: info\n',
    'templates/settings.yaml': [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: { name: settings, namespace: {{ .Release.Namespace }} }',
      `data: { version: '{{ .Chart.Version }}', level: {{ .Values.level }} }`,
      '',
    ].join('\n'),
    ...files,
  };
  return tarball(Object.entries(all).map(([name, text]) => ({ path: `agent/${name}`, text })));
}

export function sha256(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Returns the manifest of a chart in a registry, as Helm writes it. */
export function chartManifest(archive: Uint8Array, layer: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    schemaVersion: 2,
    config: { mediaType: 'application/vnd.cncf.helm.config.v1+json', digest: sha256('{}'), size: 2 },
    layers: [
      {
        mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
        digest: sha256(archive),
        size: archive.length,
        ...layer,
      },
    ],
  });
}

/** Answers as a registry without a login that has these versions of `charts/agent`. */
export function registryWith(archives: Readonly<Record<string, Uint8Array>>): (request: Received) => Answer {
  const manifests = new Map(Object.entries(archives).map(([tag, archive]) => [tag, chartManifest(archive)]));
  const blobs = new Map(Object.values(archives).map((archive) => [sha256(archive), archive]));
  for (const archive of Object.values(archives)) {
    const manifest = chartManifest(archive);
    manifests.set(sha256(manifest), manifest);
  }
  return ({ url }) => {
    const [, kind, name = ''] = /^\/v2\/charts\/agent\/(manifests|blobs|tags)\/(.*)$/.exec(url) ?? [];
    const type = 'application/vnd.oci.image.manifest.v1+json';
    if (kind === 'tags')
      return { body: JSON.stringify({ name: 'charts/agent', tags: Object.keys(archives) }) };
    const body = kind === 'manifests' ? manifests.get(name) : kind === 'blobs' ? blobs.get(name) : undefined;
    if (body === undefined) return { status: 404, body: '{"errors":[{"message":"manifest unknown"}]}' };
    return { body, headers: kind === 'manifests' ? { 'Content-Type': type } : {} };
  };
}
