import { isListenAddress } from './listen-address.ts';
import { labelFault, nameFault } from './names.ts';
import { choice, duration, flag, text, whole } from './settings.ts';

/** How much is logged. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Settings of every controller. */
export const operationSettings = {
  kubeconfig: text<undefined>({
    describe: 'the file that says where the hub is',
    default: undefined,
    defaultDescription: "KUBECONFIG, else ~/.kube/config, else the pod's own account",
  }),
  context: text<undefined>({
    describe: 'a context of the kubeconfig',
    default: undefined,
    defaultDescription: 'its current one',
  }),
  listen: text(
    { describe: 'where /healthz, /readyz and /metrics are served', default: ':8080' },
    (written) => (isListenAddress(written) ? undefined : 'an address such as :8080 or 127.0.0.1:8080'),
  ),
  logLevel: choice(logLevels, { describe: 'how much is logged', default: 'info' }),
  stopWithin: duration('1s', '10m', {
    describe: 'how long work under way may take after SIGTERM',
    default: '20s',
  }),
};

/** Settings of controllers of which several replicas may run. */
export const replicaSettings = {
  leaderElection: flag({ describe: 'of several replicas let one work at a time', default: true }),
  leaderElectionNamespace: text<undefined>(
    {
      describe: 'the namespace of the Lease',
      default: undefined,
      defaultDescription: "the pod's, else the kubeconfig's, else open-cluster-management-hub",
    },
    labelFault,
  ),
  leaderElectionName: text(
    { describe: 'the name of the Lease', default: 'fleetwright-controller' },
    nameFault,
  ),
  leaseDuration: duration('3s', '10m', {
    describe: 'how long the others wait after the last sign of life of the one that leads',
    default: '15s',
  }),
  renewDeadline: duration('2s', '10m', {
    describe: 'how long the one that leads may fail to say so before it stops',
    default: '10s',
  }),
  retryPeriod: duration('500ms', '5m', { describe: 'between two attempts to lead', default: '2s' }),
};

/** Settings of how much is done at a time. */
export const loadSettings = {
  workers: whole(1, 256, { describe: 'objects of a kind at a time', default: 8 }),
  resync: duration('1m', '24h', {
    describe: 'after how long every object is looked at again though nothing happened',
    default: '10m',
  }),
};
