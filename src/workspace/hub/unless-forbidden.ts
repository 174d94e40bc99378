import { HubError } from './hub-error.ts';

/** Returns what a reading returns; undefined, after a call of `onForbidden`, if the credentials do not allow it. */
export async function unlessForbidden<T>(
  reading: Promise<T>,
  onForbidden: () => void,
): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof HubError) || error.diagnostic.code !== 'FW9007') throw error;
    onForbidden();
    return undefined;
  }
}
