import type { Duration } from 'cdk8s';
import type { PlacementV1beta1Toleration } from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import { checkedDuration } from './checked-prop.ts';

/** What a taint does to clusters that a Placement does not tolerate. */
export type TaintEffect = 'NoSelect' | 'PreferNoSelect' | 'NoSelectIfNew';

/** How far a toleration goes. */
export interface TolerationOptions {
  /**
   * The effect that is tolerated.
   *
   * @default - every effect
   */
  readonly effect?: TaintEffect;

  /**
   * For how long the taint is tolerated, from the time it was added to the cluster. Whole seconds.
   *
   * @default - forever
   */
  readonly duration?: Duration;
}

/**
 * Lets a Placement select clusters in spite of a taint.
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#taintstolerations
 */
export class Toleration {
  /** Tolerates clusters that have not renewed their lease: their availability is unknown. */
  static unreachable(options: TolerationOptions = {}): Toleration {
    return Toleration.exists('cluster.open-cluster-management.io/unreachable', options);
  }

  /** Tolerates clusters that say themselves that they are not available. */
  static unavailable(options: TolerationOptions = {}): Toleration {
    return Toleration.exists('cluster.open-cluster-management.io/unavailable', options);
  }

  /** Tolerates taints with the key, whatever their value. */
  static exists(key: string, options: TolerationOptions = {}): Toleration {
    return new Toleration({ key, operator: 'Exists', ...limits(options) });
  }

  /** Tolerates taints with the key and the value; without a value, taints with the key and no value. */
  static equal(key: string, options?: TolerationOptions): Toleration;
  static equal(key: string, value: string, options?: TolerationOptions): Toleration;
  static equal(
    key: string,
    valueOrOptions: string | TolerationOptions = {},
    options: TolerationOptions = {},
  ): Toleration {
    if (typeof valueOrOptions !== 'string')
      return new Toleration({ key, operator: 'Equal', ...limits(valueOrOptions) });
    return new Toleration({ key, operator: 'Equal', value: valueOrOptions, ...limits(options) });
  }

  /** Tolerates every taint. */
  static everything(options: TolerationOptions = {}): Toleration {
    return new Toleration({ operator: 'Exists', ...limits(options) });
  }

  /** As a Placement writes it. */
  readonly toleration: PlacementV1beta1Toleration;

  private constructor(toleration: PlacementV1beta1Toleration) {
    this.toleration = toleration;
  }
}

function limits({
  effect,
  duration,
}: TolerationOptions): Pick<PlacementV1beta1Toleration, 'effect' | 'tolerationSeconds'> {
  return defined({
    effect,
    tolerationSeconds: duration && checkedDuration(duration, 'duration').toSeconds(),
  });
}
