import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fieldAt, type SetupObject } from '../../compiler/emit/engine-setup/setup.ts';
import { git } from '../git.ts';
import type { Host } from '../host.ts';
import type { Workspace } from '../workspace.ts';
import { readInputs } from './inputs.ts';

/** The files that are searched have at most this size. Objects of an engine are small. */
const largestFile = 1024 * 1024;

/** Returns the objects of Argo CD and Flux in all files that Git tracks, apart from the output and the apps. */
export async function trackedSetup(
  { root, settings }: Workspace,
  host: Host,
): Promise<readonly SetupObject[]> {
  const listing = await git(root, ['ls-files', '-z', '--', '*.yaml', '*.yml']).catch(() => '');
  const files = listing
    .split('\0')
    .filter(
      (file) => file !== '' && ![settings.apps, settings.out].some((folder) => file.startsWith(`${folder}/`)),
    );
  const selected: string[] = [];
  for (const file of files) {
    const size = (await stat(path.join(root, file)).catch(() => undefined))?.size ?? Infinity;
    const text = size > largestFile ? '' : await readFile(path.join(root, file), 'utf8').catch(() => '');
    if (/argoproj\.io\/|kustomize\.toolkit\.fluxcd\.io\//.test(text)) selected.push(file);
  }
  if (selected.length === 0) return [];
  // A file that cannot be read is reported by the commands that read it.
  const { objects } = await readInputs(selected, [], host, { isPartial: true, mayBeEmpty: true });
  return objects.filter(({ object }) =>
    [['apiVersion'], ['kind'], ['metadata', 'name']].every(
      (at) => typeof fieldAt(object, ...at) === 'string',
    ),
  );
}
