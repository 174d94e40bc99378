import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { sentenceOf } from '../../client/api-error.ts';
import { parseListenAddress } from '../configuration/listen-address.ts';
import type { Check } from './health.ts';

export interface HttpServerOptions {
  /** `host:port`, `:port`, or `[::1]:port`; port 0 selects a free one. */
  readonly listen: string;
  /** Whether the process is healthy. */
  readonly healthy: Check;
  /** Whether it is ready to work. */
  readonly ready: Check;
  readonly registry: Registry;
}

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export async function serve(options: HttpServerOptions): Promise<RunningServer> {
  const server = createServer((request, response) => {
    void respond(request, response, options);
  });
  // A client that connects and sends nothing must not block a connection.
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  await listen(server, options.listen);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  { url = '', method = '' }: IncomingMessage,
  response: ServerResponse,
  options: HttpServerOptions,
): Promise<void> {
  // A failure here is reported to the client, and does not end the process.
  const { status, type, body } = await answer(url, method, options).catch(failed);
  response.writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' });
  response.end(method === 'HEAD' ? undefined : body);
}

interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const text = 'text/plain; charset=utf-8';

async function answer(url: string, method: string, options: HttpServerOptions): Promise<HttpAnswer> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, type: text, body: 'only GET\n' };
  const [path = ''] = url.split('?', 1);
  switch (path) {
    case '/healthz':
      return verdict(options.healthy());
    case '/readyz':
      return verdict(options.ready());
    case '/metrics':
      return {
        status: 200,
        type: options.registry.contentType,
        body: await options.registry.metrics(),
      };
    default:
      return { status: 404, type: text, body: 'there are /healthz, /readyz and /metrics\n' };
  }
}

function failed(error: unknown): HttpAnswer {
  return { status: 500, type: text, body: `${sentenceOf(error)}\n` };
}

function verdict(state: true | string): HttpAnswer {
  return state === true
    ? { status: 200, type: text, body: 'ok\n' }
    : { status: 503, type: text, body: `${state}\n` };
}

async function listen(server: Server, address: string): Promise<void> {
  const { host, port } = parseListenAddress(address);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
