import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import {
  type Diagnostic,
  load,
  type Loaded,
  type LoadedObject,
  type SourceText,
} from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { BuiltOrigins } from './built-origins.ts';
import {
  chosenKustomization,
  type ChosenKustomization,
  type KustomizationFolder,
} from './chosen-kustomizations.ts';
import type { Kustomization } from './kustomization.ts';
import { isBelow, isOutside, KustomizationGraph, type UnclearKustomization } from './kustomization-graph.ts';
import { programInputs, untrustedPrograms } from './kustomization-programs.ts';
import type { TrustedPrograms } from '../../settings/kustomize-settings.ts';
import { findKustomize, KustomizeBuilds } from './kustomize.ts';
import { loadListed } from '../listed-objects.ts';
import { unlistedFiles } from '../unlisted-files.ts';
import type { Stopwatch } from '../../stopwatch.ts';

/** The files of a command, and the kustomizations among them. */
export interface KustomizationInputs {
  readonly folders: readonly KustomizationFolder[];
  readonly texts: readonly SourceText[];
  /** The folders of Helm charts. */
  readonly charts: readonly string[];
  readonly cwd: string;
  /** The real path of the repository, which no kustomization may leave. @default - the files are outside of a repository */
  readonly repository: string | undefined;
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trusted: TrustedPrograms;
  /** Whether files are checked one by one, so that only kustomizations of the given folders and of apps are built. */
  readonly isPartial: boolean;
  /** Reads a file that a kustomization lists. */
  readonly read: (file: string) => SourceText | undefined;
  readonly load: (texts: readonly SourceText[]) => Loaded;
  /** Measures the programs. */
  readonly watch: Stopwatch;
}

/** The objects of kustomizations, and the files that are left. */
export interface BuiltKustomizations {
  readonly objects: readonly LoadedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** The kustomizations that do not apply, because files are checked one by one. */
  readonly unbuilt: readonly Kustomization[];
  /** The files that remain to be read as manifests. */
  readonly texts: readonly SourceText[];
  /** Whether a kustomization determines what a file or folder is for. */
  readonly isGoverned: (file: string) => boolean;
  /** The texts that locations point into besides those of the inputs. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Reads the objects of the kustomizations that apply, and nothing else in their folders. A kustomization that, with all that it
 * uses, only lists files is read without kustomize; `kustomize` or `kubectl kustomize` builds all others.
 */
export async function buildKustomizations(inputs: KustomizationInputs): Promise<BuiltKustomizations> {
  const { folders, texts, charts, cwd, repository, isPartial } = inputs;
  const all = folders.flatMap(({ kustomizations }) => kustomizations);
  if (all.length === 0 && folders.every(({ overlays }) => overlays === undefined))
    return { objects: [], diagnostics: [], unbuilt: [], texts, isGoverned: () => false, sources: new Map() };
  const graph = new KustomizationGraph(all, cwd, repository);
  const diagnostics: Diagnostic[] = [];
  const chosen: ChosenKustomization[] = [];
  /** The folders of which nothing else is read. */
  const governed = folders.flatMap(({ overlays = [] }) => overlays);
  for (const folder of folders) {
    const choice = chosenKustomization(folder, graph, isPartial);
    if (choice === undefined) {
      const components = isPartial ? [] : folder.kustomizations.filter(({ isComponent }) => isComponent);
      governed.push(...components.map(({ file }) => path.dirname(file)));
      diagnostics.push(...components.map(unusedComponent));
    } else if ('code' in choice) {
      diagnostics.push(choice);
      governed.push(folder.folder);
    } else {
      chosen.push(choice);
      governed.push(...choice.folders);
    }
  }
  const roots = graph
    .unused([...new Map(chosen.map(({ root }) => [root.file, root])).values()])
    .concat(chosen.map(({ root }) => root).filter(({ isComponent }) => isComponent));
  const isGoverned = (file: string): boolean => governed.some((folder) => isBelow(file, folder));
  const inFolders = texts.filter(({ source, isFromFolder }) => source === 'app' && isFromFolder === true);
  const used = new Set(roots.flatMap((root) => graph.usedBy(root)));
  const usedFiles = new Set([...used].flatMap(({ resources, parts }) => [...resources, ...parts]));
  const searched = { graph, cwd, repository };
  for (const choice of chosen) {
    const isIn = (file: string): boolean => choice.folders.some((folder) => isBelow(file, folder));
    const files = [...inFolders.map(({ file }) => file), ...charts].filter(isIn);
    const inputsOf = (each: Kustomization): readonly string[] => programInputs(each, searched);
    diagnostics.push(...unlistedFiles(choice, { files, graph, inputsOf }));
  }
  const sources = new Map<string, string>();
  const built = await buildAll(roots, graph, inputs, sources);
  const isReplaced = ({ file, source, isFromFolder }: SourceText): boolean =>
    source === 'app' && (usedFiles.has(file) || (isFromFolder === true && isGoverned(file)));
  return {
    objects: built.objects,
    diagnostics: [...diagnostics, ...built.diagnostics],
    unbuilt: all.filter((each) => !used.has(each) && !isGoverned(each.file)),
    texts: texts.filter((text) => !isReplaced(text)),
    isGoverned,
    sources,
  };
}

/** The objects of kustomizations. */
type BuiltObjects = Pick<BuiltKustomizations, 'objects' | 'diagnostics'>;

async function buildAll(
  roots: readonly Kustomization[],
  graph: KustomizationGraph,
  inputs: KustomizationInputs,
  sources: Map<string, string>,
): Promise<BuiltObjects> {
  const { cwd, repository, trusted, env, watch } = inputs;
  const objects: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  const unclear: { readonly root: Kustomization; readonly reason: Reason }[] = [];
  for (const root of roots) {
    const used = graph.usedBy(root);
    const faults = [
      ...used.flatMap((each) => forbiddenReads(each, cwd, repository)),
      ...untrustedPrograms(root, { used, graph, cwd, repository }, trusted),
    ];
    diagnostics.push(...faults);
    if (faults.length > 0) continue;
    const listed = readListed(root, graph, inputs);
    if ('reason' in listed) unclear.push({ root, reason: listed.reason });
    else objects.push(...listed.loaded.value);
    if ('loaded' in listed) for (const { file, text } of listed.files) sources.set(file, text);
  }
  if (unclear.length === 0) return { objects, diagnostics };
  const program = findKustomize(env['PATH'] ?? '');
  if (program === undefined) {
    diagnostics.push(...unclear.map(({ root, reason }) => missingProgram(root, reason)));
    return { objects, diagnostics };
  }
  const builds = new KustomizeBuilds(program, {}, { trusted, env });
  try {
    for (const { root } of unclear) {
      const built = await watch.wait('build kustomizations', () =>
        buildOne(root, graph.usedBy(root), builds, { cwd, sources }),
      );
      objects.push(...built.objects);
      diagnostics.push(...built.diagnostics);
    }
  } finally {
    builds.end();
  }
  return { objects, diagnostics };
}

async function buildOne(
  root: Kustomization,
  used: readonly Kustomization[],
  builds: KustomizeBuilds,
  { cwd, sources }: { readonly cwd: string; readonly sources: Map<string, string> },
): Promise<BuiltObjects> {
  const folder = path.resolve(cwd, path.dirname(root.file));
  const result = await builds.build(folder);
  if ('fault' in result)
    return {
      objects: [],
      diagnostics: [failedBuild(root, used, result.fault, { cwd, options: builds.options })],
    };
  const loaded = load([{ file: root.file, text: result.text, source: 'app' }]);
  const annotated = await builds.buildWithOrigins(folder);
  const readSource = (file: string): string | undefined => {
    try {
      const text = readFileSync(path.resolve(cwd, file), 'utf8');
      sources.set(file, text);
      return text;
    } catch {
      return undefined;
    }
  };
  const origins = new BuiltOrigins(
    'text' in annotated ? load([{ file: root.file, text: annotated.text, source: 'app' }]).value : [],
    { kustomizations: used, base: annotated.base, cwd, readSource },
  );
  return {
    objects: loaded.value.map(({ object, source }) => ({ object, source, origin: origins.of(object) })),
    // Locations in the output of kustomize would point at lines that the user does not have.
    diagnostics: loaded.diagnostics.map((each) => ({
      ...each,
      location: { file: root.file, line: 1, column: 1 },
    })),
  };
}

/** Why only kustomize knows the objects of a kustomization. */
type Reason = UnclearKustomization | { readonly file: string };

/** Returns the objects of a kustomization that only lists files. */
function readListed(
  root: Kustomization,
  graph: KustomizationGraph,
  { read, load: loadFiles }: KustomizationInputs,
): { readonly loaded: Loaded; readonly files: readonly SourceText[] } | { readonly reason: Reason } {
  const listing = graph.filesOf(root);
  if ('unclear' in listing) return { reason: listing.unclear };
  const files: SourceText[] = [];
  for (const file of listing.files) {
    const text = read(file);
    if (text === undefined) return { reason: { file } };
    files.push(text);
  }
  const loaded = loadListed(files, loadFiles);
  return typeof loaded === 'string' ? { reason: { file: loaded } } : { loaded, files };
}

/** Reports what a kustomization would read from the network, or from folders outside of the repository. */
function forbiddenReads(
  { file, resources, components, plugins, remote }: Kustomization,
  cwd: string,
  repository: string | undefined,
): Diagnostic[] {
  const location = { file, line: 1, column: 1 };
  const isInside = !isOutside(file, cwd, repository);
  const outside = [...resources, ...components, ...plugins].filter(
    (name) => isInside && isOutside(name, cwd, repository),
  );
  return [
    ...remote.map((name) =>
      diagnostic('FW9091', {
        message: `${file} uses ${name}, and Fleetwright does not read files from the network`,
        location,
        hint: 'copy the files into the repository, for example with kustomize localize, and name the copy',
      }),
    ),
    ...outside.map((name) =>
      diagnostic('FW9091', {
        message: `${file} uses ${name}, which is outside of the repository`,
        location,
        hint: 'move it into the repository, or build the kustomization and pipe the output: kustomize build DIR | fleetwright resolve -',
      }),
    ),
  ];
}

function unusedComponent({ file }: Kustomization): Diagnostic {
  return diagnostic('FW9015', {
    message: `${file} is a component that no kustomization uses, so the files in its folder were not read`,
    location: { file, line: 1, column: 1 },
    hint: 'list its folder under components of a kustomization, or delete it',
  });
}

function missingProgram({ file }: Kustomization, reason: Reason): Diagnostic {
  const location =
    'file' in reason
      ? { file: reason.file, line: 1, column: 1 }
      : (reason.kustomization.change?.location ?? { file: reason.kustomization.file, line: 1, column: 1 });
  return diagnostic('FW9090', {
    message: `${file} cannot be built, because PATH has neither kustomize nor kubectl`,
    location,
    hint: 'install kustomize or kubectl; or build the kustomization elsewhere, and read the output instead',
    related: [{ message: `only kustomize knows its objects, because ${wordsOf(reason)}` }],
  });
}

function wordsOf(reason: Reason): string {
  if ('file' in reason) return `it may read ${reason.file} in another way`;
  const { kustomization, name } = reason;
  if (name !== undefined)
    return `${kustomization.file} lists ${name}, which is not a file or a kustomization for this place`;
  const field = kustomization.change?.field ?? '';
  return field === ''
    ? `${kustomization.file} may be invalid`
    : `${kustomization.file} has the field ${field}`;
}

/** The length of an error beyond which the middle is left out: the reason is at its end. */
const longestFault = 8000;

function failedBuild(
  { file }: Kustomization,
  used: readonly Kustomization[],
  fault: string,
  { cwd, options }: { readonly cwd: string; readonly options: string },
): Diagnostic {
  const text = fault
    .replaceAll(`${realpathSync(cwd)}/`, '')
    .replaceAll(`${cwd}/`, '')
    .replaceAll(/\s+/g, ' ');
  const half = longestFault / 2;
  const whole = text.length > longestFault ? `${text.slice(0, half)} … ${text.slice(-half)}` : text;
  const missing = used.flatMap((each) =>
    each.resources
      .filter((name) => !existsSync(path.resolve(cwd, name)) && text.includes(path.basename(name)))
      .map((name) => each.locate(['resources', each.resources.indexOf(name)])),
  );
  return diagnostic('FW9014', {
    message: `kustomize cannot build ${file}: ${whole}`,
    location: missing[0] ?? { file, line: 1, column: 1 },
    hint: `correct it until this command succeeds: kustomize build ${options}${path.dirname(file)}`,
  });
}
