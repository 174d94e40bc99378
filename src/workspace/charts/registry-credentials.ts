import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fieldsOf, text, type Fields } from '../../client/fields.ts';
import { UserError } from '../user-error.ts';
import type { Environment } from './http-get.ts';

/** How to log in to a registry. */
export interface RegistryCredential {
  readonly username: string;
  readonly password: string;
  /** The refresh token of a registry; it replaces user name and password. */
  readonly identityToken?: string;
}

/** The key of Docker's registry in configurations. */
const dockerHub = 'https://index.docker.io/v1/';
/** The registry of Docker has several names. */
const dockerHubNames = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);
/** The timeout of a credential helper, in milliseconds. */
const helperPatience = 30_000;
/** Maximum number of bytes that a credential helper may write. */
const mostOutput = 1024 * 1024;

/**
 * Returns the credential for a registry: that of `helm registry login`, otherwise that of `docker login`. Credential helpers are
 * used as by both programs.
 *
 * @throws UserError if a configuration cannot be read, or a helper fails
 */
export async function registryCredential(
  host: string,
  env: Environment,
): Promise<RegistryCredential | undefined> {
  for (const file of configFiles(env)) {
    const config = await readConfig(file);
    if (config === undefined) continue;
    const credential = await credentialIn(config, file, host, env);
    if (credential !== undefined) return credential;
  }
  return undefined;
}

/** Returns the files in the order in which Helm reads them. */
function configFiles(env: Environment): readonly string[] {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const helm = env['HELM_REGISTRY_CONFIG'] ?? joined(helmFolder(env, home), 'registry/config.json');
  const docker = joined(env['DOCKER_CONFIG'] ?? joined(home, '.docker'), 'config.json');
  return [helm, docker].filter((file) => file !== undefined);
}

/** As Helm's lazypath. */
function helmFolder(env: Environment, home: string | undefined): string | undefined {
  if (env['HELM_CONFIG_HOME']) return env['HELM_CONFIG_HOME'];
  if (env['XDG_CONFIG_HOME']) return path.join(env['XDG_CONFIG_HOME'], 'helm');
  return joined(home, process.platform === 'darwin' ? 'Library/Preferences/helm' : '.config/helm');
}

function joined(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : path.join(folder, name);
}

async function readConfig(file: string): Promise<Fields | undefined> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw new UserError(`${file} cannot be read, so no credentials of registries are known`);
  }
  try {
    const config = fieldsOf(JSON.parse(content));
    if (config !== undefined) return config;
  } catch {
    // A message of the parser would show parts of credentials.
  }
  throw new UserError(`${file} is not a JSON object, so no credentials of registries are known`);
}

async function credentialIn(
  config: Fields,
  file: string,
  host: string,
  env: Environment,
): Promise<RegistryCredential | undefined> {
  const names = dockerHubNames.has(host) ? [dockerHub, ...dockerHubNames] : [host];
  const helpers = fieldsOf(config['credHelpers']) ?? {};
  const ownHelper = names.map((name) => text(helpers[name])).find((helper) => helper !== undefined);
  if (ownHelper !== undefined) return await askHelper(ownHelper, names[0] ?? host, file, env);
  const store = text(config['credsStore']);
  const stored = store === undefined ? undefined : await askHelper(store, names[0] ?? host, file, env);
  if (stored !== undefined) return stored;
  for (const [key, value] of Object.entries(fieldsOf(config['auths']) ?? {})) {
    const entry = fieldsOf(value);
    if (entry === undefined || !(names.includes(key) || names.includes(hostOf(key)))) continue;
    const credential = decoded(entry);
    if (credential !== undefined) return credential;
  }
  return undefined;
}

/** Returns the host of a key such as `https://ghcr.io/v2/`. */
function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
}

function decoded(entry: Fields): RegistryCredential | undefined {
  const [, user = '', secret = ''] =
    /^([^:]*):([\s\S]*)$/.exec(Buffer.from(text(entry['auth']) ?? '', 'base64').toString('utf8')) ?? [];
  const identityToken = text(entry['identitytoken']);
  const username = text(entry['username']) ?? user;
  const password = text(entry['password']) ?? secret.replace(/\0+$/, '');
  if (username === '' && identityToken === undefined) return undefined;
  return { username, password, ...(identityToken !== undefined && { identityToken }) };
}

/** @see https://github.com/docker/docker-credential-helpers: the program gets the name of the registry, and writes JSON. */
async function askHelper(
  helper: string,
  server: string,
  file: string,
  env: Environment,
): Promise<RegistryCredential | undefined> {
  if (!/^[\w.-]+$/.test(helper))
    throw new UserError(`${file} names the credential helper ${JSON.stringify(helper)}, which is no name`);
  const program = `docker-credential-${helper}`;
  const { output, failure } = await runHelper(program, server, env);
  if (failure !== undefined) {
    // The answer of a helper that has no credential; both programs then go on without one.
    if (/credentials not found/i.test(output)) return undefined;
    throw new UserError(`${program} of ${file} failed: ${failure}`);
  }
  let answer: Fields | undefined;
  try {
    answer = fieldsOf(JSON.parse(output));
  } catch {
    // A message of the parser would show parts of the credential.
  }
  if (answer === undefined) throw new UserError(`${program} of ${file} did not write JSON`);
  const [username, secret] = [text(answer['Username']), text(answer['Secret'])];
  if (username === undefined || secret === undefined) return undefined;
  return username === '<token>'
    ? { username: '', password: '', identityToken: secret }
    : { username, password: secret };
}

async function runHelper(
  program: string,
  server: string,
  env: Environment,
): Promise<{ readonly output: string; readonly failure: string | undefined }> {
  const options = {
    env: { ...env },
    timeout: helperPatience,
    maxBuffer: mostOutput,
    killSignal: 'SIGKILL',
  } as const;
  return await new Promise((resolve) => {
    const child = execFile(program, ['get'], options, (error, stdout) => {
      // Its standard error can show credentials.
      const failure =
        error === null
          ? undefined
          : error.killed === true
            ? `no answer for ${helperPatience / 1000} s`
            : error.code === 'ENOENT'
              ? 'there is no such program'
              : `exit code ${error.code ?? 'unknown'}`;
      resolve({ output: stdout, failure });
    });
    child.stdin?.on('error', () => undefined).end(server);
  });
}
