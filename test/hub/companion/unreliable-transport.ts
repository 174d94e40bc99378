import type { ApiRequest, ApiResponse, Transport } from '../../../src/client/transport.ts';

/** When a replica dies, seen from the hub. */
export type Death =
  /** Before the request is sent. */
  | 'before'
  /** After the hub has done what was asked, and before it is known here. */
  | 'after';

/** A way to the hub that can be cut. */
export class UnreliableTransport implements Transport {
  readonly server: string;
  readonly #transport: Transport;
  readonly #watches = new Set<() => void>();
  #fatal: { readonly of: (request: ApiRequest) => boolean; readonly death: Death } | undefined;
  #isDead = false;

  constructor(transport: Transport) {
    this.server = transport.server;
    this.#transport = transport;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Nothing passes any more from the first such request on: the replica is killed in the middle of its work. */
  dieAt(of: (request: ApiRequest) => boolean, death: Death): void {
    this.#fatal = { of, death };
  }

  /** Breaks all watches. */
  cutWatches(): void {
    for (const cut of this.#watches) cut();
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (!this.#isDead && this.#fatal?.of(request) === true) {
      this.#isDead = true;
      if (this.#fatal.death === 'after') await this.#transport.send(request);
    }
    if (this.#isDead) throw new Error('the replica is dead');
    if (!request.target.includes('watch=true')) return await this.#transport.send(request);
    const cut = new AbortController();
    const end = (): void => cut.abort(new Error('the watch was cut'));
    this.#watches.add(end);
    cut.signal.addEventListener('abort', () => this.#watches.delete(end), { once: true });
    return await this.#transport.send({ ...request, signals: [...request.signals, cut.signal] });
  }

  close(): void {
    this.#transport.close();
  }
}
