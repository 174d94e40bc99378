import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { diagnostic } from '../compiler/model/diagnostic.ts';
import { plainPath } from '../compiler/emit/engine-setup/coverage.ts';
import { fieldAt, listAt, nameOf, type SetupObject } from '../compiler/emit/engine-setup/setup.ts';
import type { Diagnostic } from '../compiler/index.ts';
import { groupOf } from '../base/names/resource-name.ts';
import { git, originOf } from './git.ts';
import type { Host } from './host.ts';
import { readInputs } from './inputs/inputs.ts';
import { referenceTo } from '../compiler/model/inventory.ts';
import type { Workspace } from './workspace.ts';

/** A folder of a repository that an object of an engine applies. */
interface AppliedFolder {
  readonly setup: SetupObject;
  readonly folder: string;
  readonly at: readonly (string | number)[];
  /** The URL of the repository. Undefined if the object does not have it. */
  readonly url: string | undefined;
}

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
  const repositories = repositoriesOf(objects);
  for (const applied of objects.flatMap((each) => appliedFolders(each, repositories))) {
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

/** The source that `flux bootstrap` creates: the repository that has the object. */
const bootstrapSource = 'flux-system';

/** Returns the URLs of Flux's sources by name. */
function repositoriesOf(objects: readonly SetupObject[]): ReadonlyMap<unknown, unknown> {
  return new Map(
    objects.flatMap(({ object }) =>
      object.kind === 'GitRepository'
        ? [[object.metadata.name, fieldAt(object, 'spec', 'url')] as const]
        : [],
    ),
  );
}

function appliedFolders(
  setup: SetupObject,
  repositories: ReadonlyMap<unknown, unknown>,
): readonly AppliedFolder[] {
  const { apiVersion, kind } = setup.object;
  const group = groupOf(apiVersion);
  if (group === 'kustomize.toolkit.fluxcd.io' && kind === 'Kustomization') {
    const folder = fieldAt(setup.object, 'spec', 'path');
    const source = fieldAt(setup.object, 'spec', 'sourceRef', 'name');
    const url = repositories.get(source);
    if (typeof folder !== 'string' || (source !== bootstrapSource && typeof url !== 'string')) return [];
    return [
      {
        setup,
        folder: plainPath(folder),
        at: ['spec', 'path'],
        url: typeof url === 'string' ? url : undefined,
      },
    ];
  }
  if (group !== 'argoproj.io' || !['Application', 'ApplicationSet'].includes(kind)) return [];
  const spec = kind === 'Application' ? ['spec'] : ['spec', 'template', 'spec'];
  const places = [
    [...spec, 'source'],
    ...listAt(setup.object, ...spec, 'sources').map((_, index) => [...spec, 'sources', index]),
  ];
  return places.flatMap((place) => {
    const folder = fieldAt(setup.object, ...place, 'path');
    const url = fieldAt(setup.object, ...place, 'repoURL');
    const isPlugin = fieldAt(setup.object, ...place, 'plugin') !== undefined;
    if (typeof folder !== 'string' || isPlugin) return [];
    return [
      {
        setup,
        folder: plainPath(folder),
        at: [...place, 'path'],
        url: typeof url === 'string' ? url : undefined,
      },
    ];
  });
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
