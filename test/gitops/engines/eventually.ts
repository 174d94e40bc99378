import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds. Generous: it bounds a failing test, it does not measure. */
const patience = 400_000;

/**
 * Waits until a condition is met.
 *
 * @param isTrue - whether it is met, or what is there instead, for the message of the failure
 */
export async function eventually(
  what: string,
  isTrue: () => Promise<boolean | string>,
  atMost: number = patience,
): Promise<void> {
  const deadline = Date.now() + atMost;
  for (;;) {
    const answer = await isTrue();
    if (answer === true) return;
    if (Date.now() > deadline)
      throw new Error(`after ${atMost / 1000} s not yet: ${what}${answer === false ? '' : `; ${answer}`}`);
    await delay(200);
  }
}
