import path from 'node:path';
import { groupOf } from '../../../base/names/resource-name.ts';
import {
  emptySharedContent,
  type Diagnostic,
  type LoadedObject,
  type SharedContent,
} from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { appsIn } from '../../../workspace/inputs/app-names.ts';
import { excluded, gitIgnored } from '../../../workspace/inputs/ignored-files.ts';
import { readInputs, type Inputs } from '../../../workspace/inputs/inputs.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { someFiles } from '../../../workspace/inputs/some-files.ts';
import {
  foldersOfAllApps,
  openWorkspace,
  withAppNames,
  workspaceInputs,
} from '../../../workspace/workspace.ts';

/** The paths to validate: those of the command line, or all apps of the workspace. */
export interface ValidatedPaths {
  readonly path: readonly string[];
  readonly fleet: readonly string[];
  readonly exclude?: readonly string[];
}

/** A unit that is read, and its cache. */
export interface ReadUnit {
  /** The files and folders that were named, or the folder of the app. */
  readonly paths: readonly string[];
  readonly inputs: Inputs;
  /** Whether it is the folder of an app. */
  readonly isApp: boolean;
  /** Its objects that rules across objects follow, and the others. */
  readonly ofOneHub: ObjectsOfOneHub;
  /** What reading, checking and resolving it share. */
  readonly cache: SharedContent;
  /** As `ResolveOptions.results`. @default - none are kept */
  readonly results?: object;
}

/** What is kept for a unit. */
interface KeptForUnit {
  readonly cache: SharedContent;
  readonly results: object;
}

/**
 * Returns what is kept for a unit: a process that checks again passes the same for the same unit.
 *
 * @param hub - the hub, if the workspace has several
 * @param paths - the files and folders of the unit
 */
export type KeptOf = (hub: string | undefined, paths: readonly string[]) => KeptForUnit;

/**
 * Reads the files to validate, in the units that are checked together: each app with its own fleet, and all other
 * files.
 *
 * @throws UserError if there is nothing to read
 */
export async function validatedUnits(
  given: ValidatedPaths,
  terminal: Terminal,
  keptOf?: KeptOf,
): Promise<readonly ReadUnit[]> {
  const { path: paths, exclude = [] } = given;
  const isExcluded = excluded(exclude, terminal.cwd);
  const readUnit = await unitReader(given, terminal, keptOf);
  const units: ReadUnit[] = [];
  const apps: string[] = [];
  if (paths.length > 0) {
    const first = await readUnit(await withAppNames(paths, terminal), false);
    units.push(first);
    apps.push(...first.inputs.unread.apps);
  } else apps.push(...(await foldersOfAllApps(terminal)));
  for (let app = apps.shift(); app !== undefined; app = apps.shift()) {
    if (isExcluded(app, true)) continue;
    const unit = await readUnit([app], true);
    units.push(unit);
    apps.push(...unit.inputs.unread.apps);
  }
  return units;
}

/**
 * Yields the apps of the workspace that are not among the units, if one of the units is an app, one after the other. Files outside of apps
 * and standard input are not compared with apps.
 */
export async function* otherApps(
  given: ValidatedPaths,
  units: readonly ReadUnit[],
  terminal: Terminal,
  keptOf?: KeptOf,
): AsyncGenerator<ReadUnit> {
  const { root, settings } = await openWorkspace(terminal);
  const folder = path.join(root, settings.apps);
  const folders = (appsIn(folder) ?? []).map((name) => path.join(folder, name));
  const validated = units.flatMap(({ paths }) => paths.map((each) => path.resolve(terminal.cwd, each)));
  const others = folders.filter((app) => !validated.some((each) => isIn(app, each) || isIn(each, app)));
  if (others.length === folders.length) return;
  const isExcluded = excluded(given.exclude ?? [], terminal.cwd);
  const readUnit = await unitReader(given, terminal, keptOf);
  for (const app of others.map((each) => path.relative(terminal.cwd, each) || '.'))
    if (!isExcluded(app, true)) yield await readUnit([app], true);
}

function isIn(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}${path.sep}`);
}

type UnitReader = (unit: readonly string[], isApp: boolean) => Promise<ReadUnit>;

async function unitReader(
  { fleet, exclude = [] }: ValidatedPaths,
  terminal: Terminal,
  keptOf: KeptOf | undefined,
): Promise<UnitReader> {
  const isExcluded = excluded(exclude, terminal.cwd);
  const isGitIgnored = gitIgnored(terminal.cwd);
  const { sharedFleet, kustomize, promotedApps, sensitive, hub } = await workspaceInputs(terminal);
  return async (unit, isApp) => {
    const kept = keptOf?.(terminal.hub, unit);
    const cache = kept?.cache ?? emptySharedContent();
    const inputs = await readInputs(unit, fleet, terminal, {
      isPartial: true,
      cache,
      sharedFleet,
      kustomize,
      promotedApps,
      sensitive,
      ...(hub && { hub }),
      // An app is read as synth reads it, including files that Git ignores.
      isIgnored: (file, isFolder) => isExcluded(file, isFolder) || (!isApp && isGitIgnored(file, isFolder)),
    });
    return {
      paths: unit,
      inputs,
      isApp,
      ofOneHub: objectsOfOneHub(inputs, isApp),
      cache,
      ...(kept && { results: kept.results }),
    };
  };
}

/** Returns the skipped files, by the reason. */
export function skippedFiles(units: readonly Inputs[]): ReadonlyMap<string, readonly string[]> {
  const all = (filesOf: (unit: Inputs) => readonly string[]): string[] => units.flatMap(filesOf);
  const skipped = new Map([
    ['not manifests', all((unit) => unit.notManifests)],
    ['parts of kustomizations', all((unit) => unit.parts)],
    ['Helm charts', all((unit) => unit.unread.charts)],
    ['ignored', all((unit) => unit.unread.ignored)],
    ['written by synth', all((unit) => unit.unread.outputs)],
  ]);
  return new Map([...skipped].filter(([, files]) => files.length > 0));
}

/**
 * Reports kustomizations that change objects, and charts: their objects are checked as they are written, or not at
 * all.
 */
export function notBuilt(units: readonly Inputs[]): Diagnostic[] {
  const kustomizations = units.flatMap(({ unread }) =>
    unread.kustomizations.flatMap(({ file, change }) => (change === undefined ? [] : [path.dirname(file)])),
  );
  const charts = units.flatMap(({ unread }) => unread.charts);
  const finding = (message: string, hint: string): Diagnostic =>
    diagnostic('FW9021', {
      message,
      hint,
    });
  const [kustomization] = kustomizations;
  const [chart] = charts;
  return [
    ...(kustomization === undefined
      ? []
      : [
          finding(
            `kustomizations below the named folders are not built, so objects were checked as they are written: ${someFiles(kustomizations)}`,
            `name the folder: fleetwright validate ${kustomization}`,
          ),
        ]),
    ...(chart === undefined
      ? []
      : [
          finding(
            `Helm charts are not rendered, so their manifests were not checked: ${someFiles(charts)}`,
            `helm template NAME ${chart} | fleetwright validate -`,
          ),
        ]),
  ];
}

/** The objects of a unit that rules across objects follow, and those of the same names in other folders. */
export interface ObjectsOfOneHub {
  readonly objects: readonly LoadedObject[];
  readonly others: readonly LoadedObject[];
}

/**
 * Separates the objects of a unit from those of which another kustomization has one of the same name: only one overlay is applied to a
 * hub. Outside of apps, the same holds for folders without a kustomization.
 */
function objectsOfOneHub({ objects, unread }: Inputs, isApp: boolean): ObjectsOfOneHub {
  const folders = unread.kustomizations
    .map(({ file }) => path.dirname(file))
    .sort((a, b) => b.length - a.length);
  if (isApp && folders.length < 2) return { objects, others: [] };
  const holderOf = ({ origin: { location } }: LoadedObject): string => {
    if (!('file' in location)) return '';
    const { file } = location;
    const holder = folders.find((folder) => folder === '.' || file.startsWith(`${folder}${path.sep}`));
    return holder ?? (isApp ? '' : path.dirname(file));
  };
  const holders = new Map<string, string>();
  const others = objects.filter((loaded) => {
    const { apiVersion, kind, metadata } = loaded.object;
    if (typeof apiVersion !== 'string') return false;
    const identity = `${groupOf(apiVersion)}/${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
    const holder = holderOf(loaded);
    const first = holders.get(identity);
    if (first === undefined) holders.set(identity, holder);
    return first !== undefined && first !== holder;
  });
  const isOther = new Set(others);
  return { objects: objects.filter((each) => !isOther.has(each)), others };
}

/** Reports the objects that rules across objects leave out, because another folder has one of the same name. */
export function inOtherFolders(units: readonly ReadUnit[]): Diagnostic[] {
  const others = units.flatMap(({ ofOneHub }) => ofOneHub.others);
  const [first] = others;
  if (first === undefined) return [];
  const names = others.map(({ object: { kind, metadata } }) => {
    const namespace = metadata?.namespace === undefined ? '' : `${metadata.namespace}/`;
    return `${kind} ${namespace}${metadata?.name ?? ''}`;
  });
  const { location } = first.origin;
  return [
    diagnostic('FW9022', {
      message: `other folders have objects of these names too, so rules across objects follow the first of each: ${someFiles([...new Set(names)])}`,
      ...('file' in location && { location }),
      hint: 'validate the folders of one hub alone: fleetwright validate DIR',
    }),
  ];
}
