import type { LabelSelector, LabelSelectorRequirement } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';

/** A list with at least one item. */
export type AtLeastOne<T> = readonly [T, ...T[]];

/** A selector, or the short form: pairs that must all be there. */
export type SelectorLike = Selector | Readonly<Record<string, string>>;

const brand = Symbol.for('fleetwright.constructs.Selector');

/**
 * Selects by labels or by cluster claims; what is asked must all hold.
 *
 * @example
 * Selector.of({ env: 'prod' }).in('region', ['us-west', 'us-east']).doesNotExist('retired')
 *
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export class Selector {
  /** Selects what has each of the pairs. */
  static of(pairs: Readonly<Record<string, string>>): Selector {
    return new Selector(pairs, []);
  }

  /** Selects what has the key with one of the values. */
  static in(key: string, values: AtLeastOne<string>): Selector {
    return Selector.all().in(key, values);
  }

  /** Selects what has none of the values; also what has not the key at all. */
  static notIn(key: string, values: AtLeastOne<string>): Selector {
    return Selector.all().notIn(key, values);
  }

  /** Selects what has the key. */
  static exists(key: string): Selector {
    return Selector.all().exists(key);
  }

  /** Selects what has not the key. */
  static doesNotExist(key: string): Selector {
    return Selector.all().doesNotExist(key);
  }

  /** Selects everything. */
  static all(): Selector {
    return new Selector({}, []);
  }

  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelSelectorRequirement[];

  private constructor(
    matchLabels: Readonly<Record<string, string>>,
    matchExpressions: readonly LabelSelectorRequirement[],
  ) {
    this.matchLabels = matchLabels;
    this.matchExpressions = matchExpressions;
    Object.defineProperty(this, brand, { value: true });
  }

  /** And has each of the pairs. */
  and(pairs: Readonly<Record<string, string>>): Selector {
    return new Selector({ ...this.matchLabels, ...pairs }, this.matchExpressions);
  }

  /** And has the key with one of the values. */
  in(key: string, values: AtLeastOne<string>): Selector {
    return this.with({ key, operator: 'In', values: [...values] });
  }

  /** And has none of the values, or not the key at all. */
  notIn(key: string, values: AtLeastOne<string>): Selector {
    return this.with({ key, operator: 'NotIn', values: [...values] });
  }

  /** And has the key. */
  exists(key: string): Selector {
    return this.with({ key, operator: 'Exists' });
  }

  /** And has not the key. */
  doesNotExist(key: string): Selector {
    return this.with({ key, operator: 'DoesNotExist' });
  }

  private with(requirement: LabelSelectorRequirement): Selector {
    return new Selector(this.matchLabels, [...this.matchExpressions, requirement]);
  }
}

function toSelector(like: SelectorLike): Selector {
  return isSelector(like) ? like : Selector.of(like);
}

function isSelector(like: SelectorLike): like is Selector {
  return brand in like;
}

/** As Kubernetes writes a selector of labels. */
export function toLabelSelector(like: SelectorLike): LabelSelector {
  const { matchLabels, matchExpressions } = toSelector(like);
  return defined({
    matchLabels: Object.keys(matchLabels).length === 0 ? undefined : matchLabels,
    matchExpressions: unlessEmpty(matchExpressions),
  });
}

/** As Placements write a selector of claims: it has no pairs, so each becomes an `In` with one value. */
export function toClaimSelector(like: SelectorLike): {
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
} {
  const { matchLabels, matchExpressions } = toSelector(like);
  const pairs = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return defined({ matchExpressions: unlessEmpty([...pairs, ...matchExpressions]) });
}
