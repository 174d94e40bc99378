import type { AgentSettings } from '../../controller/agent/agent-settings.ts';
import { CommandError } from '../terminal.ts';

/** The settings that an agent needs before it can start. */
export interface AgentTask {
  readonly addOn: string;
  readonly hub: { readonly kubeconfig: string; readonly cluster: string } | undefined;
}

/** Returns the task that the settings define. @throws CommandError if a setting is missing. */
export function agentTask(settings: AgentSettings): AgentTask {
  const { addOn, heartbeat, credentials, healthReport, hubKubeconfig, cluster } = settings;
  if (addOn === undefined)
    throw new CommandError('missing --add-on', 'set the name of the add-on with --add-on');
  if (!heartbeat && !credentials && !healthReport)
    throw new CommandError('nothing to do', 'enable --heartbeat, --credentials or --health-report');
  if (!credentials && !healthReport) return { addOn, hub: undefined };
  if (hubKubeconfig === undefined)
    throw new CommandError('missing --hub-kubeconfig', 'set the kubeconfig of the hub with --hub-kubeconfig');
  if (cluster === undefined)
    throw new CommandError('missing --cluster', 'set the name of this cluster on the hub with --cluster');
  return { addOn, hub: { kubeconfig: hubKubeconfig, cluster } };
}
