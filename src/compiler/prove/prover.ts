import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { AddOnOutcomes } from './add-on-outcomes.ts';
import type { Bounds, Obstacle } from './bounds.ts';
import { variablesIn, writtenNamesIn } from './configured-names.ts';
import { type Violation, counterexampleOf, effectsBetween, obstaclesOf } from './counterexample.ts';
import type { Node } from './diagram.ts';
import { kindOf } from './field-edit.ts';
import { type FleetClass, fleetClasses } from './fleet-classes.ts';
import type { Input } from './input.ts';
import type { Invariant } from './invariant.ts';
import { type EditOfCluster, type LabelEffect, labelEffects } from './label-effects.ts';
import type { Selection } from './selection.ts';
import type { Evaluation, Statement } from './statement.ts';
import type { ProofVerdict, ProvedState } from './verdict.ts';

/** An invariant whose questions were asked. */
export interface AskedInvariant {
  readonly invariant: Invariant;
  readonly before: Statement;
  readonly where: Statement;
  readonly requirement: Statement;
  readonly others: Statement;
}

/** Decides invariants for the classes of one selection. */
export class Prover {
  readonly #selection: Selection;
  readonly #states: readonly ProvedState[];
  #classesOfFleet: ReturnType<typeof fleetClasses> | undefined;
  readonly #addOns: ReadonlyMap<string, ProvedState>;
  readonly #evaluation: Evaluation;
  /** Where an add-on stays as it is, by its name and what it is. */
  readonly #kept = new Map<string, Bounds>();

  constructor(
    selection: Selection,
    states: readonly ProvedState[],
    addOns: ReadonlyMap<string, ProvedState>,
    hub: HubVersion,
  ) {
    this.#selection = selection;
    this.#states = states;
    this.#addOns = addOns;
    const outcomes = new Map<string, AddOnOutcomes>();
    this.#evaluation = {
      selection,
      addOns: [...addOns.keys()].sort(),
      variablesOf: variablesIn(addOns),
      writtenNames: writtenNamesIn(states),
      outcomesOf: (name) =>
        getOrInsertComputed(outcomes, name, () => new AddOnOutcomes(name, addOns.get(name), selection, hub)),
    };
  }

  prove(asked: AskedInvariant): ProofVerdict {
    const { invariant } = asked;
    if (invariant.others !== undefined) return this.#proveOthers(asked);
    const isAboutFleet = invariant.edits !== undefined || invariant.clusters === 'fleet';
    return isAboutFleet ? this.#proveFleet(asked) : this.#proveAny(asked);
  }

  /** One edit of each field of each cluster. Clusters of one class are judged together. */
  effectsOfEdits(): readonly LabelEffect[] {
    const { space } = this.#selection;
    const edits: EditOfCluster[] = [];
    for (const { path, names } of this.#fleet.classes)
      for (const [variable, field] of space.variables.entries()) {
        if ('taint' in field || !isEditable(field.input)) continue;
        for (const [region, to] of field.values.entries()) {
          if (region === path.get(variable)) continue;
          const isOther = to !== undefined && !field.compared.has(to);
          const effects = effectsBetween(path, new Map(path).set(variable, region), this.#evaluation);
          const uninstalled = effects.flatMap((each) => (each.effect === 'uninstalled' ? [each.addOn] : []));
          edits.push({
            edit: {
              ...kindOf(field.input),
              ...(to !== undefined && !isOther && { to }),
              ...(isOther && { isOther }),
            },
            clusters: names,
            uninstalled,
          });
        }
      }
    return labelEffects(edits);
  }

  get #fleet(): ReturnType<typeof fleetClasses> {
    return (this.#classesOfFleet ??= fleetClasses(this.#states, this.#selection.space));
  }

  /** Every cluster that may exist, without taints. */
  #proveAny(asked: AskedInvariant): ProofVerdict {
    const { invariant, where, requirement } = asked;
    const { algebra, space } = this.#selection;
    const violated = algebra.and(
      algebra.exactly(this.#untainted()),
      where(this.#evaluation),
      algebra.not(requirement(this.#evaluation)),
    );
    const cost = (variable: number, region: number): number => Number(region !== space.plainRegion(variable));
    const find = (node: Node): Violation | undefined => space.diagrams.cheapest(node, isTrue, cost);
    return this.#verdict(
      invariant,
      find(violated.certain),
      () => find(violated.possible),
      violated.obstacles,
    );
  }

  /** The clusters of the fleet, after up to the given number of edits of one of them. */
  #proveFleet(asked: AskedInvariant): ProofVerdict {
    const { invariant, before, where, requirement } = asked;
    const { algebra, space } = this.#selection;
    const isMeant = before(this.#evaluation);
    const violatedState = algebra.and(where(this.#evaluation), algebra.not(requirement(this.#evaluation)));
    const searched = new Map<string, Violation | undefined>();
    let certain: Violation | undefined;
    let possible: Violation | undefined;
    const obstacles = new Set<Obstacle>();
    for (const cluster of this.#fleet.classes) {
      const regionOf = (variable: number): number => cluster.path.get(variable) ?? 0;
      if (space.diagrams.evaluate(isMeant.possible, regionOf) === 0) continue;
      const isCertainlyMeant = space.diagrams.evaluate(isMeant.certain, regionOf) === 1;
      const violated = this.#violatedFrom(invariant, violatedState, where, regionOf);
      const find = (node: Node): Violation | undefined => {
        const relevant = space.diagrams.variablesOf(node);
        const key = `${node} ${cluster.unnamedClaims} ${relevant.map((variable) => regionOf(variable)).join()}`;
        const found = getOrInsertComputed(searched, key, () =>
          space.diagrams.cheapest(node, isTrue, this.#editCost(invariant, cluster), invariant.edits ?? 0),
        );
        return found && { ...found, cluster };
      };
      const violation = isCertainlyMeant ? find(violated.certain) : undefined;
      if (violation !== undefined && violation.cost < (certain?.cost ?? Infinity)) certain = violation;
      if (certain !== undefined) continue;
      const open = find(violated.possible);
      if (open === undefined) continue;
      for (const obstacle of [...violated.obstacles, ...isMeant.obstacles]) obstacles.add(obstacle);
      if (open.cost < (possible?.cost ?? Infinity)) possible = open;
    }
    const unclassified =
      certain === undefined ? this.#unlessUnclassified(invariant, [...obstacles]) : undefined;
    return unclassified ?? this.#verdict(invariant, certain, () => possible, [...obstacles]);
  }

  /** Nothing is proved about a cluster that is in no class. */
  #unlessUnclassified(invariant: Invariant, obstacles: readonly Obstacle[] = []): ProofVerdict | undefined {
    const [unclassified] = this.#fleet.unclassified;
    if (unclassified === undefined) return undefined;
    const reason = `${unclassified} has a field that the API server would refuse`;
    return { invariant, answer: 'cannot prove', obstacles: [...obstacles, { reason }] };
  }

  /** Adds what must stay as it is on one cluster. */
  #violatedFrom(
    { keeps, unchanged }: Invariant,
    violated: Bounds,
    where: Statement,
    regionOf: (variable: number) => number,
  ): Bounds {
    if (keeps === undefined && unchanged === undefined) return violated;
    const { algebra } = this.#selection;
    const { outcomesOf, addOns } = this.#evaluation;
    const lost = [
      ...namesOf(keeps, addOns).map((name) =>
        algebra.not(this.#where(name, 'kept', outcomesOf(name).at(regionOf))),
      ),
      ...namesOf(unchanged, addOns).map((name) =>
        algebra.not(this.#where(name, 'same', outcomesOf(name).at(regionOf))),
      ),
    ];
    return algebra.or(violated, algebra.and(where(this.#evaluation), algebra.or(...lost)));
  }

  /**
   * Returns where an add-on is kept, or is the same, for clusters that have it in some form before. A comparison with a state that is
   * not certain is not certain either.
   */
  #where(name: string, relation: 'kept' | 'same', before: ReturnType<AddOnOutcomes['at']>): Bounds {
    const { algebra, space } = this.#selection;
    const identities = new Set(before === 'unknown' ? [] : before.map((addOn) => addOn?.identity));
    const key = `${name} ${relation} ${before === 'unknown' ? before : JSON.stringify([...identities])}`;
    return getOrInsertComputed(this.#kept, key, () => {
      const outcomes = this.#evaluation.outcomesOf(name);
      const isMissing = before !== 'unknown' && before.every((addOn) => addOn === undefined);
      if (relation === 'kept' && isMissing) return algebra.exactly(space.diagrams.true);
      const bounds = outcomes.where((addOn) =>
        relation === 'kept' ? addOn !== undefined : identities.has(addOn?.identity),
      );
      if (before !== 'unknown' && before.length === 1) return bounds;
      const reason = 'which placements select the cluster before the edit is not certain';
      return {
        certain: space.diagrams.false,
        possible: space.diagrams.true,
        obstacles: [...bounds.obstacles, { reason }],
      };
    });
  }

  /**
   * Clusters that are not edited. Only a placement that selects a number of clusters makes them depend on others: nothing changes on
   * them if it can select none of the edited clusters, or none of the others.
   */
  #proveOthers({ invariant, before, others }: AskedInvariant): ProofVerdict {
    const { algebra, space } = this.#selection;
    const edited = before(this.#evaluation);
    const meant = others(this.#evaluation);
    for (const key of this.#limitedPlacements(
      namesOf(invariant.unchanged ?? true, this.#evaluation.addOns),
    )) {
      const candidates = this.#selection.candidatesOf(key);
      const canTake = algebra.and(meant, candidates);
      if (!this.#fleet.classes.some((cluster) => evaluateAt(space, canTake.possible, cluster) === 1))
        continue;
      const placed = this.#selection.ofPlacement(key).obstacles;
      let open: Violation | undefined;
      for (const cluster of this.#fleet.classes) {
        if (evaluateAt(space, edited.possible, cluster) === 0) continue;
        const regionOf = (variable: number): number => cluster.path.get(variable) ?? 0;
        const isCandidate = space.diagrams.evaluate(candidates.possible, regionOf) === 1;
        const found = isCandidate
          ? { cost: 0, path: cluster.path }
          : space.diagrams.cheapest(
              candidates.possible,
              isTrue,
              this.#editCost(invariant, cluster),
              invariant.edits ?? Infinity,
            );
        if (found !== undefined && found.cost < (open?.cost ?? Infinity)) open = { ...found, cluster };
      }
      if (open !== undefined) return this.#verdict(invariant, undefined, () => open, placed);
    }
    return this.#unlessUnclassified(invariant) ?? { invariant, answer: 'proved' };
  }

  #limitedPlacements(addOns: readonly string[]): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const name of addOns) {
      const state = this.#addOns.get(name);
      for (const key of state === undefined ? [] : placementsOf(state, name)) {
        const spec = state?.inventory.placements.get(key)?.object.spec;
        if (spec === undefined || spec.numberOfClusters !== undefined) keys.add(key);
      }
    }
    return keys;
  }

  #editCost(
    { of = ['labels'], keys }: Invariant,
    { path, unnamedClaims }: FleetClass,
  ): (variable: number, region: number) => number {
    const { space } = this.#selection;
    return (variable, region) => {
      if (path.get(variable) === region) return 0;
      const field = space.variables[variable];
      if (field === undefined) return Infinity;
      const edit = 'taint' in field ? ({ kind: 'taints' } as const) : kindOf(field.input);
      if (!of.some((kind) => kind === edit.kind)) return Infinity;
      const cost = edit.kind === 'claims' && edit.key === undefined && region === 0 ? unnamedClaims : 1;
      if (keys === undefined || edit.kind === 'taints' || edit.kind === 'sets') return cost;
      // a claim that no selector names is one of the other claims
      const isMeant =
        edit.key === undefined
          ? keys.some((key) => space.variableOf({ kind: 'claim', key }) === undefined)
          : keys.includes(edit.key);
      return isMeant ? cost : Infinity;
    };
  }

  #untainted(): Node {
    const { diagrams, variables } = this.#selection.space;
    const nodes = variables.flatMap((variable, position) =>
      'taint' in variable ? [diagrams.where(position, (region) => region === 0)] : [],
    );
    return diagrams.and(...nodes);
  }

  #verdict(
    invariant: Invariant,
    certain: Violation | undefined,
    possible: () => Violation | undefined,
    obstacles: readonly Obstacle[],
  ): ProofVerdict {
    if (certain !== undefined)
      return { invariant, answer: 'refuted', counterexample: counterexampleOf(certain, this.#evaluation) };
    const open = possible();
    if (open === undefined) return { invariant, answer: 'proved' };
    return {
      invariant,
      answer: 'cannot prove',
      obstacles: obstaclesOf(obstacles, open, this.#selection.space),
      example: counterexampleOf(open, this.#evaluation),
    };
  }
}

/** Whether a user edits the field, and not the cluster itself. */
function isEditable({ kind }: Input): boolean {
  return kind === 'label' || kind === 'claim';
}

function evaluateAt(space: Selection['space'], node: Node, { path }: FleetClass): number {
  return space.diagrams.evaluate(node, (variable) => path.get(variable) ?? 0);
}

function isTrue(value: number): boolean {
  return value === 1;
}

function namesOf(names: true | readonly string[] | undefined, all: readonly string[]): readonly string[] {
  return names === true ? all : (names ?? []);
}

/** Returns the keys of the Placements of an add-on. */
export function placementsOf({ inventory }: ProvedState, addOn: string): readonly string[] {
  const { placements = [] } = inventory.clusterManagementAddOns.get(addOn)?.object.spec.installStrategy ?? {};
  return placements.map(({ namespace, name }) => `${namespace}/${name}`);
}
