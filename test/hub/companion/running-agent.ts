import { agentSettings } from '../../../src/controller/agent/agent-settings.ts';
import { runAgent } from '../../../src/controller/agent/run-agent.ts';
import { systemClock, type Clock } from '../../../src/client/clock.ts';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { connect, endpointOf } from '../../../src/client/kubeconfig/connect.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { RecordingLog } from '../../controller/recording-log.ts';
import { countedRequests, type CountedRequests } from './permissions.ts';

/** A `controller agent` that runs in this process. */
export interface RunningAgent {
  readonly log: RecordingLog;
  /** What it asked of the managed cluster's API server, and of the hub's, so far. */
  requests(): Promise<CountedRequests>;
  stop(): Promise<void>;
}

export interface AgentOptions {
  /** Of the managed cluster. */
  readonly kubeconfig: string;
  readonly addOn: string;
  readonly hub?: { readonly kubeconfig: string; readonly cluster: string };
  readonly clock?: Clock;
}

/** Starts `controller agent`. @param flags - by their names in the configuration file */
export function startAgent(
  { kubeconfig, addOn, hub, clock = systemClock }: AgentOptions,
  flags: Readonly<Record<string, unknown>> = {},
): RunningAgent {
  const { value: settings, problems } = readSettings(agentSettings, { listen: '127.0.0.1:0', ...flags }, {});
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const [end, log, metrics] = [new AbortController(), new RecordingLog(), new Metrics(false)];
  const userAgent = 'fleetwright-agent-test';
  const { transport } = connect({ kubeconfig }, clock, userAgent);
  const onHub = hub && {
    transport: connect({ kubeconfig: hub.kubeconfig }, clock, userAgent).transport,
    endpoint: endpointOf({ kubeconfig: hub.kubeconfig }),
    cluster: hub.cluster,
  };
  const running = runAgent(
    { settings, addOn, transport, namespace: undefined, hub: onHub, clock, log, metrics },
    end.signal,
  );
  return {
    log,
    requests: async () => await countedRequests(metrics),
    stop: async () => {
      end.abort();
      await running;
    },
  };
}
