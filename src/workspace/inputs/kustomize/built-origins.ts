import { isDeepStrictEqual } from 'node:util';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import {
  type FieldPath,
  type FileLocation,
  load,
  type LoadedObject,
  type Location,
  type Origin,
  type SourceText,
} from '../../../compiler/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { locateGenerated } from './generated-fields.ts';
import type { Kustomization } from './kustomization.ts';
import { locateInKustomization, type ReadSource } from './kustomized-fields.ts';
import { pathIn, valueAt } from '../located-yaml.ts';

const originAnnotation = 'config.kubernetes.io/origin';
const transformationsAnnotation = 'alpha.config.kubernetes.io/transformations';

/** What kustomize reports about a built object. Paths are relative to the working folder. */
interface BuiltFrom {
  /** The file of the object. @default - a generator created it */
  readonly source?: string;
  /** The kustomization or the configuration of the generator that created it. */
  readonly generator?: string;
  /** The kustomizations that changed it, the last one first. */
  readonly changedBy: readonly Kustomization[];
}

/**
 * The locations of built objects in the files that they were built from. A field that a kustomization sets has the location in
 * its patch, or of the field of the kustomization.
 */
export class BuiltOrigins {
  readonly #sources = new Map<string, readonly LoadedObject[]>();
  readonly #built: ReadonlyMap<string, BuiltFrom>;
  readonly #kustomizations: ReadonlyMap<string, Kustomization>;
  readonly #readSource: ReadSource;
  readonly #root: Origin;

  /**
   * @param annotated - the built objects with the annotations of kustomize
   * @param options.kustomizations - the kustomization that was built, and those that it uses
   * @param options.base - the folder that the paths in the annotations are relative to
   */
  constructor(
    annotated: readonly LoadedObject[],
    options: {
      readonly kustomizations: readonly Kustomization[];
      readonly base: string;
      readonly cwd: string;
      readonly readSource: ReadSource;
    },
  ) {
    const { kustomizations, base, cwd, readSource } = options;
    this.#kustomizations = new Map(kustomizations.map((each) => [each.file, each]));
    this.#readSource = readSource;
    const location = { file: kustomizations[0]?.file ?? '', line: 1, column: 1 };
    this.#root = { location, locate: () => location };
    const fileOf = (name: unknown): string | undefined =>
      typeof name === 'string' ? path.relative(cwd, path.resolve(base, name)) : undefined;
    this.#built = new Map(
      annotated.map(({ object }) => {
        const annotations = object.metadata?.annotations ?? {};
        const [origin] = entriesIn(annotations[originAnnotation]);
        const transformations = entriesIn(annotations[transformationsAnnotation]);
        const files = new Set(transformations.map((each) => fileOf(each['configuredIn'])).toReversed());
        const source = origin?.['repo'] === undefined ? fileOf(origin?.['path']) : undefined;
        const generator = fileOf(origin?.['configuredIn']);
        return [
          identityOf(object),
          {
            ...(source !== undefined && { source }),
            ...(generator !== undefined && { generator }),
            changedBy: [...files].flatMap((file) => this.#kustomizations.get(file ?? '') ?? []),
          },
        ] as const;
      }),
    );
  }

  /** Returns where a built object is defined; the kustomization if its source is unknown. */
  of(object: LoadedObject['object']): Origin {
    const built = this.#built.get(identityOf(object));
    if (built === undefined) return this.#root;
    const source = built.source === undefined ? undefined : this.#sourceOf(object, built.source);
    const locate = (at: FieldPath): Location => this.#locate(object, at, built, source);
    const changes = ['namespace', 'name'].flatMap((key) => {
      const at = ['metadata', key];
      const value = valueAt(object, at);
      if (value === undefined || source === undefined || value === valueAt(source.object, at)) return [];
      return [{ path: at, location: () => locate(at) }];
    });
    const whole = locate([]);
    return { location: whole, locate, ...(changes.length > 0 && { changes }) };
  }

  #locate(
    object: JsonMap & LoadedObject['object'],
    at: FieldPath,
    { source: file, generator, changedBy }: BuiltFrom,
    source: LoadedObject | undefined,
  ): Location {
    const value = valueAt(object, at);
    const there = source === undefined ? undefined : pathIn(source.object, object, at);
    const before = there === undefined ? undefined : valueAt(source?.object, there);
    const isUnchanged =
      there !== undefined &&
      (isDeepStrictEqual(before, value) || (isContainer(before) && isContainer(value)));
    if (source !== undefined && isUnchanged) return source.origin.locate(there);
    if (at.length > 0 && value !== undefined) {
      const name = object.metadata?.name ?? '';
      const names = [name, ...(source === undefined ? [] : [source.object.metadata?.name ?? ''])];
      const field = { object, path: at, value, before, names };
      for (const each of changedBy) {
        const location = locateInKustomization(each, field, this.#readSource);
        if (location !== undefined) return location;
      }
    }
    if (source !== undefined) return source.origin.locate(there ?? at);
    return this.#generated(object, at, generator) ?? inFile(file) ?? this.#root.location;
  }

  #generated(
    { kind, metadata }: LoadedObject['object'],
    at: FieldPath,
    generator: string | undefined,
  ): FileLocation | undefined {
    const kustomization = this.#kustomizations.get(generator ?? '');
    if (kustomization === undefined) return inFile(generator);
    return locateGenerated(kustomization, kind, metadata?.name ?? '', at, this.#readSource);
  }

  /** Returns the object in a file that a built object was made of; undefined if it is unclear which one. */
  #sourceOf(built: LoadedObject['object'], file: string): LoadedObject | undefined {
    const candidates = this.#objectsIn(file).filter(({ object }) => object.kind === built.kind);
    const [only] = candidates;
    if (candidates.length === 1) return only;
    const name = built.metadata?.name ?? '';
    const byName = (matches: (name: string) => boolean): LoadedObject[] =>
      candidates.filter(({ object }) => matches(object.metadata?.name ?? ''));
    const same = byName((each) => each === name);
    const namespace = built.metadata?.namespace;
    const inNamespace = same.find(({ object }) => object.metadata?.namespace === namespace);
    if (same.length > 0) return inNamespace ?? same[0];
    // namePrefix and nameSuffix surround the name.
    const [around, other] = byName((each) => each !== '' && name.includes(each));
    return other === undefined ? around : undefined;
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

function inFile(file: string | undefined): FileLocation | undefined {
  return file === undefined ? undefined : { file, line: 1, column: 1 };
}

function isContainer(value: unknown): boolean {
  return isJsonMap(value) || isJsonList(value);
}

/** Returns the mappings in an annotation: of one mapping, or of a list of them. */
function entriesIn(annotation: unknown): JsonMap[] {
  if (typeof annotation !== 'string') return [];
  const content: unknown = parseAllDocuments(annotation)[0]?.toJS();
  return (isJsonList(content) ? content : [content]).filter((each) => isJsonMap(each));
}

function identityOf({ apiVersion, kind, metadata }: LoadedObject['object']): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
