import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { hubFaults, hubSettings } from '../../../controller/hub/hub-settings.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { version } from '../../../workspace/version.ts';
import { readConfiguration, settingOptions, type ConfigurationArguments } from './configuration.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

/** `controller hub`: registration and health of add-ons, on the hub. */
export function hubController(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, ConfigurationArguments> {
  return {
    command: 'hub',
    describe: 'Register add-ons, approve and sign their certificates, and report their health, on the hub',
    builder: (command) =>
      settingOptions(command, hubSettings).epilogue(
        examples(terminal, {
          'fleetwright controller hub': 'in a pod, as its ServiceAccount',
          'fleetwright controller hub --kubeconfig hub.kubeconfig --no-leader-election': 'on a workstation',
        }),
      ),
    handler: async (options) => {
      const settings = await readConfiguration(hubSettings, options, terminal, hubFaults);
      if (settings === undefined) {
        end(exitCode.failure);
        return;
      }
      // These modules are large, and no other command needs them.
      const { startHub } = await import('./start-hub.ts');
      end(await startHub(settings, { identity: `${hostname()}_${randomUUID()}`, version, terminal }));
    },
  };
}
