import { describe, expect, test } from 'vitest';
import { dryRunOnly } from '../../src/client/dry-run.ts';
import type { ApiRequest, Transport } from '../../src/client/transport.ts';

async function* nothing(): AsyncGenerator<string> {}

function recording(): { readonly transport: Transport; readonly sent: string[] } {
  const sent: string[] = [];
  const transport: Transport = {
    server: 'https://hub',
    send: async ({ method, target }) => {
      sent.push(`${method} ${target}`);
      return await Promise.resolve({ status: 200, retryAfter: undefined, body: nothing() });
    },
    close: () => undefined,
  };
  return { transport, sent };
}

const request = (method: ApiRequest['method'], target: string): ApiRequest => ({
  method,
  target,
  signals: [],
  patience: 1000,
});

describe('a connection for dry runs', () => {
  test.each([
    ['GET', '/api/v1/namespaces'],
    ['POST', '/api/v1/namespaces?dryRun=All'],
    ['PATCH', '/api/v1/namespaces/a?fieldManager=x&dryRun=All&force=true'],
    ['DELETE', '/api/v1/namespaces/a?dryRun=All'],
  ] as const)('sends %s %s', async (method, target) => {
    const { transport, sent } = recording();
    await dryRunOnly(transport).send(request(method, target));
    expect(sent).toEqual([`${method} ${target}`]);
  });

  test.each([
    ['POST', '/api/v1/namespaces'],
    ['POST', '/api/v1/namespaces?dryRun='],
    ['PUT', '/api/v1/namespaces/a?dryRun=all'],
    ['PATCH', '/api/v1/namespaces/a?fieldManager=dryRun=All'],
    ['PATCH', '/api/v1/namespaces/a?dryRun=None&dryRun=All'],
    ['DELETE', '/api/v1/namespaces/a#?dryRun=All'],
  ] as const)('does not send %s %s', async (method, target) => {
    const { transport, sent } = recording();
    await expect(dryRunOnly(transport).send(request(method, target))).rejects.toThrow(
      `this connection writes nothing: ${method} without dryRun`,
    );
    expect(sent).toEqual([]);
  });
});
