import type { ApiRequest, Transport } from './transport.ts';

/** Returns a transport that sends only GET requests, and writes that the API server does not store. */
export function dryRunOnly(transport: Transport): Transport {
  return {
    server: transport.server,
    send: async (request) => {
      if (request.method !== 'GET' && !isDryRun(request))
        throw new Error(`this connection writes nothing: ${request.method} without dryRun`);
      return await transport.send(request);
    },
    close: () => transport.close(),
  };
}

/** The API server stores a write unless the parameter is exactly this, once. */
function isDryRun({ target }: ApiRequest): boolean {
  const values = new URL(target, 'https://localhost').searchParams.getAll('dryRun');
  return values.length === 1 && values[0] === 'All';
}
