import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { type Diagnostic, type Engine, engines } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { writing } from '../../../workspace/lock/writing.ts';
import { DiagnosedError } from '../../../workspace/diagnosed-error.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import { createFiles, existingFiles } from '../../../workspace/output/create-files.ts';
import type { Origin } from './applied-repository.ts';
import { packOwnPackage, type PackageFile } from './own-package.ts';
import { packageName, plusVersions, type PlusRelease } from './package-files.ts';
import { adopt } from './adopt.ts';
import { checkUrl } from './clone-url.ts';
import { repositoryFiles } from './repository-files.ts';
import { forges, type Forge } from './workflow.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import { originOf } from '../../../workspace/git.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { hubName } from '../../../workspace/settings/hubs.ts';
import { listOption } from '../../options.ts';
import { version } from '../../../workspace/version.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { defaultSettings } from '../../../workspace/settings/default-settings.ts';

interface Arguments {
  readonly dir: string;
  readonly ci: Forge | undefined;
  readonly gitops: Engine | undefined;
  readonly 'repo-url': string | undefined;
  readonly package: string | undefined;
  readonly hub: readonly string[];
  readonly existing: boolean;
  readonly yaml: boolean;
  readonly 'cdk8s-plus': PlusRelease;
}

/** Placeholder for an unknown address. */
const unknownUrl = 'https://git.example.com/team/add-ons.git';

/** `init [DIR]`: creates a new repository. */
export function initCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'init [dir]',
    describe: 'Create a repository of add-ons',
    builder: (command) =>
      command
        .positional('dir', {
          describe: 'folder of the repository, which may exist',
          type: 'string',
          default: '.',
        })
        .option('ci', {
          describe: 'Git forge or CI system of the workflow that plans each change',
          choices: forges,
          defaultDescription: 'prompt; otherwise from the repository URL, or github',
        })
        .option('gitops', {
          describe: 'GitOps engine that applies dist/ to the hub',
          choices: engines,
          defaultDescription: 'prompt; otherwise argocd',
        })
        .option('repo-url', {
          describe: 'repository URL for Argo CD or Flux',
          type: 'string',
          defaultDescription: 'prompt; otherwise the URL of the remote origin',
        })
        .option('hub', {
          ...listOption,
          describe: 'names of the hubs, if there are several',
          defaultDescription: 'one hub without a name',
        })
        .option('existing', {
          describe: 'adopt a repository: keep its files, merge what is needed, and add no example app',
          type: 'boolean',
          default: false,
        })
        .option('yaml', {
          describe: 'without TypeScript: the example app in YAML, and no tsconfig.json',
          type: 'boolean',
          default: false,
        })
        .option('cdk8s-plus', {
          describe: 'release of cdk8s-plus for apps in TypeScript, by the minor version of Kubernetes',
          type: 'string',
          choices: Object.keys(plusVersions) as PlusRelease[],
          default: '27' as const,
        })
        .option('package', {
          describe: 'version of Fleetwright to depend on, or a tarball, which is copied',
          type: 'string',
          defaultDescription: `${version}, as a tarball if no registry has it`,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright init add-ons': 'a new folder, with prompts for the options',
            'fleetwright init --ci gitlab --gitops none': 'this folder, without prompts',
            'fleetwright init --existing --yaml': 'a repository that exists, without TypeScript',
            'fleetwright init add-ons --hub prod-eu --hub prod-us': 'the add-ons of two hubs',
          }),
        ),
    handler: async (options) => {
      end(await init(options, terminal));
    },
  };
}

async function init(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const folder = path.resolve(terminal.cwd, options.dir);
  checkHubs(options.hub);
  const defaults = await originOf(folder);
  checkUrl(options['repo-url']);
  const choices = await choose(options, defaults, terminal);
  checkUrl(choices.engine === 'none' ? undefined : choices.origin.url);
  if (choices.forge !== 'none' && defaults.prefix !== '') {
    throw new UserError(
      `--ci ${choices.forge}: a workflow must be at the top of the Git repository, and ${options.dir} is below it`,
      'run init at the top, or with --ci none',
    );
  }
  const settings = {
    ...choices,
    hubs: options.hub,
    name: packageName(path.basename(folder)),
    hasTypeScript: !options.yaml,
    plus: options['cdk8s-plus'],
    hasExample: !options.existing,
  };
  const shown = (name: string): string => path.join(options.dir, name);
  if (!options.existing) {
    // npm takes a while to pack, so files in the way are reported before.
    const names = await repositoryFiles({ ...settings, fleetwright: version });
    const existing = await existingFiles(folder, names);
    if (existing.length > 0) {
      printDiagnostics([inTheWay(existing.map(shown))], new Map(), terminal);
      terminal.err('nothing was written\n');
      return exitCode.failure;
    }
  }
  const dependency = await whilePacking(
    terminal,
    async () => await packageFile(options.package, terminal.cwd),
  );
  const files = new Map([
    ...(await repositoryFiles({
      ...settings,
      fleetwright: dependency === undefined ? (options.package ?? version) : `file:${dependency.name}`,
    })),
    ...(dependency === undefined ? [] : [[dependency.name, dependency.content] as const]),
  ]);
  if (options.existing) {
    const adoptFolder = async (): Promise<ExitCode> => await adopt(folder, options.dir, files, terminal);
    return await writing(path.join(folder, settingsFile), 'init', terminal, adoptFolder);
  }
  try {
    const create = async (): Promise<void> => await createFiles(folder, files);
    await writing(path.join(folder, settingsFile), 'init', terminal, create);
  } catch (error) {
    if (error instanceof DiagnosedError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${options.dir} cannot be written: ${reason}`, 'nothing was written');
  }
  for (const name of files.keys()) terminal.out(`${shown(name)}\n`);
  terminal.out(`\nNext: ${shown('README.md')}\n`);
  return exitCode.clean;
}

/** @throws UserError if a name of a hub is invalid, or given twice. */
function checkHubs(hubs: readonly string[]): void {
  for (const [index, hub] of hubs.entries()) {
    if (!hubName.test(hub))
      throw new UserError(
        `--hub ${hub}: not a valid name of a hub`,
        'use lowercase letters, digits and dashes, at most 63 characters',
      );
    if (hubs.indexOf(hub) < index)
      throw new UserError(`--hub ${hub}: the hub is named twice`, 'name each hub once');
  }
}

function inTheWay([file = '', ...others]: readonly string[]): Diagnostic {
  const all = [file, ...others].join(', ');
  return diagnostic('FW9010', {
    message: `init does not overwrite files, but there ${others.length === 0 ? 'is' : 'are'} already ${all}`,
    location: { file, line: 1, column: 1 },
    hint: 'use --existing to adopt the repository, or use a new folder',
  });
}

interface Choices {
  readonly forge: Forge;
  readonly engine: Engine;
  readonly origin: Origin;
}

type Found = Awaited<ReturnType<typeof originOf>>;

/** Returns the values of the options, otherwise the user's answers at a terminal, otherwise the defaults. */
async function choose(options: Arguments, defaults: Found, terminal: Terminal): Promise<Choices> {
  const forge =
    options.ci ??
    (await chooseOne('Which forge plans each change?', forges, likelyForge(defaults), terminal));
  const engine =
    options.gitops ??
    (await chooseOne('What applies dist/ to the hub?', engines, defaultSettings.engine, terminal));
  const url = options['repo-url'] ?? defaults.url;
  const isNeeded = engine !== 'none' && options['repo-url'] === undefined;
  const answer = isNeeded
    ? await terminal.ask?.('Which address does it clone this repository from?', url ?? unknownUrl)
    : undefined;
  return { forge, engine, origin: { ...defaults, url: answer ?? url ?? unknownUrl } };
}

function likelyForge({ url = '', prefix }: Found): Forge {
  if (prefix !== '') return 'none';
  if (/dev\.azure\.com|visualstudio\.com/.test(url)) return 'azure';
  return url.includes('gitlab') ? 'gitlab' : 'github';
}

/** Prompts until the answer is one of the choices. */
async function chooseOne<T extends string>(
  question: string,
  choices: readonly T[],
  likely: T,
  terminal: Terminal,
): Promise<T> {
  for (;;) {
    const answer = (await terminal.ask?.(`${question} (${choices.join(', ')})`, likely)) ?? likely;
    const chosen = choices.find((choice) => choice === answer);
    if (chosen !== undefined) return chosen;
    terminal.err(`${answer} is not one of ${choices.join(', ')}\n`);
  }
}

/** The time after which a log names what a run is waiting for, in milliseconds. */
const silence = 2000;

/** Names the reason for the wait: immediately in the progress of a terminal; otherwise in one line, if it takes a while. */
async function whilePacking<T>(terminal: Terminal, pack: () => Promise<T>): Promise<T> {
  const words = 'pack Fleetwright …';
  terminal.progress?.(words);
  const isSilent = terminal.progress !== undefined || terminal.isQuiet === true;
  const notice = isSilent ? undefined : setTimeout(() => terminal.err(`${words}\n`), silence);
  try {
    return await pack();
  } finally {
    clearTimeout(notice);
    terminal.progress?.('');
  }
}

/**
 * Returns the tarball that the new repository installs; undefined if it depends on a version.
 *
 * @throws UserError if the file that `--package` names does not exist
 */
async function packageFile(named: string | undefined, cwd: string): Promise<PackageFile | undefined> {
  if (named === undefined) return await packOwnPackage();
  if (!/\.(?:tgz|tar\.gz)$/.test(named)) return undefined;
  const file = path.resolve(cwd, named);
  if ((await stat(file).catch(() => undefined))?.isFile() !== true) {
    throw new UserError(`--package ${named}: no such file`, 'npm pack creates one');
  }
  return { name: `vendor/${path.basename(file)}`, content: await readFile(file) };
}
