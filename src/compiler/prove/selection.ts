import type {
  ManagedClusterSetV1beta2,
  ManagedClusterV1Taint,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import type { CelBehaviour } from '../../engines/cel/behaviour.ts';
import type { Inventory } from '../model/inventory.ts';
import { compileSelector } from '../place/cel/selector.ts';
import { clusterSetLabel } from '../place/cluster-sets.ts';
import type { Decisions } from '../place/decision.ts';
import { setsOnHub } from '../place/default-cluster-sets.ts';
import { compileLabelSelector, meetsRequirement, type CompiledSelector } from '../place/label-selector.ts';
import { BoundsAlgebra, type Bounds, type Obstacle } from './bounds.ts';
import { divide, whereTrue, type CelCondition } from './cel-bounds.ts';
import { ClusterSpace } from './cluster-space.ts';
import { Questions, type Input } from './input.ts';
import { taintClasses, tolerates, tolerationsOf } from './taint-classes.ts';

/** A condition on single clusters: on labels, claims and expressions. */
export type ClusterCondition =
  | { readonly kind: 'labels' | 'claims'; readonly selector: CompiledSelector }
  | { readonly kind: 'cel'; readonly condition: CelCondition; readonly obstacle: Obstacle }
  | { readonly kind: 'all' | 'any'; readonly of: readonly ClusterCondition[] }
  | { readonly kind: 'unknown'; readonly obstacle: Obstacle };

/** One state of the inputs, with the decisions of its placements. */
export interface PlacedState {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
}

interface AskedPlacement {
  readonly object: PlacementV1beta1;
  readonly condition: ClusterCondition;
}

/** Which clusters that may exist each placement selects. */
export interface Selection {
  readonly space: ClusterSpace;
  readonly algebra: BoundsAlgebra;
  /** Returns where a condition holds, which `ask` returned before. */
  where(condition: ClusterCondition): Bounds;
  /** Returns the clusters that a placement selects, by its `namespace/name`. */
  ofPlacement(key: string): Bounds;
  /** Returns the clusters that pass the filters of a placement, whatever the number that it selects. */
  candidatesOf(key: string): Bounds;
}

/** The questions of placements and of what else is asked, before the classes of clusters are known. */
export class SelectionBuilder {
  readonly questions = new Questions();
  readonly #cel: CelBehaviour;
  readonly #sets: ReadonlyMap<string, ManagedClusterSetV1beta2>;
  readonly #placements = new Map<string, AskedPlacement>();
  readonly #now: number;
  readonly #taints: readonly ManagedClusterV1Taint[];

  /** @param states - the states of all apps of a hub, with the same clusters */
  constructor(states: readonly PlacedState[], cel: CelBehaviour) {
    this.#cel = cel;
    this.#now = states[0]?.decisions.now ?? 0;
    this.#taints = states.flatMap(({ decisions }) =>
      Array.from(decisions.clusters.values()).flatMap(({ spec }) => spec?.taints ?? []),
    );
    const sets = states.flatMap(({ inventory }) => [...inventory.managedClusterSets.values()]);
    this.#sets = new Map(
      setsOnHub(sets.map(({ object }) => object)).map((set) => [set.metadata.name ?? '', set]),
    );
    // every cluster has this label
    this.questions.about({ kind: 'label', key: clusterSetLabel }).literals.add('default');
    for (const { inventory, decisions } of states)
      for (const [key, { object }] of inventory.placements)
        this.#placements.set(key, { object, condition: this.#conditionOf(key, object, decisions) });
  }

  /** Returns the condition of a label selector. */
  labels(selector: CompiledSelector): ClusterCondition {
    return this.#selector('label', selector);
  }

  /** Returns the condition of a claim selector. */
  claims(selector: CompiledSelector): ClusterCondition {
    return this.#selector('claim', selector);
  }

  /** Returns the condition of an expression. */
  cel(expression: string, about: Omit<Obstacle, 'reason'>): ClusterCondition {
    const { program, error, unsupported } = compileSelector(expression, this.#cel);
    if (program === undefined)
      return {
        kind: 'unknown',
        obstacle: { ...about, reason: `of \`${expression}\`: ${error ?? unsupported ?? ''}` },
      };
    const reason = `the result of \`${expression}\` depends on more than a finite number of cases`;
    return { kind: 'cel', condition: divide(program, this.questions), obstacle: { ...about, reason } };
  }

  /** Returns the condition of being in a set. */
  inSet(name: string): ClusterCondition {
    const { selectorType = '', labelSelector } = this.#sets.get(name)?.spec?.clusterSelector ?? {};
    if (!this.#sets.has(name)) return { kind: 'any', of: [] };
    if (selectorType === '' || selectorType === 'ExclusiveClusterSetLabel')
      return this.labels({
        requirements: [{ key: clusterSetLabel, operator: 'In', values: [name], path: [] }],
      });
    // as LabelSelectorAsSelector of a nil pointer: matches nothing
    if (selectorType !== 'LabelSelector' || labelSelector === undefined) return { kind: 'any', of: [] };
    const compiled = compileLabelSelector(labelSelector);
    return 'error' in compiled
      ? { kind: 'unknown', obstacle: { reason: `the selector of ManagedClusterSet ${name} is not valid` } }
      : this.labels(compiled);
  }

  /** Divides clusters into classes. No question can be added afterwards. */
  build(): Selection {
    const placements = Array.from(this.#placements.values(), ({ object }) => object);
    const space = new ClusterSpace(this.questions, taintClasses(placements, this.#now, this.#taints));
    return new BuiltSelection(space, this.#placements, this.#now);
  }

  #selector(kind: 'label' | 'claim', selector: CompiledSelector): ClusterCondition {
    for (const { key, values } of selector.requirements) {
      const { literals } = this.questions.about({ kind, key });
      for (const value of values) literals.add(value);
    }
    return { kind: kind === 'label' ? 'labels' : 'claims', selector };
  }

  /** The sets and predicates of a placement, as `findCandidates`. */
  #conditionOf(key: string, placement: PlacementV1beta1, decisions: Decisions): ClusterCondition {
    const decision = decisions.byPlacement.get(key);
    const fault = decision?.misconfiguration ?? decision?.unscheduled;
    if (fault !== undefined)
      return {
        kind: 'unknown',
        obstacle: {
          placement: key,
          path: fault.path,
          reason: `the hub does not decide it: ${fault.message}`,
        },
      };
    if (tolerationsOf(placement) === undefined)
      return {
        kind: 'unknown',
        obstacle: {
          placement: key,
          path: ['spec', 'tolerations'],
          reason: 'the hub rejects its tolerations',
        },
      };
    const sets = decisions.scheduler.sets.eligible(placement).map((name) => this.inSet(name));
    const predicates = (placement.spec.predicates ?? []).map(
      ({ requiredClusterSelector }, index): ClusterCondition => {
        const path = ['spec', 'predicates', index, 'requiredClusterSelector'];
        const labels = compileLabelSelector(requiredClusterSelector?.labelSelector);
        const { matchExpressions } = requiredClusterSelector?.claimSelector ?? {};
        const claims = compileLabelSelector(
          matchExpressions === undefined ? undefined : { matchExpressions },
        );
        if ('error' in labels || 'error' in claims)
          return { kind: 'unknown', obstacle: { placement: key, path, reason: 'the selector is not valid' } };
        const expressions = requiredClusterSelector?.celSelector?.celExpressions ?? [];
        const cel = expressions.map((expression, position) =>
          this.cel(expression, {
            placement: key,
            path: [...path, 'celSelector', 'celExpressions', position],
          }),
        );
        const invalid = cel.find(({ kind }) => kind === 'unknown');
        return invalid ?? { kind: 'all', of: [this.labels(labels), this.claims(claims), ...cel] };
      },
    );
    // the hub rejects the Placement as a whole, once there is a cluster to apply the predicates to
    const invalid = predicates.find(({ kind }) => kind === 'unknown');
    if (invalid !== undefined) return invalid;
    const isMember: ClusterCondition = { kind: 'any', of: sets };
    return predicates.length === 0
      ? isMember
      : { kind: 'all', of: [isMember, { kind: 'any', of: predicates }] };
  }
}

class BuiltSelection implements Selection {
  readonly space: ClusterSpace;
  readonly algebra: BoundsAlgebra;
  readonly #placements: ReadonlyMap<string, AskedPlacement>;
  readonly #now: number;
  readonly #candidates = new Map<string, Bounds>();

  constructor(space: ClusterSpace, placements: ReadonlyMap<string, AskedPlacement>, now: number) {
    this.space = space;
    this.algebra = new BoundsAlgebra(space.diagrams);
    this.#placements = placements;
    this.#now = now;
  }

  where(condition: ClusterCondition): Bounds {
    const { algebra } = this;
    switch (condition.kind) {
      case 'all':
        return algebra.and(...condition.of.map((each) => this.where(each)));
      case 'any':
        return algebra.or(...condition.of.map((each) => this.where(each)));
      case 'unknown':
        return algebra.unknown(condition.obstacle);
      case 'cel':
        return whereTrue(condition.condition, this.space, algebra, condition.obstacle);
      case 'labels':
      case 'claims':
        break;
    }
    return this.#whereSelected(condition.kind === 'labels' ? 'label' : 'claim', condition.selector);
  }

  ofPlacement(key: string): Bounds {
    const placement = this.#placements.get(key)?.object;
    const candidates = this.candidatesOf(key);
    if (placement?.spec.numberOfClusters === undefined) return candidates;
    const reason = `it selects ${placement.spec.numberOfClusters} of the clusters that match, by their scores`;
    return {
      certain: this.space.diagrams.false,
      possible: candidates.possible,
      obstacles: [...candidates.obstacles, { placement: key, path: ['spec', 'numberOfClusters'], reason }],
    };
  }

  candidatesOf(key: string): Bounds {
    const found = this.#candidates.get(key);
    if (found !== undefined) return found;
    const placement = this.#placements.get(key);
    const candidates =
      placement === undefined
        ? this.algebra.unknown({ placement: key, reason: 'the inputs do not have the Placement' })
        : this.algebra.and(this.where(placement.condition), this.#whereTolerated(key, placement.object));
    this.#candidates.set(key, candidates);
    return candidates;
  }

  #whereSelected(kind: 'label' | 'claim', { requirements }: CompiledSelector): Bounds {
    const { space, algebra } = this;
    const nodes = requirements.map((requirement) => {
      const { key } = requirement;
      const input: Input = { kind, key };
      const variable = space.variableOf(input);
      if (variable === undefined) throw new Error(`nothing asked about the ${kind} ${key}`);
      const { values } = space.field(variable);
      return space.diagrams.where(variable, (region) => {
        const value = values[region];
        return meetsRequirement(requirement, value === undefined ? {} : { [key]: value });
      });
    });
    return algebra.exactly(space.diagrams.and(...nodes));
  }

  #whereTolerated(key: string, placement: PlacementV1beta1): Bounds {
    const { space, algebra } = this;
    const tolerations = tolerationsOf(placement) ?? [];
    const free = { certain: [] as number[], possible: [] as number[] };
    for (const [variable, each] of space.variables.entries()) {
      if (!('taint' in each)) continue;
      const verdict = tolerates(tolerations, each.taint, this.#now);
      const node = space.diagrams.where(variable, (region) => region === 0);
      if (verdict !== 'always') free.certain.push(node);
      if (verdict === 'never') free.possible.push(node);
    }
    const certain = space.diagrams.and(...free.certain);
    const possible = space.diagrams.and(...free.possible);
    const reason = 'clusters with a NoSelectIfNew taint stay selected if they were before';
    const open = space.diagrams.and(possible, space.diagrams.not(certain));
    return certain === possible
      ? algebra.exactly(certain)
      : { certain, possible, obstacles: [{ placement: key, path: ['spec', 'tolerations'], reason, open }] };
  }
}
