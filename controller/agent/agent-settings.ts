import { labelFault, nameFault } from '../configuration/names.ts';
import { operationSettings } from '../configuration/operation-settings.ts';
import { duration, flag, text, type Values } from '../configuration/settings.ts';
import { probeFault } from './probe/probe-target.ts';

/** Settings of `controller agent`. */
export const agentSettings = {
  ...operationSettings,
  kubeconfig: text<undefined>({
    describe: 'the file that says where the managed cluster is',
    default: undefined,
    defaultDescription: "KUBECONFIG, else ~/.kube/config, else the pod's own account",
  }),
  addOn: text<undefined>(
    { describe: 'the add-on', default: undefined, defaultDescription: 'none: it has to be named' },
    nameFault,
  ),
  namespace: text<undefined>(
    {
      describe: 'the namespace that the add-on is installed in',
      default: undefined,
      defaultDescription: "the pod's, else open-cluster-management-agent-addon",
    },
    labelFault,
  ),
  heartbeat: flag({ describe: 'keep the Lease of the add-on renewed while the probe passes', default: true }),
  probe: text<undefined>(
    {
      describe:
        'what has to be well: http(s)://HOST:PORT/PATH, tcp://HOST:PORT, deployment:NAME, or exec:COMMAND ARGUMENT…',
      default: undefined,
      defaultDescription: 'nothing: the heartbeat goes on as long as the agent runs',
    },
    probeFault,
  ),
  probeTimeout: duration('100ms', '1m', { describe: 'how long the probe may take', default: '5s' }),
  period: duration('1s', '4m', { describe: 'between two heartbeats', default: '60s' }),
  credentials: flag({
    describe: "get the add-on's certificates for the hub, where OCM's registration agent does not",
    default: false,
  }),
  healthReport: flag({
    describe: 'tell the hub whether the Lease is renewed, where the registration agent does not',
    default: false,
  }),
  hubKubeconfig: text<undefined>({
    describe: 'the file that says where the hub is, with the identity of the cluster there',
    default: undefined,
    defaultDescription: 'none: credentials and health reports need it',
  }),
  cluster: text<undefined>(
    {
      describe: 'the name of this cluster on the hub',
      default: undefined,
      defaultDescription: 'none: credentials and health reports need it',
    },
    nameFault,
  ),
  certificateLifetime: duration('10m', '8760h', {
    describe: 'how long a certificate is asked to live; the signer may give less',
    default: '8760h',
  }),
};

export type AgentSettings = Values<typeof agentSettings>;
