import type { Diagrams, Node } from './diagram.ts';
import type { FieldPath } from '../model/field-path.ts';

/** Why the result for a class of clusters is not certain. */
export interface Obstacle {
  /** `namespace/name` of the Placement. */
  readonly placement?: string;
  readonly path?: FieldPath;
  /** The feature or expression, in a sentence that continues "because". */
  readonly reason: string;
  /** Where it makes a difference. @default - it may make one everywhere */
  readonly open?: Node;
}

/** Where a condition certainly holds, and where it may hold. Equal if everything is certain. */
export interface Bounds {
  readonly certain: Node;
  readonly possible: Node;
  readonly obstacles: readonly Obstacle[];
}

/** Combines conditions with bounds. */
export class BoundsAlgebra {
  readonly diagrams: Diagrams;

  constructor(diagrams: Diagrams) {
    this.diagrams = diagrams;
  }

  exactly(node: Node): Bounds {
    return { certain: node, possible: node, obstacles: [] };
  }

  /** A condition of which nothing is certain. */
  unknown(obstacle: Obstacle): Bounds {
    return { certain: this.diagrams.false, possible: this.diagrams.true, obstacles: [obstacle] };
  }

  and(...all: readonly Bounds[]): Bounds {
    return this.#combine(all, (nodes) => this.diagrams.and(...nodes));
  }

  or(...all: readonly Bounds[]): Bounds {
    return this.#combine(all, (nodes) => this.diagrams.or(...nodes));
  }

  not({ certain, possible, obstacles }: Bounds): Bounds {
    return this.#settled({
      certain: this.diagrams.not(possible),
      possible: this.diagrams.not(certain),
      obstacles,
    });
  }

  #combine(all: readonly Bounds[], operation: (nodes: readonly Node[]) => Node): Bounds {
    return this.#settled({
      certain: operation(all.map(({ certain }) => certain)),
      possible: operation(all.map(({ possible }) => possible)),
      obstacles: all.flatMap(({ obstacles }) => obstacles),
    });
  }

  /** Obstacles that no longer matter are forgotten. */
  #settled(bounds: Bounds): Bounds {
    if (bounds.obstacles.length === 0 || bounds.certain !== bounds.possible) return bounds;
    return { ...bounds, obstacles: [] };
  }
}
