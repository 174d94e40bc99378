import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { UpgradeError } from './upgrade-error.ts';
import type { UpgradableTransport } from '../transport.ts';

/** A message of a WebSocket, or a part of one. */
export interface SocketMessage {
  readonly content: Buffer;
  /** Whether it continues the message before. */
  readonly continues: boolean;
}

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
/** Maximum number of bytes of a frame that are read. Kubelets send at most 32 KiB. */
const largestFrame = 16 * 1024 * 1024;
const acceptKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * The client of a WebSocket (RFC 6455) for binary messages. Node 20 has none that connects through the transports of a kubeconfig.
 */
export class WebSocketClient {
  readonly #stream: Duplex;
  #received: Buffer;

  private constructor(stream: Duplex, head: Buffer) {
    this.#stream = stream;
    this.#received = head;
  }

  /** @throws ApiError, Error if the server refuses the protocol or does not answer */
  static async open(
    transport: UpgradableTransport,
    target: string,
    { protocol, patience }: { readonly protocol: string; readonly patience: number },
  ): Promise<WebSocketClient> {
    const key = randomBytes(16).toString('base64');
    const { stream, head, headers } = await transport.upgrade({
      target,
      patience,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': key,
        'Sec-WebSocket-Protocol': protocol,
      },
    });
    const expected = createHash('sha1').update(`${key}${acceptKey}`).digest('base64');
    const isAccepted = headers['sec-websocket-accept'] === expected;
    if (isAccepted && headers['sec-websocket-protocol'] === protocol)
      return new WebSocketClient(stream, head);
    stream.destroy();
    throw new UpgradeError(
      isAccepted ? `the server does not speak ${protocol}` : 'the server answers the WebSocket incorrectly',
    );
  }

  /** Sends a binary message. @param sent - is called when the next one can be sent */
  send(content: Buffer, sent: (error?: Error | null) => void): void {
    this.#stream.write(frame(opcodes.binary, content), sent);
  }

  /** Ends the connection. */
  close(): void {
    if (this.#stream.writable) this.#stream.end(frame(opcodes.close, Buffer.from([0x03, 0xe8])));
    this.#stream.destroy();
  }

  /** Returns the messages until the server ends the connection. */
  async *messages(): AsyncGenerator<SocketMessage> {
    yield* this.#decoded();
    for await (const chunk of this.#stream as AsyncIterable<Buffer>) {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      yield* this.#decoded();
    }
  }

  *#decoded(): Generator<SocketMessage> {
    for (let next = readFrame(this.#received); next !== undefined; next = readFrame(this.#received)) {
      this.#received = next.rest;
      const { opcode, content } = next;
      if (opcode === opcodes.ping) this.#stream.write(frame(opcodes.pong, content));
      else if (opcode === opcodes.close) this.#stream.end();
      else if (opcode !== opcodes.pong) yield { content, continues: opcode === opcodes.continuation };
    }
  }
}

interface ReadFrame {
  readonly opcode: number;
  readonly content: Buffer;
  readonly rest: Buffer;
}

/** Reads the first frame of the received bytes; undefined while it is incomplete. */
function readFrame(received: Buffer): ReadFrame | undefined {
  if (received.length < 2) return undefined;
  const [first = 0, second = 0] = received;
  if ((second & 0x80) !== 0) throw new UpgradeError('the server masks its frames, which only clients may');
  const short = second & 0x7f;
  const extended = short === 127 ? 8 : short === 126 ? 2 : 0;
  const start = 2 + extended;
  if (received.length < start) return undefined;
  const size =
    extended === 0 ? short : extended === 2 ? received.readUInt16BE(2) : Number(received.readBigUInt64BE(2));
  if (size > largestFrame) throw new UpgradeError('the server sends a frame of more than 16 MiB');
  if (received.length < start + size) return undefined;
  return {
    opcode: first & 0x0f,
    content: received.subarray(start, start + size),
    rest: received.subarray(start + size),
  };
}

/** Returns a whole message of a client, which is masked. */
function frame(opcode: number, content: Buffer): Buffer {
  const size = content.length;
  const extended = size < 126 ? 0 : size < 65536 ? 2 : 8;
  const result = Buffer.allocUnsafe(2 + extended + 4 + size);
  result[0] = 0x80 | opcode;
  result[1] = 0x80 | (extended === 0 ? size : extended === 2 ? 126 : 127);
  if (extended === 2) result.writeUInt16BE(size, 2);
  if (extended === 8) result.writeBigUInt64BE(BigInt(size), 2);
  const mask = randomBytes(4);
  mask.copy(result, 2 + extended);
  const start = 6 + extended;
  for (let position = 0; position < size; position++)
    result[start + position] = (content[position] ?? 0) ^ (mask[position % 4] ?? 0);
  return result;
}
