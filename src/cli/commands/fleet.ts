import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { examples } from '../examples.ts';
import { connectToHub, type HubAddress } from '../../workspace/hub/connect-to-hub.ts';
import { pull } from '../../workspace/hub/pull.ts';
import { snapshotText, withoutTime } from '../../workspace/hub/snapshot-file.ts';
import { clusterAddOnKind, fleetKinds, isInGit, emittedKinds } from '../../workspace/hub/snapshot-objects.ts';
import { temporaryName } from '../../workspace/temporary-name.ts';
import { writing } from '../../workspace/lock/writing.ts';
import { standardInput } from '../../workspace/inputs/inputs.ts';
import { hubAddressOptions } from '../options.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { DiagnosedError } from '../../workspace/diagnosed-error.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { settingsFile, type WorkspaceSettings } from '../../workspace/settings/settings.ts';
import { hubSelectionOption, oneHub, type HubSelection } from '../hub-selection.ts';
import { defaultSnapshot, fleetOfWorkspace, openWorkspace } from '../../workspace/workspace.ts';

interface Arguments extends HubAddress, HubSelection {
  readonly out: string | undefined;
  readonly format: string | undefined;
  readonly 'add-ons': boolean;
  readonly check: boolean;
}

/** `fleet pull`: writes a fleet snapshot of a hub. */
export function fleetCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'fleet <pull>',
    describe: 'Pull a fleet snapshot from a hub (fleet pull)',
    builder: (command) =>
      hubSelectionOption(hubAddressOptions(command))
        .positional('pull', { describe: 'the only subcommand', choices: ['pull'], demandOption: true })
        .option('out', {
          describe: 'output file, or - for standard output',
          type: 'string',
          defaultDescription: `fleet of ${settingsFile}, else fleet.yaml of the workspace`,
        })
        .option('format', {
          describe: 'output format',
          choices: ['yaml', 'json'],
          defaultDescription: 'the extension of the file, else yaml',
        })
        .option('add-ons', {
          describe: 'include the add-ons of every cluster and their statuses',
          type: 'boolean',
          default: true,
        })
        .option('check', {
          describe: 'write nothing; exit 1 if the file differs from the hub',
          type: 'boolean',
          default: false,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright fleet pull': 'the fleet of all apps, from the hub of the current context',
            'fleetwright fleet pull --hub prod-eu --context prod-eu': 'the fleet of one hub of the workspace',
            'fleetwright fleet pull --context hub --out apps/helloworld/fleet.json':
              'a large fleet, for one app only',
          }),
        ),
    handler: async (options) => {
      end(await fleetPull(options, terminal));
    },
  };
}

async function fleetPull(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { check } = options;
  if (options.out !== undefined && options.hub.length > 0)
    throw new UserError('--hub writes the fleet of this hub', 'omit --out');
  const out = options.out ?? (await workspaceSnapshot(options, terminal));
  if (check && out === standardInput) throw new UserError('--check compares a file with the hub, not -');
  const connection = await connectToHub(options, terminal.cwd);
  const file = path.resolve(terminal.cwd, out);
  const before = check || out === standardInput ? undefined : await identityOf(file);
  const now = terminal.now();
  const kinds = [...fleetKinds, ...emittedKinds, ...(options['add-ons'] ? [clusterAddOnKind] : [])];
  const counts: string[] = [];
  const objects = await pull(connection, kinds, now, ({ plural }, count) => {
    if (count > 0) counts.push(`${count} ${plural}`);
    terminal.progress?.(`read ${counts.join(', ')} …`);
  });
  terminal.progress?.('');
  const format = options.format ?? (path.extname(out) === '.json' ? 'json' : 'yaml');
  const head = {
    takenAt: now,
    covers: kinds.map(({ kind }) => kind),
    omitted: objects.filter(isInGit),
  };
  const included = objects.filter((object) => !isInGit(object));
  const text = [...snapshotText(included, head, format === 'json' ? 'json' : 'yaml')];
  if (out === standardInput) {
    for (const part of text) {
      terminal.out(part);
      await terminal.taken?.();
    }
    return exitCode.clean;
  }
  const omission = head.omitted.length === 0 ? '' : `, without ${head.omitted.length} of them that Git has`;
  const summary = counts.length === 0 ? 'nothing' : `${counts.join(', ')}${omission}`;
  if (!check) {
    await writing(file, 'fleet pull', terminal, async () => {
      // The hub is read without the lock, since that can take minutes. A run that began later can have ended before.
      if ((await identityOf(file)) !== before) throw changedMeanwhile(out);
      await writeWhole(file, text, out);
    });
    terminal.out(`${out}: ${summary}\n`);
    return exitCode.clean;
  }
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing !== undefined && withoutTime(existing) === withoutTime(text.join(''))) {
    terminal.out(`${out}: ${summary}, as on the hub\n`);
    return exitCode.clean;
  }
  terminal.out(`${out}: ${existing === undefined ? 'no such file' : 'outdated'}\n`);
  terminal.err('run fleet pull and commit its output\n');
  return exitCode.findings;
}

/** Returns the file of the fleet that the apps of the workspace share, relative to the working folder. */
async function workspaceSnapshot(options: HubSelection, terminal: Terminal): Promise<string> {
  const host = await oneHub(
    terminal,
    options,
    'fleet pull writes the fleet of one hub, and the workspace has several',
  );
  const { root, settings } = await openWorkspace(host);
  const [{ value } = { value: await existingSnapshot(root, settings) }, ...others] = settings.fleet ?? [];
  if (others.length > 0)
    throw new UserError('the fleet of the workspace has several files', 'name one of them with --out');
  return path.relative(terminal.cwd, path.join(root, value));
}

/** Returns the snapshot that the workspace has under one of the usual names, or the default name. */
async function existingSnapshot(root: string, settings: WorkspaceSettings): Promise<string> {
  const names = await fleetOfWorkspace(root, settings);
  const file = names.find((name) => path.extname(name) !== '');
  return file ?? defaultSnapshot(settings);
}

/** Returns a text that changes whenever the file is written. */
async function identityOf(file: string): Promise<string> {
  const stats = await stat(file, { bigint: true }).catch(() => undefined);
  return stats === undefined ? 'missing' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

function changedMeanwhile(out: string): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9042', {
      message: `another program wrote ${out} while the hub was read, and its snapshot can be newer`,
      hint: 'nothing was written; run fleet pull again',
    }),
  );
}

/** Writes to a temporary file beside the file, then renames it: a reader sees the old snapshot or the new one. */
async function writeWhole(file: string, text: readonly string[], out: string): Promise<void> {
  const next = temporaryName(file);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(next, text);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw new UserError(
      `${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
