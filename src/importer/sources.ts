import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { yamlDocument } from '../compiler/emit/yaml.ts';
import type { LoadedObject } from '../compiler/model/inventory.ts';
import type { SourceText } from '../compiler/load/load.ts';
import type { Origin } from '../compiler/model/origin.ts';
import type { ComposedOrigin } from './as-template.ts';
import { objectSources, type ObjectSource } from './code/comments.ts';

/** The objects as they are written in their files. */
export class Sources {
  readonly #raw: ReadonlyMap<Origin, KubernetesObject>;
  readonly #translated: ReadonlySet<Origin>;
  readonly #files = new Map<string, Map<string, ObjectSource>>();
  readonly #texts: ReadonlyMap<string, string>;

  /**
   * @param loaded - the objects as they were read
   * @param objects - the same objects after the translation of fields and kinds that are no longer served
   */
  constructor(
    texts: readonly Pick<SourceText, 'file' | 'text'>[],
    loaded: readonly LoadedObject[],
    objects: readonly LoadedObject[],
  ) {
    this.#texts = new Map(texts.map(({ file, text }) => [file, text]));
    this.#raw = new Map(objects.map(({ origin, object }) => [origin, object]));
    const originals = new Map(loaded.map(({ origin, object }) => [origin, object]));
    this.#translated = new Set(
      objects.filter(({ origin, object }) => object !== originals.get(origin)).map(({ origin }) => origin),
    );
  }

  /** Returns the object without fields that the API server sets. */
  raw(origin: Origin): KubernetesObject | undefined {
    return this.#raw.get(origin);
  }

  commentsOf(origin: Origin): ObjectSource['comments'] {
    if (isComposed(origin)) {
      return origin.parts.flatMap(({ origin: part, path }) =>
        this.commentsOf(part).map((comment) => ({ ...comment, path: [...path, ...comment.path] })),
      );
    }
    // to find them, the whole file is parsed again
    const comments = this.#textOf(origin)?.includes('#') === true ? this.#sourceOf(origin)?.comments : [];
    // the two versions of the add-on API have different names for one list
    return (comments ?? []).map(({ path, lines }) => ({
      path: path.map((step) => (step === 'supportedConfigs' ? 'defaultConfigs' : step)),
      lines,
    }));
  }

  /**
   * Returns the document of an object as it was written, with its comments, if the document contains only this object; otherwise
   * the object as YAML.
   *
   * @param isChanged - whether the object differs from the one that was written
   */
  text(origin: Origin, object: KubernetesObject, isChanged: boolean): string {
    const text = isChanged || this.#translated.has(origin) ? undefined : this.#sourceOf(origin)?.text;
    return text ?? yamlDocument(object);
  }

  #sourceOf(origin: Origin): ObjectSource | undefined {
    const { location } = origin;
    if (!('file' in location)) return undefined;
    const { file, line, column } = location;
    const text = this.#textOf(origin);
    if (text === undefined) return undefined;
    const sources = getOrInsertComputed(this.#files, file, () =>
      objectSources({ file, text, source: 'app' }),
    );
    return sources.get(`${line}:${column}`);
  }

  /** Returns the YAML file that contains the object. */
  #textOf({ location }: Origin): string | undefined {
    return 'file' in location && !location.file.endsWith('.json')
      ? this.#texts.get(location.file)
      : undefined;
  }
}

function isComposed(origin: Origin): origin is ComposedOrigin {
  return 'parts' in origin;
}
