import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../kubernetes/client/clock.ts';
import { sentenceOf } from '../../kubernetes/client/api-error.ts';
import { CredentialsError } from '../../kubernetes/client/kubeconfig/error.ts';
import type { Transport } from '../../kubernetes/client/transport.ts';
import { version } from '../version.ts';
import { beyondLimits, HubError } from './hub-error.ts';
import { openKubeconfig, unusable } from './open-kubeconfig.ts';

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

/** An answer of an API server. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A connection to an API server that supports only GET: code that reads a hub cannot change it. */
export interface HubConnection {
  /** The URL of the API server. */
  readonly server: string;
  /** @param target - the path with its query */
  get(target: string): Promise<Answer>;
}

/** How long an API server may send no data, in milliseconds. */
const patience = 60_000;
/** How long a whole answer may take, in milliseconds: a server could send a byte from time to time. */
const longestAnswer = 300_000;
/** Maximum number of characters in an answer: a page of 500 objects has some 10 MB. */
const largestAnswer = 256 * 1024 * 1024;
/** Maximum number of retries for a server that asks for them. */
const mostRetries = 4;
/** The longest wait before a retry, in seconds. */
const longestWait = 10;

/**
 * Reads a kubeconfig and its authentication: certificates, tokens, exec plugins, OIDC.
 *
 * @throws HubError if it cannot be read or has no such context.
 */
export async function connectToHub({ kubeconfig, context }: HubAddress, cwd: string): Promise<HubConnection> {
  // The module is large, and most commands never connect to a hub.
  const { connect } = await import('../../kubernetes/client/kubeconfig/connect.ts');
  const address = {
    folder: cwd,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  };
  const { transport } = openKubeconfig(() => connect(address, systemClock, `fleetwright/${version}`));
  const server = transport.server.replace(/\/$/, '');
  return { server, get: async (target) => await getPatiently(transport, server, target) };
}

/** Retries as client-go does: a busy server responds with the time to wait. */
async function getPatiently(transport: Transport, server: string, target: string): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    const { answer, wait } = await getOnce(transport, server, target);
    if (wait === undefined || retries === mostRetries) return answer;
    await delay(wait * 1000);
  }
}

interface Attempt {
  readonly answer: Answer;
  /** Seconds to wait before the retry. */
  readonly wait: number | undefined;
}

async function getOnce(transport: Transport, server: string, target: string): Promise<Attempt> {
  try {
    const { status, retryAfter, body } = await transport.send({
      method: 'GET',
      target,
      signals: [],
      patience,
    });
    const isBusy = (status === 429 || status === 503) && retryAfter !== undefined;
    const parts: string[] = [];
    const started = systemClock.now();
    let size = 0;
    for await (const part of body) {
      size += part.length;
      if (size > largestAnswer) throw beyondLimits(`${server} answers with more than 256 MiB`);
      if (systemClock.now() - started > longestAnswer)
        throw beyondLimits(`${server} takes more than 300 s for one answer`);
      parts.push(part);
    }
    const wait = isBusy ? Math.min(retryAfter, longestWait) : undefined;
    return { answer: { status, body: parts.join('') }, wait };
  } catch (error) {
    if (error instanceof HubError) throw error;
    if (error instanceof CredentialsError)
      throw unusable(`the kubeconfig gives no access to ${server}: ${sentenceOf(error)}`);
    throw new HubError(
      'FW9005',
      `${server} cannot be reached: ${sentenceOf(error)}`,
      'check the address in the kubeconfig, and what is in between: VPN, proxy, certificates',
    );
  }
}
