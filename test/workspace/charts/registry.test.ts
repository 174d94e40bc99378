import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseSource } from '../../../src/workspace/charts/chart-source.ts';
import { fetchChart, type FetchedChart } from '../../../src/workspace/charts/fetch-chart.ts';
import {
  chartManifest,
  packedChart,
  registryWith,
  serve,
  sha256,
  type Answer,
  type Received,
} from './chart-server.ts';

async function fetched(
  address: string,
  env: Readonly<Record<string, string>> = {},
  version?: string,
): Promise<FetchedChart> {
  return await fetchChart(parseSource(address, { version }), { env });
}

async function folder(): Promise<string> {
  const created = await mkdtemp(path.join(tmpdir(), 'fleetwright-'));
  onTestFinished(async () => await rm(created, { recursive: true }));
  return created;
}

const archive = packedChart('1.2.0');
const manifest = chartManifest(archive);

describe('a chart in a registry', () => {
  test('is found by its tag, and by the digest of its manifest', async () => {
    const { host } = await serve(registryWith({ '1.2.0': archive }));
    const expected = { archive: Buffer.from(archive), manifestDigest: sha256(manifest) };
    expect(await fetched(`oci://${host}/charts/agent:1.2.0`)).toEqual({
      ...expected,
      source: `oci://${host}/charts/agent:1.2.0`,
    });
    const byDigest = `oci://${host}/charts/agent@${sha256(manifest)}`;
    expect(await fetched(byDigest)).toEqual({ ...expected, source: byDigest });
  });

  test.each([
    [undefined, '1.10.0'],
    ['1.2.0', '1.2.0'],
    ['^1.2 <1.10', '1.2.0'],
    ['>=1.0.0-0', '2.0.0-rc.1'],
    ['1.2.0+build', '1.2.0_build'],
  ])('without a tag, has the version %s: tag %s', async (version, tag) => {
    const names = ['1.2.0', '1.10.0', '2.0.0-rc.1', '1.2.0_build', 'latest'];
    const { host } = await serve(
      registryWith(Object.fromEntries(names.map((name) => [name, packedChart(name.replace('_', '+'))]))),
    );
    const { source } = await fetched(`oci://${host}/charts/agent`, {}, version);
    expect(source).toBe(`oci://${host}/charts/agent:${tag}`);
  });

  test('lists tags over several pages', async () => {
    const answer = registryWith({ '1.2.0': archive });
    const { host } = await serve((request) => {
      if (request.url === '/v2/charts/agent/tags/list')
        return {
          body: '{"tags":["1.0.0"]}',
          headers: { Link: '</v2/charts/agent/tags/list?last=1>; rel="next"' },
        };
      return answer(request);
    });
    expect((await fetched(`oci://${host}/charts/agent`)).source).toBe(`oci://${host}/charts/agent:1.2.0`);
  });

  test.each<[string, Answer, string]>([
    ['an unknown tag', { status: 404 }, 'the registry has no such chart or version'],
    [
      'another artifact',
      { body: '{"layers":[{"mediaType":"text/plain"}]}' },
      'is not a chart: its manifest names no archive of a chart',
    ],
    [
      'an index of images',
      { body: '{"manifests":[]}', headers: { 'Content-Type': 'application/x' } },
      'is not a chart: the registry sent application/x',
    ],
    ['no JSON', { body: '<html>' }, 'the registry did not send JSON'],
    [
      'an archive that is too large',
      { body: chartManifest(archive, { size: 30 * 2 ** 20 }) },
      'the archive is larger than 20 MiB',
    ],
    [
      'a broken registry',
      { status: 500, body: '{"errors":[{"message":"disk full"}]}' },
      'the registry answered 500: disk full',
    ],
  ])('reports %s', async (_, answer, message) => {
    const { host } = await serve(() => answer);
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`)).rejects.toThrow(message);
  });

  test('must have the digests of the address and of the manifest', async () => {
    const { host } = await serve((request) =>
      request.url.includes('/blobs/') ? { body: packedChart('6.6.6') } : { body: manifest },
    );
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`)).rejects.toThrow(
      `the registry sent an archive with the digest ${sha256(packedChart('6.6.6'))}`,
    );
    const other = `sha256:${'0'.repeat(64)}`;
    await expect(fetched(`oci://${host}/charts/agent@${other}`)).rejects.toThrow(
      `the registry sent a manifest with the digest ${sha256(manifest)}`,
    );
  });
});

describe('a registry with a login', () => {
  const answer = registryWith({ '1.2.0': archive });

  /** Requires a token, which its own service gives to this user. */
  function withToken(host: () => string, authorization: string): (request: Received) => Answer {
    return (request) => {
      if (request.url.startsWith('/token')) {
        if (request.authorization !== authorization) return { status: 401 };
        return { body: '{"token":"t0ken"}' };
      }
      if (request.authorization !== 'Bearer t0ken')
        return {
          status: 401,
          headers: {
            'WWW-Authenticate': `Bearer realm="http://${host()}/token",service="reg",scope="repository:charts/agent:pull"`,
          },
        };
      return answer(request);
    };
  }

  const basic = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`;
  const auth = Buffer.from('ann:s3cret').toString('base64');

  async function tokenServer(): Promise<Awaited<ReturnType<typeof serve>>> {
    let host = '';
    const server = await serve((request) => withToken(() => host, basic)(request));
    ({ host } = server);
    return server;
  }

  test("gets the credentials of docker's configuration", async () => {
    const { host, received } = await tokenServer();
    const config = await folder();
    await writeFile(path.join(config, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
    const { source } = await fetched(`oci://${host}/charts/agent:1.2.0`, { DOCKER_CONFIG: config });
    expect(source).toBe(`oci://${host}/charts/agent:1.2.0`);
    expect(received.map(({ url }) => url)[1]).toBe(
      '/token?service=reg&scope=repository%3Acharts%2Fagent%3Apull',
    );
  });

  test("gets the credentials of Helm's configuration before those of docker", async () => {
    const { host } = await tokenServer();
    const home = await folder();
    await mkdir(path.join(home, '.docker'));
    await writeFile(
      path.join(home, '.docker/config.json'),
      JSON.stringify({ auths: { [host]: { username: 'bob', password: 'wrong' } } }),
    );
    const helm = path.join(home, 'helm.json');
    await writeFile(helm, JSON.stringify({ auths: { [`http://${host}/v2/`]: { auth } } }));
    const env = { HOME: home, HELM_REGISTRY_CONFIG: helm };
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`, env)).resolves.toHaveProperty('archive');
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`, { HOME: home })).rejects.toThrow(
      'the registry rejected the credentials',
    );
  });

  test('gets the credentials of a helper', async () => {
    const { host } = await tokenServer();
    const home = await folder();
    const helper = path.join(home, 'docker-credential-test');
    await writeFile(
      helper,
      `#!/bin/sh\nread server\n[ "$server" = "${host}" ] || { echo credentials not found in native keychain; exit 1; }\necho '{"Username":"ann","Secret":"s3cret"}'\n`,
    );
    await chmod(helper, 0o755);
    await mkdir(path.join(home, '.docker'));
    const file = path.join(home, '.docker/config.json');
    await writeFile(file, '{"credsStore":"test"}');
    const env = { HOME: home, PATH: `${home}:${process.env['PATH'] ?? ''}` };
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`, env)).resolves.toHaveProperty('archive');
    const other = await tokenServer();
    await expect(fetched(`oci://${other.host}/charts/agent:1.2.0`, env)).rejects.toThrow(
      'the registry has no such chart, or requires a login',
    );
    await writeFile(file, '{"credsStore":"missing"}');
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`, env)).rejects.toThrow(
      `docker-credential-missing of ${file} failed: there is no such program`,
    );
    await writeFile(file, '{"credsStore":"../../bin/sh"}');
    await expect(fetched(`oci://${host}/charts/agent:1.2.0`, env)).rejects.toThrow('which is no name');
  });

  test('gets the refresh token of an identity', async () => {
    let own = '';
    const { host, received } = await serve((request) => {
      if (request.url === '/token') return { body: '{"access_token":"t0ken"}' };
      return withToken(() => own, basic)(request);
    });
    own = host;
    const config = await folder();
    await writeFile(
      path.join(config, 'config.json'),
      JSON.stringify({ auths: { [host]: { identitytoken: 'refresh' } } }),
    );
    await fetched(`oci://${host}/charts/agent:1.2.0`, { DOCKER_CONFIG: config });
    expect(received[1]).toMatchObject({
      method: 'POST',
      body: 'grant_type=refresh_token&service=reg&scope=repository%3Acharts%2Fagent%3Apull&client_id=fleetwright&refresh_token=refresh',
    });
  });

  test('and a storage elsewhere does not pass the credentials on', async () => {
    const storage = await serve(() => ({ body: archive }));
    const { host } = await serve((request) => {
      if (request.authorization !== basic)
        return { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="reg"' } };
      if (request.url.includes('/blobs/'))
        return { status: 307, headers: { Location: `http://${storage.host}/archive?signature=x` } };
      return answer(request);
    });
    const config = await folder();
    await writeFile(path.join(config, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
    await fetched(`oci://${host}/charts/agent:1.2.0`, { DOCKER_CONFIG: config });
    expect(storage.received).toEqual([
      { method: 'GET', url: '/archive?signature=x', authorization: undefined, body: '' },
    ]);
  });

  test.each(['not JSON', '[]'])(
    'reports a configuration that is %s, and shows nothing of it',
    async (text) => {
      const { host } = await tokenServer();
      const config = await folder();
      await writeFile(path.join(config, 'config.json'), text);
      await expect(fetched(`oci://${host}/charts/agent:1.2.0`, { DOCKER_CONFIG: config })).rejects.toThrow(
        `${path.join(config, 'config.json')} is not a JSON object, so no credentials of registries are known`,
      );
    },
  );
});

describe('an address', () => {
  test.each([
    ['oci://ghcr.io/charts/Agent:1', 'is not the address of a chart in a registry'],
    ['oci://ghcr.io', 'is not the address of a chart in a registry'],
    ['oci://ghcr.io/../agent:1', 'is not the address of a chart in a registry'],
    ['oci://ghcr.io/agent@sha256:12', 'is not the address of a chart in a registry'],
    ['oci://ann:s3cret@ghcr.io/agent:1', 'the address oci://… contains a user name or a password'],
    ['https://ann:s3cret@example.com/agent.tgz', 'contains a user name or a password'],
    ['https://example.com/charts', "is not the URL of a chart's archive (.tgz)"],
  ])('%s is refused', (address, message) => {
    expect(() => parseSource(address)).toThrow(message);
  });

  test('has no other version beside it', () => {
    expect(() => parseSource('oci://ghcr.io/agent:1', { version: '2' })).toThrow('has a version already');
    expect(() => parseSource('oci://ghcr.io/charts', { chart: 'agent' })).toThrow(
      '--chart is for repositories',
    );
    expect(() => parseSource('https://example.com/a.tgz', { version: '2' })).toThrow('is an archive');
  });
});
