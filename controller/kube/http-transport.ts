import http from 'node:http';
import https from 'node:https';
import type { Clock } from '../clock.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** What a connection to the API server is made with. Material of TLS is PEM. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  /** @default true */
  readonly verifyServer?: boolean;
  /** Instead of our own connections, where they lead through a proxy. */
  readonly proxy?: http.Agent;
}

export interface HttpTransportOptions {
  /** The URL of the API server; may have a path. */
  readonly server: URL;
  /** Asked every `credentialsAge`, and when the server no longer knows us: tokens and certificates are rotated. */
  readonly credentials: () => Promise<Credentials>;
  readonly clock: Clock;
  readonly userAgent: string;
  /** @default 10 seconds, in milliseconds */
  readonly credentialsAge?: number;
  /** Connections at a time, watches apart. @default 32 */
  readonly maxConnections?: number;
}

interface Connections {
  readonly credentials: Credentials;
  /** What they were made with, to see whether it changed. */
  readonly material: string;
  readonly agent: http.Agent;
  readonly watches: http.Agent;
}

/** HTTP/1.1 over connections that are kept. Watches have connections of their own, so that they do not use up the others. */
export class HttpTransport implements Transport {
  readonly server: string;
  readonly #options: HttpTransportOptions;
  #connections: Promise<Connections> | undefined;
  /** Those in use and those of older credentials, whose last requests may be under way. */
  readonly #agents: http.Agent[] = [];
  #readAt = 0;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.server = options.server.href;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const first = await this.#sendOnce(request);
    if (first.status !== 401) return first;
    // as client-go's exec authenticator: once more, with what the kubeconfig gives now
    this.#connections = this.#connect(this.#connections);
    for await (const _ of first.body);
    return await this.#sendOnce(request);
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
    this.#connections = undefined;
  }

  async #sendOnce({ method, target, body, signal, patience }: ApiRequest): Promise<ApiResponse> {
    const { credentials, agent, watches } = await this.#current();
    const { server, userAgent } = this.#options;
    const url = new URL(server.pathname.replace(/\/$/, '') + target, server);
    const isWatch = url.searchParams.get('watch') === 'true';
    const headers = {
      Accept: 'application/json',
      'User-Agent': userAgent,
      ...credentials.headers,
      ...(body && { 'Content-Type': body.type, 'Content-Length': Buffer.byteLength(body.content) }),
    };
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const client = url.protocol === 'http:' ? http : https;
      const request = client.request(url, {
        method,
        headers,
        agent: isWatch ? watches : agent,
        timeout: patience,
        ...(signal && { signal }),
      });
      request.on('response', resolve).on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`nothing came for ${patience / 1000} s`)));
      request.end(body?.content);
    });
    const after = Number(response.headers['retry-after'] ?? NaN);
    response.setEncoding('utf8');
    return {
      status: response.statusCode ?? 0,
      retryAfter: Number.isFinite(after) && after >= 0 ? after : undefined,
      body: response as AsyncIterable<string>,
    };
  }

  async #current(): Promise<Connections> {
    const { clock, credentialsAge = 10_000 } = this.#options;
    if (this.#connections === undefined || clock.elapsed() - this.#readAt > credentialsAge)
      this.#connections = this.#connect(this.#connections);
    return await this.#connections;
  }

  /** Asks for credentials, and makes new connections where those of TLS changed: old ones end with their requests. */
  #connect(before: Promise<Connections> | undefined): Promise<Connections> {
    this.#readAt = this.#options.clock.elapsed();
    const connecting = (async () => {
      const old = await before?.catch(() => undefined);
      const credentials = await this.#options.credentials();
      const { headers: _, proxy, ...tls } = credentials;
      const material = JSON.stringify(tls);
      if (old?.material === material) return { ...old, credentials };
      const agent = proxy ?? this.#agent(credentials, this.#options.maxConnections ?? 32);
      return { credentials, material, agent, watches: proxy ?? this.#agent(credentials, Infinity) };
    })();
    // A failure is not kept: the next request asks again.
    connecting.catch(() => {
      if (this.#connections === connecting) this.#connections = undefined;
    });
    return connecting;
  }

  #agent({ ca, cert, key, serverName, verifyServer }: Credentials, maxSockets: number): http.Agent {
    // Probes find out connections whose other end is gone without a word.
    const options = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets, maxFreeSockets: 8 };
    if (this.#options.server.protocol === 'http:') return this.#keep(new http.Agent(options));
    const agent = new https.Agent({
      ...options,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
      ...(verifyServer !== undefined && { rejectUnauthorized: verifyServer }),
    });
    return this.#keep(agent);
  }

  /** Only the newest are kept: connections of older ones have long ended. */
  #keep(agent: http.Agent): http.Agent {
    this.#agents.push(agent);
    if (this.#agents.length > 8) this.#agents.shift();
    return agent;
  }
}
