/** Ends the work that code of an app is doing, with an error. */
type Fail = (error: unknown) => void;

const running = new Set<Fail>();
let restoreExit = (): void => {};

/**
 * Runs code of an app. What it would do to the process around it becomes an error of the app: ending it, waiting for what
 * never comes, or failing where nobody waits for it.
 *
 * @throws what the code throws, or an error that says what it did.
 */
export async function runAsApp<T>(work: () => Promise<T>): Promise<T> {
  let fail: Fail = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  if (running.size === 0) guardProcess();
  running.add(fail);
  try {
    return await Promise.race([work(), failed]);
  } finally {
    running.delete(fail);
    if (running.size === 0) leaveProcess();
  }
}

/** Whether an app is being run, and gets what fails. */
export function isAppRunning(): boolean {
  return running.size > 0;
}

function guardProcess(): void {
  const exit = process.exit.bind(process);
  restoreExit = () => {
    process.exit = exit;
  };
  process.exit = (code) => {
    const error = new Error(`it calls process.exit(${code ?? ''})`);
    // Thrown it may end in a catch of the app.
    failAll(error);
    throw error;
  };
  process.on('beforeExit', failStuck);
  process.on('uncaughtException', failAll);
}

function leaveProcess(): void {
  restoreExit();
  process.off('beforeExit', failStuck);
  process.off('uncaughtException', failAll);
}

function failStuck(): void {
  failAll(new Error('it waits for something that never comes'));
}

function failAll(error: unknown): void {
  for (const fail of running) fail(error);
}
