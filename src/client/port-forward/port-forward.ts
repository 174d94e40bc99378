import { Duplex } from 'node:stream';
import { pathOf } from '../resource.ts';
import type { UpgradableTransport } from '../transport.ts';
import { UpgradeError } from './upgrade-error.ts';
import { WebSocketClient } from './web-socket.ts';

/** A port of a pod. */
export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/**
 * The protocol of kubelets that is a plain sequence of messages: the first byte is the channel, 0 for the data and 1 for errors. Each
 * channel begins with the port. kubectl uses it in the form of SPDY.
 */
const protocol = 'v4.channel.k8s.io';
const channels = { data: 0, error: 1 } as const;
/** The bytes of the port at the beginning of each channel. */
const portBytes = 2;
const largestMessage = 32 * 1024;

/**
 * Opens a connection to a port of a pod, as `kubectl port-forward` does, without a port on this machine. The user needs the
 * permissions `get` and `create` for `pods/portforward`.
 *
 * @throws ApiError if the API server refuses it; Error if there is no answer
 */
export async function forwardPort(
  transport: UpgradableTransport,
  { namespace, pod, port }: PodPort,
  patience: number,
): Promise<Duplex> {
  const path = pathOf('api', 'v1', 'namespaces', namespace, 'pods', pod, 'portforward');
  const socket = await WebSocketClient.open(transport, `${path}?ports=${port}`, { protocol, patience });
  return new ForwardedPort(socket);
}

/** The bytes of one connection to the port. */
class ForwardedPort extends Duplex {
  readonly #socket: WebSocketClient;
  readonly #messages: AsyncIterator<{ readonly channel: number; readonly content: Buffer }>;
  #isReading = false;

  constructor(socket: WebSocketClient) {
    super();
    this.#socket = socket;
    this.#messages = contents(socket);
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#readNext();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const parts: Buffer[] = [];
    for (let at = 0; at < chunk.length; at += largestMessage)
      parts.push(Buffer.concat([Buffer.from([channels.data]), chunk.subarray(at, at + largestMessage)]));
    const sendNext = (error?: Error | null): void => {
      const part = error ? undefined : parts.shift();
      if (part === undefined) done(error);
      else this.#socket.send(part, sendNext);
    };
    sendNext();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.close();
    done(error);
  }

  /** Reads until the reader has enough, or the connection ends. */
  async #readNext(): Promise<void> {
    try {
      for (let isWanted = true; isWanted;) {
        const next = await this.#messages.next();
        if (next.done === true) {
          this.push(null);
          return;
        }
        const { channel, content } = next.value;
        if (channel === channels.error) throw new UpgradeError(content.toString('utf8').slice(0, 500));
        isWanted = this.push(content);
      }
      this.#isReading = false;
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Returns the contents of the messages by channel, without the ports at the beginning. */
async function* contents(
  socket: WebSocketClient,
): AsyncGenerator<{ readonly channel: number; readonly content: Buffer }> {
  const skipped = new Map<number, number>();
  let channel = -1;
  for await (const { content: whole, continues } of socket.messages()) {
    if (whole.length === 0) continue;
    if (!continues) channel = whole[0] ?? 0;
    const content = continues ? whole : whole.subarray(1);
    const toSkip = Math.min(content.length, portBytes - (skipped.get(channel) ?? 0));
    skipped.set(channel, (skipped.get(channel) ?? 0) + toSkip);
    if (content.length > toSkip) yield { channel, content: content.subarray(toSkip) };
  }
}
