import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { HubError } from './hub-error.ts';
import { KeptAgent } from './kept-agent.ts';

/** Which hub, and as whom. */
export interface HubAddress {
  /** The file, relative to where the command runs. @default - `KUBECONFIG`, else `~/.kube/config`, else the pod's own account */
  readonly kubeconfig: string | undefined;
  /** A context of it. @default - its current one */
  readonly context: string | undefined;
}

/** What an API server answers. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** An API server that answers to GET, and to nothing else: what reads a hub cannot change it. */
export interface HubConnection {
  /** The URL of the API server. */
  readonly server: string;
  /** @param target - the path with its query */
  get(target: string): Promise<Answer>;
}

/** So long may an API server say nothing, in milliseconds. */
const patience = 60_000;
/** So often a server that asks for it is given time. */
const mostRetries = 4;
/** The longest time that it is given, in seconds. */
const longestWait = 10;

/**
 * Reads a kubeconfig with what it says of authentication: certificates, tokens, exec plugins, OIDC.
 *
 * @throws HubError where it cannot be read or has no such context.
 */
export async function connectToHub({ kubeconfig, context }: HubAddress, cwd: string): Promise<HubConnection> {
  // It is large, and most commands never talk to a hub.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const name = kubeconfig ?? 'the kubeconfig';
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(path.resolve(cwd, kubeconfig));
  } catch (error) {
    // The library looks into what is not there.
    const why = error instanceof TypeError ? 'it is empty, or no kubeconfig' : sentenceOf(error);
    throw unusable(`${name} cannot be read: ${why}`);
  }
  if (context !== undefined) {
    if (config.getContextObject(context) === null) {
      const known = config.getContexts().map((each) => each.name);
      throw unusable(`${name} has no context "${context}"; it has ${known.join(', ')}`);
    }
    config.setCurrentContext(context);
  }
  const server = config.getCurrentCluster()?.server;
  if (server === undefined || !URL.canParse(server))
    throw unusable(`${name} has no current context with a cluster`);
  const agent = new KeptAgent();
  return {
    server,
    get: async (target) => await getPatiently({ config, agent, server: new URL(server) }, target),
  };
}

function unusable(message: string): HubError {
  return new HubError('FW9004', message, 'name another file with --kubeconfig, or a context with --context');
}

/** What requests need. */
interface Hub {
  readonly config: KubeConfig;
  readonly agent: KeptAgent;
  readonly server: URL;
}

/** As client-go: a server that is busy says so, and when to come again. */
async function getPatiently(hub: Hub, target: string): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    const { answer, wait } = await getOnce(hub, target);
    if (wait === undefined || retries === mostRetries) return answer;
    await delay(wait * 1000);
  }
}

interface Attempt {
  readonly answer: Answer;
  /** Seconds after which to ask again. */
  readonly wait: number | undefined;
}

async function getOnce({ config, agent, server }: Hub, target: string): Promise<Attempt> {
  // A hub may stand below a path, behind a proxy.
  const url = new URL(server.pathname.replace(/\/$/, '') + target, server);
  const options: https.RequestOptions = { headers: { Accept: 'application/json' } };
  try {
    // Every time: tokens of plugins run out.
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw unusable(`the kubeconfig gives no access to ${server.href}: ${sentenceOf(error)}`);
  }
  try {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const client = url.protocol === 'http:' ? http : https;
      const kept = { ...options, agent: agent.of(options.agent), timeout: patience };
      const request = client.get(url, kept, resolve);
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`it says nothing for ${patience / 1000} s`)));
    });
    const { statusCode: status = 0, headers } = answer;
    const after = Number(headers['retry-after']);
    const wait = (status === 429 || status === 503) && after >= 0 ? Math.min(after, longestWait) : undefined;
    return { answer: { status, body: await text(answer) }, wait };
  } catch (error) {
    throw new HubError(
      'FW9005',
      `${server.href} cannot be reached: ${sentenceOf(error)}`,
      'look at the address in the kubeconfig, and at what stands in between: VPN, proxy, certificates',
    );
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Where several addresses were tried, only the parts say what happened.
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  const [sentence = ''] = (first instanceof Error ? first.message : error.message).split('\n', 1);
  return sentence;
}
