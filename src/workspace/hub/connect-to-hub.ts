import type { ApiCallOptions } from '../../client/api-calls.ts';
import { ApiReader } from '../../client/api-reader.ts';
import { systemClock } from '../../client/clock.ts';
import { deepestAnswer } from '../../client/nesting.ts';
import { decodeExactly } from '../../client/exact-json.ts';
import type { KubeconfigTarget } from '../../client/kubeconfig/connect.ts';
import { version } from '../version.ts';
import { HubReader } from './hub-reader.ts';
import { openKubeconfig } from './open-kubeconfig.ts';

/** Selects the hub and the credentials. */
export interface HubAddress {
  /**
   * The kubeconfig file, relative to the folder in which the command runs. @default - `KUBECONFIG`, else
   * `~/.kube/config`, else the pod's own account
   */
  readonly kubeconfig: string | undefined;
  /** A context of the file. @default - its current one */
  readonly context: string | undefined;
}

/** How requests name their sender, in audit logs too. */
export const userAgent = `fleetwright/${version}`;

/** How long an API server may send no data, in milliseconds: a user can interrupt a command that waits. */
const patience = 60_000;
/** The longest wait before a retry, in seconds: somebody waits for the command. */
const longestWait = 10;

/**
 * Reads a kubeconfig and its authentication: certificates, tokens, exec plugins, OIDC. Nothing is sent yet.
 *
 * @throws HubError if it cannot be read or has no such context.
 */
export async function connectToHub(address: HubAddress, cwd: string): Promise<HubReader> {
  return (await openHub(address, cwd)).reader;
}

/** The connection to a hub, for requests that `HubReader` does not have. */
export interface OpenHub extends Pick<KubeconfigTarget, 'transport' | 'login'> {
  readonly reader: HubReader;
}

/** The bounds of requests to a hub, and of its answers. */
export const hubCallOptions: ApiCallOptions = {
  clock: systemClock,
  patience,
  longestWait,
  decode: decodeExactly,
  deepest: deepestAnswer,
};

/** Connects as `connectToHub`. @throws HubError as `connectToHub` */
export async function openHub({ kubeconfig, context }: HubAddress, cwd: string): Promise<OpenHub> {
  // The module loads HTTP and TLS, and most commands never connect to a hub.
  const { connect } = await import('../../client/kubeconfig/connect.ts');
  const address = {
    folder: cwd,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  };
  const { transport, login } = openKubeconfig(() => connect(address, systemClock, userAgent));
  return { transport, login, reader: new HubReader(new ApiReader(transport, hubCallOptions)) };
}
