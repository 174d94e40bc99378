import { spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import type { Readable } from 'node:stream';
import {
  ReadingError,
  type Read,
  type Reading,
  type ReadingFailure,
} from '../../../controller/status/reading.ts';
import { endWithParent } from '../../../workspace/app/end-with-parent.ts';
import { exitCode } from '../../exit-code.ts';

/** The process that reads the hub. */
export interface StatusProcess {
  /** The program and options of Node: the parameters of Node before those of the command. */
  readonly command: readonly string[];
  /** The command line of `status`, with `--output=json`. */
  readonly parameters: readonly string[];
  readonly cwd: string;
}

/** The maximum size of an answer, in bytes: that of 400,000 add-ons on clusters which all have another message of the maximum length. */
const largestAnswer = 256 * 1024 * 1024;
/** The part of the errors that is kept, in characters. */
const keptErrors = 8192;

/**
 * Returns a function that runs `status` once, in its own process: a reading of a large hub needs seconds of processor time, which
 * would delay probes and scrapes, and gigabytes of memory, which are free again between two readings. A fault in it, such as a lack
 * of memory, ends this process only.
 */
export function statusProcess({ command, parameters, cwd }: StatusProcess): Read {
  return async (signal) => {
    const child = spawn(process.execPath, [...heapOption(), ...command, ...parameters], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const release = child.pid === undefined ? undefined : endWithParent(child.pid);
    const ended = new Promise<{ code: number | null; killedBy: NodeJS.Signals | null }>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, killedBy) => resolve({ code, killedBy }));
    });
    try {
      const [out, err, { code, killedBy }] = await Promise.all([
        textOf(child.stdout, () => child.kill('SIGKILL')),
        endOf(child.stderr),
        ended,
      ]);
      if (out === undefined) throw new ReadingError('other', 'the comparison has more than 256 MiB');
      if (code === exitCode.clean || code === exitCode.findings) return JSON.parse(out) as Reading;
      throw failureOf(err, code === null ? `signal ${killedBy}` : `exit code ${code}`);
    } finally {
      release?.();
    }
  };
}

/**
 * Node limits its heap to about half of the memory of the container, and to 4 GB. Nothing else here needs much, so the reading may
 * use three quarters.
 */
function heapOption(): readonly string[] {
  const limit = process.constrainedMemory();
  if (!(limit > 0 && limit < totalmem())) return [];
  return [`--max-old-space-size=${Math.floor((limit * 0.75) / 1024 / 1024)}`];
}

/** Returns all of a stream; undefined if that is too large, and the writer was stopped. */
async function textOf(stream: Readable, stop: () => void): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largestAnswer) chunks.push(chunk);
    else stop();
  }
  return size > largestAnswer ? undefined : Buffer.concat(chunks).toString();
}

/** Returns the end of a stream. */
async function endOf(stream: Readable): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) text = (text + chunk).slice(-keptErrors);
  return text;
}

/** The codes of the errors with which a hub cannot be read. Any other code is about an object. */
const failures: Readonly<Record<string, ReadingFailure>> = {
  FW9004: 'no-hub',
  FW9005: 'unreachable',
  FW9006: 'unauthorized',
  FW9007: 'forbidden',
  FW9008: 'no-hub',
  FW9012: 'no-hub',
  FW9034: 'no-hub',
};

/** Returns the error for what the process printed. @param how - how it ended */
function failureOf(err: string, how: string): ReadingError {
  if (err.includes('heap out of memory') || how === 'signal SIGKILL')
    return new ReadingError('out-of-memory', `the reading ended with ${how}: it needs more memory`);
  const [, code, message = '', location] = /^error (FW\d{4}): (.*)(?:\n --> (.*))?$/m.exec(err) ?? [];
  if (code !== undefined) {
    const where = location === undefined ? '' : `, in ${location}`;
    return new ReadingError(failures[code] ?? 'invalid-input', `${code}: ${message}${where}`);
  }
  const line = err.split('\n').find((each) => each.trim() !== '') ?? '';
  return new ReadingError('other', `the reading ended with ${how}: ${line}`);
}
