import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { FileLocation, Origin } from '../model/origin.ts';
import type { Stretch } from './json/json-scan.ts';
import type { SourceFile } from './source-file.ts';
import { offsetInBlockYaml } from './yaml/block-yaml.ts';
import { offsetInJson } from './json/json-offset.ts';
import { offsetInYaml } from './yaml/yaml-offset.ts';
import { parseYamlTree, type YamlTree } from './yaml/yaml-tree.ts';

/** The number of cached trees per file: enough for the objects that one finding compares. */
const maxCachedTrees = 16;

/** The text of a value. */
export interface ReadStretch extends Stretch {
  /** Whether it was read as JSON. */
  readonly isJson?: boolean | undefined;
}

/**
 * The locations of the objects of one file. Loading stores no positions. To find one, the text of that object alone is read
 * again.
 */
export class FileOrigins {
  readonly #source: SourceFile;
  readonly #trees = new Map<number, YamlTree>();

  constructor(source: SourceFile) {
    this.#source = source;
  }

  /**
   * Returns an origin that searches each path once: findings about an unchanged object are made for each state.
   *
   * @param stretch - the text of the object, or of a value around it
   * @param inside - the path from that value to the object
   */
  origin(stretch: ReadStretch, inside: FieldPath): Origin {
    return new FileOrigin(this, stretch, inside);
  }

  /** Returns the location of a field in a value, as `offset`. */
  place(stretch: ReadStretch, path: FieldPath): FileLocation {
    return this.#source.place(this.offset(stretch, path));
  }

  /** Returns the offset of a field in a value; of the nearest value around it if the field is not written. */
  offset(stretch: ReadStretch, path: FieldPath): number {
    if (path.length === 0) return stretch.start;
    if (stretch.isJson === true) return offsetInJson(this.#source.text, stretch.start, path);
    const offset = offsetInBlockYaml(this.#text(stretch), path) ?? this.#offsetByLibrary(stretch, path);
    return Math.max(stretch.start, stretch.start - this.#indentation(stretch) + offset);
  }

  /** Returns the text of a value. Spaces replace the text before it on its line, so that its indentation stays the same. */
  #text(stretch: Stretch): string {
    return ' '.repeat(this.#indentation(stretch)) + this.#source.text.slice(stretch.start, stretch.end);
  }

  #offsetByLibrary(stretch: Stretch, path: FieldPath): number {
    return offsetInYaml(this.#tree(stretch), path) ?? 0;
  }

  /**
   * Returns the number of characters before the value on its line. In braces it is not needed: JSON on one line can have
   * megabytes there.
   */
  #indentation({ start }: Stretch): number {
    return this.#source.text[start] === '{' ? 0 : this.#source.column(start);
  }

  #tree(stretch: Stretch): YamlTree {
    const cachedTree = this.#trees.get(stretch.start);
    const tree = cachedTree ?? parseYamlTree(this.#text(stretch));
    this.#trees.delete(stretch.start);
    this.#trees.set(stretch.start, tree);
    for (const oldest of this.#trees.keys()) {
      if (this.#trees.size <= maxCachedTrees) break;
      this.#trees.delete(oldest);
    }
    return tree;
  }
}

/** The origin of an object. A fleet has thousands, so they share their functions. */
class FileOrigin implements Origin {
  readonly #origins: FileOrigins;
  readonly #stretch: ReadStretch;
  readonly #inside: FieldPath;
  #located: Map<string, FileLocation> | undefined;

  constructor(origins: FileOrigins, stretch: ReadStretch, inside: FieldPath) {
    this.#origins = origins;
    this.#stretch = stretch;
    this.#inside = inside;
  }

  get location(): FileLocation {
    return this.#place([]);
  }

  locate(path: FieldPath): FileLocation {
    this.#located ??= new Map();
    return getOrInsertComputed(this.#located, JSON.stringify(path), () => this.#place(path));
  }

  #place(path: FieldPath): FileLocation {
    return this.#origins.place(this.#stretch, [...this.#inside, ...path]);
  }
}
