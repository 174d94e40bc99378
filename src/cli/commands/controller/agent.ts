import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { agentSettings } from '../../../controller/agent/agent-settings.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { version } from '../../../workspace/version.ts';
import { agentTask } from './agent-task.ts';
import { readConfiguration, settingOptions, type ConfigurationArguments } from './configuration.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

/** `controller agent`: heartbeat and credentials of an add-on, on a managed cluster. */
export function agentController(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, ConfigurationArguments> {
  return {
    command: 'agent',
    describe: 'Renew the lease and the certificates of an add-on on a managed cluster',
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
      const run = { settings, ...agentTask(settings), version, terminal };
      // These modules are large, and no other command needs them.
      const { startAgent } = await import('./start-agent.ts');
      end(await startAgent(run));
    },
  };
}
