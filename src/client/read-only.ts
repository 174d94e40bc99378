import type { Transport } from './transport.ts';

/** Returns a transport that sends only GET requests. */
export function readOnly(transport: Transport): Transport {
  return {
    server: transport.server,
    send: async (request) => {
      if (request.method !== 'GET') throw new Error(`this connection is read-only: ${request.method}`);
      return await transport.send(request);
    },
    close: () => transport.close(),
  };
}
