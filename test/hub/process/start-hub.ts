import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { HubAddress } from '../client/hub.ts';
import { buildHub, hubProgram } from './build-hub.ts';

export interface HubOptions {
  /** Name of a managed cluster to start and join to the hub. */
  readonly managedCluster?: string;
  /** File for the log of all components. By default it lies in the hub's own folder and goes with it. */
  readonly log?: string;
}

/** A hub that runs until `stop` is called or this process ends, in whatever way. */
export interface RunningHub extends HubAddress {
  /** The log of all components. */
  readonly log: string;
  readonly managedCluster?: { readonly name: string; readonly kubeconfig: string };
  /** Seconds from the start of the program until the hub answered. */
  readonly readySeconds: number;
  readonly process: ChildProcess;
  /** Ends the hub and returns when nothing of it is left. */
  stop(): Promise<void>;
}

type Announcement = Omit<RunningHub, 'process' | 'stop'>;

/** The folder that a hub writes everything to, and removes at its end. */
export function folderOf({ kubeconfig }: Pick<HubAddress, 'kubeconfig'>): string {
  return path.dirname(path.dirname(kubeconfig));
}

/** Builds the hub if need be, starts it, and returns when it answers. */
export async function startHub({ managedCluster, log }: HubOptions = {}): Promise<RunningHub> {
  buildHub();
  const args = [
    '--exit-with-stdin',
    ...(managedCluster === undefined ? [] : ['--managed-cluster', managedCluster]),
    ...(log === undefined ? [] : ['--log', log]),
  ];
  // Standard input stays open and unused: when this process dies the hub reads its end and goes.
  const child = spawn(hubProgram, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const first = await Promise.race([firstLine(child), ended]);
  if (typeof first !== 'string')
    throw new Error(`the hub did not start: it ended with ${String(first[0] ?? first[1])}`);
  return {
    ...(JSON.parse(first) as Announcement),
    process: child,
    stop: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the hub has no standard output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
}
