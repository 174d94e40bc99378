import type { LabelSelector, LabelSelectorRequirement } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import { PropertyError } from './property-error.ts';

/** A selector, or the short form: pairs that must all match. */
export type SelectorLike = Selector | Readonly<Record<string, string>>;

const brand = Symbol.for('fleetwright.constructs.Selector');

/**
 * Selects by labels or by cluster claims. All requirements must match.
 *
 * @example
 * Selector.of({ env: 'prod' }).in('region', ['us-west', 'us-east']).doesNotExist('retired');
 *
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export class Selector {
  /** Selects objects with all of the pairs. */
  static of(pairs: Readonly<Record<string, string>>): Selector {
    return new Selector(pairs, []);
  }

  /** Selects objects that have the key with one of the values. */
  static in(key: string, values: readonly [string, ...string[]]): Selector {
    return Selector.all().in(key, values);
  }

  /** Selects objects that have the key with another value, or do not have the key. */
  static notIn(key: string, values: readonly [string, ...string[]]): Selector {
    return Selector.all().notIn(key, values);
  }

  /** Selects objects that have the key. */
  static exists(key: string): Selector {
    return Selector.all().exists(key);
  }

  /** Selects objects that do not have the key. */
  static doesNotExist(key: string): Selector {
    return Selector.all().doesNotExist(key);
  }

  /** Selects everything. */
  static all(): Selector {
    return new Selector({}, []);
  }

  /**
   * The pairs.
   *
   * @internal
   */
  readonly matchLabels: Readonly<Record<string, string>>;

  /**
   * The other requirements.
   *
   * @internal
   */
  readonly matchExpressions: readonly LabelSelectorRequirement[];

  private constructor(
    matchLabels: Readonly<Record<string, string>>,
    matchExpressions: readonly LabelSelectorRequirement[],
  ) {
    for (const [key, value] of Object.entries<string | undefined>(matchLabels)) {
      if (value !== undefined) continue;
      throw new PropertyError(
        'value',
        `the selector has no value for ${key}, and would select without it`,
        'pass a text, or use Selector.exists for any value',
      );
    }
    this.matchLabels = matchLabels;
    this.matchExpressions = matchExpressions;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Also requires all of the pairs. */
  and(pairs: Readonly<Record<string, string>>): Selector {
    return new Selector({ ...this.matchLabels, ...pairs }, this.matchExpressions);
  }

  /** Also requires the key with one of the values. */
  in(key: string, values: readonly [string, ...string[]]): Selector {
    return this.with({ key, operator: 'In', values: [...values] });
  }

  /** Also requires that the key has another value or is missing. */
  notIn(key: string, values: readonly [string, ...string[]]): Selector {
    return this.with({ key, operator: 'NotIn', values: [...values] });
  }

  /** Also requires the key. */
  exists(key: string): Selector {
    return this.with({ key, operator: 'Exists' });
  }

  /** Also requires that the key is missing. */
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

/** Returns whether a selector is one, and not pairs. */
export function isSelector(like: SelectorLike): like is Selector {
  return brand in like;
}

/** Returns the label selector as written in Kubernetes. */
export function toLabelSelector(like: SelectorLike): LabelSelector {
  const { matchLabels, matchExpressions } = toSelector(like);
  return defined({
    matchLabels: Object.keys(matchLabels).length === 0 ? undefined : matchLabels,
    matchExpressions: unlessEmpty(matchExpressions),
  });
}

/**
 * Returns the claim selector as written in Placements, which has no pairs: each pair becomes an `In` with one value.
 */
export function toClaimSelector(like: SelectorLike): {
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
} {
  const { matchLabels, matchExpressions } = toSelector(like);
  const pairs = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return defined({ matchExpressions: unlessEmpty([...pairs, ...matchExpressions]) });
}
