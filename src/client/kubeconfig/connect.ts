import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../clock.ts';
import { HttpTransport, type Credentials, type Proxy } from '../http-transport.ts';
import { readContext, type KubeconfigContext } from './context.ts';
import type { KubeconfigAddress } from './entries.ts';
import { kubeconfigLibrary } from './kubeconfig-library.ts';
import { Plugin, type PluginCredential } from './plugin.ts';
import { proxyTo } from './proxy-url.ts';
import type { UpgradableTransport } from '../transport.ts';

/** The target of a kubeconfig. */
export interface KubeconfigTarget {
  readonly transport: UpgradableTransport;
  /**
   * Returns the credentials of the user, for another server of the same hub that accepts them.
   *
   * @param refused - whether the server rejected the last ones
   */
  readonly login: (refused: boolean) => Promise<UserCredentials>;
  /** The namespace of the context; that of the pod, if the pod's own account is used. */
  readonly namespace: string | undefined;
}

/** What identifies a user to a server. */
export type UserCredentials = Pick<Credentials, 'headers' | 'cert' | 'key'>;

/**
 * Returns the transport to the API server of a kubeconfig, with its authentication: certificates, tokens, exec
 * plugins, OIDC. It uses the proxy of the kubeconfig, otherwise that of the environment. The kubeconfig and the files
 * that it references are read again while it is used. Nothing is sent yet.
 *
 * @throws KubeconfigError if it cannot be read or has no such context.
 * @throws ProxyError if the proxy is invalid.
 */
export function connect(address: KubeconfigAddress, clock: Clock, userAgent: string): KubeconfigTarget {
  const context = contextWithProxy(address);
  const login = new Login(address, context);
  return {
    transport: new HttpTransport({
      server: new URL(context.cluster.server),
      credentials: async (refused) => await login.credentials(refused),
      clock,
      userAgent,
    }),
    login: async (refused) => {
      const { headers, cert, key } = await login.credentials(refused);
      return { headers, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
    },
    namespace: context.namespace,
  };
}

/** The address of an API server, as in a kubeconfig. */
export interface ClusterEndpoint {
  readonly server: string;
  /** PEM in Base64. */
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
  readonly tlsServerName?: string;
}

/**
 * Returns the address of the API server of a kubeconfig, for a kubeconfig on another machine: the environment of this
 * process does not apply there.
 *
 * @throws KubeconfigError as `connect`.
 */
export function endpointOf(address: KubeconfigAddress): ClusterEndpoint {
  const { server, caData, caFile, proxyUrl, tlsServerName } = readContext(address).cluster;
  const authority = caData ?? (caFile === undefined ? undefined : readFileSync(caFile).toString('base64'));
  return {
    server,
    ...(authority !== undefined && { certificateAuthorityData: authority }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(tlsServerName !== undefined && { tlsServerName }),
  };
}

/** Follows a context of a kubeconfig, and logs in with its user. */
class Login {
  readonly #address: KubeconfigAddress;
  #context: KubeconfigContext;
  /** Undefined until the first request, because the library takes long to load. */
  #config: Promise<KubeConfig> | undefined;
  #plugin: Plugin | undefined;

  constructor(address: KubeconfigAddress, context: KubeconfigContext) {
    // A later change of the current context must not affect running processes.
    this.#address = context.name === 'pod' ? address : { ...address, context: context.name };
    this.#context = context;
    this.#plugin = pluginOf(context);
  }

  /** @param refused - drops the answers of plugins: they are no longer valid, although they claim to be */
  async credentials(refused: boolean): Promise<Credentials> {
    const context = contextWithProxy(this.#address);
    if (context.cluster.server !== this.#context.cluster.server)
      throw new Error(`the kubeconfig now refers to another server: ${new URL(context.cluster.server).host}`);
    if (refused || !isDeepStrictEqual(context, this.#context)) {
      this.#config = undefined;
      this.#plugin = pluginOf(context);
    }
    this.#context = context;
    const options: RequestOptions = { headers: {} };
    const config = await (this.#config ??= configOf(context));
    await config.applyToHTTPSOptions(options);
    return credentialsOf(options, context, await this.#plugin?.credential());
  }
}

/** Returns the context with the proxy of its server, from the kubeconfig or the environment. */
function contextWithProxy(address: KubeconfigAddress): KubeconfigContext {
  const context = readContext(address);
  const { proxyUrl, ...cluster } = context.cluster;
  const location = `proxy-url of context "${context.name}" in ${address.kubeconfig ?? 'the kubeconfig'}`;
  const proxy = proxyTo(new URL(cluster.server), { proxyUrl, location }, process.env);
  if (proxy === undefined) return { ...context, cluster };
  // as Go: the proxy resolves names; the library leaves that to it only with the second of these
  return { ...context, cluster: { ...cluster, proxyUrl: proxy.href.replace(/^socks5:/, 'socks5h:') } };
}

async function configOf({ name, cluster, user }: KubeconfigContext): Promise<KubeConfig> {
  const { KubeConfig } = await kubeconfigLibrary();
  const config = new KubeConfig();
  const contexts = [{ name, cluster: cluster.name, user: user.name }];
  config.loadFromOptions({ clusters: [cluster], users: [user], contexts, currentContext: name });
  return config;
}

function pluginOf({ exec }: KubeconfigContext): Plugin | undefined {
  return exec === undefined ? undefined : new Plugin(exec);
}

function credentialsOf(
  {
    ca,
    cert,
    key,
    servername,
    rejectUnauthorized,
    auth,
    agent,
    headers: kubeconfigHeaders = {},
  }: RequestOptions,
  { cluster, tokenFile, impersonation }: KubeconfigContext,
  plugin: PluginCredential | undefined,
): Credentials {
  const headers: Record<string, string | readonly string[]> = { ...impersonation };
  for (const [name, value] of Object.entries(kubeconfigHeaders))
    if (typeof value === 'string') headers[name] = value;
  if (typeof auth === 'string') headers['Authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  if (tokenFile !== undefined) headers['Authorization'] = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  if (plugin?.token !== undefined) headers['Authorization'] = `Bearer ${plugin.token}`;
  const [caText, certText, keyText] = [pem(ca), plugin?.cert ?? pem(cert), plugin?.key ?? pem(key)];
  return {
    headers,
    ...(caText !== undefined && { ca: caText }),
    ...(certText !== undefined && { cert: certText }),
    ...(keyText !== undefined && { key: keyText }),
    ...(servername !== undefined && { serverName: servername }),
    ...(rejectUnauthorized !== undefined && { verifyServer: rejectUnauthorized }),
    ...(cluster.proxyUrl !== undefined && { proxy: proxyOf(new URL(cluster.proxyUrl), agent) }),
  };
}

/** @param agent - an agent of the library, which supports SOCKS */
function proxyOf(url: URL, agent: RequestOptions['agent']): Proxy {
  return { url, ...(url.protocol === 'socks5h:' && typeof agent === 'object' && { agent }) };
}

function pem(material: unknown): string | undefined {
  if (Buffer.isBuffer(material)) return material.toString('utf8');
  return typeof material === 'string' ? material : undefined;
}
