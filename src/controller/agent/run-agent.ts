import { parseProbeTarget } from './probe/probe-target.ts';
import type { Clock } from '../../client/clock.ts';
import { ApiClient } from '../../client/api-client.ts';
import type { ClusterEndpoint } from '../../client/kubeconfig/connect.ts';
import type { Transport } from '../../client/transport.ts';
import { health } from '../operation/health.ts';
import { serve } from '../operation/http-server.ts';
import type { Log } from '../operation/log.ts';
import { Metrics } from '../operation/metrics.ts';
import { agentMetrics } from './agent-metrics.ts';
import type { AgentSettings } from './agent-settings.ts';
import { credentials } from './credentials/credentials.ts';
import { RunningTask, type RepeatedTask } from './repeated-task.ts';
import { healthReport } from './health-report.ts';
import { heartbeat } from './heartbeat.ts';
import { agentName } from './hub-identity.ts';
import { probeOf } from './probe/probe.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';

/** The owner of the fields that the agent writes. */
const fieldManager = 'fleetwright-agent';

/** The hub, if the agent has tasks there. */
export interface AgentHub {
  readonly transport: Transport;
  readonly endpoint: ClusterEndpoint;
  /** The name of the managed cluster there. */
  readonly cluster: string;
}

export interface AgentRun {
  readonly settings: AgentSettings;
  /** The name of the add-on. */
  readonly addOn: string;
  /** The transport to the managed cluster. */
  readonly transport: Transport;
  /** The namespace of its kubeconfig, or of the pod. */
  readonly namespace: string | undefined;
  readonly hub: AgentHub | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
}

/** Runs `controller agent` until the signal is aborted, and returns when nothing is in flight any more. */
export async function runAgent(run: AgentRun, signal: AbortSignal): Promise<void> {
  const { settings, transport, hub, clock, log } = run;
  const metrics = run.metrics ?? new Metrics();
  const tasks = tasksOf(run, metrics).map((task) => new RunningTask(task, { clock, log }));
  const server = await serve({
    listen: settings.listen,
    healthy: health(
      tasks.map((task) => () => task.liveness),
      log,
    ),
    ready: () =>
      signal.aborted
        ? 'the agent stops'
        : (tasks.map(({ state }) => state).find((state) => state !== true) ?? true),
    registry: metrics.registry,
  });
  log.info({ port: server.port, cluster: transport.server, hub: hub?.transport.server }, 'started');
  await Promise.all(tasks.map((task) => task.run(signal)));
  await server.close();
  transport.close();
  hub?.transport.close();
  log.info({}, 'stopped');
}

function tasksOf(run: AgentRun, metrics: Metrics): readonly RepeatedTask[] {
  const { settings, hub, clock, log } = run;
  const { onProbe, onCertificate } = agentMetrics(metrics);
  const client = (transport: Transport): ApiClient =>
    new ApiClient(transport, { clock, fieldManager, onRequest: metrics.onRequest });
  const cluster = client(run.transport);
  const namespace = settings.namespace ?? run.namespace ?? defaultInstallNamespace;
  const tasks: RepeatedTask[] = [];
  if (settings.heartbeat) {
    const target = settings.probe === undefined ? undefined : parseProbeTarget(settings.probe);
    const probe = probeOf(target, { client: cluster, namespace, timeout: settings.probeTimeout });
    const lease = { namespace, name: run.addOn };
    tasks.push(heartbeat({ client: cluster, clock, log, probe, lease, period: settings.period, onProbe }));
  }
  if (hub === undefined) return tasks;
  const hubClient = client(hub.transport);
  const addOn = {
    name: run.addOn,
    cluster: hub.cluster,
    namespace: settings.namespace ?? run.namespace,
  };
  const common = { hub: hubClient, cluster, clock, log, addOn };
  if (settings.credentials) {
    const agent = agentName(hubClient, hub.cluster);
    const { endpoint } = hub;
    const lifetime = settings.certificateLifetime;
    tasks.push(credentials({ ...common, agent, endpoint, lifetime, onCertificate }));
  }
  if (settings.healthReport) tasks.push(healthReport(common));
  return tasks;
}
