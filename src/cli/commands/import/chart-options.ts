import type { Argv } from 'yargs';
import { listOption } from '../../options.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** The options that commands have for a chart that becomes an app. */
export interface ChartArguments {
  readonly version: string | undefined;
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  readonly 'plain-http': boolean;
}

/** The options of `import` for charts. */
export interface ImportedChartArguments extends ChartArguments {
  readonly chart: string | undefined;
  readonly upgrade: boolean;
}

const group = 'Helm charts:';

/** Adds the options for a chart that becomes an app. */
export function chartOptions<T>(command: Argv<T>): Argv<T & ChartArguments> {
  return (
    command
      // Without this, yargs would print the version of the program.
      .version(false)
      .option('version', {
        group,
        describe: 'version of the chart, or a constraint such as ^1.2',
        type: 'string',
        defaultDescription: 'the newest one that is not a pre-release',
      })
      .option('values', {
        ...listOption,
        group,
        describe: 'file with values for the app, stronger than those of the chart',
        defaultDescription: 'none',
      })
      .option('namespace', {
        group,
        describe: 'namespace of the release',
        type: 'string',
        defaultDescription: 'the name of the add-on',
      })
      .option('plain-http', { group, describe: 'download without TLS', type: 'boolean', default: false })
  );
}

/** Adds the options of `import` for charts. */
export function importedChartOptions<T>(command: Argv<T>): Argv<T & ImportedChartArguments> {
  return chartOptions(command)
    .option('chart', {
      group,
      describe: 'name of the chart, if the address is that of a repository',
      type: 'string',
      defaultDescription: 'none',
    })
    .option('upgrade', {
      group,
      describe: 'replace the chart of an existing app, and keep its app.ts',
      type: 'boolean',
      default: false,
    });
}

/** @throws UserError for options that have a meaning for charts alone */
export function refuseChartOptions(options: ImportedChartArguments): void {
  const given = [
    ...(['chart', 'version', 'namespace'] as const).filter((option) => options[option] !== undefined),
    ...(options.values.length > 0 ? ['values'] : []),
    ...(['plain-http', 'upgrade'] as const).filter((option) => options[option]),
  ];
  const [first] = given;
  if (first !== undefined)
    throw new UserError(
      `--${first} is for Helm charts`,
      'name the folder, the archive or the address of a chart',
    );
}
