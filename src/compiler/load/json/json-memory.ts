/** A container that was read before, and its text. */
export interface ReadContainer {
  readonly text: string;
  readonly value: unknown;
}

/** A key that was read before. */
export interface ReadKey {
  /** With its quotes. */
  readonly text: string;
  readonly key: string;
  readonly place: JsonPlace;
}

const maxRecent = 8;
/** If fewer than one of this number of containers repeats an earlier one, the place stops comparing. */
const tries = 16;
const maxPlaces = 256;
const lastIndex = 8;

/**
 * What values had at one place of earlier objects, such as the labels of an item. Objects of a fleet have most of their texts in
 * common, and comparing a text with an expected one is much faster than reading it.
 */
export class JsonPlace {
  /** The keys of the last object, in order, each once. */
  keys: readonly ReadKey[] = [];
  /** The last string, and its text with quotes. */
  stringText = '';
  string = '';
  readonly #recent: ReadContainer[] = [];
  readonly #fields = new Map<string, JsonPlace>();
  readonly #items: JsonPlace[] = [];
  #hits = 0;
  #misses = 0;

  /** Returns the first container that is accepted; none if containers rarely repeat here. */
  earlier(accept: (text: string) => boolean): ReadContainer | undefined {
    if (this.#misses > tries && this.#hits * tries < this.#misses) return undefined;
    for (const container of this.#recent) {
      if (!accept(container.text)) continue;
      this.#hits++;
      return container;
    }
    this.#misses++;
    return undefined;
  }

  remember(container: ReadContainer): void {
    if (this.#misses > tries && this.#hits * tries < this.#misses) return;
    this.#recent.unshift(container);
    if (this.#recent.length > maxRecent) this.#recent.pop();
  }

  field(key: string): JsonPlace {
    let place = this.#fields.get(key);
    if (place === undefined) {
      place = new JsonPlace();
      if (this.#fields.size < maxPlaces) this.#fields.set(key, place);
    }
    return place;
  }

  /** Long lists have items of one kind. */
  item(index: number): JsonPlace {
    const at = Math.min(index, lastIndex);
    return (this.#items[at] ??= new JsonPlace());
  }
}

/** The items of the last long list, and everything that is known of the places in it. */
export class JsonMemory {
  readonly root = new JsonPlace();
  #items: readonly ReadContainer[] = [];
  #indexes: ReadonlyMap<unknown, number> | undefined;
  #next = 0;

  /** Begins to compare with the items of the last list. */
  restart(): void {
    this.#next = 0;
  }

  /** Returns the item that follows the last one in the earlier list, if it is accepted. */
  expectedItem(accept: (text: string) => boolean): ReadContainer | undefined {
    const expected = this.#items[this.#next];
    if (expected === undefined || !accept(expected.text)) return undefined;
    this.#next++;
    return expected;
  }

  /** Continues after an item that was not expected, but that the earlier list may contain. */
  continueAfter(value: unknown): void {
    this.#indexes ??= new Map(this.#items.map((item, index) => [item.value, index]));
    this.#next = (this.#indexes.get(value) ?? this.#next) + 1;
  }

  keep(items: readonly ReadContainer[]): void {
    this.#items = items;
    this.#indexes = undefined;
  }
}
