import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/**
 * Returns standard output as a stream, for a command that speaks a protocol on it. What anything else writes to standard output goes to
 * standard error.
 */
export function protocolOutput(terminal: Pick<Terminal, 'out'>): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      terminal.out(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      done();
    },
  });
}
