import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Bound on one request, in milliseconds. */
const requestTimeout = 60_000;

/** Git repositories over HTTP on loopback, read-only, as a forge serves them: `git http-backend` answers. */
export interface GitServer {
  /** Creates an empty repository, and its working tree. @param credentials - what clients have to send. @default - none */
  create(name: string, credentials?: GitCredentials): GitRepository;
  /** The folder with the served repositories, such as `add-ons.git`. */
  readonly served: string;
  stop(): Promise<void>;
}

/** A user of a private repository, for HTTP basic authentication. */
export interface GitCredentials {
  readonly username: string;
  readonly password: string;
}

/** A repository of a `GitServer`, and the working tree that the test edits. */
export interface GitRepository {
  /** The address to clone from, such as `http://127.0.0.1:4711/add-ons.git`. */
  readonly url: string;
  /** The folder of the working tree, on branch `main`. */
  readonly folder: string;
  /** Commits everything in the working tree, publishes it, and returns the commit. An empty commit is allowed. */
  commit(message: string): string;
  /** The last commit of the working tree. */
  head(): string;
  /** Publishes the commits of the working tree, and returns the last one. */
  push(): string;
}

/**
 * Starts a server.
 *
 * @param root - the folder of the repositories and their working trees; it has to exist
 */
export async function startGitServer(root: string): Promise<GitServer> {
  const bare = path.join(root, 'served');
  mkdirSync(bare);
  const privateRepositories = new Map<string, GitCredentials>();
  const server = createServer((request, response) => {
    const [, repository = ''] = (request.url ?? '').split('/');
    const credentials = privateRepositories.get(repository);
    if (credentials === undefined || request.headers.authorization === basicAuthorization(credentials))
      answer(bare, request, response);
    else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Git"' }).end();
  });
  server.requestTimeout = requestTimeout;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    served: bare,
    create: (name, credentials) => {
      if (credentials !== undefined) privateRepositories.set(`${name}.git`, credentials);
      return createRepository(root, name, `http://127.0.0.1:${port}/${name}.git`);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function basicAuthorization({ username, password }: GitCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function createRepository(root: string, name: string, url: string): GitRepository {
  const served = path.join(root, 'served', `${name}.git`);
  const folder = path.join(root, name);
  git(root, ['init', '--quiet', '--bare', '--initial-branch=main', served]);
  git(root, ['init', '--quiet', '--initial-branch=main', folder]);
  git(folder, ['remote', 'add', 'origin', served]);
  const head = (): string => git(folder, ['rev-parse', 'HEAD']).trim();
  const push = (): string => {
    git(folder, ['push', '--quiet', 'origin', 'HEAD:main']);
    return head();
  };
  return {
    url,
    folder,
    head,
    commit: (message) => {
      git(folder, ['add', '--all']);
      git(folder, ['commit', '--quiet', '--allow-empty', '--message', message]);
      return push();
    },
    push,
  };
}

function git(cwd: string, args: readonly string[]): string {
  // Neither the configuration of the machine nor that of its user changes what the tests do.
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Answers one request by `git http-backend`, a CGI program. */
function answer(bare: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROJECT_ROOT: bare,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: header(request, 'git-protocol'),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: requestTimeout,
  });
  child.on('error', (error) => response.destroy(error));
  // A program that answers without reading its input closes it.
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', readHead);
    writeHead(response, head.subarray(0, end).toString('latin1'));
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', readHead);
  child.stdout.on('end', () => response.end());
}

/** Translates the head of a CGI answer, whose status is one of its headers. */
function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
