import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { statusFaults, statusSettings } from '../../../controller/status/status-settings.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { version } from '../../../workspace/version.ts';
import { readConfiguration, settingOptions, type ConfigurationArguments } from './configuration.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

/** `controller status`: the comparison of `status` as metrics and Events. */
export function statusController(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, ConfigurationArguments> {
  return {
    command: 'status',
    describe: 'Compare the hub with the prediction again and again, and report it as metrics and Events',
    builder: (command) =>
      settingOptions(command, statusSettings).epilogue(
        examples(terminal, {
          'fleetwright controller status': 'in a pod, as its ServiceAccount',
          'fleetwright controller status --kubeconfig hub.kubeconfig --workspace .':
            'with the apps of a working tree as the prediction',
        }),
      ),
    handler: async (options) => {
      const settings = await readConfiguration(statusSettings, options, terminal, statusFaults);
      if (settings === undefined) {
        end(exitCode.failure);
        return;
      }
      // These modules are large, and no other command needs them.
      const { startStatus } = await import('./start-status.ts');
      end(await startStatus(settings, { identity: `${hostname()}_${randomUUID()}`, version, terminal }));
    },
  };
}
