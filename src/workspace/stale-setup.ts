import { stat } from 'node:fs/promises';
import path from 'node:path';
import { diagnostic } from '../compiler/model/diagnostic.ts';
import { appliedFolders } from '../compiler/emit/engine-setup/applied-folders.ts';
import { nameOf, type SetupObject } from '../compiler/emit/engine-setup/setup.ts';
import type { Diagnostic } from '../compiler/index.ts';
import { originOf } from './git.ts';
import { referenceTo } from '../compiler/model/inventory.ts';
import type { Workspace } from './workspace.ts';

/**
 * Reports objects of Argo CD and Flux that apply a folder of this repository that is missing, or the sources of an app that `synth`
 * compiles. Both happen after a folder was moved into the workspace: the engine then deletes what the folder had, or applies the objects
 * beside the one that applies the output.
 *
 * @param objects - of any place; those of other repositories are ignored
 */
export async function staleSetup(
  objects: readonly SetupObject[],
  { root, settings }: Workspace,
): Promise<readonly Diagnostic[]> {
  const { prefix, url } = await originOf(root);
  const top = path.resolve(
    root,
    ...prefix
      .split('/')
      .filter(Boolean)
      .map(() => '..'),
  );
  const apps = `${prefix}${settings.apps}`;
  const out = `${prefix}${settings.out}`;
  const findings: Diagnostic[] = [];
  for (const applied of appliedFolders(objects)) {
    const { setup, folder, at } = applied;
    if (folder === '' || folder.includes('{{') || folder.includes('${')) continue;
    const isSource = folder === apps || folder.startsWith(`${apps}/`);
    const isOutput = folder === out || folder.startsWith(`${out}/`);
    // Without a remote, the files that Git tracks are those of the repository that they apply, if they name one of its apps.
    const isHere =
      url === undefined || applied.url === undefined
        ? setup.origin !== undefined && (isSource || applied.url === undefined)
        : isSameUrl(applied.url, url);
    const exists = (await stat(path.join(top, folder)).catch(() => undefined)) !== undefined;
    if (!isHere || isOutput || (exists && !isSource)) continue;
    const output = isSource ? folder.replace(apps, out) : undefined;
    findings.push(
      diagnostic('FW9184', {
        message: `${nameOf(setup)} applies ${folder}, which ${isSource ? 'has the sources of an app: the output of synth is applied elsewhere' : 'is not in the repository'}`,
        object: referenceTo(setup.object),
        path: at.join('.'),
        ...(setup.origin && { location: setup.origin.locate(at) }),
        hint:
          output === undefined
            ? 'let it apply the folder of the output; before you delete it, disable pruning, or it deletes what the folder had'
            : `apply ${output}, or disable pruning and delete it, if another object applies the output`,
      }),
    );
  }
  return findings;
}

/** Compares URLs of one repository: with HTTPS and SSH, with and without `.git`, and with credentials. */
function isSameUrl(one: string, other: string): boolean {
  const plain = (url: string): string =>
    url
      .replace(/^[a-z+]+:\/\//i, '')
      .replace(/^[^/@]*@/, '')
      .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
      .replace(/\.git\/?$|\/$/, '')
      .toLowerCase();
  return plain(one) === plain(other);
}
