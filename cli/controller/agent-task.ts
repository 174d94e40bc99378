import type { AgentSettings } from '../../controller/agent/agent-settings.ts';
import { CommandError } from '../terminal.ts';

/** What an agent has to be told, before it does anything. */
export interface AgentTask {
  readonly addOn: string;
  readonly hub: { readonly kubeconfig: string; readonly cluster: string } | undefined;
}

/** What the settings say of it. @throws CommandError where something is missing. */
export function agentTask(settings: AgentSettings): AgentTask {
  const { addOn, heartbeat, credentials, healthReport, hubKubeconfig, cluster } = settings;
  if (addOn === undefined) throw new CommandError('which add-on?', 'name it with --add-on');
  if (!heartbeat && !credentials && !healthReport)
    throw new CommandError(
      'there is nothing to do',
      'leave --heartbeat on, or add --credentials or --health-report',
    );
  if (!credentials && !healthReport) return { addOn, hub: undefined };
  if (hubKubeconfig === undefined)
    throw new CommandError('where is the hub?', 'name a kubeconfig with --hub-kubeconfig');
  if (cluster === undefined)
    throw new CommandError('which cluster is this on the hub?', 'name it with --cluster');
  return { addOn, hub: { kubeconfig: hubKubeconfig, cluster } };
}
