import type { CommandModule } from 'yargs';
import { hasErrors } from '../compiler/diagnostic.ts';
import { importObjects, type ImportedApp } from '../compiler/import/import-objects.ts';
import { readInputs } from './inputs.ts';

import { printDiagnostics } from './print-diagnostics.ts';
import { CommandError, exitCode, type ExitCode, type Terminal } from './terminal.ts';
import { writeApp } from './write-app.ts';

interface Arguments {
  readonly path: readonly string[];
  readonly out: string;
  readonly overwrite: boolean;
}

/** `import PATH…`: existing YAML into an app. */
export function importCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'import <path..>',
    describe: 'Turn existing YAML into an app',
    builder: (command) =>
      command
        .positional('path', {
          describe: 'a YAML file, a folder, or - for standard input',
          type: 'string',
          array: true,
          demandOption: true,
        })
        .option('out', {
          describe: 'the folder of the app',
          type: 'string',
          default: 'apps/imported',
        })
        .option('overwrite', {
          describe: 'replace files that exist already',
          type: 'boolean',
          default: false,
        })
        .example('$0 import manifests/ --out apps/metrics', 'every YAML file of a folder')
        .example('kubectl get placements -A -o yaml | $0 import -', 'what kubectl prints'),
    handler: async (options) => {
      end(await importYaml(options, terminal));
    },
  };
}

async function importYaml({ path, out, overwrite }: Arguments, terminal: Terminal): Promise<ExitCode> {
  const inputs = await readInputs(path, [], terminal);
  const code = inputs.objects.find(({ origin }) => 'construct' in origin.location);
  if (code !== undefined)
    throw new CommandError('what is an app already need not be imported', 'import reads YAML');
  if (hasErrors(inputs.diagnostics)) {
    printDiagnostics(inputs.diagnostics, inputs.texts, terminal);
    return exitCode.findings;
  }
  if (inputs.objects.length === 0) throw new CommandError('there are no objects to import');
  const [{ ConstructSynthesizer }, plus] = await Promise.all([
    // cdk8s takes a while to load
    import('./construct-synthesizer.ts'),
    import('cdk8s-plus-27'),
  ]);
  const texts = [...inputs.texts].map(([file, text]) => ({ file, text }));
  const { value: app, diagnostics } = importObjects(inputs.objects, texts, new ConstructSynthesizer(plus));
  printDiagnostics([...inputs.diagnostics, ...diagnostics], inputs.texts, terminal);
  if (app === undefined) return exitCode.findings;
  await writeApp(terminal.cwd, out, app.files, overwrite);
  terminal.out(summary(app, out));
  return exitCode.clean;
}

function summary({ files, created, kept, fleet }: ImportedApp, out: string): string {
  const parts = [
    `${objects(created)} in TypeScript`,
    ...(kept === 0 ? [] : [`${objects(kept)} as YAML`]),
    ...(fleet === 0 ? [] : [`${objects(fleet)} of the fleet, which synth reads and does not emit`]),
  ];
  return `${out}: ${parts.join(', ')}\n${[...files.keys()].map((name) => `  ${name}\n`).join('')}`;
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}
