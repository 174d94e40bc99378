import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { HubAddress } from '../client/hub.ts';
import { buildHub, hubProgram } from './build-hub.ts';

export interface HubOptions {
  /** The program to start. By default it is that of this folder, which is built if need be. */
  readonly program?: string;
  /** Name of a managed cluster to start and join to the hub, or several with commas between them. */
  readonly managedCluster?: string | undefined;
  /** Whether OCM's controller of ManifestWorkReplicaSets runs too. @default false */
  readonly workReplicaSets?: boolean;
  /** Whether the work agents of managed clusters have only the permissions that OCM's operator grants them. @default false */
  readonly workAgentPermissions?: boolean;
  /** Whether the API server calls OCM's admission webhooks, as on a hub that OCM's operator made. @default true */
  readonly admissionWebhooks?: boolean;
  /** How OCM's agents of managed clusters register add-ons with the hub's API server. @default 'csr' */
  readonly addOnRegistration?: 'csr' | 'token';
  /** How often an add-on is to renew its Lease, in whole seconds such as `2s`. @default '1m' */
  readonly addOnLeaseDuration?: string | undefined;
  /** How long certificates live that kube-controller-manager signs, such as `130s`. @default '8760h' */
  readonly certificateDuration?: string | undefined;
  /** How often OCM's agents look whether certificates are to be renewed. @default '5m' */
  readonly certificateCheck?: string | undefined;
  /**
   * Whether the agents of managed clusters report clusters and works as often as OCM's do by default, each minute and each 10 s.
   *
   * @default false - every 10 s and every second
   */
  readonly defaultReports?: boolean;
  /**
   * How OCM's scheduler is served below /debug/placements/, with a pod for port forwarding: as OCM before 1.3 (`get`) or as OCM 1.3
   * (`post`). @default - it is not served
   */
  readonly placementServer?: 'get' | 'post' | undefined;
  /** File for the audit log of the API server: every request except reads. @default - there is none */
  readonly auditLog?: string | undefined;
  /** Whether the API server serves MutatingAdmissionPolicies, which are off by default in its version. @default false */
  readonly mutatingPolicies?: boolean;
  /** Go's soft limit for the memory of the hub's process, such as `11GiB`. @default - no limit */
  readonly memoryLimit?: string;
  /** File for the log of all components. By default it lies in the hub's own folder and goes with it. */
  readonly log?: string | undefined;
}

/**
 * What can be done to a running hub: `compact` has etcd forget every version but the present one; `kill-api-server` cuts all
 * connections of the API server and takes no more until `start-api-server`, which begins a new one at the same address
 * over the same etcd; `restart-ocm-controllers` stops OCM's controllers on the hub and starts new ones;
 * `stop-ocm-controllers` stops them until `start-ocm-controllers`, which does not start those of add-ons; `stop-add-on-manager` stops those of
 * add-ons until `start-add-on-manager`; `copy-cluster MODEL NAME,NAME` writes what etcd has of a cluster for others, whose names have the
 * same length; `stop-managed-cluster` ends the API server of the managed cluster and OCM's agents there, until
 * `start-managed-cluster`.
 */
export type Fault =
  | 'compact'
  | 'kill-api-server'
  | 'start-api-server'
  | 'restart-ocm-controllers'
  | 'stop-ocm-controllers'
  | 'start-ocm-controllers'
  | 'stop-add-on-manager'
  | 'start-add-on-manager'
  | `copy-cluster ${string} ${string}`
  | 'stop-managed-cluster'
  | 'start-managed-cluster';

/** A managed cluster that has joined a hub. */
export interface ManagedClusterAddress {
  readonly name: string;
  readonly kubeconfig: string;
}

/** A hub that runs until `stop` is called or this process ends, in whatever way. */
export interface RunningHub extends HubAddress {
  /** The log of all components. */
  readonly log: string;
  /** The first managed cluster, which faults concern. */
  readonly managedCluster?: ManagedClusterAddress;
  readonly managedClusters?: readonly ManagedClusterAddress[];
  /** The URL of the placement server. Absent without one. */
  readonly placementServer?: string;
  /** Seconds from the start of the program until the hub answered. */
  readonly readySeconds: number;
  readonly process: ChildProcess;
  /** Returns when it has happened; an API server that was started answers by then. One at a time. */
  cause(fault: Fault): Promise<void>;
  /** Ends the hub and returns when nothing of it is left. */
  stop(): Promise<void>;
}

type Announcement = Omit<RunningHub, 'process' | 'cause' | 'stop'>;

/** The folder that a hub writes everything to, and removes at its end. */
export function folderOf({ kubeconfig }: Pick<HubAddress, 'kubeconfig'>): string {
  return path.dirname(path.dirname(kubeconfig));
}

/** Builds the hub if need be, starts it, and returns when it answers. */
export async function startHub({
  program,
  managedCluster,
  workReplicaSets = false,
  workAgentPermissions = false,
  admissionWebhooks = true,
  addOnRegistration = 'csr',
  defaultReports = false,
  placementServer,
  auditLog,
  memoryLimit,
  mutatingPolicies = false,
  log,
  ...periods
}: HubOptions = {}): Promise<RunningHub> {
  if (program === undefined) buildHub();
  const args = [
    '--exit-with-stdin',
    ...(managedCluster === undefined ? [] : ['--managed-cluster', managedCluster]),
    ...(admissionWebhooks ? ['--admission-webhooks'] : []),
    ...(workAgentPermissions ? ['--work-agent-permissions'] : []),
    ...(workReplicaSets ? ['--work-replica-sets'] : []),
    ...(addOnRegistration === 'csr' ? [] : ['--add-on-registration', addOnRegistration]),
    ...(defaultReports ? ['--default-reports'] : []),
    ...(placementServer === undefined ? [] : ['--placement-server', placementServer]),
    ...(auditLog === undefined ? [] : ['--audit-log', auditLog]),
    ...(mutatingPolicies ? ['--mutating-policies'] : []),
    ...(log === undefined ? [] : ['--log', log]),
    ...periodFlags(periods),
  ];
  // Standard input stays open, for faults: when this process dies the hub reads its end and goes.
  const child = spawn(program ?? hubProgram, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(memoryLimit !== undefined && { GOMEMLIMIT: memoryLimit }) },
  });
  const answers = createInterface(child.stdout);
  const ended = once(child, 'exit');
  const next = async (): Promise<string> => {
    const line = await Promise.race([nextLine(answers), ended]);
    if (typeof line === 'string') return line;
    throw new Error(`the hub does not answer: it ended with ${String(line[0] ?? line[1])}`);
  };
  return {
    ...(JSON.parse(await next()) as Announcement),
    process: child,
    cause: async (fault) => {
      const answer = next();
      child.stdin.write(`${fault}\n`);
      const { error } = JSON.parse(await answer) as { readonly error?: string };
      if (error !== undefined) throw new Error(`${fault}: ${error}`);
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

function periodFlags({
  addOnLeaseDuration,
  certificateDuration,
  certificateCheck,
}: HubOptions): readonly string[] {
  return Object.entries({
    '--add-on-lease-duration': addOnLeaseDuration,
    '--certificate-duration': certificateDuration,
    '--certificate-check': certificateCheck,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
}

async function nextLine(lines: Interface): Promise<string> {
  const [line] = (await once(lines, 'line')) as [string];
  return line;
}
