import http from 'node:http';
import https from 'node:https';
import { sentenceOf } from '../../client/api-error.ts';
import { proxyTo } from '../../client/kubeconfig/proxy-url.ts';
import { throughTunnels } from '../../client/tunnel.ts';
import { UserError } from '../user-error.ts';

/** The environment of a download. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a download may cost, and who asks. */
export interface GetOptions {
  readonly env: Environment;
  readonly headers?: Readonly<Record<string, string>>;
  /** The maximum number of bytes of the answer. */
  readonly most: number;
  /** Aborted when the whole download has taken too long. */
  readonly signal: AbortSignal;
  /** Whether servers other than those of this machine may be called without TLS. @default false */
  readonly plainHttp?: boolean;
  /** For a request with a body. @default - GET */
  readonly form?: URLSearchParams;
}

/** A complete answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** More redirects are a loop. */
const mostRedirects = 5;
/** A server that sends nothing for this number of milliseconds is given up. */
const longestSilence = 20_000;

/**
 * Gets a URL. Follows a few redirects, never from TLS to a connection without it, and passes credentials on to no other host.
 *
 * @throws UserError if there is no answer, or it is larger than allowed
 */
export async function httpGet(url: URL, options: GetOptions): Promise<HttpAnswer> {
  let [target, headers] = [url, options.headers ?? {}];
  for (let redirects = 0; ; redirects++) {
    checkScheme(target, options);
    const answer = await send(target, { ...options, headers });
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
    if (redirects === mostRedirects)
      throw new UserError(`${shown(url)}: more than ${mostRedirects} redirects`);
    const next = URL.canParse(location, target.href) ? new URL(location, target) : undefined;
    if (next === undefined) throw new UserError(`${shown(url)}: redirected to an invalid URL`);
    if (target.protocol === 'https:' && next.protocol !== 'https:')
      throw new UserError(`${shown(url)}: redirected to ${shown(next)}, which does not use TLS`);
    if (next.origin !== target.origin) headers = withoutCredentials(headers);
    target = next;
  }
}

/** Returns a URL without its query, which can have a signature that gives access. */
export function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Whether the server of a URL is on this machine, so that nobody else can read or change what it sends. */
export function isLocalHost({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function checkScheme(url: URL, { plainHttp = false }: GetOptions): void {
  if (url.protocol === 'https:') return;
  if (url.protocol !== 'http:') throw new UserError(`${shown(url)}: only https is supported`);
  if (!plainHttp && !isLocalHost(url))
    throw new UserError(
      `${shown(url)} does not use TLS, so anyone on the way can replace the chart`,
      'use https, or add --plain-http if the network is trusted',
    );
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Authorization'));
}

async function send(url: URL, options: GetOptions): Promise<HttpAnswer> {
  const agent = agentFor(url, options.env);
  try {
    return await new Promise((resolve, reject) => {
      const { form, headers, signal } = options;
      const content = form?.toString();
      const request = (url.protocol === 'http:' ? http : https).request(url, {
        method: content === undefined ? 'GET' : 'POST',
        headers: {
          'User-Agent': 'fleetwright',
          'Accept-Encoding': 'identity',
          ...headers,
          ...(content !== undefined && {
            'Content-Type': 'application/x-www-form-urlencoded',
            'Content-Length': Buffer.byteLength(content),
          }),
        },
        agent,
        signal,
        timeout: longestSilence,
      });
      request.on('timeout', () => request.destroy(new Error(`no data for ${longestSilence / 1000} s`)));
      request.on('error', reject);
      request.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response;
        resolve(bodyOf(response, options.most).then((body) => ({ status, headers: received, body })));
      });
      request.end(content);
    });
  } catch (error) {
    const reason = options.signal.aborted ? 'the download took too long' : sentenceOf(error);
    throw new UserError(`${shown(url)}: ${reason}`);
  } finally {
    agent.destroy();
  }
}

async function bodyOf(response: http.IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  if (Number(response.headers['content-length'] ?? 0) > most) throw tooLarge(response, most);
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw tooLarge(response, most);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(response: http.IncomingMessage, most: number): Error {
  response.destroy();
  return new Error(`the answer is larger than ${Math.floor(most / 2 ** 20)} MiB`);
}

/** Returns an agent that uses the proxy of the environment, as Helm does. */
function agentFor(url: URL, env: Environment): http.Agent {
  const direct = url.protocol === 'http:' ? new http.Agent() : new https.Agent();
  const proxy = proxyTo(url, { proxyUrl: undefined, location: 'the proxy' }, env);
  if (proxy === undefined) return direct;
  if (proxy.protocol.startsWith('socks'))
    throw new UserError(`${shown(url)}: a proxy with SOCKS is not supported`, 'use an HTTP proxy');
  return throughTunnels(direct, proxy);
}
