import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import {
  connect,
  createServer as createSocketServer,
  type AddressInfo,
  type Server as NetServer,
} from 'node:net';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverCertificate } from '../client/server-certificate.ts';
import { root } from '../linked-repository.ts';

// The built command logs in to an API server. The library that does it is in the bundle, and in no node_modules of a user.
let folder: string;
const servers: NetServer[] = [];
const hub = serverCertificate('hub.internal');
const client = serverCertificate('me');
const issuerCertificate = serverCertificate('localhost');
/** How each request logged in: its authorization, and the name of its certificate. */
const logins: string[] = [];
let address: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-login-')));
  cpSync(path.join(root, 'build/fleetwright.mjs'), path.join(folder, 'fleetwright.mjs'));
  writeFileSync(path.join(folder, 'issuer.crt'), issuerCertificate.certificate);
  const options = { cert: hub.certificate, key: hub.key, requestCert: true, rejectUnauthorized: false };
  const server = createTlsServer(options, ({ headers, socket }, response) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate();
    logins.push([headers.authorization, subject?.CN].filter(Boolean).join(' '));
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end('{"kind":"Status","code":403,"message":"tested"}');
  });
  address = `https://127.0.0.1:${await listening(server)}`;
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function listening(server: NetServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Pulls the fleet with a user and a cluster of a kubeconfig; returns how the command logged in. */
async function login(program: string, user: object, cluster: object = {}): Promise<readonly string[]> {
  logins.length = 0;
  const kubeconfig = path.join(folder, 'kubeconfig');
  const trust = {
    'certificate-authority-data': Buffer.from(hub.certificate).toString('base64'),
    'tls-server-name': 'hub.internal',
  };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'hub', cluster: { server: address, ...trust, ...cluster } }],
      users: [{ name: 'me', user }],
      contexts: [{ name: 'main', context: { cluster: 'hub', user: 'me' } }],
      'current-context': 'main',
    }),
  );
  const child = spawn(process.execPath, [program, 'fleet', 'pull', '--kubeconfig', kubeconfig], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(folder, 'issuer.crt') },
  });
  let error = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  await new Promise((resolve) => child.on('close', resolve));
  // The server refuses everything, which is what the command reports: it trusts the server and has sent a request.
  expect(error).toContain('error FW9007');
  return [...new Set(logins)];
}

/** A SOCKS 5 proxy without a login, which counts what is dialed by name. */
function socksProxy(names: string[]): NetServer {
  return createSocketServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (request) => {
        const length = request[4] ?? 0;
        if (request[3] === 3) names.push(request.subarray(5, 5 + length).toString());
        const port = request.readUInt16BE(request.length - 2);
        const to = connect(port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          to.pipe(socket).pipe(to);
        });
        to.on('error', () => socket.destroy());
        socket.on('error', () => to.destroy());
      });
    });
  });
}

describe.each([
  ['the command of the package', () => path.join(root, 'build/cli/main.js')],
  ['the single file alone', () => path.join(folder, 'fleetwright.mjs')],
])('%s logs in', (_, program) => {
  test('with a token, a password and a certificate', async () => {
    expect(await login(program(), { token: 'one' })).toEqual(['Bearer one']);
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(await login(program(), { username: 'me', password: 'secret' })).toEqual([basic]);
    const certificate = {
      'client-certificate-data': Buffer.from(client.certificate).toString('base64'),
      'client-key-data': Buffer.from(client.key).toString('base64'),
    };
    expect(await login(program(), certificate)).toEqual(['me']);
  });

  test('with an exec plugin', async () => {
    const file = path.join(folder, 'plugin.sh');
    const answer = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
    writeFileSync(
      file,
      `#!/bin/sh\necho '${JSON.stringify({ ...answer, status: { token: 'of-plugin' } })}'\n`,
    );
    chmodSync(file, 0o755);
    const exec = { apiVersion: answer.apiVersion, command: file, interactiveMode: 'Never' };
    expect(await login(program(), { exec })).toEqual(['Bearer of-plugin']);
  });

  test('with OIDC, and refreshes an expired token', async () => {
    const token = (exp: number): string =>
      ['{"alg":"RS256"}', JSON.stringify({ iss: issuer, aud: 'me', sub: 'me', iat: exp - 60, exp })]
        .map((part) => Buffer.from(part).toString('base64url'))
        .concat('x')
        .join('.');
    const asked: string[] = [];
    let issuer = '';
    const provider = createTlsServer(
      { cert: issuerCertificate.certificate, key: issuerCertificate.key },
      (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.setHeader('content-type', 'application/json');
        response.end(
          request.method === 'POST'
            ? JSON.stringify({
                token_type: 'bearer',
                access_token: 'a',
                id_token: token(fresh),
                refresh_token: 'r',
              })
            : JSON.stringify({
                issuer,
                token_endpoint: `${issuer}/token`,
                id_token_signing_alg_values_supported: ['RS256'],
              }),
        );
      },
    );
    const fresh = Math.floor(Date.now() / 1000) + 3600;
    issuer = `https://localhost:${await listening(provider)}`;
    const config = {
      'client-id': 'me',
      'client-secret': 'secret',
      'id-token': token(1),
      'refresh-token': 'r',
      'idp-issuer-url': issuer,
    };
    const user = { 'auth-provider': { name: 'oidc', config } };
    expect(await login(program(), user)).toEqual([`Bearer ${token(fresh)}`]);
    expect(asked).toContain('POST /token');
  });

  test('through a SOCKS proxy', async () => {
    const names: string[] = [];
    const port = await listening(socksProxy(names));
    const server = address.replace('127.0.0.1', 'localhost');
    const cluster = { server, 'proxy-url': `socks5://127.0.0.1:${port}` };
    expect(await login(program(), { token: 'one' }, cluster)).toEqual(['Bearer one']);
    expect(names).toContain('localhost');
  });
});
