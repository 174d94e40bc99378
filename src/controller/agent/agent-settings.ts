import { labelFault, nameFault } from '../configuration/names.ts';
import { operationSettings } from '../configuration/operation-settings.ts';
import { duration, flag, text, type Values } from '../configuration/settings.ts';
import { probeFault } from './probe/probe-target.ts';

/** Settings of `controller agent`. */
export const agentSettings = {
  ...operationSettings,
  kubeconfig: text<undefined>({
    describe: 'kubeconfig of the managed cluster',
    default: undefined,
    defaultDescription: "KUBECONFIG, else ~/.kube/config, else the pod's service account",
  }),
  addOn: text<undefined>(
    { describe: 'the add-on', default: undefined, defaultDescription: 'none (required)' },
    nameFault,
  ),
  namespace: text<undefined>(
    {
      describe: 'install namespace of the add-on',
      default: undefined,
      defaultDescription: "the pod's, else open-cluster-management-agent-addon",
    },
    labelFault,
  ),
  heartbeat: flag({ describe: 'renew the Lease of the add-on while the probe succeeds', default: true }),
  probe: text<undefined>(
    {
      describe:
        'health probe: http(s)://HOST:PORT/PATH, tcp://HOST:PORT, deployment:NAME, or exec:COMMAND ARGUMENT…',
      default: undefined,
      defaultDescription: 'no probe: the Lease is renewed as long as the agent runs',
    },
    probeFault,
  ),
  probeTimeout: duration('100ms', '1m', { describe: 'timeout of the probe', default: '5s' }),
  period: duration('1s', '4m', { describe: 'interval between heartbeats', default: '60s' }),
  credentials: flag({
    describe: "request the add-on's certificates for the hub, if OCM's registration agent does not",
    default: false,
  }),
  healthReport: flag({
    describe: 'report the Lease to the hub, if the registration agent does not',
    default: false,
  }),
  hubKubeconfig: text<undefined>({
    describe: 'kubeconfig of the hub, with the identity of the cluster',
    default: undefined,
    defaultDescription: 'none (required for credentials and health reports)',
  }),
  cluster: text<undefined>(
    {
      describe: 'name of this cluster on the hub',
      default: undefined,
      defaultDescription: 'none (required for credentials and health reports)',
    },
    nameFault,
  ),
  certificateLifetime: duration('10m', '8760h', {
    describe: 'requested lifetime of certificates; the signer may issue a shorter one',
    default: '8760h',
  }),
};

export type AgentSettings = Values<typeof agentSettings>;
