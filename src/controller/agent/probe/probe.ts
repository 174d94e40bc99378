import { execFile } from 'node:child_process';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import { sentenceOf } from '../../../client/api-error.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import { deployments } from '../resources.ts';
import type { ProbeTarget } from './probe-target.ts';

/** Probes once; returns a sentence with the fault if there is one. */
export type Probe = (signal: AbortSignal) => Promise<true | string>;

export interface ProbeOptions {
  /** The client of the managed cluster, if the target is a Deployment. */
  readonly client: ApiClient;
  /** The namespace of the Deployment. */
  readonly namespace: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Returns a probe of a target; without a target it always passes. */
export function probeOf(target: ProbeTarget | undefined, options: ProbeOptions): Probe {
  if (target === undefined) return () => Promise.resolve(true);
  return async (signal) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(options.timeout)]);
    try {
      return await ask(target, options, limited);
    } catch (error) {
      return limited.aborted && !signal.aborted
        ? `no answer within ${options.timeout} ms`
        : sentenceOf(error);
    }
  };
}

async function ask(
  target: ProbeTarget,
  { client, namespace }: ProbeOptions,
  signal: AbortSignal,
): Promise<true | string> {
  if (target.type === 'http') return await askHttp(target.url, signal);
  if (target.type === 'tcp') return await askTcp(target.host, target.port, signal);
  if (target.type === 'exec') return await run(target.command, target.arguments, signal);
  return await askDeployment(client, { namespace, name: target.name }, signal);
}

/** As the kubelet: any answer from 200 to 399 passes, and the certificate is not verified. */
async function askHttp(url: URL, signal: AbortSignal): Promise<true | string> {
  const status = await new Promise<number>((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      response.resume();
      resolve(response.statusCode ?? 0);
    };
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { signal, rejectUnauthorized: false, agent: false }, answered)
        : requestHttp(url, { signal, agent: false }, answered);
    request.on('error', reject).end();
  });
  return (status >= 200 && status < 400) || `it answers ${status}`;
}

async function askTcp(host: string, port: number, signal: AbortSignal): Promise<true | string> {
  const socket = connect({ host, port, signal });
  try {
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return true;
  } finally {
    socket.destroy();
  }
}

async function run(command: string, args: readonly string[], signal: AbortSignal): Promise<true | string> {
  return await new Promise((resolve, reject) => {
    execFile(command, args, { signal, maxBuffer: 64 * 1024 }, (error) => {
      if (error === null) resolve(true);
      else if (typeof error.code === 'number') resolve(`${command} ended with ${error.code}`);
      else reject(error);
    });
  });
}

/** As OCM's prober of workloads: one ready replica is enough, and a Deployment with zero desired replicas is healthy. */
async function askDeployment(
  client: ApiClient,
  name: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<true | string> {
  const deployment = await client.get(deployments, name, signal);
  if (deployment === undefined) return `there is no Deployment ${name.namespace}/${name.name}`;
  const { spec, status } = deployment;
  if ((spec?.replicas ?? 1) === 0 || (status?.readyReplicas ?? 0) >= 1) return true;
  return `no replica of Deployment ${name.namespace}/${name.name} is ready`;
}
