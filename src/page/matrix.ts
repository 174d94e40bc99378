import type { PageAddOn, PageGroup, PlanPage, Runs } from '../compiler/report/html/plan-page-data.ts';

/** Returns the numbers that runs encode. */
export function numbersOf(runs: Runs): number[] {
  const numbers: number[] = [];
  for (const run of runs) {
    const last = numbers.at(-1) ?? 0;
    if (run >= 0) numbers.push(run);
    else for (let step = 1; step <= -run; step++) numbers.push(last + step);
  }
  return numbers;
}

/** The effect on an add-on on a cluster. */
export interface Cell {
  readonly addOn: PageAddOn;
  readonly group: PageGroup;
}

/** A filter of clusters. */
export interface Filter {
  /** Empty for any effect. */
  readonly effect: string;
  /** The number of an add-on; undefined for any. */
  readonly addOn?: number | undefined;
  /** Parts of the cluster's name or labels, in lower case; the name or a label must contain each of them. */
  readonly words: readonly string[];
  /** The required values of labels: the number of the value, by the number of the label. */
  readonly labels: ReadonlyMap<number, number>;
  /** If set, only these clusters. */
  readonly only?: ReadonlySet<number> | undefined;
}

/** The clusters by the add-ons: the group and the wave of each cell. */
export class Matrix {
  readonly page: PlanPage;
  /** For each add-on the number of the group, from 1, by cluster. */
  readonly #groups: readonly Uint32Array[];
  /** For each add-on the number of the wave, from 1, by cluster. */
  readonly #waves: readonly Uint32Array[];
  readonly #names: readonly string[];

  constructor(page: PlanPage) {
    this.page = page;
    // Labels are searched like names: `env=prod`.
    this.#names = page.clusters.map((name, cluster) =>
      [name, ...this.labels(cluster)].join(' ').toLowerCase(),
    );
    this.#groups = page.addOns.map(({ groups }) => this.#numbered(groups));
    this.#waves = page.addOns.map(({ waves }) => this.#numbered(waves));
  }

  #numbered(parts: readonly { readonly clusters: Runs }[]): Uint32Array {
    const numbers = new Uint32Array(this.page.clusters.length);
    for (const [index, { clusters }] of parts.entries()) {
      // The first one counts: a cluster can be in another wave again, when its own configuration was edited.
      for (const cluster of numbersOf(clusters)) numbers[cluster] ||= index + 1;
    }
    return numbers;
  }

  /** Returns `env=prod`, for each label by which the plan counts. */
  labels(cluster: number): string[] {
    return this.page.labels.map(({ values, of }) => values[of[cluster] ?? 0] ?? '');
  }

  /** Whether a cluster has the words and labels of a filter. */
  matches(cluster: number, { words, labels }: Pick<Filter, 'words' | 'labels'>): boolean {
    const name = this.#names[cluster] ?? '';
    if (!words.every((word) => name.includes(word))) return false;
    return [...labels].every(([label, value]) => this.page.labels[label]?.of[cluster] === value);
  }

  /** Returns the cell; undefined if there is no effect. */
  cell(addOn: number, cluster: number): Cell | undefined {
    const pageAddOn = this.page.addOns[addOn];
    const group = pageAddOn?.groups[(this.#groups[addOn]?.[cluster] ?? 0) - 1];
    return pageAddOn === undefined || group === undefined ? undefined : { addOn: pageAddOn, group };
  }

  /** Returns the number of the wave, from 1; 0 if the cluster is in no wave. */
  wave(addOn: number, cluster: number): number {
    return this.#waves[addOn]?.[cluster] ?? 0;
  }

  /** Returns the numbers of the clusters that match a filter: those that lose an add-on first, then by name. */
  clusters({ effect, addOn, only, ...rest }: Filter): number[] {
    const columns = addOn === undefined ? this.page.addOns.map((_addOn, column) => column) : [addOn];
    const effectColumns = columns.map((column) => {
      const groups = this.page.addOns[column]?.groups ?? [];
      return {
        numbers: this.#groups[column] ?? new Uint32Array(),
        matchesEffect: [false, ...groups.map((group) => effect === '' || group.effect === effect)],
        isLoss: [false, ...groups.map((group) => group.effect === 'uninstalled')],
      };
    });
    const losing: number[] = [];
    const others: number[] = [];
    for (const cluster of this.#names.keys()) {
      if (only?.has(cluster) === false || !this.matches(cluster, rest)) continue;
      if (!effectColumns.some(({ numbers, matchesEffect }) => matchesEffect[numbers[cluster] ?? 0])) continue;
      const isLosing = effectColumns.some(({ numbers, isLoss }) => isLoss[numbers[cluster] ?? 0]);
      (isLosing ? losing : others).push(cluster);
    }
    return [...losing, ...others];
  }
}
