import type { PlacementV1beta1PrioritizerConfig } from '../schemas/types.gen.ts';

/** The weight of a score: a whole number from -10 to 10. Zero disables a prioritizer. */
export type Weight =
  -10 | -9 | -8 | -7 | -6 | -5 | -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;

/**
 * Scores the clusters of a Placement that selects fewer clusters than match. The clusters with the highest sum of
 * score × weight are selected.
 *
 * @example
 * new Placement(chart, 'three', {
 *   numberOfClusters: 3,
 *   prioritizers: [Prioritizer.steady(3), Prioritizer.allocatableMemory(1)],
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#prioritizers
 */
export class Prioritizer {
  /** Prefers clusters that other Placements have selected less often. */
  static balance(weight: Weight): Prioritizer {
    return Prioritizer.builtIn('Balance', weight);
  }

  /** Prefers the clusters that the Placement has already selected. */
  static steady(weight: Weight): Prioritizer {
    return Prioritizer.builtIn('Steady', weight);
  }

  /** Prefers clusters with more allocatable CPU; with a negative weight, those with less. */
  static allocatableCpu(weight: Weight): Prioritizer {
    return Prioritizer.builtIn('ResourceAllocatableCPU', weight);
  }

  /** Prefers clusters with more allocatable memory; with a negative weight, those with less. */
  static allocatableMemory(weight: Weight): Prioritizer {
    return Prioritizer.builtIn('ResourceAllocatableMemory', weight);
  }

  /**
   * Prefers clusters with a higher custom score: the entry `scoreName` of the AddOnPlacementScore `resourceName` in
   * the cluster's namespace. A cluster without it scores 0, the middle of the range.
   */
  static addOnScore(resourceName: string, scoreName: string, weight: Weight): Prioritizer {
    return new Prioritizer({
      scoreCoordinate: { type: 'AddOn', addOn: { resourceName, scoreName } },
      weight,
    });
  }

  private static builtIn(builtIn: string, weight: Weight): Prioritizer {
    return new Prioritizer({ scoreCoordinate: { type: 'BuiltIn', builtIn }, weight });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'Prioritizer';

  /**
   * Returns the prioritizer as written in a Placement.
   *
   * @internal
   */
  readonly config: PlacementV1beta1PrioritizerConfig;

  private constructor(config: PlacementV1beta1PrioritizerConfig) {
    this.config = config;
  }
}
