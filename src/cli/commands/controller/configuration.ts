import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isNode, LineCounter } from 'yaml';
import type { Argv } from 'yargs';
import type { Diagnostic } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import {
  flagOf,
  readSettings,
  type SettingFault,
  type LocatedSettingFault,
  type Settings,
  type Values,
} from '../../../controller/configuration/settings.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { aliasesAreCounted, parseYaml } from '../../../workspace/inputs/bounded-yaml.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** The settings on the command line; flags by the names of their settings. */
export interface ConfigurationArguments {
  readonly config: string | undefined;
  readonly [flag: string]: unknown;
}

/** Adds an option for each setting, and one for the file that contains settings. */
export function settingOptions<T>(command: Argv<T>, settings: Settings): Argv<T & ConfigurationArguments> {
  let options = command.option('config', {
    describe: 'YAML file with settings in camel case, such as leaderElection: false; options override it',
    type: 'string',
    defaultDescription: 'none',
  });
  for (const [name, { describe, type, default: value, defaultDescription }] of Object.entries(settings)) {
    const described = defaultDescription ?? String(value);
    options = options.option(flagOf(name), {
      describe,
      defaultDescription: described,
      ...(type === 'list'
        ? { type: 'string', array: true, nargs: 1 }
        : { type: type === 'text' ? 'string' : type }),
    });
  }
  return options;
}

/**
 * Returns the settings of a command line and its file. If they have errors, prints the errors and returns undefined.
 *
 * @param check - returns the errors of a combination of values that are each valid
 * @throws UserError if the file cannot be read or is not valid YAML; DiagnosedError if it is nested too deeply
 */
export async function readConfiguration<S extends Settings>(
  settings: S,
  { config, ...written }: ConfigurationArguments,
  terminal: Terminal,
  check: (values: Values<S>) => readonly SettingFault[] = () => [],
): Promise<Values<S> | undefined> {
  const file = config === undefined ? undefined : await readSettingsFile(config, terminal.cwd);
  const flags = Object.fromEntries(Object.keys(settings).map((name) => [name, written[name]]));
  const read = readSettings(settings, flags, file?.values ?? {});
  // A flag overrides the file, so the flag has the invalid value.
  const from = (setting: string) =>
    written[setting] === undefined && file?.values[setting] !== undefined ? 'file' : 'flag';
  const problems =
    read.problems.length > 0
      ? read.problems
      : check(read.value).map((fault) => ({ ...fault, from: from(fault.setting) }) as const);
  if (problems.length === 0) return read.value;
  const sources = new Map(config === undefined || file === undefined ? [] : [[config, file.text]]);
  printDiagnostics(
    problems.map((problem) => diagnosticOf(problem, config, file)),
    sources,
    terminal,
  );
  return undefined;
}

interface SettingsFile {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly locate: (setting: string) => { readonly line: number; readonly column: number };
}

async function readSettingsFile(config: string, cwd: string): Promise<SettingsFile> {
  let text: string;
  try {
    text = await readFile(path.resolve(cwd, config), 'utf8');
  } catch (error) {
    throw new UserError(
      `${config} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const lines = new LineCounter();
  const document = parseYaml(config, text, { syntaxError: config, lineCounter: lines });
  const values: unknown = document.toJS(aliasesAreCounted) ?? {};
  if (!isJsonMap(values))
    throw new UserError(
      `${config}contains no settings`,
      'write one setting per line, such as logLevel: debug',
    );
  return {
    text,
    values,
    locate: (setting) => {
      const node: unknown = document.get(setting, true);
      const { line, col } = lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0);
      return { line: Math.max(1, line), column: Math.max(1, col) };
    },
  };
}

function diagnosticOf(
  { setting, from, message, hint }: LocatedSettingFault,
  config: string | undefined,
  file: SettingsFile | undefined,
): Diagnostic {
  const name = from === 'flag' ? `--${flagOf(setting)}` : setting;
  return diagnostic('FW9201', {
    message: `${name} ${message}`,
    ...(hint !== undefined && { hint }),
    ...(from === 'file' &&
      config !== undefined &&
      file !== undefined && { location: { file: config, ...file.locate(setting) } }),
  });
}
