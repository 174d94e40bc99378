import type { Snapshot } from './snapshot-age.ts';
import type { InputHub } from '../app/app-hub.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type Diagnostic,
  type ExternalObject,
  type SharedContent,
  type SnapshotScope,
  latestTime,
  load,
  type Loaded,
  loadConstructs,
  type LoadedObject,
  type Source,
  type SourceText,
  type Surroundings,
} from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { appOutput } from '../app/app-output.ts';
import { AppRunners } from '../app/app-runners.ts';
import { AppHubData } from '../app/app-hub.ts';
import { runApp } from '../app/run-app.ts';
import { scopeOf } from '../hub/snapshot-scope.ts';
import { joined } from '../../base/collections/joined-lists.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import { hasUnreadableTime, takenAt } from '../hub/snapshot-file.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { InputReader, type App, type IsIgnored, type Unread } from './input-reader.ts';
import { Stopwatch } from '../stopwatch.ts';
import type { SensitiveSettings } from '../../compiler/index.ts';
import type { Host } from '../host.ts';
import { buildKustomizations } from './kustomize/build-kustomizations.ts';
import { KustomizationGraph } from './kustomize/kustomization-graph.ts';
import { programInputs } from './kustomize/kustomization-programs.ts';
import type { KustomizationFolder } from './kustomize/chosen-kustomizations.ts';
import type { Kustomization } from './kustomize/kustomization.ts';
import { noKustomizeSettings, type TrustedPrograms } from '../settings/kustomize-settings.ts';
import type { Located } from '../settings/settings-file.ts';
import { repositoryFilesFor } from './repository-files.ts';
import { unreadableTime } from './snapshot-age.ts';
import { unreadInputs, unreadManifests } from './unread-inputs.ts';
import { UserError } from '../user-error.ts';

/** The loaded inputs of a command. */
export interface Inputs {
  readonly objects: readonly LoadedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** The fleet snapshots that record when they were taken. */
  readonly snapshots: readonly Snapshot[];
  /**
   * The time of the inputs, in milliseconds since the epoch: when the last snapshot was taken, otherwise the latest
   * time in the fleet. The same inputs produce the same answer tomorrow.
   */
  readonly time: number | undefined;
  /** The inputs that were not read, or that mean something else than their text. */
  readonly unread: Unread;
  /** Files in the folders that contain no manifests. */
  readonly notManifests: readonly string[];
  /** Files that kustomizations reference as patches, data or inputs of plugins. */
  readonly parts: readonly string[];
  /** Objects that the hub may have besides the input objects. */
  readonly surroundings: Surroundings;
  /** The values that findings mask. @default - those of Secrets */
  readonly sensitive?: SensitiveSettings;
}

/** The fleet snapshot of a workspace, for the apps without a separate one. */
export interface SharedFleet {
  /** The folder of the apps, as an absolute path. */
  readonly apps: string;
  /** Files and folders, relative to the working folder. */
  readonly paths: readonly string[];
}

/** What a workspace decides about the kustomizations among inputs. */
export interface InputKustomize {
  /** The folder of the apps, as an absolute path. */
  readonly apps: string;
  /** The folder of the kustomization that applies, relative to the app, by the folder of the app as an absolute path. */
  readonly chosen: ReadonlyMap<string, Located<string>>;
  readonly trusted: TrustedPrograms;
}

export interface ReadOptions {
  /** The content that other states have already read. */
  readonly cache?: SharedContent | undefined;
  /** Measures the steps. */
  readonly watch?: Stopwatch;
  /** The objects that are expected on the hub outside of Git. @default - nothing */
  readonly external?: readonly ExternalObject[];
  /** The values that findings mask. @default - those of Secrets */
  readonly sensitive?: SensitiveSettings;
  /** @default - an app without a fleet has no clusters */
  readonly sharedFleet?: SharedFleet;
  /** @default - no kustomization is chosen, and none runs programs */
  readonly kustomize?: InputKustomize;
  /** The folders of the apps that have a promotion, as absolute paths. @default - none */
  readonly promotedApps?: ReadonlySet<string>;
  /** The hub whose facts apps get, and whose overlays are read. @default - the hub has no name */
  readonly hub?: InputHub;
  /** The content of other hubs. Fleets are not part of it. @default - as `cache` */
  readonly sharedSources?: SharedContent;
  /**
   * The folder of the committed output of the app, relative to the working folder. It is read instead of the app's code and
   * manifests; the fleet is that of the app.
   * @default - the app is run
   */
  readonly output?: string;
  /** Whether a folder may have nothing to read: one of two states may not have an app yet. @default false */
  readonly mayBeEmpty?: boolean;
  /** Selects the files and folders inside of the given ones that are left out. @default - none */
  readonly isIgnored?: IsIgnored;
  /**
   * Whether the command checks files one by one, so that a file that is not read does not make its answer wrong.
   * @default false
   */
  readonly isPartial?: boolean;
}

/** The name of standard input among paths and in locations of findings. */
export const standardInput = '<stdin>';

/** The options of one reading, with their defaults. */
type Reading = ReadOptions & Required<Pick<ReadOptions, 'watch' | 'mayBeEmpty' | 'isPartial'>>;

/**
 * Loads YAML and JSON files, folders of them, standard input (`-`) and apps. The fleet is read from `fleet`; by
 * default from `fleet.yaml`, `fleet.json` or the folder `fleet` beside an app, else from that of the workspace.
 *
 * @throws UserError if a path is missing or cannot be read, or a folder contains nothing to read.
 */
export async function readInputs(
  paths: readonly string[],
  fleet: readonly string[],
  host: Host,
  given: ReadOptions = {},
): Promise<Inputs> {
  const options: Reading = {
    ...given,
    watch: given.watch ?? new Stopwatch(host),
    mayBeEmpty: given.mayBeEmpty ?? false,
    isPartial: given.isPartial ?? false,
  };
  const { watch, hub, isPartial, external = [], sensitive, promotedApps } = options;
  const read = watch.begin('read');
  const files = await readFiles(paths, fleet, host, options);
  read();
  const { reader } = files;
  const { built, loaded, parts } = await loadFiles(files, host, options);
  const { isGoverned } = built;
  const isUnread = ({ location }: Diagnostic): boolean =>
    location !== undefined && 'file' in location && isGoverned(location.file);
  const diagnostics = [
    ...files.diagnostics,
    ...reader.diagnostics.filter((each) => !isUnread(each)),
    ...built.diagnostics,
  ];
  const ofApps = await runApps(files.apps, loaded, host, options);
  diagnostics.push(...ofApps.diagnostics);
  const { notManifests } = loaded;
  const isLeft = (name: string): boolean => !isGoverned(name);
  const unread: Unread = {
    ...reader.unread,
    kustomizations: built.unbuilt,
    charts: reader.unread.charts.filter(isLeft),
    apps: reader.unread.apps.filter(isLeft),
  };
  if (!isPartial) diagnostics.push(...unreadInputs(unread, notManifests));
  const all = joined([built.objects, ofApps.objects, loaded.value]);
  const repository = await repositoryFilesFor(all, host);
  const fleetTexts = reader.texts.filter(({ source }) => source === 'fleet');
  for (const { file, text } of fleetTexts)
    if (hasUnreadableTime(text)) diagnostics.push(unreadableTime(file));
  const dated = fleetTexts.flatMap(({ file, text }): Snapshot[] => {
    const time = takenAt(text);
    return time === undefined ? [] : [{ file, takenAt: time }];
  });
  return {
    objects: all,
    diagnostics: [...diagnostics, ...loaded.diagnostics],
    unread,
    notManifests,
    parts,
    texts: new Map([...built.sources, ...reader.texts.map(({ file, text }) => [file, text] as const)]),
    snapshots: dated,
    ...(sensitive && { sensitive }),
    surroundings: {
      ...(hub && { hub: { name: hub.name, facts: hub.facts } }),
      external,
      isPromoted: paths.every((given) => promotedApps?.has(path.resolve(host.cwd, given)) === true),
      snapshots: fleetTexts.flatMap(({ file, text }) => keptScope(options.cache, file, text) ?? []),
      ...(repository && { repository }),
    },
    time: dated.length > 0 ? Math.max(...dated.map((each) => each.takenAt)) : latestTime(all),
  };
}

const rememberedScopes = new Remembered<SnapshotScope | undefined>();

/** Returns the scope of a snapshot: one object for all states that have its text. */
function keptScope(cache: SharedContent | undefined, file: string, text: string): SnapshotScope | undefined {
  return rememberedScopes.of(cache, [file, text], () => scopeOf(file, text));
}

/** An app with code. */
type AppWithCode = App & { readonly file: string };

/** The files of inputs, before anything in them is loaded. */
interface ReadFiles {
  readonly reader: InputReader;
  readonly apps: readonly AppWithCode[];
  readonly folders: readonly KustomizationFolder[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readFiles(
  paths: readonly string[],
  fleet: readonly string[],
  host: Host,
  { mayBeEmpty, isPartial, sharedFleet, kustomize, hub, isIgnored, output }: Reading,
): Promise<ReadFiles> {
  const reader = new InputReader(host.cwd, isIgnored, host.apps?.revisionAt(host.cwd), hub, host);
  const apps: AppWithCode[] = [];
  const diagnostics: Diagnostic[] = [];
  const readOne = (given: string, source: Source): void => {
    const found = reader.read(given, source);
    // Apps inside of a folder are checked separately, and files that are left out are reported.
    const { apps: inner, ignored, outputs } = reader.unread;
    const isSkipped = isPartial && inner.length + ignored.length + outputs.length > 0;
    if (!found && !mayBeEmpty && !isSkipped)
      throw new UserError(`${given}: no YAML, JSON or app in this folder`);
  };
  /** Whether a path is an app of the workspace that has no fleet snapshot beside it. */
  const isSharing = (given: string, app: App | undefined): boolean => {
    if (sharedFleet === undefined || fleetsOf(app).length > 0) return false;
    return path.dirname(path.resolve(host.cwd, app?.folder ?? given)) === sharedFleet.apps;
  };
  // The clusters of one hub among several are not those of the others.
  const fleetsOf = (app: App | undefined): readonly string[] =>
    hub === undefined || hub.names.length === 1 ? (app?.fleet ?? []) : [];
  const folders: KustomizationFolder[] = [];
  const addFolder = (
    given: string,
    app: App | undefined,
    kustomizations: readonly Kustomization[],
  ): unknown => folders.push(kustomizationFolder(given, app, kustomizations, host.cwd, kustomize));
  let sharers = 0;
  for (const given of paths) {
    if (given === '') {
      throw new UserError('a path is empty', 'a shell variable may be unset; use . for the current folder');
    }
    if (given === standardInput) {
      reader.decode(standardInput, await host.readInput(), 'app');
      continue;
    }
    // An output can outlive the sources of its app.
    const hasSources = output === undefined || existsSync(path.resolve(host.cwd, given));
    const app = hasSources ? reader.appAt(given) : undefined;
    if (isSharing(given, app)) sharers += 1;
    const { kustomizations } = reader.unread;
    const before = kustomizations.length;
    if (output !== undefined) reader.read(output, 'app');
    if (app === undefined) {
      if (output === undefined) readOne(given, 'app');
      addFolder(given, app, kustomizations.slice(before));
      continue;
    }
    const { file } = app;
    if (output === undefined) {
      if (file !== undefined) apps.push({ ...app, file });
      reader.readApp(app);
    }
    addFolder(given, app, kustomizations.slice(before));
    if (fleet.length > 0) continue;
    for (const name of fleetsOf(app)) reader.read(path.join(app.folder, name), 'fleet');
    if (fleetsOf(app).length < app.fleet.length) diagnostics.push(unusedFleet(app, hub?.name ?? ''));
  }
  const snapshots = fleet.length === 0 && sharers > 0 ? (sharedFleet?.paths ?? []) : fleet;
  for (const given of snapshots) readOne(given, 'fleet');
  return { reader, apps, folders, diagnostics };
}

/** Returns a folder that was read, with the kustomizations that were found in it. */
function kustomizationFolder(
  given: string,
  app: App | undefined,
  kustomizations: readonly Kustomization[],
  cwd: string,
  kustomize: InputKustomize | undefined,
): KustomizationFolder {
  const isFile = kustomizations.some(({ file }) => file === path.normalize(given));
  const folder = normalFolder(isFile ? path.dirname(given) : (app?.folder ?? given));
  const place = path.resolve(cwd, folder);
  const setting = kustomize?.chosen.get(place);
  const chosen = setting === undefined ? app?.overlay : path.join(folder, setting.value);
  const isOfWorkspace = kustomize !== undefined && path.dirname(place) === kustomize.apps;
  if (
    setting !== undefined &&
    !kustomizations.some(({ file }) => path.dirname(file) === normalFolder(chosen ?? ''))
  )
    throw noSuchKustomization(folder, setting, kustomizations);
  return {
    folder,
    kustomizations,
    ...(isOfWorkspace && { app: path.basename(place) }),
    ...(chosen !== undefined && { chosen: normalFolder(chosen) }),
    ...(app?.overlays !== undefined && { overlays: app.overlays }),
  };
}

/** The loaded files. */
interface LoadedFiles {
  readonly built: Awaited<ReturnType<typeof buildKustomizations>>;
  readonly loaded: ReturnType<typeof loadTexts>;
  /** Files that kustomizations reference as patches, data or inputs of plugins. */
  readonly parts: readonly string[];
}

async function loadFiles(
  { reader, folders }: ReadFiles,
  host: Host,
  { watch, cache, sharedSources = cache, kustomize, isPartial }: Reading,
): Promise<LoadedFiles> {
  const { kustomizations } = reader.unread;
  const parts = new Set(kustomizations.flatMap((each) => each.parts));
  const graph = new KustomizationGraph(kustomizations, host.cwd, reader.repository);
  const searched = { graph, cwd: host.cwd, repository: reader.repository };
  const inputs = new Set(kustomizations.flatMap((each) => programInputs(each, searched)).map(normalFolder));
  const resources = new Set(kustomizations.flatMap((each) => each.resources));
  // Patches of kustomizations, and what their plugins read, look like objects. What is listed as well is one.
  const isPart = ({ file, isFromFolder }: SourceText): boolean =>
    isFromFolder === true && (parts.has(file) || (!resources.has(file) && isWithin(file, inputs)));
  const byFile = new Map<string, SourceText>();
  for (const text of reader.texts) if (text.source === 'app') byFile.set(text.file, text);
  const built = await buildKustomizations({
    folders,
    texts: reader.texts.filter((text) => !isPart(text)),
    charts: reader.unread.charts,
    cwd: host.cwd,
    repository: reader.repository,
    env: { ...process.env, ...host.env },
    trusted: kustomize?.trusted ?? noKustomizeSettings.trusted,
    isPartial,
    read: (file) => {
      const text = byFile.get(file);
      // A file that is listed must have manifests.
      return text === undefined ? reader.listed(file) : { file, text: text.text, source: 'app' };
    },
    load: (listed) => loadTexts(listed, cache, sharedSources),
    watch,
  });
  const loaded = watch.run('load', () => loadTexts(built.texts, cache, sharedSources));
  return { built, loaded, parts: reader.texts.filter(isPart).map(({ file }) => file) };
}

/** Runs the apps one after the other, and loads what they create. */
async function runApps(
  apps: readonly AppWithCode[],
  { value }: Pick<Loaded, 'value'>,
  host: Host,
  { watch, hub, cache, sharedSources = cache }: Reading,
): Promise<Pick<Inputs, 'objects' | 'diagnostics'>> {
  const objects: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  if (apps.length === 0) return { objects, diagnostics };
  const appHub =
    hub &&
    new AppHubData(
      hub,
      value.filter(({ source }) => source === 'fleet'),
    );
  const runners = host.apps ?? new AppRunners();
  try {
    const runner = await runners.in(host.cwd);
    for (const each of apps) {
      const app = await watch.wait('run the app', () =>
        runApp(each.file, host.cwd, runner, host.env ?? {}, appHub),
      );
      if (app.notice !== undefined && runners.isNew(app.notice)) host.err(`${app.notice}\n`);
      if (app.printed !== '') host.err(appOutput(each.file, app.printed));
      const loaded = watch.run('load', () => loadConstructs(app.objects, sharedSources));
      objects.push(...loaded.value);
      diagnostics.push(
        ...app.diagnostics,
        ...loaded.diagnostics,
        ...unreadManifests(each, loaded.value, host.cwd),
      );
    }
  } finally {
    if (host.apps === undefined) await runners.end();
  }
  return { objects, diagnostics };
}

function noSuchKustomization(
  folder: string,
  { value, location }: Located<string>,
  kustomizations: readonly Kustomization[],
): UserError {
  const existing = kustomizations.map(({ file }) => path.relative(folder, path.dirname(file)) || '.');
  return new UserError(
    `${location.file}:${location.line}: ${path.join(folder, value)} has no kustomization`,
    existing.length === 0
      ? 'remove the entry of the app: it has no kustomizations'
      : didYouMean(value, existing, 'the folders with a kustomization are'),
  );
}

/** Whether a file, or a folder around it, is in a set. */
function isWithin(file: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  for (let name = file; ; name = path.dirname(name)) {
    if (names.has(name)) return true;
    if (name === path.dirname(name)) return false;
  }
}

/** Returns a folder as the dirname of its files: `.` without a slash at its end. */
function normalFolder(given: string): string {
  return path.normalize(given).replace(/(?<=.)[/\\]$/, '');
}

/** Loads each text with the cache of its source: the hubs share the sources of apps, and have separate fleets. */
function loadTexts(
  texts: readonly SourceText[],
  cache: SharedContent | undefined,
  sharedSources: SharedContent | undefined,
): Loaded {
  if (cache === sharedSources) return load(texts, cache);
  const loaded = texts.map((text) => load([text], text.source === 'fleet' ? cache : sharedSources));
  return {
    value: joined(loaded.map(({ value }) => value)),
    diagnostics: loaded.flatMap(({ diagnostics }) => diagnostics),
    notManifests: loaded.flatMap(({ notManifests }) => notManifests),
  };
}

function unusedFleet({ folder, fleet: [name = ''] }: App, hub: string): Diagnostic {
  return diagnostic('FW9071', {
    message: `${path.join(folder, name)} is not read, because the workspace has several hubs: hub ${hub} has its own fleet`,
    hint: `move its clusters into the fleets of the hubs, and delete ${path.join(folder, name)}`,
  });
}
