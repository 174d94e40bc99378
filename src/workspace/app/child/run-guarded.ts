type Fail = (error: unknown) => void;

let fail: Fail | undefined;
/** The modules of apps that have answered. A later failure in one of them is not a fault of another app. */
const answered: string[] = [];

/**
 * Runs code of an app. If the code ends the process, waits for an event that never comes, or fails where nothing
 * awaits it, this becomes an error of the app.
 *
 * @throws the error that the code throws, or an error that describes what it did
 */
export async function runGuarded<T>(work: () => Promise<T>): Promise<T> {
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  try {
    return await Promise.race([work(), failed]);
  } finally {
    fail = undefined;
  }
}

/** Ends the responsibility of an app for failures in its module. */
export function leave(module: string): void {
  answered.push(module);
}

/** Sets the handlers that `runGuarded` relies on. */
export function guardProcess(): void {
  process.exit = (code) => {
    const error = new Error(`it calls process.exit(${code ?? ''})`);
    // If it were thrown, a catch block of the app could swallow it.
    fail?.(error);
    throw error;
  };
  process.on('beforeExit', () => fail?.(new Error('it waits for something that never happens')));
  process.on('uncaughtException', (error) => {
    const stack = error instanceof Error ? String(error.stack) : '';
    if (!answered.some((module) => stack.includes(module))) fail?.(error);
  });
}
