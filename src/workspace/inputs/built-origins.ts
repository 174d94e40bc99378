import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { load, type LoadedObject, type Origin, type SourceText } from '../../compiler/index.ts';
import { isJsonMap } from '../../base/json/json-map.ts';

const originAnnotation = 'config.kubernetes.io/origin';

/** Reads the text of a source file, which may be undefined for a file that is not readable. */
export type ReadSource = (file: string) => string | undefined;

/**
 * The locations of built objects in the files that they were built from. A field that a patch adds has the location of
 * the nearest field around it.
 */
export class BuiltOrigins {
  readonly #sources = new Map<string, readonly LoadedObject[]>();
  /** The path of the source file of each built object, relative to `base`. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #base: string;
  readonly #cwd: string;
  readonly #readSource: ReadSource;
  readonly #kustomization: Origin;

  /**
   * @param annotated - the built objects with the annotations of kustomize
   * @param options.kustomization - the file of the kustomization, relative to the working folder
   * @param options.base - the folder that the paths in the annotations are relative to
   */
  constructor(
    annotated: readonly LoadedObject[],
    options: {
      readonly kustomization: string;
      readonly base: string;
      readonly cwd: string;
      readonly readSource: ReadSource;
    },
  ) {
    this.#paths = new Map(
      annotated.flatMap(({ object }) => {
        const source = sourceIn(object.metadata?.annotations?.[originAnnotation]);
        return source === undefined ? [] : [[identityOf(object), source] as const];
      }),
    );
    this.#base = options.base;
    this.#cwd = options.cwd;
    this.#readSource = options.readSource;
    const location = { file: options.kustomization, line: 1, column: 1 };
    this.#kustomization = { location, locate: () => location };
  }

  /** Returns where a built object is defined; the kustomization if its source is unknown. */
  of(built: LoadedObject['object']): Origin {
    const source = this.#paths.get(identityOf(built));
    if (source === undefined) return this.#kustomization;
    const file = path.relative(this.#cwd, path.resolve(this.#base, source));
    const candidates = this.#objectsIn(file).filter(({ object }) => object.kind === built.kind);
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) return only.origin;
    const name = built.metadata?.name ?? '';
    const byName = (matches: (name: string) => boolean): LoadedObject[] =>
      candidates.filter(({ object }) => matches(object.metadata?.name ?? ''));
    const [same] = byName((each) => each === name);
    if (same !== undefined) return same.origin;
    // namePrefix and nameSuffix surround the name.
    const [around, other] = byName((each) => each !== '' && name.includes(each));
    if (around !== undefined && other === undefined) return around.origin;
    const location = { file, line: 1, column: 1 };
    return this.#objectsIn(file).length === 0 ? this.#kustomization : { location, locate: () => location };
  }

  #objectsIn(file: string): readonly LoadedObject[] {
    const loaded = this.#sources.get(file);
    if (loaded !== undefined) return loaded;
    const text = this.#readSource(file);
    const source: SourceText[] = text === undefined ? [] : [{ file, text, source: 'app' }];
    const objects = load(source).value;
    this.#sources.set(file, objects);
    return objects;
  }
}

/** Returns the file in an annotation: of the object, or of the kustomization whose generator created it. */
function sourceIn(annotation: unknown): string | undefined {
  if (typeof annotation !== 'string') return undefined;
  const content: unknown = parseAllDocuments(annotation)[0]?.toJS();
  if (!isJsonMap(content)) return undefined;
  const { path: file, repo } = content;
  return typeof file === 'string' && repo === undefined ? file : undefined;
}

function identityOf({ apiVersion, kind, metadata }: LoadedObject['object']): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
