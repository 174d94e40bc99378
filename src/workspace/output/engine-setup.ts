import path from 'node:path';
import { parse } from 'yaml';
import { load, type Diagnostic, type Engine, type LoadedObject } from '../../compiler/index.ts';
import { checkArgoCd, type ArgoCdSettings } from '../../compiler/emit/engine-setup/argo-cd.ts';
import type { AppOutput } from '../../compiler/emit/engine-setup/coverage.ts';
import { checkFlux } from '../../compiler/emit/engine-setup/flux.ts';
import {
  fieldAt,
  listAt,
  type CheckedSetup,
  type SetupObject,
} from '../../compiler/emit/engine-setup/setup.ts';
import { originOf } from '../git.ts';
import type { Host } from '../host.ts';
import { readInputs } from '../inputs/inputs.ts';
import { emittedFolders } from './output-folder.ts';
import { packagedFile } from '../packaged-file.ts';
import { UserError } from '../user-error.ts';
import { isFolder, type Workspace } from '../workspace.ts';

/** The folder in which `init` writes the objects of the engine. */
export const engineFolder = 'gitops';

/** The objects that configure the engine. */
export interface EngineSetup {
  readonly objects: readonly SetupObject[];
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
  /** The name of the place in texts. */
  readonly place: string;
}

/**
 * Returns the outputs of apps for all hubs with an engine.
 *
 * @param apps - the names of the apps. @default - those that `synth` has written
 */
export async function appOutputs(
  { root, settings }: Workspace,
  engine: Engine,
  apps?: readonly string[],
): Promise<readonly AppOutput[]> {
  const { prefix } = await originOf(root);
  const ofEngine = settings.hubs.filter((hub) => hub.engine === engine);
  const outs = settings.hubs.length > 1 ? ofEngine.map(({ out }) => out) : [settings.out];
  const outputs: AppOutput[] = [];
  for (const out of outs)
    for (const name of apps ?? (await emittedFolders(path.join(root, out))))
      outputs.push({ folder: `${prefix}${out}/${name}`, source: `${prefix}${settings.apps}/${name}` });
  return outputs;
}

/** Checks the objects that configure the engine. */
export async function checkEngineSetup(
  engine: Exclude<Engine, 'none'>,
  setup: EngineSetup,
  outputs: readonly AppOutput[],
): Promise<CheckedSetup> {
  if (engine === 'flux') return checkFlux(setup.objects, outputs);
  const { data } = parse(await packagedFile('packaging/gitops/argocd-cm.yaml')) as {
    readonly data: ArgoCdSettings;
  };
  return checkArgoCd(setup.objects, data, outputs);
}

/**
 * Reads the objects in files, by default in `gitops`.
 *
 * @throws UserError if there are no files
 */
export async function engineSetupInFiles(paths: readonly string[], host: Host): Promise<EngineSetup> {
  if (paths.length === 0 && !isFolder(path.resolve(host.cwd, engineFolder)))
    throw new UserError(
      `missing path: the workspace has no folder ${engineFolder}`,
      'name the files with the Applications or Kustomizations, or use --against hub',
    );
  const named = paths.length === 0 ? [engineFolder] : paths;
  const { objects, diagnostics, texts, parts } = await readInputs(named, [], host, { isPartial: true });
  const patches = load(parts.map((file) => ({ file, text: texts.get(file) ?? '', source: 'app' }))).value;
  const folderOf = ({ origin: { location } }: LoadedObject): string =>
    path.dirname('file' in location ? location.file : '');
  const checks = new Map<string, readonly unknown[]>();
  for (const patch of patches) {
    const expressions = listAt(patch.object, 'spec', 'healthCheckExprs');
    const folder = folderOf(patch);
    if (patch.object.kind === 'Kustomization' && expressions.length > 0)
      checks.set(folder, [...(checks.get(folder) ?? []), ...expressions]);
  }
  const [ofAll] = checks.size === 1 ? checks.values() : [];
  return {
    objects: objects
      .filter(({ object }) => isNamed(object))
      .map((each): SetupObject => {
        // With several hubs, each has a folder with a patch.
        const patchedChecks = ofAll ?? checks.get(folderOf(each));
        return patchedChecks === undefined ? each : { ...each, patchedChecks };
      }),
    diagnostics,
    texts,
    place: named.join(', '),
  };
}

/** Whether an object that was not validated has the fields by which it is recognized. */
function isNamed(object: unknown): boolean {
  const fields = [['apiVersion'], ['kind'], ['metadata', 'name']];
  return fields.every((path) => typeof fieldAt(object, ...path) === 'string');
}
