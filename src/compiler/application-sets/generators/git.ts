import { asJson, readYaml, YamlError } from '../../../engines/charts/index.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { listItems, mapEntries, TypedList, type Value } from '../../../engines/gotemplate/index.ts';
import { textAt } from '../../api/placement-references.ts';
import { isBranch, isRepository, type RepositoryFiles } from '../../model/repository-files.ts';
import { GenerationError, UnansweredError } from '../generation-error.ts';
import { flattened, type Parameters } from '../parameters.ts';
import { normalizedName } from '../templates/template-functions.ts';
import type { GeneratorContext } from './context.ts';
import { matchesPath, matchesPathspec } from './path-pattern.ts';
import { addTemplatedValues } from './templated-values.ts';

/** A pattern of paths, which are taken or left out. */
interface PathItem {
  readonly path: string;
  readonly exclude: boolean;
}

/**
 * Returns the parameters of a `git` generator over this repository: one set per folder, or the content of each file. As GitGenerator
 * of Argo CD, with the repository server's default patterns for files.
 *
 * @throws {UnansweredError} for another repository, and for another revision of this one
 * @throws {GenerationError} for a file that is neither a map nor a list of maps, and without a project, which decides on signatures
 */
export function gitParameters(generator: JsonMap, context: GeneratorContext): Parameters[] {
  if (context.project === '') throw new GenerationError('error getting project: the template names none');
  const files = filesOf(generator, context);
  const [directories, patterns] = [itemsOf(generator['directories']), itemsOf(generator['files'])];
  if (directories.length > 0)
    return foldersIn(files.paths)
      .filter((folder) => isTaken(directories, (path) => matchesPath(path, folder)))
      .map((folder) => withValues(new Map(), folder, undefined, generator, context));
  if (patterns.length === 0) throw new GenerationError('ApplicationSet is empty');
  return files.paths
    .filter((file) => isTaken(patterns, (path) => matchesPathspec(path, file)))
    .toSorted(compareUtf8)
    .flatMap((file) =>
      contentOf(file, files).map((content) =>
        withValues(
          context.replacement.usesGo ? content : texts(content),
          folderOf(file),
          nameOf(file),
          generator,
          context,
        ),
      ),
    );
}

function filesOf(generator: JsonMap, { repository }: GeneratorContext): RepositoryFiles {
  if (repository === undefined) throw new UnansweredError('the git generator');
  const [url = '', revision = ''] = ['repoURL', 'revision'].map((field) => textAt(generator, [field]));
  if (!isRepository(repository, url))
    throw new UnansweredError(`the git generator of another repository, ${url},`);
  if (!isBranch(repository, revision)) throw new UnansweredError(`the git generator of revision ${revision}`);
  return repository;
}

function itemsOf(items: unknown): readonly PathItem[] {
  return (isJsonList(items) ? items : []).filter(isJsonMap).map(({ path, exclude }) => ({
    path: typeof path === 'string' ? path : '',
    exclude: exclude === true,
  }));
}

function isTaken(items: readonly PathItem[], isMatch: (path: string) => boolean): boolean {
  const matching = items.filter(({ path }) => isMatch(path));
  return matching.length > 0 && matching.every(({ exclude }) => !exclude);
}

/** Returns the folder of a file; `.` for the top. */
function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end < 0 ? '.' : file.slice(0, end);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns all folders, without those below a folder whose name starts with a dot, in the order of Go's WalkDir. */
function foldersIn(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    const hidden = parts.findIndex((part) => part.startsWith('.'));
    const depth = hidden < 0 ? parts.length : hidden;
    for (let length = 1; length <= depth; length++) folders.add(parts.slice(0, length).join('/'));
  }
  return [...folders].sort((a, b) => compareUtf8(a.replaceAll('/', '\0'), b.replaceAll('/', '\0')));
}

/** Returns the maps in a file. An empty file is an empty map. */
function contentOf(file: string, { text }: RepositoryFiles): readonly Parameters[] {
  const written = text(file);
  if (written === undefined) throw new UnansweredError(`the file ${file}, which cannot be read,`);
  const fault = (reason: string): GenerationError =>
    new GenerationError(`unable to process file '${file}': unable to parse file: ${reason}`);
  let read: Value;
  try {
    read = asJson(readYaml(written));
  } catch (error) {
    if (error instanceof YamlError) throw fault(error.message);
    throw error;
  }
  if (read === null) return [new Map()];
  const single = mapEntries(read);
  if (single !== undefined) return [new Map(single)];
  const maps = listItems(read)?.map((item) => (item === null ? new Map<string, Value>() : mapEntries(item)));
  if (maps === undefined || maps.includes(undefined)) throw fault('it is neither a map nor a list of maps');
  return maps.flatMap((map) => (map === undefined ? [] : [new Map(map)]));
}

function texts(content: Parameters): Parameters {
  return new Map(Object.entries(flattened(content)));
}

/** Adds the parameters of the path, then the `values` of the generator, which can use the others. */
function withValues(
  parameters: Parameters,
  folder: string,
  filename: string | undefined,
  generator: JsonMap,
  { replacement }: GeneratorContext,
): Parameters {
  const prefix = textAt(generator, ['pathParamPrefix']);
  const basename = nameOf(folder);
  const names: readonly (readonly [string, string])[] = [
    ['basename', basename],
    ['basenameNormalized', normalizedName(basename)],
    ...(filename === undefined
      ? []
      : ([
          ['filename', filename],
          ['filenameNormalized', normalizedName(filename)],
        ] as const)),
  ];
  const segments = folder.split('/');
  if (replacement.usesGo) {
    const path: Parameters = new Map<string, Value>([
      ['path', folder],
      ...names,
      ['segments', new TypedList('[]string', segments, false)],
    ]);
    if (prefix === undefined) parameters.set('path', path);
    else parameters.set(prefix, new Map([['path', path]]));
  } else {
    const name = prefix === undefined ? 'path' : `${prefix}.path`;
    parameters.set(name, folder);
    for (const [key, value] of names) parameters.set(`${name}.${key}`, value);
    for (const [index, segment] of segments.entries())
      if (segment !== '') parameters.set(`${name}[${index}]`, segment);
  }
  addTemplatedValues(generator['values'], parameters, replacement);
  return parameters;
}
