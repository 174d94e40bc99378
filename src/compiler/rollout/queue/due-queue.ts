/** An event at a point in time. */
export interface Due {
  readonly at: number;
}

/** Future events, the earliest first, as a binary heap. Events at `Infinity` never occur and are not stored. */
export class DueQueue<T extends Due> {
  readonly #heap: T[] = [];

  /** The earliest event. */
  get first(): T | undefined {
    return this.#heap[0];
  }

  add(due: T): void {
    if (due.at === Infinity) return;
    const heap = this.#heap;
    let hole = heap.length;
    heap.push(due);
    while (hole > 0) {
      const above = (hole - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.at <= due.at) break;
      heap[hole] = parent;
      hole = above;
    }
    heap[hole] = due;
  }

  /** Removes and returns the earliest event. */
  take(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let hole = 0;
    for (;;) {
      const left = 2 * hole + 1;
      const below = (heap[left + 1]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? left + 1 : left;
      const child = heap[below];
      if (child === undefined || child.at >= last.at) break;
      heap[hole] = child;
      hole = below;
    }
    heap[hole] = last;
    return first;
  }
}
