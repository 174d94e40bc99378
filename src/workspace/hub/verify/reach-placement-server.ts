import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { systemClock } from '../../../client/clock.ts';
import { HttpTransport, type HttpTransportOptions } from '../../../client/http-transport.ts';
import { forwardPort, type PodPort } from '../../../client/port-forward/port-forward.ts';
import { namespacedResource } from '../../../client/resource.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { UserError } from '../../user-error.ts';
import { userAgent, type OpenHub } from '../connect-to-hub.ts';
import { PlacementServer } from './placement-server.ts';

/** Where the placement server is. */
export interface PlacementServerAddress {
  /** A URL. @default - it is found by its pod, and reached through the API server */
  readonly url: string | undefined;
  /** A file with the certificate authority of the server, in PEM. */
  readonly authority: string | undefined;
  /** The namespace of OCM's controllers on the hub. */
  readonly namespace: string;
}

/** A placement server that can be asked, or why there is none. */
export type ReachedServer =
  | { readonly server: PlacementServer; readonly close: () => void }
  | { readonly why: string; readonly remedy: string };

const pods = namespacedResource('v1', 'Pod', 'pods');
/** As the operator of OCM sets it. */
const podSelector = 'app=clustermanager-placement-controller';
/** The containers that serve it, the preferred one first, with their usual ports: from OCM 1.3 on it is a separate one. */
const containers: readonly (readonly [name: string, port: number])[] = [
  ['debug-server', 9443],
  ['placement-controller', 8443],
];
const maxConnections = 4;
const patience = 30_000;

/**
 * Connects to the placement server of a hub with the credentials of the user, which the server gives to the API server to
 * authenticate them.
 *
 * @throws HubError if the pods cannot be read; UserError if the URL or the file is not usable
 */
export async function reachPlacementServer(
  hub: OpenHub,
  address: PlacementServerAddress,
  cwdPath: (given: string) => string,
): Promise<ReachedServer> {
  if (address.url !== undefined)
    return opened(hub, { ...(await directly(address, cwdPath)), server: checkedUrl(address.url) });
  const listed = await hub.reader.list(pods, { namespace: address.namespace, labelSelector: podSelector });
  const port = (listed ?? []).flatMap(portOf)[0];
  if (port === undefined)
    return {
      why: `namespace ${address.namespace} has no running pod with the label ${podSelector}`,
      remedy:
        'name the namespace of the placement controller with --hub-namespace, or its URL with --placement-server',
    };
  return opened(hub, {
    // The name is in no certificate: the API server has chosen the pod, and the server has a self-signed certificate.
    server: new URL(`https://${port.pod}:${port.port}`),
    verifyServer: false,
    openStream: async () => await forwardPort(hub.transport, port, patience),
  });
}

interface Connection extends Pick<HttpTransportOptions, 'server' | 'openStream'> {
  readonly ca?: string;
  readonly verifyServer: boolean;
}

function opened(
  { login }: OpenHub,
  { server, openStream, ca, verifyServer }: Connection,
): Extract<ReachedServer, { readonly server: PlacementServer }> {
  const transport = new HttpTransport({
    server,
    clock: systemClock,
    userAgent,
    maxConnections,
    ...(openStream && { openStream }),
    credentials: async (refused) => ({
      ...(await login(refused)),
      ...(ca !== undefined && { ca }),
      verifyServer,
    }),
  });
  return { server: new PlacementServer(transport), close: () => transport.close() };
}

async function directly(
  { url = '', authority }: PlacementServerAddress,
  cwdPath: (given: string) => string,
): Promise<Omit<Connection, 'server'>> {
  if (authority === undefined) return { verifyServer: !isLoopback(checkedUrl(url).hostname) };
  try {
    return { ca: await readFile(cwdPath(authority), 'utf8'), verifyServer: true };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`--placement-server-ca ${authority} cannot be read: ${reason}`);
  }
}

/** @throws UserError for anything but the address of a server with TLS: the credentials of the user are sent to it */
function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && url.pathname === '/' && url.search === '' && url.username === '';
  if (url?.protocol === 'https:' && isAddress) return url;
  throw new UserError(
    `--placement-server ${text} is not the address of a server with TLS`,
    'write https://HOST:PORT, such as https://127.0.0.1:9443',
  );
}

/** What leaves this machine goes through a program of the user, such as `kubectl port-forward`. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Returns the port of the server in a pod that runs. */
function portOf({ metadata, spec, status }: KubernetesObject): readonly PodPort[] {
  const { name = '', namespace = '' } = metadata;
  if (!isJsonMap(status) || status['phase'] !== 'Running' || !isJsonMap(spec)) return [];
  const all = isJsonList(spec['containers']) ? spec['containers'].filter(isJsonMap) : [];
  for (const [container, usual] of containers) {
    const found = all.find((each) => each['name'] === container);
    if (found !== undefined) return [{ namespace, pod: name, port: probedPort(found) ?? usual }];
  }
  return [];
}

/** Returns the port that the kubelet probes, which the server listens on. */
function probedPort(container: Readonly<Record<string, unknown>>): number | undefined {
  const probe = container['readinessProbe'];
  const request = isJsonMap(probe) ? probe['httpGet'] : undefined;
  const port = isJsonMap(request) ? request['port'] : undefined;
  return typeof port === 'number' ? port : undefined;
}
