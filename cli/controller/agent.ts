import type { CommandModule } from 'yargs';
import { examples } from '../examples.ts';
import { agentSettings, type AgentSettings } from '../../controller/agent/agent-settings.ts';
import { CommandError, exitCode, type ExitCode, type Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import { readConfiguration, settingOptions, type ConfigurationArguments } from './configuration.ts';

/** `controller agent`: heartbeat and credentials of an add-on, on a managed cluster. */
export function agentController(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, ConfigurationArguments> {
  return {
    command: 'agent',
    describe: 'Keep an add-on alive and its certificates fresh, on a managed cluster',
    builder: (command) =>
      settingOptions(command, agentSettings).epilogue(
        examples(terminal, {
          'fleetwright controller agent --add-on hello --probe http://127.0.0.1:8080/healthz':
            'beside an agent, in its pod',
          'fleetwright controller agent --add-on hello --credentials --health-report --cluster c1 --hub-kubeconfig hub':
            "for a cluster without OCM's registration agent",
        }),
      ),
    handler: async (options) => {
      const settings = await readConfiguration(agentSettings, options, terminal);
      if (settings === undefined) {
        end(exitCode.failure);
        return;
      }
      const run = { settings, ...said(settings), version, terminal };
      // They are large, and no other command needs them.
      const { startAgent } = await import('./start-agent.ts');
      end(await startAgent(run));
    },
  };
}

/** What an agent has to be told, before it does anything. */
export interface AgentTask {
  readonly addOn: string;
  readonly hub: { readonly kubeconfig: string; readonly cluster: string } | undefined;
}

/** @throws CommandError where something is missing. */
function said(settings: AgentSettings): AgentTask {
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
