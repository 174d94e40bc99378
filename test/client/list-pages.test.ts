import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/client/clock.ts';
import { ApiClient } from '../../src/client/api-client.ts';
import type { ApiObject } from '../../src/client/object.ts';
import { namespacedResource } from '../../src/client/resource.ts';
import type { Transport } from '../../src/client/transport.ts';
import { FakeApiServer } from '../controller/api-server.ts';

const configMaps = namespacedResource<ApiObject & { readonly data?: object }>(
  'v1',
  'ConfigMap',
  'configmaps',
);

let server: FakeApiServer;
/** Characters that were read of each answer. */
let answers: number[];
let limits: (string | null)[];
let client: ApiClient;

beforeEach(async () => {
  server = await FakeApiServer.start();
  [answers, limits] = [[], []];
  const transport = server.transport();
  const counted: Transport = {
    ...transport,
    send: async (request) => {
      limits.push(new URL(request.target, 'http://server').searchParams.get('limit'));
      const response = await transport.send(request);
      const at = answers.push(0) - 1;
      const body = async function* () {
        for await (const chunk of response.body) {
          answers[at] = (answers[at] ?? 0) + chunk.length;
          yield chunk;
        }
      };
      return { ...response, body: body() };
    },
  };
  client = new ApiClient(counted, { clock: systemClock, fieldManager: 'test' });
});
afterEach(async () => await server.stop());

function seed(name: string, text = ''): void {
  const metadata = { name, namespace: 'default' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text } };
  server.seed(configMaps, object);
}

async function namesInPages(): Promise<readonly (readonly (string | undefined)[])[]> {
  const pages: (readonly (string | undefined)[])[] = [];
  for await (const { items } of client.pages(configMaps))
    pages.push(items.map(({ metadata }) => metadata.name));
  return pages;
}

test('a page that is too large is requested again with fewer objects, and the rest of it is not read', async () => {
  for (let index = 0; index < 60; index += 1) seed(`large-${index}`, 'x'.repeat(300_000));
  const pages = await namesInPages();
  expect(pages.flat()).toHaveLength(60);
  expect(new Set(pages.flat()).size).toBe(60);
  expect(Math.max(...answers)).toBeLessThan(5 * 1024 * 1024);
  // Most answers were of use: the size of a page follows that of the one before.
  expect(answers.length).toBeLessThan(16);
});

test('one large object among small ones does not slow down the others', async () => {
  seed('a-0', 'x'.repeat(6 * 1024 * 1024));
  for (let index = 1; index < 3000; index += 1) seed(`a-${index}`);
  const pages = await namesInPages();
  expect(pages.flat()).toHaveLength(3000);
  expect(limits.slice(0, 7)).toEqual(['500', '125', '31', '7', '1', '1', '2']);
  expect(limits.length).toBeLessThan(25);
});
