import type { ManagedClusterV1Taint } from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import type { TaintEffect } from './toleration.ts';

/**
 * Keeps Placements that do not tolerate it from selecting a cluster. OCM's webhook rejects a ManagedCluster with taints when it is
 * applied again, because it sets their times itself: so use taints in tests of Placements and in what-if fleets, and not in Git.
 *
 * @example
 * new ManagedCluster(chart, 'cluster1', { taints: [Taint.noSelectIfNew('maintenance', 'planned')] });
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#taintstolerations
 */
export class Taint {
  /** Placements do not select the cluster, and remove it if they have selected it. */
  static noSelect(key: string, value?: string): Taint {
    return Taint.of('NoSelect', key, value);
  }

  /** Placements do not select the cluster, and keep it if they have selected it. */
  static noSelectIfNew(key: string, value?: string): Taint {
    return Taint.of('NoSelectIfNew', key, value);
  }

  /** Intended as a preference. Current hubs ignore it. */
  static preferNoSelect(key: string, value?: string): Taint {
    return Taint.of('PreferNoSelect', key, value);
  }

  private static of(effect: TaintEffect, key: string, value: string | undefined): Taint {
    return new Taint(defined({ key, value, effect }));
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'Taint';

  /**
   * Returns the taint as written in a ManagedCluster.
   *
   * @internal
   */
  readonly taint: ManagedClusterV1Taint;

  private constructor(taint: ManagedClusterV1Taint) {
    this.taint = taint;
  }
}
