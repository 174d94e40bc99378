import { runAgent } from '../../../controller/agent/run-agent.ts';
import type { AgentSettings } from '../../../controller/agent/agent-settings.ts';
import { systemClock } from '../../../client/clock.ts';
import { connect, endpointOf } from '../../../client/kubeconfig/connect.ts';
import { createLog } from '../../../controller/operation/log.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import type { AgentTask } from './agent-task.ts';
import { openKubeconfig } from '../../../workspace/hub/open-kubeconfig.ts';
import { apiServer } from './api-server.ts';
import { stopSignal } from '../../stop-signal.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

interface AgentStart extends AgentTask {
  readonly settings: AgentSettings;
  readonly version: string;
  readonly terminal: Terminal;
}

/** Runs `controller agent` until the process receives a stop signal. @throws HubError if no API server is configured. */
export async function startAgent({ settings, addOn, hub, version, terminal }: AgentStart): Promise<ExitCode> {
  const clock = systemClock;
  const log = createLog({
    level: settings.logLevel,
    fields: { controller: 'agent', addOn, version },
    destination: { write: (line) => terminal.out(line) },
    now: () => clock.now(),
  });
  const userAgent = `fleetwright-agent/${version}`;
  const managedCluster = apiServer(settings, terminal, clock, userAgent);
  const onHub =
    hub &&
    openKubeconfig(() => {
      const address = { folder: terminal.cwd, kubeconfig: hub.kubeconfig };
      const { transport } = connect(address, clock, userAgent);
      return { transport, endpoint: endpointOf(address), cluster: hub.cluster };
    });
  await runAgent(
    { settings, addOn, ...managedCluster, hub: onHub, clock, log },
    stopSignal(settings.stopWithin),
  );
  return exitCode.clean;
}
