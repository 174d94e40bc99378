import { inject } from 'vitest';
import type { HubAddress } from './hub.ts';

/** Returns the hub that the files of one worker share, one after another. */
export async function sharedHub(): Promise<HubAddress> {
  const response = await fetch(`${inject('hubs')}/${process.env['VITEST_POOL_ID']}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as HubAddress;
}
