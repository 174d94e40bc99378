import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { livePagePolicy } from '../../../../compiler/index.ts';
import { UserError } from '../../../../workspace/user-error.ts';

/** The only address: no other machine can connect. */
const address = '127.0.0.1';
/** The names of this machine. A page of another name that resolves to it must not read the plan. */
const hostNames: ReadonlySet<string> = new Set([address, 'localhost']);
/** The maximum number of open pages. */
const mostPages = 32;
/** How often an idle connection shows that it is alive, in milliseconds. */
const heartbeat = 15_000;

/** What a page is informed of. */
export interface PlanState {
  /** The version of the latest page. */
  readonly version: string;
  readonly isPlanning: boolean;
}

/**
 * Serves the page of a plan to browsers of this machine. Each request must have the random token of the URL, which another user of the
 * machine cannot guess, and be addressed to this machine.
 */
export class PlanServer {
  readonly #server: Server;
  readonly #token = randomBytes(24).toString('base64url');
  readonly #pages = new Set<ServerResponse>();
  readonly #heartbeat: NodeJS.Timeout;
  #html: string | undefined;
  #waiting: ServerResponse[] = [];
  #state: PlanState = { version: '', isPlanning: true };

  private constructor() {
    this.#server = createServer((request, response) => this.#respond(request, response));
    this.#server.headersTimeout = 10_000;
    this.#server.requestTimeout = 10_000;
    this.#heartbeat = setInterval(() => this.#write(':\n\n'), heartbeat);
  }

  /** @throws UserError if the port is used or not allowed */
  static async start(port = 0): Promise<PlanServer> {
    const started = new PlanServer();
    const server = started.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, address, resolve);
    }).catch((error: NodeJS.ErrnoException) => {
      clearInterval(started.#heartbeat);
      if (error.code === 'EADDRINUSE')
        throw new UserError(
          `--port ${port}: another program uses this port`,
          'omit --port to use a free one',
        );
      if (error.code === 'EACCES')
        throw new UserError(`--port ${port}: permission denied`, 'omit --port to use a free one');
      throw error;
    });
    return started;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}/${this.#token}/`;
  }

  /** Replaces the page. */
  publish(html: string, version: string): void {
    this.#html = html;
    for (const response of this.#waiting.splice(0)) sendPage(response, html);
    this.report({ version, isPlanning: false });
  }

  report(state: PlanState): void {
    this.#state = state;
    this.#write(stateEvent(state));
  }

  async end(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    if (!isThisMachine(request.headers.host))
      return refuse(response, 421, 'The plan is only served as 127.0.0.1 and localhost.');
    const [, token = '', name, ...rest] = url.split('/');
    if (!this.#isToken(token))
      return refuse(response, 403, 'Open the URL that fleetwright plan --serve printed, with its token.');
    if (method !== 'GET') return refuse(response, 405, 'Only GET is allowed.');
    if (rest.length > 0) return refuse(response, 404, 'There is no such page.');
    if (name === '') return this.#page(response);
    if (name === 'events') return this.#events(response);
    refuse(response, 404, 'There is no such page.');
  }

  #page(response: ServerResponse): void {
    if (this.#html !== undefined) return sendPage(response, this.#html);
    // The first plan is being made.
    this.#waiting.push(response);
  }

  #events(response: ServerResponse): void {
    if (this.#pages.size >= mostPages) return refuse(response, 503, 'Too many pages are open.');
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write(`retry: 1000\n\n${stateEvent(this.#state)}`);
    this.#pages.add(response);
    response.on('close', () => this.#pages.delete(response));
  }

  #write(text: string): void {
    for (const page of this.#pages) page.write(text);
  }

  #isToken(given: string): boolean {
    const [expected, actual] = [Buffer.from(this.#token), Buffer.from(given)];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }
}

const safeHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; ${livePagePolicy}; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The port may be another one: that of a tunnel. */
function isThisMachine(host = ''): boolean {
  return hostNames.has(host.replace(/:\d+$/, '').toLowerCase());
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(html);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function stateEvent(state: PlanState): string {
  return `event: state\ndata: ${JSON.stringify(state)}\n\n`;
}
