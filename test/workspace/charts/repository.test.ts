import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/workspace/charts/chart-source.ts';
import { fetchChart, type FetchedChart } from '../../../src/workspace/charts/fetch-chart.ts';
import { chartInIndex } from '../../../src/workspace/charts/repository-index.ts';
import { packedChart, serve, sha256, type Answer } from './chart-server.ts';

const archive = packedChart('1.2.0');
const digest = sha256(archive).replace('sha256:', '');

const index = `apiVersion: v1
entries:
  other:
  - name: other
    version: 9.9.9
    description: |-
      entries:
        agent:
    urls: [other-9.9.9.tgz]
  agent:
  - apiVersion: v2
    name: agent
    version: 1.2.0
    digest: ${digest}
    urls:
    - files/agent-1.2.0.tgz
  - name: agent
    version: 1.3.0-rc.1
    urls: [https://127.0.0.1:1/none.tgz]
generated: "2026-01-01T00:00:00Z"
`;

async function fetched(host: string, version?: string): Promise<FetchedChart> {
  return await fetchChart(parseSource(`http://${host}/stable`, { chart: 'agent', version }), { env: {} });
}

function repository(files: Readonly<Record<string, Answer>>): (request: { readonly url: string }) => Answer {
  return ({ url }) => files[url] ?? { status: 404 };
}

describe('a chart in a repository', () => {
  test('is found in its index, and must have the digest there', async () => {
    const { host } = await serve(
      repository({
        '/stable/index.yaml': { body: index },
        '/stable/files/agent-1.2.0.tgz': { body: archive },
      }),
    );
    expect(await fetched(host)).toEqual({
      archive: Buffer.from(archive),
      source: `http://${host}/stable/files/agent-1.2.0.tgz`,
    });
    expect((await fetched(host, '~1.2')).source).toBe(`http://${host}/stable/files/agent-1.2.0.tgz`);
  });

  test('that was replaced is refused', async () => {
    const other = packedChart('6.6.6');
    const { host } = await serve(
      repository({ '/stable/index.yaml': { body: index }, '/stable/files/agent-1.2.0.tgz': { body: other } }),
    );
    await expect(fetched(host)).rejects.toThrow(
      `has the digest ${sha256(other)}, and http://${host}/stable/index.yaml expects sha256:${digest}`,
    );
  });

  test('can have an index that the server compressed', async () => {
    const { host } = await serve(
      repository({
        '/stable/index.yaml': { body: gzipSync(index) },
        '/stable/files/agent-1.2.0.tgz': { body: archive },
      }),
    );
    await expect(fetched(host)).resolves.toHaveProperty('archive');
  });

  test.each([
    ['2.0.0', 'no version satisfies 2.0.0'],
    ['one', '--version cannot be "one": improper constraint: one'],
  ])('has no version %s', async (version, message) => {
    const { host } = await serve(repository({ '/stable/index.yaml': { body: index } }));
    await expect(fetched(host, version)).rejects.toThrow(message);
  });

  test('has an index that never ends: it is given up', async () => {
    const { host } = await serve(
      repository({
        '/stable/index.yaml': { body: gzipSync(Buffer.alloc(70 * 2 ** 20, 'a: b\n')) },
      }),
    );
    await expect(fetched(host)).rejects.toThrow(`http://${host}/stable/index.yaml is larger than 64 MiB`);
  });

  test('reports redirects without an end, and servers that do not answer', async () => {
    const { host } = await serve(({ url }) => ({ status: 302, headers: { Location: `${url}x` } }));
    await expect(fetched(host)).rejects.toThrow('more than 5 redirects');
    await expect(fetched('127.0.0.1:1')).rejects.toThrow('ECONNREFUSED');
    const forbidden = await serve(() => ({ status: 403 }));
    await expect(fetched(forbidden.host)).rejects.toThrow('the server answered 403');
  });

  test('is not downloaded from a server without TLS', async () => {
    const { host } = await serve(() => ({
      status: 302,
      headers: { Location: 'http://example.com/index.yaml' },
    }));
    await expect(fetched(host)).rejects.toThrow('http://example.com/index.yaml does not use TLS');
    await expect(fetchChart(parseSource('http://example.com/agent.tgz'), { env: {} })).rejects.toThrow(
      'http://example.com/agent.tgz does not use TLS',
    );
  });

  test('goes through the proxy of the environment', async () => {
    const source = parseSource('https://charts.example.com/agent.tgz');
    await expect(fetchChart(source, { env: { HTTPS_PROXY: 'http://127.0.0.1:1' } })).rejects.toThrow(
      'https://charts.example.com/agent.tgz: connect ECONNREFUSED 127.0.0.1:1',
    );
    await expect(fetchChart(source, { env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' } })).rejects.toThrow(
      'a proxy with SOCKS is not supported',
    );
  });
});

describe('an index', () => {
  const versions = (text: string, chart = 'agent'): readonly string[] =>
    chartInIndex('index.yaml', text, chart).map(({ version }) => version);

  test.each([
    ['JSON', '{"entries":{"agent":[{"version":"1.0.0","urls":["a.tgz"]}]}}'],
    ['lists that are indented', 'entries:\n  agent:\n    - version: 1.0.0\n      urls: [a.tgz]\n'],
    [
      'quoted names',
      'entries:\n    \'agent\':\n    - {version: 1.0.0, urls: [a.tgz]}\n    "b":\n    - {version: 2.0.0}\n',
    ],
    ['comments and CRLF', '# x\r\nentries: # all\r\n  # first\r\n  agent: # ours\r\n  - version: 1.0.0\r\n'],
  ])('can be %s', (_, text) => {
    expect(versions(text)).toEqual(['1.0.0']);
  });

  test.each([
    ['entries:\n  a:\n  - version: 1.0.0\n  b:\n  - version: 1.0.0\n', 'has no chart "agent"'],
    ['entries: {}\n', 'has no chart "agent"'],
    ['<html>', 'has no chart "agent"'],
    ['{"entries":', 'is not the index of a chart repository'],
    ['entries:\n  agent:\n  - version: [\n', 'is not the index of a chart repository'],
  ])('without the chart is reported: %j', (text, message) => {
    expect(() => versions(text)).toThrow(message);
  });

  test('of 30 MB is read quickly, because only the lines of the chart are parsed', () => {
    const entry = (name: string): string =>
      Array.from(
        { length: 50 },
        (_, index) => `  - name: ${name}\n    version: 1.${index}.0\n    urls: [x.tgz]\n`,
      ).join('');
    const text = `entries:\n${Array.from({ length: 10_000 }, (_, index) => `  chart-${index}:\n${entry(`chart-${index}`)}`).join('')}`;
    expect(text.length).toBeGreaterThan(25e6);
    const before = performance.now();
    expect(versions(text, 'chart-9999')).toHaveLength(50);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
