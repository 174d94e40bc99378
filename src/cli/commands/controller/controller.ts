import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { agentController } from './agent.ts';
import { hubController } from './hub.ts';
import { statusController } from './status.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type ExitCode } from '../../exit-code.ts';

/** `controller hub`, `agent` and `status`: the companion, which runs until it receives a stop signal. */
export function controllerCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, object> {
  return {
    command: 'controller',
    describe: 'Run the companion, which does what cannot be compiled',
    builder: (command) =>
      command
        .command(hubController(terminal, end))
        .command(agentController(terminal, end))
        .command(statusController(terminal, end))
        .epilogue(
          examples(terminal, {
            'fleetwright controller hub --config companion.yaml': 'with a settings file',
          }),
        )
        .demandCommand(
          1,
          'Choose one: controller hub and controller status run on the hub, controller agent on a managed cluster.',
        ),
    handler: () => undefined,
  };
}
