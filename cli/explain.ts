import path from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from './examples.ts';
import { explainAddOn } from '../compiler/plan/explain-add-on.ts';
import { affectedBy, whoUses } from '../compiler/plan/who-uses.ts';
import { affectedText, explanationText, whoUsesText } from '../compiler/report/explanation-text.ts';
import {
  appOptions,
  fromRoot,
  resolveApps,
  type AppArguments,
  type AppResolution,
} from './app-resolutions.ts';
import { clusterAndAddOn, hubOptions, readHubOptions, type HubArguments } from './options.ts';
import { painter } from './painter.ts';
import { CommandError, exitCode, type ExitCode, type Terminal } from './terminal.ts';
import { openWorkspace } from './workspace.ts';

interface OutputArguments extends HubArguments, AppArguments {
  readonly output: string;
}

type End = (code: ExitCode) => void;

const outputOption = { alias: 'o', describe: 'format', choices: ['text', 'json'], default: 'text' } as const;

interface ExplainArguments extends OutputArguments {
  readonly cluster: string;
  readonly addon: string;
  readonly field: string | undefined;
}

/** `explain CLUSTER ADDON [FIELD]`: why a cluster has an add-on, and who decided each of its values. */
export function explainCommand(terminal: Terminal, end: End): CommandModule<object, ExplainArguments> {
  return {
    command: 'explain <cluster> <addon> [field]',
    describe: 'Say why a cluster has an add-on, and where each of its values comes from',
    builder: (command) =>
      clusterAndAddOn(appOptions(hubOptions(command)))
        .positional('field', {
          describe: 'a field of the configuration, or a manifest with a field of it',
          type: 'string',
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, {
            'fleetwright explain cluster1 helloworld': 'everything about one add-on on one cluster',
            'fleetwright explain cluster1 helloworld customizedVariables': 'the variables, with what lost',
            "fleetwright explain cluster1 helloworld 'Deployment/agent .spec.template.spec.containers[0].image'":
              'what gave a rendered value',
          }),
        ),
    handler: async (options) => {
      const { cluster, addon, field = '' } = options;
      const hub = readHubOptions(options);
      const workspace = await openWorkspace(terminal);
      const { resolved: apps } = await resolveApps(fromRoot(options, workspace), hub, workspace.terminal);
      if (!apps.some(({ resolution }) => resolution.decisions.clusters.has(cluster))) {
        throw new CommandError(`the fleet has no cluster ${cluster}`);
      }
      const found = apps.flatMap(({ app, resolution }) => {
        const explanation = explainAddOn(resolution, addon, cluster, field, hub.hub);
        return explanation === undefined ? [] : [{ app, ...explanation }];
      });
      if (found.length === 0) throw new CommandError(`there is no add-on ${addon}`);
      print(found, options, terminal, (explanation) => explanationText(explanation, textOptions(terminal)));
      end(exitCode.clean);
    },
  };
}

interface WhoUsesArguments extends OutputArguments {
  readonly config: string;
}

/** `who-uses CONFIG`: the clusters on which a configuration counts. */
export function whoUsesCommand(terminal: Terminal, end: End): CommandModule<object, WhoUsesArguments> {
  return {
    command: 'who-uses <config>',
    describe: 'Say which add-ons use a configuration, and on which clusters',
    builder: (command) =>
      appOptions(hubOptions(command))
        .positional('config', {
          describe: 'namespace/name, or name of a template',
          type: 'string',
          demandOption: true,
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, { 'fleetwright who-uses default/global-config': 'before it is edited' }),
        ),
    handler: async (options) => {
      const found = (await resolved(options, terminal)).flatMap(({ app, resolution }) =>
        whoUses(resolution, options.config).map((uses) => ({ app, ...uses })),
      );
      if (found.length === 0 && options.output === 'text')
        terminal.out(`no add-on names ${options.config}\n`);
      else print(found, options, terminal, (uses) => whoUsesText([uses], textOptions(terminal)));
      end(exitCode.clean);
    },
  };
}

interface AffectedArguments extends OutputArguments {
  readonly file: readonly string[];
}

/** `affected FILE…`: the clusters in which the objects of some files have a part. */
export function affectedCommand(terminal: Terminal, end: End): CommandModule<object, AffectedArguments> {
  return {
    command: 'affected <file..>',
    describe: 'Say which add-ons and clusters the objects of some files reach',
    builder: (command) =>
      appOptions(hubOptions(command))
        .positional('file', {
          describe: 'files as they are named in findings',
          type: 'string',
          array: true,
          demandOption: true,
          defaultDescription: 'none',
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, {
            'git diff --name-only main | xargs fleetwright affected': 'what the files of a branch reach',
          }),
        ),
    handler: async (options) => {
      const { root } = await openWorkspace(terminal);
      const files = options.file.map((file) => path.relative(root, path.resolve(terminal.cwd, file)));
      const found = (await resolved(options, terminal)).map(({ app, resolution }) => ({
        app,
        ...affectedBy(resolution, files),
      }));
      // A file belongs to one app; the others need not say that they have nothing of it.
      const told = found.filter(({ objects }) => objects.length > 0);
      print(told.length > 0 ? told : found.slice(0, 1), options, terminal, (affected) =>
        affectedText(affected, textOptions(terminal)),
      );
      end(exitCode.clean);
    },
  };
}

async function resolved(options: OutputArguments, terminal: Terminal): Promise<readonly AppResolution[]> {
  const workspace = await openWorkspace(terminal);
  const { resolved: apps } = await resolveApps(
    fromRoot(options, workspace),
    readHubOptions(options),
    workspace.terminal,
  );
  return apps;
}

function textOptions(terminal: Terminal): Parameters<typeof explanationText>[1] {
  return { paint: painter(terminal), names: 20 };
}

/** One part for each app, under its name where there are several. */
function print<T extends { readonly app: string }>(
  parts: readonly T[],
  { output }: OutputArguments,
  terminal: Terminal,
  textOf: (part: T) => string,
): void {
  if (output === 'json') {
    const replacer = (_key: string, value: unknown): unknown =>
      typeof value === 'bigint' ? String(value) : value;
    terminal.out(`${JSON.stringify({ results: parts }, replacer, 2)}\n`);
    return;
  }
  for (const [index, part] of parts.entries()) {
    if (parts.length > 1) terminal.out(`${index === 0 ? '' : '\n'}app ${part.app}\n`);
    terminal.out(textOf(part));
  }
}
