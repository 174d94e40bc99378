import { inject } from 'vitest';
import type { HubAddress } from './hub.ts';

/** Returns the hub that the files of one worker share, one after another. */
export function sharedHub(): HubAddress {
  const hub = inject('hubs')[Number(process.env['VITEST_POOL_ID']) - 1];
  if (hub === undefined) throw new Error('there are more workers than hubs');
  return hub;
}
