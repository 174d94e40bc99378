import { createServer, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { clientTls, readAccess } from '../client/kubeconfig.ts';

/**
 * A proxy between a companion and its hub that fails on request. It speaks HTTP on one side, and TLS as the user
 * of a kubeconfig on the other.
 */
export class Interruption {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<Socket>();
  readonly #agent: Agent;
  #forgets = false;
  #watchesBegun = 0;

  private constructor(kubeconfig: string) {
    const access = readAccess(kubeconfig);
    const { server, token } = access;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#agent = new Agent({ keepAlive: true, ...clientTls(access) });
    this.#server = createServer((incoming, outgoing) => {
      const url = new URL(incoming.url ?? '', server);
      const isWatch = url.searchParams.get('watch') === 'true';
      if (isWatch) {
        this.#watchesBegun += 1;
        this.#watches.add(incoming.socket);
        // As after a compaction, or a restart: the API server no longer has what the watch begins with.
        if (this.#forgets) url.searchParams.set('resourceVersion', '1');
      }
      const { method, headers } = incoming;
      const forwarded = request(
        url,
        { method, headers: { ...headers, ...authorization, host: url.host }, agent: this.#agent },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          outgoing.flushHeaders();
          answer.pipe(outgoing);
        },
      );
      forwarded.on('error', () => outgoing.destroy());
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#watches.delete(socket);
      });
    });
  }

  static async before(kubeconfig: string): Promise<Interruption> {
    const interruption = new Interruption(kubeconfig);
    await interruption.#listen(0);
    return interruption;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  /** How many watches began until now. */
  get watchesBegun(): number {
    return this.#watchesBegun;
  }

  /** Ends all watches in the middle of what they send. */
  cutWatches(): void {
    for (const socket of this.#watches) socket.destroy();
  }

  /** As where the API server is killed: no connection is left and none is taken, until it is started again. */
  async away(meanwhile: () => Promise<void>): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    try {
      await meanwhile();
    } finally {
      await this.#listen(port);
    }
  }

  /** While this goes on, the API server has forgotten every version that a watch begins with. */
  async forgetting(meanwhile: () => Promise<void>): Promise<void> {
    this.#forgets = true;
    try {
      await meanwhile();
    } finally {
      this.#forgets = false;
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }
}
