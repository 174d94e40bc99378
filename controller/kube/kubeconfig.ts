import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../clock.ts';
import { sentenceOf } from './api-error.ts';
import { HttpTransport, type Credentials } from './http-transport.ts';
import type { Transport } from './transport.ts';

/** Which API server, and as whom. */
export interface KubeconfigAddress {
  /** @default - `KUBECONFIG`, else `~/.kube/config`, else the pod's own account */
  readonly kubeconfig?: string;
  /** A context of it. @default - its current one */
  readonly context?: string;
}

/** A kubeconfig that leads to no API server. */
export class KubeconfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KubeconfigError';
  }
}

/** Where a kubeconfig leads. */
export interface KubeconfigTarget {
  readonly transport: Transport;
  /** The namespace of the context; of the pod, where the pod's own account is used. */
  readonly namespace: string | undefined;
}

/**
 * The way to the API server of a kubeconfig, with what it says of authentication: certificates, tokens, exec plugins, OIDC.
 * Nothing is sent yet.
 *
 * @throws KubeconfigError where it cannot be read or has no such context.
 */
export function connect(address: KubeconfigAddress, clock: Clock, userAgent: string): KubeconfigTarget {
  const config = load(address);
  const cluster = config.getCurrentCluster();
  if (cluster === null || !URL.canParse(cluster.server))
    throw new KubeconfigError(`${nameOf(address)} has no current context with a cluster`);
  const context = config.getContextObject(config.getCurrentContext());
  return {
    transport: new HttpTransport({
      server: new URL(cluster.server),
      credentials: async () => await credentialsOf(config, cluster.proxyUrl !== undefined),
      clock,
      userAgent,
    }),
    namespace: context?.namespace,
  };
}

/** Where an API server is, as a kubeconfig says it. */
export interface ClusterEndpoint {
  readonly server: string;
  /** PEM in Base64. */
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
  readonly tlsServerName?: string;
}

/**
 * Where the API server of a kubeconfig is, for a kubeconfig of somebody else.
 *
 * @throws KubeconfigError as `connect`.
 */
export function endpointOf(address: KubeconfigAddress): ClusterEndpoint {
  const cluster = load(address).getCurrentCluster();
  if (cluster === null) throw new KubeconfigError(`${nameOf(address)} has no current context with a cluster`);
  const { server, caData, caFile, proxyUrl, tlsServerName } = cluster;
  const authority = caData ?? (caFile === undefined ? undefined : readFileSync(caFile).toString('base64'));
  return {
    server,
    ...(authority !== undefined && { certificateAuthorityData: authority }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(tlsServerName !== undefined && { tlsServerName }),
  };
}

function load(address: KubeconfigAddress): KubeConfig {
  const { kubeconfig, context } = address;
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    // The library looks into what is not there.
    const why = error instanceof TypeError ? 'it is empty, or no kubeconfig' : sentenceOf(error);
    throw new KubeconfigError(`${nameOf(address)} cannot be read: ${why}`);
  }
  if (context === undefined) return config;
  if (config.getContextObject(context) === null) {
    const known = config.getContexts().map(({ name }) => name);
    throw new KubeconfigError(
      `${nameOf(address)} has no context "${context}"; it has ${known.join(', ') || 'none'}`,
    );
  }
  config.setCurrentContext(context);
  return config;
}

function nameOf({ kubeconfig }: KubeconfigAddress): string {
  return kubeconfig ?? 'the kubeconfig';
}

async function credentialsOf(config: KubeConfig, throughProxy: boolean): Promise<Credentials> {
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, servername, rejectUnauthorized, auth, agent } = options;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (typeof value === 'string') headers[name] = value;
  if (typeof auth === 'string') headers['Authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  const [caText, certText, keyText] = [pem(ca), pem(cert), pem(key)];
  return {
    headers,
    ...(caText !== undefined && { ca: caText }),
    ...(certText !== undefined && { cert: certText }),
    ...(keyText !== undefined && { key: keyText }),
    ...(servername !== undefined && { serverName: servername }),
    ...(rejectUnauthorized !== undefined && { verifyServer: rejectUnauthorized }),
    ...(throughProxy && typeof agent === 'object' && { proxy: agent }),
  };
}

function pem(material: unknown): string | undefined {
  if (Buffer.isBuffer(material)) return material.toString('utf8');
  return typeof material === 'string' ? material : undefined;
}
