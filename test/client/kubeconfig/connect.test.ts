import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as dial, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/client/clock.ts';
import { ApiClient } from '../../../src/client/api-client.ts';
import { connect, endpointOf } from '../../../src/client/kubeconfig/connect.ts';
import { KubeconfigError } from '../../../src/client/kubeconfig/error.ts';
import type { KubeconfigAddress } from '../../../src/client/kubeconfig/entries.ts';
import { serverCertificate } from '../server-certificate.ts';

let folder: string;
const ends: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-kubeconfig-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) end();
  rmSync(folder, { recursive: true });
});

function written(content: string, name = 'config'): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const config = `
apiVersion: v1
kind: Config
clusters: [{ name: hub, cluster: { server: https://hub.example.com:6443, certificate-authority-data: Q0E= } }]
users: [{ name: admin, user: { token: secret } }]
contexts: [{ name: hub, context: { cluster: hub, user: admin } }]
current-context: hub
`;

/** A kubeconfig for a server, whose user and cluster say more. */
const leadingTo = (server: string, user: object, cluster: object = {}): string =>
  JSON.stringify({
    clusters: [{ name: 'hub', cluster: { server, ...cluster } }],
    users: [{ name: 'me', user }],
    contexts: [{ name: 'main', context: { cluster: 'hub', user: 'me', namespace: 'here' } }],
    'current-context': 'main',
  });

describe('a kubeconfig', () => {
  it('contains the address of its API server', () => {
    expect(endpointOf({ kubeconfig: written(config) })).toEqual({
      server: 'https://hub.example.com:6443',
      certificateAuthorityData: 'Q0E=',
    });
  });

  it.each([
    ['that is empty', '', undefined, 'cannot be read: it is empty, or not a kubeconfig'],
    ['that is no YAML', 'token: [secret', undefined, 'cannot be read: it is not YAML, line 1, column 15'],
    [
      'whose context has no cluster',
      'kind: Config\ncurrent-context: gone\n',
      undefined,
      'has no current context with a cluster',
    ],
    ['that lacks the context', config, 'other', 'has no context "other"; it has hub'],
    ['that lacks the user', config.replace('name: admin', 'name: me'), undefined, 'has no user "admin"'],
    [
      'whose server is no URL of HTTP',
      config.replace('https://hub.example.com:6443', 'hub.example.com:6443'),
      undefined,
      'has no current context with a cluster',
    ],
  ])('%s leads nowhere, and the file is named', (_case, content, context, message) => {
    const kubeconfig = written(content);
    const address = { kubeconfig, ...(context !== undefined && { context }) };
    expect(() => endpointOf(address)).toThrow(new KubeconfigError(`${kubeconfig} ${message}`));
  });

  it('is required outside a pod', () => {
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('HOME', folder);
    expect(() => endpointOf({})).toThrow(
      'there is no kubeconfig: neither KUBECONFIG nor ~/.kube/config, and this is not a pod',
    );
  });

  it('may consist of several files: the first entry of a name is used', () => {
    const [first, second] = [
      written(config),
      written(config.replaceAll('hub.example', 'other.example'), 'second'),
    ];
    vi.stubEnv('KUBECONFIG', [path.join(folder, 'not-there'), first, second].join(path.delimiter));
    expect(endpointOf({}).server).toBe('https://hub.example.com:6443');
  });
});

/** A server that answers with what it was asked with, and the kubeconfig that leads there. */
async function follow(user: object, known: (headers: IncomingMessage['headers']) => boolean = () => true) {
  const seen: IncomingMessage['headers'][] = [];
  const server = createServer(({ headers }: IncomingMessage, response: ServerResponse) => {
    seen.push(headers);
    response.writeHead(known(headers) ? 200 : 401, { 'Content-Type': 'application/json' }).end('{}');
  });
  const url = await listening(server, 'http');
  const kubeconfig = written(leadingTo(url, user));
  return {
    ...clientOf({ kubeconfig }),
    url,
    seen,
    tokens: () => seen.map(({ authorization }) => authorization),
  };
}

async function listening(server: Server, protocol: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(address: KubeconfigAddress) {
  // Credentials are read again with every request.
  let passed = 0;
  const clock = { ...systemClock, elapsed: () => (passed += 20_000) };
  const { transport, namespace } = connect(address, clock, 'test/1');
  ends.push(() => transport.close());
  return { client: new ApiClient(transport, { clock: systemClock, fieldManager: 'test' }), namespace };
}

/** A plugin that prints what is given, with `$N` for how often it was called. */
function plugin(printed: string): object {
  const command = written(
    `#!/bin/sh\necho x >> "${folder}/calls"\nN=$(wc -l < "${folder}/calls" | tr -d ' ')\ncat <<EOF\n${printed}\nEOF\n`,
    'plugin',
  );
  chmodSync(command, 0o755);
  return { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin' };
}

describe('clients of a kubeconfig', () => {
  it('reads the file of its token again, which is beside it', async () => {
    written('one\n', 'token');
    const { client, tokens, namespace } = await follow({ tokenFile: 'token' });
    await client.read('/version');
    written('two\n', 'token');
    await client.read('/version');
    expect([tokens(), namespace]).toEqual([['Bearer one', 'Bearer two'], 'here']);
  });

  it('reads the kubeconfig itself again', async () => {
    const { client, tokens, url } = await follow({ token: 'one' });
    await client.read('/version');
    written(leadingTo(url, { token: 'two' }));
    await client.read('/version');
    // In the middle of being replaced.
    written('');
    await client.read('/version');
    expect(tokens()).toEqual(['Bearer one', 'Bearer two', 'Bearer two']);
  });

  it('sends nothing to a server that the kubeconfig no longer means', async () => {
    const { client, tokens } = await follow({ token: 'one' });
    await client.read('/version');
    written(leadingTo('https://other.example.com', { token: 'two' }));
    await client.read('/version');
    expect(tokens()).toEqual(['Bearer one', 'Bearer one']);
  });

  it('impersonates the user and the groups that it names', async () => {
    const { client, seen } = await follow({
      token: 'one',
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'example.com/scope': ['x'] },
    });
    await client.read('/version');
    expect(seen[0]).toMatchObject({
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': 'a, b',
      'impersonate-extra-example.com%2fscope': 'x',
    });
  });

  it('runs its plugin once while its credentials are valid, and again when the server rejects them', async () => {
    const until = '2099-01-01T00:00:00Z';
    const exec = plugin(`{ "status": { "token": "token-$N", "expirationTimestamp": "${until}" } }`);
    let known = 'Bearer token-1';
    const { client, tokens } = await follow({ exec }, ({ authorization }) => authorization === known);
    await client.read('/version');
    await client.read('/version');
    known = 'Bearer token-2';
    await client.read('/version');
    expect(tokens()).toEqual(['token-1', 'token-1', 'token-1', 'token-2'].map((token) => `Bearer ${token}`));
  });

  it('passes the requirements to its plugin', async () => {
    const { client, tokens } = await follow({
      exec: plugin('{ "status": { "token": "$(echo "$KUBERNETES_EXEC_INFO" | tr -dc a-zA-Z0-9)" } }'),
    });
    await client.read('/version');
    expect(tokens()).toEqual([
      'Bearer apiVersionclientauthenticationk8siov1kindExecCredentialspecinteractivefalse',
    ]);
  });

  it('passes the cluster to its plugin if requested', async () => {
    const server = createServer(({ headers }: IncomingMessage, response) =>
      response.end(JSON.stringify({ authorization: headers.authorization })),
    );
    const ca = written('CA', 'ca.crt');
    const url = await listening(server, 'http');
    const exec = {
      ...plugin('{ "status": { "token": "$(printf %s "$KUBERNETES_EXEC_INFO" | base64 -w0)" } }'),
      provideClusterInfo: true,
    };
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'hub' } }];
    const cluster = { 'certificate-authority': path.basename(ca), extensions };
    const { client } = clientOf({ kubeconfig: written(leadingTo(url, { exec }, cluster)) });
    const { authorization } = (await client.read('/version')) as { readonly authorization: string };
    const info: unknown = JSON.parse(Buffer.from(authorization.replace('Bearer ', ''), 'base64').toString());
    expect(info).toMatchObject({
      spec: {
        cluster: { server: url, 'certificate-authority-data': 'Q0E=', config: { audience: 'hub' } },
      },
    });
  });

  it.each([
    ['no JSON', 'token: very-secret'],
    ['something else', '{ "token": "very-secret" }'],
  ])('does not print the answer of a plugin that answers %s', async (_case, printed) => {
    const { client } = await follow({ exec: plugin(printed) });
    await expect(client.read('/version')).rejects.toThrow(
      /^GET \/version: the plugin of the kubeconfig did not return an ExecCredential$/,
    );
  });
});

describe('a connection with TLS', () => {
  const { certificate, key } = serverCertificate('hub.internal');
  const trusted = { 'certificate-authority-data': Buffer.from(certificate).toString('base64') };
  const read = async (server: string, cluster: object) =>
    await clientOf({ kubeconfig: written(leadingTo(server, {}, cluster)) }).client.read('/version');
  const serve = async () =>
    await listening(
      createTlsServer({ cert: certificate, key }, (_, response) => response.end('{"major":"1"}')),
      'https',
    );

  it('uses the authority and the server name of the kubeconfig', async () => {
    const server = await serve();
    expect(await read(server, { ...trusted, 'tls-server-name': 'hub.internal' })).toEqual({ major: '1' });
    await expect(read(server, trusted)).rejects.toThrow('does not match certificate');
    await expect(read(server, { 'tls-server-name': 'hub.internal' })).rejects.toThrow(
      'self-signed certificate',
    );
    expect(await read(server, { 'insecure-skip-tls-verify': true })).toEqual({ major: '1' });
  });

  it('uses the proxy of the kubeconfig', async () => {
    const [server, asked] = [await serve(), [] as (string | undefined)[]];
    const proxy = createServer().on('connect', ({ url }: IncomingMessage, socket) => {
      asked.push(url);
      const to = dial(Number(new URL(server).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.pipe(socket).pipe(to);
      });
      to.on('error', () => socket.destroy());
      socket.on('error', () => to.destroy());
    });
    const cluster = {
      ...trusted,
      'tls-server-name': 'hub.internal',
      'proxy-url': await listening(proxy, 'http'),
    };
    expect(await read(server, cluster)).toEqual({ major: '1' });
    expect(asked).toEqual([new URL(server).host]);
    await expect(read(server, { ...cluster, 'tls-server-name': 'other' })).rejects.toThrow('does not match');
  });
});
