import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds: machines differ. */
const patience = 120_000;

/** Waits for what does not take long. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience;
  for (let isLast = false; !(await isTrue()); isLast = Date.now() > deadline) {
    if (isLast) throw new Error(`there is still not ${what}`);
    await delay(100);
  }
}
