import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from './clock.ts';
import { sentenceOf } from './api-error.ts';
import { CredentialsError } from './kubeconfig/error.ts';
import { RequestEnd } from './request-end.ts';
import { ApiError } from './api-error.ts';
import { refusal } from './api-status.ts';
import type {
  ApiRequest,
  ApiResponse,
  UpgradableTransport,
  UpgradedConnection,
  UpgradeRequest,
} from './transport.ts';
import { overStreams, throughTunnels } from './tunnel.ts';

/** The parameters of a connection to the API server. TLS material is PEM. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  /** @default true */
  readonly verifyServer?: boolean;
  readonly proxy?: Proxy;
}

/** A proxy on the way to the API server. */
export interface Proxy {
  readonly url: URL;
  /** Creates connections through it. @default - they are requested from it as from an HTTP proxy */
  readonly agent?: http.Agent;
}

export interface HttpTransportOptions {
  /** The URL of the API server; may have a path. */
  readonly server: URL;
  /**
   * Called every `credentialsAge`, because tokens and certificates are rotated, and when the server rejects the
   * credentials.
   *
   * @param refused - whether the server rejected the last ones
   */
  readonly credentials: (refused: boolean) => Promise<Credentials>;
  readonly clock: Clock;
  readonly userAgent: string;
  /** @default 10 seconds, in milliseconds */
  readonly credentialsAge?: number;
  /** Maximum number of connections, except for those of watches and urgent requests. @default 32 */
  readonly maxConnections?: number;
  /** Opens the stream beneath a connection. @default - TCP, or a tunnel through the proxy of the credentials */
  readonly openStream?: () => Promise<Duplex>;
}

interface Connections {
  readonly credentials: Credentials;
  /** The credentials that they were created with, to detect a change. */
  readonly material: string;
  readonly limited: http.Agent;
  /** For requests that may neither wait for others nor block them. */
  readonly unlimited: http.Agent;
}

/** The timeout for obtaining credentials, in milliseconds. */
const credentialsPatience = 60_000;
/** After this number of milliseconds an unused connection is closed, as by Go's transport: proxies drop them silently. */
const mostIdle = 90_000;

/** HTTP/1.1 over persistent connections. */
export class HttpTransport implements UpgradableTransport {
  readonly server: string;
  readonly #options: HttpTransportOptions;
  #connections: Promise<Connections> | undefined;
  /** The current ones and those of older credentials, whose last requests may be in flight. */
  readonly #agents: http.Agent[] = [];
  #readAt = 0;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    const shown = new URL(options.server);
    shown.username = shown.password = '';
    this.server = shown.href;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const used = this.#current();
    const first = await this.#sendWith(used, request);
    if (first.status !== 401) return first;
    // as client-go's exec authenticator: one retry with the current credentials of the kubeconfig; all rejected
    // requests share them
    if (this.#connections === used) this.#connections = this.#connect(used, true);
    // The rest is not read: it could come byte by byte.
    for await (const _ of first.body) break;
    return await this.#sendWith(this.#current(), request);
  }

  async upgrade(request: UpgradeRequest): Promise<UpgradedConnection> {
    const end = new RequestEnd([], request.patience);
    try {
      const connections = await end.before(this.#current());
      const sent = this.#request(connections, {
        method: 'GET',
        signals: [],
        urgent: true,
        silence: 0,
        ...request,
      });
      for (const [name, value] of Object.entries(request.headers)) sent.setHeader(name, value);
      return await upgraded(sent, request, end);
    } finally {
      end.release();
    }
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
    this.#connections = undefined;
  }

  async #sendWith(connections: Promise<Connections>, request: ApiRequest): Promise<ApiResponse> {
    const end = new RequestEnd(request.signals, request.patience);
    try {
      const response = await this.#respond(await end.before(connections), request, end);
      end.began();
      response.on('close', () => end.release());
      const after = Number(response.headers['retry-after'] ?? NaN);
      const serverTime = Date.parse(response.headers.date ?? '');
      response.setEncoding('utf8');
      return {
        status: response.statusCode ?? 0,
        retryAfter: Number.isFinite(after) && after >= 0 ? after : undefined,
        serverTime: Number.isNaN(serverTime) ? undefined : serverTime,
        body: response as AsyncIterable<string>,
      };
    } catch (error) {
      end.release();
      throw error;
    }
  }

  /**
   * Returns the answer. If the server had closed an idle connection, that is no failure: a read is retried on another
   * one.
   */
  async #respond(
    connections: Connections,
    request: ApiRequest,
    end: RequestEnd,
  ): Promise<http.IncomingMessage> {
    for (;;) {
      const sent = this.#request(connections, request);
      try {
        return await responseTo(sent, request.body?.content, end);
      } catch (error) {
        // as Go's http.Transport: only idempotent requests
        if (request.method !== 'GET' || !sent.reusedSocket || !isBroken(error))
          throw request.signals.some(({ aborted }) => aborted) ? error : throughProxy(error, connections);
      }
    }
  }

  #request(
    { credentials, limited, unlimited }: Connections,
    { method, target, body, patience, silence = patience, urgent = false }: ApiRequest,
  ): http.ClientRequest {
    const { server, userAgent } = this.#options;
    const url = new URL(server.pathname.replace(/\/$/, '') + target, server);
    const isWatch = url.searchParams.get('watch') === 'true';
    const client = url.protocol === 'http:' ? http : https;
    return client.request(url, {
      method,
      headers: {
        Accept: 'application/json',
        'User-Agent': userAgent,
        ...credentials.headers,
        ...(body && { 'Content-Type': body.type, 'Content-Length': Buffer.byteLength(body.content) }),
      },
      agent: isWatch || urgent ? unlimited : limited,
      timeout: silence,
    });
  }

  #current(): Promise<Connections> {
    const { clock, credentialsAge = 10_000 } = this.#options;
    if (this.#connections === undefined || clock.elapsed() - this.#readAt > credentialsAge)
      this.#connections = this.#connect(this.#connections, false);
    return this.#connections;
  }

  /** Requests credentials, and creates new connections if those of TLS changed: old ones end with their requests. */
  #connect(before: Promise<Connections> | undefined, refused: boolean): Promise<Connections> {
    this.#readAt = this.#options.clock.elapsed();
    const connecting = (async () => {
      const old = await before?.catch(() => undefined);
      try {
        return this.#over(await withinPatience(this.#options.credentials(refused)), old);
      } catch (error) {
        // as client-go's token source: if new ones cannot be read, the old ones may remain valid for some time
        if (old === undefined || refused) throw new CredentialsError(sentenceOf(error), { cause: error });
        return old;
      }
    })();
    // A failure is not kept: the next request tries again.
    connecting.catch(() => {
      if (this.#connections === connecting) this.#connections = undefined;
    });
    return connecting;
  }

  #over(credentials: Credentials, old: Connections | undefined): Connections {
    const { headers: _, proxy, ...tls } = credentials;
    const material = JSON.stringify({ ...tls, proxy: proxy?.url });
    if (old?.material === material) return { ...old, credentials };
    const limited = this.#keep(this.#agent(credentials, this.#options.maxConnections ?? 32));
    const unlimited = this.#keep(this.#agent(credentials, Infinity));
    return { credentials, material, limited, unlimited };
  }

  #agent(credentials: Credentials, maxSockets: number): http.Agent {
    const { proxy } = credentials;
    const { openStream } = this.#options;
    if (openStream !== undefined) return overStreams(this.#directAgent(credentials, maxSockets), openStream);
    if (proxy?.agent !== undefined) return proxy.agent;
    const agent = this.#directAgent(credentials, maxSockets);
    return proxy === undefined ? agent : throughTunnels(agent, proxy.url);
  }

  #directAgent({ ca, cert, key, serverName, verifyServer }: Credentials, maxSockets: number): http.Agent {
    const options = {
      keepAlive: true,
      // Probes detect connections whose other end disappeared silently.
      keepAliveMsecs: 30_000,
      maxSockets,
      maxFreeSockets: 8,
      timeout: mostIdle,
    };
    if (this.#options.server.protocol === 'http:') return new http.Agent(options);
    return new https.Agent({
      ...options,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
      ...(verifyServer !== undefined && { rejectUnauthorized: verifyServer }),
    });
  }

  /** Keeps only the newest: older connections have long ended. */
  #keep(agent: http.Agent): http.Agent {
    this.#agents.push(agent);
    if (this.#agents.length > 8) this.#agents.shift();
    return agent;
  }
}

/**
 * Node ends no request that still waits for a connection, neither by a signal nor by a timeout, so this function
 * does.
 */
async function responseTo(
  sent: http.ClientRequest,
  content: string | undefined,
  end: RequestEnd,
): Promise<http.IncomingMessage> {
  return await new Promise((resolve, reject) => {
    let response: http.IncomingMessage | undefined;
    const giveUp = (why: Error): void => {
      reject(why);
      sent.destroy(why);
      response?.destroy(why);
    };
    const stop = end.onEnd(giveUp);
    sent.on('response', (received) => resolve((response = received)));
    sent.on('timeout', () =>
      giveUp(new Error(`timed out: no response for ${(sent.socket?.timeout ?? 0) / 1000} s`)),
    );
    sent.on('error', (error) => {
      stop();
      reject(error);
    });
    sent.end(content);
  });
}

/** Returns the connection once the server has upgraded it. */
async function upgraded(
  sent: http.ClientRequest,
  { target }: UpgradeRequest,
  end: RequestEnd,
): Promise<UpgradedConnection> {
  return await new Promise((resolve, reject) => {
    end.onEnd((why) => {
      reject(why);
      sent.destroy(why);
    });
    sent.on('upgrade', ({ headers }, stream, head) => resolve({ stream, head, headers }));
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < largestRefusal) text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        const answer = { status: response.statusCode ?? 0, retryAfter: undefined, body: nothing() };
        reject(new ApiError(`GET ${target.split('?', 1)[0]}`, refusal(answer, text)));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Maximum number of characters of a refusal that are read. */
const largestRefusal = 64 * 1024;

async function* nothing(): AsyncGenerator<string> {}

async function withinPatience(credentials: Promise<Credentials>): Promise<Credentials> {
  const end = new RequestEnd([], credentialsPatience);
  try {
    return await end.before(credentials);
  } finally {
    end.release();
  }
}

/** Returns the error with the name of the proxy, which may be the failing one; without its path and credentials. */
function throughProxy(error: unknown, { credentials: { proxy } }: Connections): unknown {
  if (proxy === undefined) return error;
  return new Error(`through the proxy ${proxy.url.host}: ${sentenceOf(error)}`, { cause: error });
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
