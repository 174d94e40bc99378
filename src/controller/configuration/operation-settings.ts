import { isListenAddress } from './listen-address.ts';
import { labelFault, nameFault } from './names.ts';
import { choice, duration, flag, text, integer } from './settings.ts';

/** The log levels. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Settings of every controller. */
export const operationSettings = {
  kubeconfig: text<undefined>({
    describe: 'kubeconfig of the hub',
    default: undefined,
    defaultDescription: "KUBECONFIG, else ~/.kube/config, else the pod's service account",
  }),
  context: text<undefined>({
    describe: 'context in the kubeconfig',
    default: undefined,
    defaultDescription: 'the current context',
  }),
  listen: text(
    { describe: 'listen address of /healthz, /readyz and /metrics', default: ':8080' },
    (address) => (isListenAddress(address) ? undefined : 'an address such as :8080 or 127.0.0.1:8080'),
  ),
  logLevel: choice(logLevels, { describe: 'log level', default: 'info' }),
  stopWithin: duration('1s', '10m', {
    describe: 'grace period for work in progress after SIGTERM',
    default: '20s',
  }),
};

/** Settings of controllers that support several replicas. */
export const replicaSettings = {
  leaderElection: flag({ describe: 'enable leader election', default: true }),
  leaderElectionNamespace: text<undefined>(
    {
      describe: 'namespace of the Lease',
      default: undefined,
      defaultDescription: "the pod's, else the kubeconfig's, else open-cluster-management-hub",
    },
    labelFault,
  ),
  leaderElectionName: text({ describe: 'name of the Lease', default: 'fleetwright-controller' }, nameFault),
  leaseDuration: duration('3s', '10m', {
    describe: 'time that other replicas wait after the last renewal of the leader',
    default: '15s',
  }),
  renewDeadline: duration('2s', '10m', {
    describe: 'time after which a leader that cannot renew the Lease stops',
    default: '10s',
  }),
  retryPeriod: duration('500ms', '5m', {
    describe: 'interval between attempts to acquire the Lease',
    default: '2s',
  }),
};

/** Settings of concurrency and load. */
export const loadSettings = {
  workers: integer(1, 256, { describe: 'number of concurrent workers per kind', default: 8 }),
  resync: duration('1m', '24h', {
    describe: 'interval after which every object is reconciled again',
    default: '10m',
  }),
};
