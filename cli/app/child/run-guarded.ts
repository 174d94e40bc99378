type Fail = (error: unknown) => void;

let fail: Fail | undefined;
/** The modules of apps that have answered: what fails there now is no fault of another app. */
const answered: string[] = [];

/**
 * Runs code of an app. Ending the process, waiting for what never comes and failing where nobody waits become errors of the app.
 *
 * @throws what the code throws, or an error that describes what it did
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

/** Ends the responsibility of an app for what fails in its module. */
export function leave(module: string): void {
  answered.push(module);
}

/** Sets the handlers that `runGuarded` relies on. */
export function guardProcess(): void {
  process.exit = (code) => {
    const error = new Error(`it calls process.exit(${code ?? ''})`);
    // Thrown it may end in a catch of the app.
    fail?.(error);
    throw error;
  };
  process.on('beforeExit', () => fail?.(new Error('it waits for something that never comes')));
  process.on('uncaughtException', (error) => {
    const stack = error instanceof Error ? String(error.stack) : '';
    if (!answered.some((module) => stack.includes(module))) fail?.(error);
  });
}
