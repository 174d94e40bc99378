import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import path from 'node:path';
import type { Cluster, User } from '@kubernetes/client-node';
import { fieldsOf, text, texts, type Fields } from '../fields.ts';
import { filesOf, merged, type KubeconfigAddress } from './entries.ts';
import { KubeconfigError } from './error.ts';
import { withExecInfo } from './plugin.ts';

/**
 * A context of a kubeconfig, with the cluster and user that it references. Files have absolute paths, and are not
 * read.
 */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: Cluster;
  readonly user: User;
  /** A field that `user` does not have: the library that logs in does not support it, or runs it without limits. */
  readonly tokenFile: string | undefined;
  /** The plugin that logs in. */
  readonly exec: Fields | undefined;
  readonly impersonation: Readonly<Record<string, string | readonly string[]>>;
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Reads a context of a kubeconfig as client-go does. The library has a reader too, which supports neither `tokenFile`
 * nor groups for impersonation, and merges the files of `KUBECONFIG` in the opposite order.
 *
 * @throws KubeconfigError if it cannot be read, has no such context, or the context references a missing entry
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
    const contextNames = [...entries.contexts.keys()].join(', ') || 'none';
    throw new KubeconfigError(`${of} has no context "${address.context}"; it has ${contextNames}`);
  }
  const cluster = entries.clusters.get(text(context['cluster']) ?? '');
  const server = text(cluster?.['server']);
  if (cluster === undefined || server === undefined || !/^https?:$/.test(protocolOf(server)))
    throw new KubeconfigError(`${of} has no current context with a cluster`);
  const user = text(context['user']) ?? '';
  if (user !== '' && !entries.users.has(user)) throw new KubeconfigError(`${of} has no user "${user}"`);
  return { name, namespace: text(context['namespace']), ...resolved(cluster, entries.users.get(user) ?? {}) };
}

function resolved(
  cluster: Fields,
  user: Fields,
): Pick<KubeconfigContext, 'cluster' | 'user' | 'tokenFile' | 'exec' | 'impersonation'> {
  const server = text(cluster['server']) ?? '';
  const exec = fieldsOf(user['exec']);
  return {
    cluster: {
      name: 'cluster',
      server: server.replace(/\/$/, ''),
      // The library requires TLS unless verification is disabled.
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
      ...listed('authProvider', authProvider(user)),
    },
    exec: exec && withExecInfo(exec, cluster),
    tokenFile: text(user['tokenFile']),
    impersonation: impersonationOf(user),
  };
}

/** Returns the provider that logs in. The library passes the address of an issuer on to a function that requires a URL. */
function authProvider(user: Fields): Fields | undefined {
  const provider = fieldsOf(user['auth-provider']);
  const config = fieldsOf(provider?.['config']);
  const issuer = text(config?.['idp-issuer-url']);
  if (issuer === undefined || !URL.canParse(issuer)) return provider;
  return { ...provider, config: { ...config, 'idp-issuer-url': new URL(issuer) } };
}

/** as client-go: data in the kubeconfig overrides the file that it references */
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

/** Returns the account of the pod in which this process runs. */
function podAccount(): KubeconfigContext {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = process.env;
  const tokenFile = path.join(accountFolder, 'token');
  if (host === '' || port === '' || !existsSync(tokenFile))
    throw new KubeconfigError(
      'there is no kubeconfig: neither KUBECONFIG nor ~/.kube/config, and this is not a pod',
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
    exec: undefined,
    impersonation: {},
  };
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

function protocolOf(server: string): string {
  return URL.canParse(server) ? new URL(server).protocol : '';
}

function listed<N extends string, V>(name: N, value: V | undefined): { readonly [F in N]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [F in N]?: V };
}
