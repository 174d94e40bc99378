import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { Outcome } from '../model/diagnostic.ts';
import { oncePer } from '../../base/collections/once-per.ts';
import type { LoadedObject } from '../model/inventory.ts';
import type { FileLocation } from '../model/origin.ts';
import { RecentTexts } from '../../base/collections/recent-texts.ts';
import type { SourceFile } from './source-file.ts';
import type { SourceText } from './source-text.ts';

/** An object that is the root of a document, or an item of the list at its root. */
export interface PlacedObject {
  readonly loaded: LoadedObject;
  /** The offset of its text in the file. */
  readonly start: number;
}

/** A file as it was loaded. */
export interface LoadedFile {
  /** Undefined if it was found in a folder and has no manifest. */
  readonly outcome: Outcome<readonly LoadedObject[]> | undefined;
  readonly placed: readonly PlacedObject[];
  readonly source: SourceFile;
}

/** How many versions of a file are kept: those of the two states that a plan compares, while one of them is edited. */
const keptVersions = 3;

/**
 * The last versions of each file. A version that has the text of an earlier one is that one. In another version, an object with an
 * unchanged text at an unchanged line is the same `LoadedObject`, so that later phases need not process it again.
 */
export class LoadedFiles {
  /** The latest version first. */
  readonly #versions = new RecentTexts<(LoadedFile & { readonly isFromFolder: boolean })[]>();

  /** Returns the loaded file. `load` gets the objects of earlier versions. */
  of(
    { file, text, source, isFromFolder = false }: SourceText,
    load: (earlier: EarlierObjects | undefined) => LoadedFile,
  ): LoadedFile {
    const versions = getOrInsertComputed(this.#versions, `${source} ${file}`, () => []);
    const index = versions.findIndex(
      (each) => each.isFromFolder === isFromFolder && each.source.text === text,
    );
    const [same] = index === -1 ? [] : versions.splice(index, 1);
    const loaded = same ?? {
      ...load(versions.length === 0 ? undefined : new EarlierObjects(versions)),
      isFromFolder,
    };
    versions.unshift(loaded);
    versions.splice(keptVersions);
    return loaded;
  }

  /** Forgets the files that were not loaded since the last call. */
  forgetUnused(): void {
    this.#versions.forgetUnused();
  }
}

/** A placed object with its location. */
interface LocatedObject extends Pick<FileLocation, 'line' | 'column'> {
  readonly loaded: LoadedObject;
}

/** Most files have one version, whose locations are not needed. */
const locatedIn = oncePer(({ placed, source }: LoadedFile): readonly LocatedObject[] =>
  placed.map(({ loaded, start }) => {
    const { line, column } = source.place(start);
    return { line, column, loaded };
  }),
);

/** The objects of earlier versions of a file. */
export class EarlierObjects {
  readonly #byObject = new Map<LoadedObject['object'], LocatedObject[]>();

  constructor(versions: readonly LoadedFile[]) {
    for (const version of versions)
      for (const located of locatedIn(version)) {
        const { line, column, loaded } = located;
        const others = getOrInsertComputed(this.#byObject, loaded.object, () => []);
        if (!others.some((each) => each.line === line && each.column === column)) others.push(located);
      }
  }

  /** Returns the earlier object with the same content at the same location. One content has one text: see `SharedTexts`. */
  at(object: LoadedObject['object'], start: number, source: SourceFile): LoadedObject | undefined {
    const others = this.#byObject.get(object);
    if (others === undefined) return undefined;
    const { line, column } = source.place(start);
    return others.find((each) => each.line === line && each.column === column)?.loaded;
  }
}
