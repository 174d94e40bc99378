import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { load } from '../../compiler/index.ts';
import { isManifest } from '../../compiler/emit/manifest-file.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { UserError } from '../user-error.ts';
import type { Workspace } from '../workspace.ts';
import { emittedFolders, readOwnership } from './output-folder.ts';

/**
 * Returns the objects that synth wrote for an app, in the order of their files.
 *
 * @throws UserError if a file is missing or cannot be read as YAML
 */
export async function outputObjects(folder: string): Promise<readonly KubernetesObject[]> {
  const { files } = readOwnership(folder);
  const sources = await Promise.all(
    files.filter(isManifest).map(async (name) => {
      const file = path.join(folder, name);
      try {
        return { file, text: await readFile(file, 'utf8'), source: 'app' as const };
      } catch {
        throw new UserError(`${file} is missing`, 'run synth');
      }
    }),
  );
  const { value, diagnostics } = load(sources);
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new UserError(`${folder} cannot be read: ${error.message}`, 'run synth');
  return value.map(({ object }) => object);
}

/** Returns the names of the files of all objects that the output of a workspace has: current, earlier and removed ones. */
export async function outputFileNames({ root, settings }: Workspace): Promise<ReadonlySet<string>> {
  const out = path.join(root, settings.out);
  const files = new Set<string>();
  for (const app of await emittedFolders(out))
    for (const file of readOwnership(path.join(out, app)).files) files.add(path.basename(file));
  return files;
}
