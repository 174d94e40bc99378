import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Cluster, User } from '@kubernetes/client-node';
import { parse, YAMLParseError } from 'yaml';
import { sentenceOf } from './api-error.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/** Which API server, and as whom. */
export interface KubeconfigAddress {
  /** @default - `KUBECONFIG`, else `~/.kube/config`, else the pod's own account */
  readonly kubeconfig?: string;
  /** A context of it. @default - its current one */
  readonly context?: string;
  /** What its path is relative to. @default - where the process runs */
  readonly folder?: string;
}

/** A context of a kubeconfig, with what it names. Files have absolute paths, and are not read. */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: Cluster;
  readonly user: User;
  /** What `user` has no place for: the library that logs in knows neither. */
  readonly tokenFile: string | undefined;
  readonly impersonation: Readonly<Record<string, string | readonly string[]>>;
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Reads a context of a kubeconfig as client-go does. The library has a reader too, which knows no `tokenFile`, no groups to act
 * in, and merges the files of `KUBECONFIG` the other way round.
 *
 * @throws KubeconfigError where it cannot be read, has no such context, or the context names what is not there
 */
export function readContext(address: KubeconfigAddress): KubeconfigContext {
  const files = filesOf(address);
  if (files.length === 0) return podAccount();
  const of = address.kubeconfig ?? 'the kubeconfig';
  const entries = merged(files, of);
  const name = address.context ?? entries.currentContext;
  const context = name === undefined ? undefined : entries.contexts.get(name);
  if (name === undefined || context === undefined) {
    if (address.context === undefined)
      throw new KubeconfigError(`${of} has no current context with a cluster`);
    const known = [...entries.contexts.keys()].join(', ') || 'none';
    throw new KubeconfigError(`${of} has no context "${address.context}"; it has ${known}`);
  }
  const cluster = entries.clusters.get(text(context['cluster']) ?? '');
  const server = text(cluster?.['server']);
  if (cluster === undefined || server === undefined || !/^https?:$/.test(protocolOf(server)))
    throw new KubeconfigError(`${of} has no current context with a cluster`);
  const user = text(context['user']) ?? '';
  if (user !== '' && !entries.users.has(user)) throw new KubeconfigError(`${of} has no user "${user}"`);
  return { name, namespace: text(context['namespace']), ...resolved(cluster, entries.users.get(user) ?? {}) };
}

type Fields = Readonly<Record<string, unknown>>;

interface Entries {
  readonly clusters: Map<string, Fields>;
  readonly users: Map<string, Fields>;
  readonly contexts: Map<string, Fields>;
  currentContext: string | undefined;
}

function filesOf({ kubeconfig, folder = '.' }: KubeconfigAddress): readonly string[] {
  if (kubeconfig !== undefined) return [path.resolve(folder, kubeconfig)];
  const listed = (process.env['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    // as kubectl: some of them may not be there yet
    const there = listed.filter((file) => existsSync(file));
    if (there.length === 0)
      throw new KubeconfigError(`KUBECONFIG names no file that is there: ${listed.join(', ')}`);
    return there;
  }
  const own = path.join(homedir(), '.kube', 'config');
  return existsSync(own) ? [own] : [];
}

/** as kubectl: what the first file says of a name counts, and its current context */
function merged(files: readonly string[], name: string): Entries {
  const entries: Entries = {
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    currentContext: undefined,
  };
  for (const file of files) {
    const config = fieldsOf(parsed(file, name));
    if (config === undefined)
      throw new KubeconfigError(`${name} cannot be read: it is empty, or no kubeconfig`);
    for (const kind of ['cluster', 'user', 'context'] as const)
      for (const [entry, fields] of named(config[`${kind}s`], kind)) {
        const into = entries[`${kind}s`];
        if (!into.has(entry)) into.set(entry, withAbsolutePaths(fields, path.dirname(path.resolve(file))));
      }
    entries.currentContext ??= text(config['current-context']);
  }
  return entries;
}

function parsed(file: string, name: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`${name} cannot be read: ${sentenceOf(error)}`);
  }
  try {
    return parse(content);
  } catch (error) {
    // All that the parser says shows what stands there, and that may be a secret.
    const [at] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
    const place = at === undefined ? '' : `, line ${at.line}, column ${at.col}`;
    throw new KubeconfigError(`${name} cannot be read: it is no YAML${place}`);
  }
}

function* named(list: unknown, kind: string): Generator<readonly [string, Fields]> {
  for (const each of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    const entry = fieldsOf(each);
    const name = text(entry?.['name']);
    if (name !== undefined) yield [name, fieldsOf(entry?.[kind]) ?? {}];
  }
}

const paths = new Set(['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']);

function withAbsolutePaths(fields: Fields, folder: string): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      paths.has(name) && typeof value === 'string' && value !== ''
        ? path.resolve(folder, value)
        : name === 'exec'
          ? withAbsoluteCommand(value, folder)
          : value,
    ]),
  );
}

/** as client-go: a command with a slash is beside the kubeconfig, one without is looked for as the shell does */
function withAbsoluteCommand(exec: unknown, folder: string): unknown {
  const plugin = fieldsOf(exec);
  const command = text(plugin?.['command']);
  return command === undefined || !command.includes('/')
    ? exec
    : { ...plugin, command: path.resolve(folder, command) };
}

function resolved(
  cluster: Fields,
  user: Fields,
): Pick<KubeconfigContext, 'cluster' | 'user' | 'tokenFile' | 'impersonation'> {
  const server = text(cluster['server']) ?? '';
  const exec = fieldsOf(user['exec']);
  return {
    cluster: {
      name: 'cluster',
      server: server.replace(/\/$/, ''),
      // The library insists on TLS where it is not told to look away.
      skipTLSVerify: cluster['insecure-skip-tls-verify'] === true || protocolOf(server) === 'http:',
      ...material('ca', cluster, 'certificate-authority'),
      ...listed('tlsServerName', text(cluster['tls-server-name'])),
      ...listed('proxyUrl', text(cluster['proxy-url'])),
    },
    user: {
      name: 'user',
      ...material('cert', user, 'client-certificate'),
      ...material('key', user, 'client-key'),
      ...listed('token', text(user['token'])),
      ...listed('username', text(user['username'])),
      ...listed('password', text(user['password'])),
      ...listed('authProvider', user['auth-provider']),
      ...(exec !== undefined && { exec: withExecInfo(exec, cluster) }),
    },
    tokenFile: text(user['tokenFile']),
    impersonation: impersonationOf(user),
  };
}

/** as client-go: what stands in the kubeconfig counts before the file that it names */
function material<P extends 'ca' | 'cert' | 'key'>(
  kind: P,
  fields: Fields,
  name: string,
): { readonly [F in `${P}Data` | `${P}File`]?: string } {
  const data = text(fields[`${name}-data`]);
  const file = text(fields[name]);
  const found =
    data !== undefined ? { [`${kind}Data`]: data } : file !== undefined ? { [`${kind}File`]: file } : {};
  return found as { readonly [F in `${P}Data` | `${P}File`]?: string };
}

function impersonationOf(user: Fields): Readonly<Record<string, string | readonly string[]>> {
  const headers: Record<string, string | readonly string[]> = {};
  const [as, uid] = [text(user['as']), text(user['as-uid'])];
  if (as !== undefined) headers['Impersonate-User'] = as;
  if (uid !== undefined) headers['Impersonate-Uid'] = uid;
  const groups = texts(user['as-groups']);
  if (groups.length > 0) headers['Impersonate-Group'] = groups;
  for (const [key, values] of Object.entries(fieldsOf(user['as-user-extra']) ?? {}))
    headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = texts(values);
  return headers;
}

/** What plugins are told, which the library leaves out: some do not work without. */
function withExecInfo(exec: Fields, cluster: Fields): Fields {
  const info = {
    apiVersion: exec['apiVersion'],
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec['provideClusterInfo'] === true && { cluster }) },
  };
  const env = Array.isArray(exec['env']) ? (exec['env'] as readonly unknown[]) : [];
  return { ...exec, env: [...env, { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }] };
}

/** The account of the pod that this runs in. */
function podAccount(): KubeconfigContext {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = process.env;
  const tokenFile = path.join(accountFolder, 'token');
  if (host === '' || port === '' || !existsSync(tokenFile))
    throw new KubeconfigError(
      'there is no kubeconfig: neither KUBECONFIG nor ~/.kube/config, and this is no pod',
    );
  const namespaceFile = path.join(accountFolder, 'namespace');
  return {
    name: 'pod',
    namespace: existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : undefined,
    cluster: {
      name: 'cluster',
      server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
      caFile: path.join(accountFolder, 'ca.crt'),
      skipTLSVerify: false,
    },
    user: { name: 'user' },
    tokenFile,
    impersonation: {},
  };
}

function protocolOf(server: string): string {
  return URL.canParse(server) ? new URL(server).protocol : '';
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly unknown[]).map(String) : [];
}

function listed<N extends string, V>(name: N, value: V | undefined): { readonly [F in N]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [F in N]?: V };
}
