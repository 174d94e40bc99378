import type { AgentSettings } from '../../../controller/agent/agent-settings.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** The settings that an agent needs before it can start. */
export interface AgentTask {
  readonly addOn: string;
  readonly hub: { readonly kubeconfig: string; readonly cluster: string } | undefined;
}

/** Returns the task that the settings define. @throws UserError if a setting is missing. */
export function agentTask(settings: AgentSettings): AgentTask {
  const { addOn, heartbeat, credentials, healthReport, hubKubeconfig, cluster } = settings;
  if (addOn === undefined)
    throw new UserError('missing --add-on', 'set the name of the add-on with --add-on');
  if (!heartbeat && !credentials && !healthReport)
    throw new UserError('nothing to do', 'enable --heartbeat, --credentials or --health-report');
  if (!credentials && !healthReport) return { addOn, hub: undefined };
  if (hubKubeconfig === undefined)
    throw new UserError('missing --hub-kubeconfig', 'set the kubeconfig of the hub with --hub-kubeconfig');
  if (cluster === undefined)
    throw new UserError('missing --cluster', 'set the name of this cluster on the hub with --cluster');
  return { addOn, hub: { kubeconfig: hubKubeconfig, cluster } };
}
