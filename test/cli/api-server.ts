import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** What the server answers: a status, a body, and headers if there are any. */
export interface Response {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An API server on a loopback port. */
export interface ApiServer {
  /** A kubeconfig for it, as YAML. */
  readonly kubeconfig: string;
  readonly url: string;
  /** The requests so far: method, path and query. */
  readonly requests: readonly string[];
}

const running: http.Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a server that ends with the test. */
export async function serve(
  answer: (url: URL, request: http.IncomingMessage) => Response | Promise<Response>,
): Promise<ApiServer> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const respond = ({ status, body, headers = {} }: Response): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const answered = answer(new URL(request.url ?? '', 'http://hub'), request);
    if ('status' in answered) respond(answered);
    else void answered.then(respond);
  });
  running.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, kubeconfig: kubeconfigFor(url) };
}

/** The text in the body of a request. */
export async function textOf(request: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

/** A kubeconfig with the contexts `hub`, which is the current one, and `nowhere`. */
export function kubeconfigFor(server: string): string {
  return `apiVersion: v1
kind: Config
current-context: hub
clusters:
- name: hub
  cluster: { server: "${server}", insecure-skip-tls-verify: true }
users:
- name: someone
  user: { token: the-token }
contexts:
- name: hub
  context: { cluster: hub, user: someone }
- name: nowhere
  context: { cluster: missing, user: someone }
`;
}

/** A refusal as the API server writes it. */
export function refusal(status: number, reason: string, message: string): Response {
  return {
    status,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status },
  };
}
