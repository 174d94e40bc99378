import { readSync, writeSync } from 'node:fs';
import { channelDescriptor, startSignal, type AppAnswer, type AppRequest } from '../message.ts';

/**
 * The child's end of the channel to its parent. Each message is JSON after its length in bytes. The channel reads and
 * writes without the event loop, so that an app that waits for an event that never comes leaves nothing else to wait
 * for.
 */
export class Channel {
  constructor() {
    try {
      writeSync(channelDescriptor, startSignal);
    } catch {
      // The parent needs no process any more. The channel then has no request.
    }
  }

  /** Returns the next request; undefined if the parent has ended. */
  read(): AppRequest | undefined {
    const length = this.#bytes(4)?.readUInt32LE();
    const text = length === undefined ? undefined : this.#bytes(length)?.toString();
    return text === undefined ? undefined : (JSON.parse(text) as AppRequest);
  }

  write(answer: AppAnswer): void {
    const content = Buffer.from(JSON.stringify(answer));
    const message = Buffer.alloc(4 + content.length);
    message.writeUInt32LE(content.length);
    content.copy(message, 4);
    for (let at = 0; at < message.length;) at += writeSync(channelDescriptor, message, at);
  }

  #bytes(count: number): Buffer | undefined {
    const bytes = Buffer.alloc(count);
    for (let at = 0; at < count;) {
      const read = readSync(channelDescriptor, bytes, at, count - at, null);
      if (read === 0) return undefined;
      at += read;
    }
    return bytes;
  }
}
