import type { Writable } from 'node:stream';

/** The output streams that apps use, each with its own `write`, which an app may replace. */
const used = new Map<Writable, Writable['write']>();

/**
 * Records which output streams the apps use. An unused stream stays closed, because Node makes its descriptor
 * non-blocking when it opens it, and then `writeSync` of an app would fail on a full pipe.
 */
export function watchOutput(): void {
  for (const name of ['stdout', 'stderr']) {
    const descriptor = Object.getOwnPropertyDescriptor(process, name);
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const stream = descriptor?.get?.call(process) as Writable;
        if (!used.has(stream)) used.set(stream, stream.write.bind(stream));
        return stream;
      },
    });
  }
}

/** Waits until the pipes to the parent have taken all output. */
export async function flushOutput(): Promise<void> {
  await Promise.all([...used.values()].map((write) => new Promise<unknown>((resolve) => write('', resolve))));
}
