import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '../../../src/client/clock.ts';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { hubSettings } from '../../../src/controller/hub/hub-settings.ts';
import { runHub } from '../../../src/controller/hub/run-hub.ts';
import { connect } from '../../../src/client/kubeconfig/connect.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { RecordingLog } from '../../controller/recording-log.ts';
import { countedRequests, type CountedRequests } from './permissions.ts';

/** A `controller hub` that runs in this process. */
export interface RunningCompanion {
  readonly log: RecordingLog;
  /** Returns the value of a metric; labels, such as `{check="limit"}`, are passed as the text between the braces. */
  count(metric: string, labels?: string): Promise<number>;
  /** What it asked of the API server so far. */
  requests(): Promise<CountedRequests>;
  stop(): Promise<void>;
}

/** What a companion runs with instead of what it has by default. */
export interface CompanionOptions {
  readonly clock?: Clock;
  /** Milliseconds that certificates live which it signs: less than its setting may be. */
  readonly certificateLifetime?: number;
  /** The proxy between the companion and the hub. */
  readonly through?: (transport: Transport) => Transport;
}

/** Starts `controller hub` against a hub. @param flags - by their names in the configuration file */
export function startCompanion(
  kubeconfig: string,
  flags: Readonly<Record<string, unknown>> = {},
  { clock = systemClock, certificateLifetime, through = (transport) => transport }: CompanionOptions = {},
): RunningCompanion {
  const given = { listen: '127.0.0.1:0', leaderElection: false, ...flags };
  const { value, problems } = readSettings(hubSettings, given, {});
  const settings = certificateLifetime === undefined ? value : { ...value, certificateLifetime };
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const [end, log, metrics] = [new AbortController(), new RecordingLog(), new Metrics(false)];
  const transport = through(connect({ kubeconfig }, clock, 'fleetwright-hub-test').transport);
  const namespace = 'open-cluster-management-hub';
  const running = runHub(
    { settings, transport, namespace, identity: randomUUID(), clock, log, metrics },
    end.signal,
  );
  return {
    log,
    count: async (metric, labels) => {
      const name = labels === undefined ? metric : `${metric}{${labels}}`;
      const line = (await metrics.registry.metrics()).split('\n').find((each) => each.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1) ?? Number.NaN);
    },
    requests: async () => await countedRequests(metrics),
    stop: async () => {
      end.abort();
      await running;
    },
  };
}
