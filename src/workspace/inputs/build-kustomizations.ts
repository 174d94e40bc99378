import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, load, type LoadedObject, type SourceText } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { BuiltOrigins } from './built-origins.ts';
import { kustomizationNames, readKustomization, type Kustomization } from './kustomization.ts';
import { findKustomize, KustomizeBuilds } from './kustomize.ts';
import { someFiles } from './unread-inputs.ts';
import type { Stopwatch } from '../stopwatch.ts';

/** The files of a command, and the kustomizations among them. */
export interface KustomizationInputs {
  readonly kustomizations: readonly Kustomization[];
  readonly texts: readonly SourceText[];
  readonly cwd: string;
  /** The real path of the repository, which no kustomization may leave. @default - the files are outside of a repository */
  readonly repository: string | undefined;
  /** The folders of programs, as the environment variable PATH. */
  readonly searchPath: string;
  /** Selects the kustomizations that are built. @default - all */
  readonly isSelected?: (kustomization: Kustomization) => boolean;
  /** Measures the programs. */
  readonly watch: Stopwatch;
}

/** The objects of built kustomizations, and the files that they replace. */
export interface BuiltKustomizations {
  readonly objects: readonly LoadedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** The kustomizations that were not built, because they only list files. */
  readonly unbuilt: readonly Kustomization[];
  /** The files that remain to be read as manifests. */
  readonly texts: readonly SourceText[];
  /** The texts that locations point into besides those of the inputs. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Builds the kustomizations that no other one uses, with `kustomize` or `kubectl kustomize`. A kustomization that, with
 * all that it uses, only lists files of the input is not built: the files have the same objects.
 */
export async function buildKustomizations(inputs: KustomizationInputs): Promise<BuiltKustomizations> {
  const { kustomizations, texts, isSelected = () => true } = inputs;
  const unchanged = { objects: [], diagnostics: [], sources: new Map<string, string>() };
  if (kustomizations.length === 0) return { ...unchanged, unbuilt: [], texts };
  const graph = new KustomizationGraph(inputs);
  const built = graph.roots.filter((root) => isSelected(root) && graph.needsBuild(root, texts));
  if (built.length === 0) return { ...unchanged, unbuilt: kustomizations, texts };
  const covered = new Set(built.flatMap((root) => graph.usedBy(root)).map(({ file }) => file));
  const unlisted = unlistedFiles(kustomizations, covered, texts);
  const sources = new Map<string, string>();
  const result = await inputs.watch.wait('build kustomizations', () =>
    buildAll(built, graph, inputs, sources),
  );
  const replaced = new Set([...unlisted.replaced, ...[...unlisted.files.values()].flat()]);
  return {
    ...result,
    diagnostics: [
      ...result.diagnostics,
      ...[...unlisted.files].map(([file, names]) =>
        diagnostic('FW9015', {
          message: `${file} does not list these files, so they were not read: ${someFiles(names)}`,
          location: { file, line: 1, column: 1 },
          hint: 'list them under resources, or move them out of the folder',
        }),
      ),
    ],
    unbuilt: kustomizations.filter(({ file }) => !covered.has(file)),
    texts: texts.filter(({ file }) => !replaced.has(file)),
    sources,
  };
}

async function buildAll(
  roots: readonly Kustomization[],
  graph: KustomizationGraph,
  { cwd, repository, searchPath }: KustomizationInputs,
  sources: Map<string, string>,
): Promise<Pick<BuiltKustomizations, 'objects' | 'diagnostics'>> {
  const faults = roots.flatMap((root) =>
    graph.usedBy(root).flatMap((each) => forbiddenReads(each, cwd, repository)),
  );
  if (faults.length > 0) return { objects: [], diagnostics: faults };
  const program = findKustomize(searchPath);
  if (program === undefined) return { objects: [], diagnostics: roots.map((root) => missingProgram(root)) };
  const builds = new KustomizeBuilds(program);
  const objects: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  const readSource = (file: string): string | undefined => {
    try {
      const text = readFileSync(path.resolve(cwd, file), 'utf8');
      sources.set(file, text);
      return text;
    } catch {
      return undefined;
    }
  };
  try {
    for (const root of roots) {
      const folder = path.resolve(cwd, path.dirname(root.file));
      const result = await builds.build(folder);
      if ('fault' in result) {
        diagnostics.push(failedBuild(root, result.fault, cwd));
        continue;
      }
      const loaded = load([{ file: root.file, text: result.text, source: 'app' }]);
      const annotated = await builds.buildWithOrigins(folder);
      const origins = new BuiltOrigins(
        'text' in annotated ? load([{ file: root.file, text: annotated.text, source: 'app' }]).value : [],
        { kustomization: root.file, base: annotated.base, cwd, readSource },
      );
      // Locations in the output of kustomize would point at lines that the user does not have.
      for (const each of loaded.diagnostics)
        diagnostics.push({ ...each, location: { file: root.file, line: 1, column: 1 } });
      for (const { object, source } of loaded.value)
        objects.push({ object, source, origin: origins.of(object) });
    }
  } finally {
    builds.end();
  }
  return { objects, diagnostics };
}

/** The kustomizations of the inputs, and those that they use. */
class KustomizationGraph {
  readonly #cwd: string;
  readonly #repository: string | undefined;
  readonly #byFolder = new Map<string, Kustomization | undefined>();
  readonly #inputs: ReadonlySet<string>;
  /** Files that were read: they are no folders, which saves reading the file system for each resource. */
  readonly #texts: ReadonlySet<string>;
  /** The kustomizations of the inputs that no other one uses. */
  readonly roots: readonly Kustomization[];

  constructor({ kustomizations, texts, cwd, repository }: KustomizationInputs) {
    this.#cwd = cwd;
    this.#repository = repository;
    this.#texts = new Set(texts.map(({ file }) => file));
    for (const each of kustomizations) this.#byFolder.set(path.dirname(each.file), each);
    this.#inputs = new Set(kustomizations.map(({ file }) => file));
    const used = new Set(
      kustomizations.flatMap((each) => this.usedBy(each).slice(1)).map(({ file }) => file),
    );
    this.roots = kustomizations.filter(({ file, isComponent }) => !used.has(file) && !isComponent);
  }

  /** Returns a kustomization and all that it uses, directly or through others. */
  usedBy(root: Kustomization): readonly Kustomization[] {
    const all = new Map([[root.file, root]]);
    for (const each of all.values())
      for (const name of [...each.resources, ...each.components]) {
        const below = this.#at(name);
        if (below !== undefined && !all.has(below.file)) all.set(below.file, below);
      }
    return [...all.values()];
  }

  /** Whether the files of the input differ from what kustomize builds. */
  needsBuild(root: Kustomization, texts: readonly SourceText[]): boolean {
    const read = new Set(texts.map(({ file }) => file));
    return this.usedBy(root).some(
      ({ change, resources }) =>
        change !== undefined ||
        resources.some((name) => !read.has(name) && !this.#inputs.has(this.#at(name)?.file ?? name)),
    );
  }

  #at(name: string): Kustomization | undefined {
    if (this.#texts.has(name)) return undefined;
    const folder = path.normalize(name).replace(/[/\\]$/, '');
    if (this.#byFolder.has(folder)) return this.#byFolder.get(folder);
    // The content of a file outside of the repository could be in an error message.
    const file = isOutside(folder, this.#cwd, this.#repository)
      ? undefined
      : kustomizationNames
          .map((each) => path.join(folder, each))
          .find((each) => isFile(path.resolve(this.#cwd, each)));
    const kustomization = file === undefined ? undefined : readKustomization(file, this.#cwd);
    this.#byFolder.set(folder, kustomization);
    return kustomization;
  }
}

/**
 * Returns the files of folders whose kustomization is built: those that it uses, and those that no kustomization
 * lists, by the file of the kustomization.
 */
function unlistedFiles(
  kustomizations: readonly Kustomization[],
  covered: ReadonlySet<string>,
  texts: readonly SourceText[],
): { readonly replaced: readonly string[]; readonly files: ReadonlyMap<string, string[]> } {
  const byDepth = [...kustomizations].sort((a, b) => b.file.length - a.file.length);
  const listed = new Set(kustomizations.flatMap(({ resources, parts }) => [...resources, ...parts]));
  const replaced: string[] = [];
  const files = new Map<string, string[]>();
  for (const { file, source } of texts) {
    if (source !== 'app') continue;
    const around = byDepth.find((each) => isBelow(file, path.dirname(each.file)));
    if (around === undefined || !(covered.has(around.file) || around.isComponent)) continue;
    if (listed.has(file)) replaced.push(file);
    else files.set(around.file, [...(files.get(around.file) ?? []), file]);
  }
  return { replaced, files };
}

function isBelow(file: string, folder: string): boolean {
  return folder === '.' ? !file.startsWith('..') : file.startsWith(folder + path.sep);
}

/** Reports what a kustomization would read from the network, or from folders outside of the repository. */
function forbiddenReads(
  { file, resources, components, remote }: Kustomization,
  cwd: string,
  repository: string | undefined,
): Diagnostic[] {
  const location = { file, line: 1, column: 1 };
  const isInside = !isOutside(file, cwd, repository);
  const outside = [...resources, ...components].filter(
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

/** Whether a path leads out of the repository, also through links. A missing path does not. */
function isOutside(name: string, cwd: string, repository: string | undefined): boolean {
  if (repository === undefined) return false;
  try {
    const file = realpathSync(path.resolve(cwd, name));
    return file !== repository && !file.startsWith(repository.replace(/[/\\]?$/, path.sep));
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function missingProgram({ file, change }: Kustomization): Diagnostic {
  return diagnostic('FW9090', {
    message: `${file} cannot be built, because PATH has neither kustomize nor kubectl`,
    location: change?.location ?? { file, line: 1, column: 1 },
    hint: 'install kustomize or kubectl; or build the kustomization elsewhere, and read the output instead',
  });
}

function failedBuild({ file }: Kustomization, fault: string, cwd: string): Diagnostic {
  const longest = 400;
  const text = fault
    .replaceAll(`${realpathSync(cwd)}/`, '')
    .replaceAll(`${cwd}/`, '')
    .replaceAll(/\s+/g, ' ');
  return diagnostic('FW9014', {
    message: `kustomize cannot build ${file}: ${text.length > longest ? `${text.slice(0, longest)} …` : text}`,
    location: { file, line: 1, column: 1 },
    hint: `kustomize build ${path.dirname(file)} shows the whole message`,
  });
}
