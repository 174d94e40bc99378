import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { functionCommand } from './function/function.ts';
import { generateCommand } from './generate.ts';
import { ociCommand } from './oci/oci.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type ExitCode } from '../../exit-code.ts';

/** `machine generate`, `function` and `oci`: the commands that other programs run, or whose output they read. */
export function machineCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, object> {
  return {
    command: 'machine',
    describe: 'Work for other programs: an Argo CD plugin, a KRM function, an OCI artifact',
    builder: (command) =>
      command
        .command(generateCommand(terminal, end))
        .command(functionCommand(terminal, end))
        .command(ociCommand(terminal, end))
        .epilogue(
          examples(terminal, {
            'fleetwright machine generate apps/helloworld': 'the manifests that Argo CD would apply',
          }),
        )
        .demandCommand(
          1,
          'Choose one: machine generate for Argo CD, machine function for kustomize and kpt, machine oci for Flux.',
        ),
    handler: () => undefined,
  };
}
