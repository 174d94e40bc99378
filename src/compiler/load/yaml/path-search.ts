import type { FieldPath } from '../../model/field-path.ts';

/** Finds a path while a document is read. */
export class PathSearch {
  /** The offset of the last step that was found. */
  offset: number | undefined;
  readonly #path: FieldPath;
  #found = 0;
  /** The depth of the collection that has the next step, from 1 for the root. 0 if the search is over. */
  #depth = 1;

  constructor(path: FieldPath) {
    this.#path = path;
  }

  /** Whether the last step is found, or the value that would have it has ended. What follows changes nothing. */
  get isOver(): boolean {
    return this.#depth === 0;
  }

  /** Whether an entry of a collection is the next step. Its value begins behind it. */
  enters(name: string | number, depth: number, offset: number): boolean {
    if (depth !== this.#depth || name !== this.#path[this.#found]) return false;
    this.#found += 1;
    this.offset = offset;
    this.#depth = this.#found === this.#path.length ? 0 : depth + 1;
    return true;
  }

  /** Ends the search, because the value of the last step ended. */
  leave(): void {
    this.#depth = 0;
  }

  /** Whether the next step can be in a value of a collection at this depth. */
  goesInto(depth: number): boolean {
    return depth + 1 === this.#depth;
  }
}
