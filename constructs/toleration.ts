import type { Duration } from 'cdk8s';
import type { PlacementV1beta1Toleration } from '../schemas/types.gen.ts';
import { defined } from './defined.ts';

/** The effect of a taint that a Placement does not tolerate. */
export type TaintEffect = 'NoSelect' | 'PreferNoSelect' | 'NoSelectIfNew';

/** The limits of a toleration. */
export interface TolerationOptions {
  /**
   * The tolerated effect.
   *
   * @default - every effect
   */
  readonly effect?: TaintEffect;

  /**
   * How long the taint is tolerated, from the time when it was added to the cluster. Whole seconds.
   *
   * @default - indefinitely
   */
  readonly duration?: Duration;
}

/**
 * Lets a Placement select clusters despite a taint.
 *
 * @example
 * new Placement(chart, 'everywhere', {
 *   tolerations: [Toleration.unreachable({ duration: Duration.minutes(5) }), Toleration.equal('gpu', 'true')],
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#taintstolerations
 */
export class Toleration {
  /** Tolerates clusters that have not renewed their lease, so that their availability is unknown. */
  static unreachable(options: TolerationOptions = {}): Toleration {
    return Toleration.exists('cluster.open-cluster-management.io/unreachable', options);
  }

  /** Tolerates clusters that report that they are not available. */
  static unavailable(options: TolerationOptions = {}): Toleration {
    return Toleration.exists('cluster.open-cluster-management.io/unavailable', options);
  }

  /** Tolerates taints with the key and any value. */
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

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'Toleration';

  /**
   * Returns the toleration as written in a Placement.
   *
   * @internal
   */
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
    tolerationSeconds: duration && duration.toSeconds(),
  });
}
