import type { Transport } from './transport.ts';

/** A right to write, which can be lost. */
export interface Fence {
  /** Whether writing is allowed now. */
  holds(): boolean;
  /** Aborted when the right is lost; requests in flight end with it. */
  readonly signal: AbortSignal;
}

/** Returns a transport that writes only while the fence holds. Reads are always allowed. */
export function fenced(transport: Transport, fence: Fence): Transport {
  return {
    server: transport.server,
    send: async (request) => {
      if (request.method === 'GET') return await transport.send(request);
      if (!fence.holds()) throw new Error('another replica leads');
      return await transport.send({ ...request, signals: [...request.signals, fence.signal] });
    },
    close: () => transport.close(),
  };
}
