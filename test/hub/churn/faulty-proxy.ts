import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Impersonated } from '../client/api-client.ts';
import { clientTls, readAccess } from '../client/kubeconfig.ts';
import type { Random } from '../differential/random.ts';
import { partialEvents, partialObject } from './partial-objects.ts';

/** The faults of single requests, and what each does to one. */
const faults = [
  'too many requests',
  'server error',
  'page of a load balancer',
  'gone',
  'success without an object',
  'success with a page',
  'reset before',
  'reset after',
  'slow',
  'cut',
  'partial objects',
] as const;
type Fault = (typeof faults)[number];

/** The share of requests with a fault in a storm. */
const share = 0.25;

/** A request that changed something, with the times of the monotonic clock at which it came and was answered. */
export interface Write {
  readonly path: string;
  readonly body: string;
  readonly from: number;
  readonly to: number;
}

/** A proxy between a controller and an API server which answers wrongly while `isStormy`. It is plain HTTP on one side. */
export class FaultyProxy {
  readonly counts = new Map<string, number>();
  isStormy = false;
  /** Called for each write that the API server accepted. */
  onWrite: ((write: Write) => void) | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<Socket>();
  readonly #agent: Agent;
  readonly #target: string;
  readonly #headers: Readonly<Record<string, string | readonly string[]>>;
  readonly #random: Random;

  private constructor(kubeconfig: string, random: Random, as: Impersonated | undefined) {
    const access = readAccess(kubeconfig);
    this.#target = access.server;
    this.#random = random;
    this.#headers = {
      ...(access.token !== undefined && { authorization: `Bearer ${access.token}` }),
      ...(as !== undefined && { 'impersonate-user': as.user, 'impersonate-group': as.groups }),
    };
    this.#agent = new Agent({ keepAlive: true, timeout: 30_000, ...clientTls(access) });
    this.#server = createServer((incoming, outgoing) => {
      this.#answer(incoming, outgoing).catch(() => outgoing.destroy());
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#watches.delete(socket);
      });
    });
  }

  /** @param as - the user of the requests. @default - the user of the kubeconfig */
  static async before(kubeconfig: string, random: Random, as?: Impersonated): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(kubeconfig, random, as);
    await proxy.#listen(0);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends all watches in the middle of what they send. */
  cutWatches(): void {
    this.#count('all watches cut');
    for (const socket of this.#watches) socket.destroy();
  }

  /** Accepts no connection for a time, as an API server that restarts. */
  async restart(milliseconds: number): Promise<void> {
    this.#count('restart');
    const { port } = this.#server.address() as AddressInfo;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await delay(milliseconds);
    await this.#listen(port);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  /** Another process may have been given the port while nobody listened: it is waited for. */
  async #listen(port: number): Promise<void> {
    for (;;) {
      const listening = once(this.#server, 'listening');
      this.#server.listen(port, '127.0.0.1');
      try {
        await listening;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        await delay(100);
      }
    }
  }

  #count(fault: string): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isWatch = new URL(incoming.url ?? '', this.#target).searchParams.get('watch') === 'true';
    if (isWatch) this.#watches.add(incoming.socket);
    const fault = this.isStormy && this.#random.chance(share) ? this.#random.pick(faults) : undefined;
    if (fault !== undefined) this.#count(fault);
    switch (fault) {
      case 'too many requests':
        return refuse(outgoing, 429, { 'retry-after': '1' });
      case 'server error':
        return refuse(outgoing, 500);
      case 'gone':
        return refuse(outgoing, 410);
      case 'page of a load balancer':
        return page(outgoing, 503);
      case 'success with a page':
        return page(outgoing, 200);
      case 'success without an object':
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(this.#random.pick(['', 'null', '{}', '[]', '{"items":null}', '{"kind":"Status"}\n']));
        return;
      case 'reset before':
        incoming.socket.destroy();
        return;
      case undefined:
      case 'slow':
      case 'cut':
      case 'reset after':
      case 'partial objects':
        if (fault === 'slow') await delay(this.#random.between(500, 8000));
        this.#forward(incoming, outgoing, fault, isWatch);
    }
  }

  #forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    fault: Fault | undefined,
    isWatch: boolean,
  ): void {
    const url = new URL(incoming.url ?? '', this.#target);
    const from = performance.now();
    const sent: Buffer[] = [];
    if (this.onWrite !== undefined) incoming.on('data', (chunk: Buffer) => sent.push(chunk));
    const headers = { ...incoming.headers, ...this.#headers, host: url.host, 'accept-encoding': 'identity' };
    const forwarded = request(url, { method: incoming.method, headers, agent: this.#agent }, (answer) => {
      if (fault === 'reset after') {
        incoming.socket.destroy();
        return;
      }
      if (incoming.method !== 'GET' && answer.statusCode !== undefined && answer.statusCode < 300)
        this.onWrite?.({
          path: url.pathname,
          body: Buffer.concat(sent).toString(),
          from,
          to: performance.now(),
        });
      const isChanged = fault === 'cut' || fault === 'partial objects';
      const { 'content-length': _, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, isChanged ? rest : answer.headers);
      outgoing.flushHeaders();
      if (isChanged) this.#change(answer, outgoing, fault, isWatch);
      else answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }

  #change(
    answer: IncomingMessage,
    outgoing: ServerResponse,
    fault: 'cut' | 'partial objects',
    isWatch: boolean,
  ): void {
    if (isWatch && fault === 'partial objects') {
      answer
        .pipe(partialEvents(this.#random))
        .on('error', () => outgoing.destroy())
        .pipe(outgoing);
      return;
    }
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (!isWatch) return;
      // The first part of the first event.
      outgoing.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
      outgoing.destroy();
    });
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (fault === 'partial objects') outgoing.end(partialObject(text, this.#random));
      else outgoing.end(text.slice(0, this.#random.between(0, text.length)));
    });
  }
}

function refuse(
  response: ServerResponse,
  code: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: 'storm' }),
  );
}

function page(response: ServerResponse, code: number): void {
  response.writeHead(code, { 'content-type': 'text/html' });
  response.end('<html><body>please try later</body></html>');
}
