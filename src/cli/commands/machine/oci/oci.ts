import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { diagnostic } from '../../../../compiler/model/diagnostic.ts';
import { stagesFolder } from '../../../../compiler/emit/sync-order.ts';
import { examples } from '../../../examples.ts';
import { leavesRepository } from '../../../../workspace/contained-file.ts';
import { DiagnosedError } from '../../../../workspace/diagnosed-error.ts';
import { readSteadily } from '../../../../workspace/lock/steady.ts';
import { createFiles, existingFiles } from '../../../../workspace/output/create-files.ts';
import { artifactLayout } from './artifact-layout.ts';
import { type Terminal } from '../../../terminal/terminal.ts';
import { openWorkspace } from '../../../../workspace/workspace.ts';
import { UserError } from '../../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../../exit-code.ts';

interface Arguments {
  readonly folder: string | undefined;
  readonly to: string;
  readonly tag: string;
  readonly source: string | undefined;
  readonly revision: string | undefined;
}

/** `machine oci [FOLDER]`: writes an emitted tree as an artifact for Flux into a folder that the tools of registries can push. */
export function ociCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'oci [folder]',
    describe: 'Write the output of synth as an OCI artifact for Flux',
    builder: (command) =>
      command
        .positional('folder', {
          describe: 'content of the artifact: the output of synth, or the folder of one app in it',
          type: 'string',
          defaultDescription: 'dist in the workspace',
        })
        .option('to', {
          describe: 'folder for the OCI image layout; it must not exist',
          type: 'string',
          demandOption: true,
          defaultDescription: 'none',
        })
        .option('tag', {
          describe: 'name of the artifact in the layout',
          type: 'string',
          default: 'latest',
        })
        .option('source', {
          describe: 'source of the artifact, such as the URL of the repository',
          type: 'string',
          defaultDescription: 'none',
        })
        .option('revision', {
          describe: 'source revision, such as main@sha1:COMMIT',
          type: 'string',
          defaultDescription: 'none',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright machine oci --to artifact --tag v1':
              'for oras cp --from-oci-layout artifact:v1 REGISTRY/NAME:v1',
          }),
        ),
    handler: async (options) => {
      end(await writeArtifact(options, terminal));
    },
  };
}

async function writeArtifact(
  { folder: folderOption, to, tag, source, revision }: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { root, settings } = await openWorkspace(terminal);
  const folder = folderOption ?? path.relative(terminal.cwd, path.join(root, settings.out));
  const out = path.resolve(terminal.cwd, folder);
  if (leavesRepository(out))
    throw linkInArtifact(folder, 'leads outside of the repository through a symbolic link');
  const content = await readSteadily({
    out,
    read: async () => await contentOf(out, folder),
    // Every half of an output can be read.
    isSuspect: () => true,
  });
  const { files, digest } = artifactLayout(content, {
    tag,
    ...(source !== undefined && { source }),
    ...(revision !== undefined && { revision }),
  });
  const target = path.resolve(terminal.cwd, to);
  const [existing] = await existingFiles(target, files);
  if (existing !== undefined)
    throw new UserError(`${path.join(to, existing)} already exists`, 'use another folder, or remove it');
  await createFiles(target, files);
  terminal.out(`${content.size} files of ${folder} -> ${to}, ${tag}@${digest}\n`);
  return exitCode.clean;
}

function isHidden(part: string): boolean {
  return part.startsWith('.') && part !== stagesFolder;
}

function linkInArtifact(place: string, problem: string): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9044', {
      message: `${place} ${problem}, and an artifact contains only files of its folder`,
      hint: 'replace it with a folder or a file: remove it, and run synth',
    }),
  );
}

/** Returns all files of a folder except hidden ones, by their names with slashes, sorted. The stages of all apps are included. */
async function contentOf(folder: string, named: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UserError(`${named}: no such folder`, 'run synth first');
  });
  const names: string[] = [];
  for (const entry of entries) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isDirectory() || name.split('/').some(isHidden)) continue;
    // Without it, the artifact would lack objects, and Flux would delete them.
    if (!entry.isFile()) throw linkInArtifact(`${named}/${name}`, 'is not a file');
    names.push(name);
  }
  names.sort();
  if (names.length === 0) throw new UserError(`${named} has no files`, 'run synth first');
  const content = new Map<string, Uint8Array>();
  for (const name of names) content.set(name, await readFile(path.join(folder, name)));
  return content;
}
