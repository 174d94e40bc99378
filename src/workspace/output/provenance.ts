import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stagesFolder } from '../../compiler/emit/sync-order.ts';
import {
  provenanceStatement,
  type FileDigest,
  type SynthParameters,
} from '../../compiler/emit/provenance.ts';
import { importedFiles } from '../inputs/imported-files.ts';
import { ownershipFile, readOwnership } from './output-folder.ts';
import { temporaryName } from '../temporary-name.ts';
import { version } from '../version.ts';
import { UserError } from '../user-error.ts';

/** The inputs and outputs of a run of synth; paths as they were given. */
export interface SynthRun {
  /** The folder in which it ran. */
  readonly cwd: string;
  /** The folder of all apps, and their names. */
  readonly apps: string;
  readonly names: readonly string[];
  readonly fleet: readonly string[];
  /** The policy file, which may be missing. */
  readonly policy: string;
  /** The output folder, with one folder per app. */
  readonly out: string;
  readonly parameters: Omit<SynthParameters, 'apps'>;
}

/** Files beside the apps that select the versions of libraries. */
const packageFiles = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
];

/** @throws UserError if the statement would be written into the output that it describes. */
export function checkProvenanceFile(file: string, out: string, cwd: string): void {
  const within = path.relative(path.resolve(cwd, out), path.resolve(cwd, file));
  if (within === '' || (!within.startsWith('..') && !path.isAbsolute(within))) {
    throw new UserError(
      `${file} would be one of the files that it describes`,
      `use a file outside ${out}: it changes with every input, and nothing in ${out} should`,
    );
  }
}

/** Writes the in-toto statement of a run whose output has been written. */
export async function writeProvenance(file: string, run: SynthRun): Promise<void> {
  const { cwd, names, parameters } = run;
  const [emitted, inputs] = await Promise.all([
    digests(emittedFiles(run), cwd),
    digests(await inputFiles(run), cwd),
  ]);
  const statement = provenanceStatement(emitted, inputs, { apps: [...names].sort(), ...parameters }, version);
  const target = path.resolve(cwd, file);
  const next = temporaryName(target);
  await mkdir(path.dirname(target), { recursive: true });
  // a reader sees the old file or the new one
  await writeFile(next, `${JSON.stringify(statement, null, 2)}\n`);
  await rename(next, target);
}

/** Returns the files that synth wrote for these apps and, if synth owns them, above them. */
function emittedFiles({ cwd, names, out }: SynthRun): string[] {
  const files: string[] = [];
  for (const name of names) {
    const folder = path.join(out, name);
    const { files: owned } = readOwnership(path.resolve(cwd, folder));
    files.push(...[...owned, ownershipFile].map((file) => path.join(folder, file)));
  }
  for (const folder of [path.join(out, stagesFolder), out]) {
    const { files: owned } = readOwnership(path.resolve(cwd, folder));
    files.push(
      ...[...owned, ...(owned.length > 0 ? [ownershipFile] : [])].map((file) => path.join(folder, file)),
    );
  }
  return files;
}

/**
 * Returns the files that decide the output: the apps with everything that they import, the fleet, the policies, and
 * the versions of libraries.
 */
async function inputFiles({ cwd, apps, names, fleet, policy }: SynthRun): Promise<string[]> {
  const given = [
    ...names.map((name) => path.join(apps, name)),
    ...fleet.filter((name) => name !== '-'),
    policy,
    ...packageFiles,
  ];
  const lists = await Promise.all(given.map((name) => filesBelow(name, cwd)));
  return await importedFiles(lists.flat(), cwd);
}

/** Returns the file itself, or the files of a folder and its folders; none if the path is missing. */
async function filesBelow(name: string, cwd: string): Promise<string[]> {
  const stats = await stat(path.resolve(cwd, name)).catch(() => undefined);
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [name];
  const below = (await readdir(path.resolve(cwd, name))).filter(
    (entry) => !entry.startsWith('.') && entry !== 'node_modules',
  );
  const lists = await Promise.all(below.map((entry) => filesBelow(path.join(name, entry), cwd)));
  return lists.flat();
}

async function digests(files: readonly string[], cwd: string): Promise<FileDigest[]> {
  const names = [...new Set(files.map((file) => path.relative(cwd, path.resolve(cwd, file))))];
  return await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(path.resolve(cwd, name));
      return {
        name: name.split(path.sep).join('/'),
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
    }),
  );
}
