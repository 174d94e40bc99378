import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { deploymentConfigOf } from '../render/inputs.ts';
import type { Resolution } from '../resolve.ts';
import { objectKey } from '../model/inventory.ts';
import { isRevisionName } from '../revisions/name-by-content.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { AddOnOutcomes, askForOverrides } from './add-on-outcomes.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { labelEffects, type EditOfCluster, type LabelEffect } from './label-effects.ts';
import type { Bounds, Obstacle } from './bounds.ts';
import { kindOf, withEdits, type FieldEdit } from './field-edit.ts';
import { DiagramTooLarge, type Node, type Path } from './diagram.ts';
import type { Input } from './input.ts';
import type { Invariant } from './invariant.ts';
import { SelectionBuilder, type Selection } from './selection.ts';
import {
  conditionStatement,
  requirementStatement,
  type Evaluation,
  type Statement,
  type VariablesOf,
} from './statement.ts';

/** The state of one app: its add-ons, resolved against the fleet. */
export type ProvedState = Pick<Resolution, 'inventory' | 'decisions' | 'configuration'>;

/** A cluster for which an invariant does not hold. */
export interface Counterexample {
  /** The cluster of the fleet. Absent for one that may exist. */
  readonly cluster?: string;
  /** The edits that make it one, or what distinguishes it from a cluster without labels. */
  readonly edits: readonly FieldEdit[];
  /** The cluster after the edits, as the hub has it. */
  readonly object: ManagedClusterV1;
  /** What the edits do to its add-ons. */
  readonly effects: readonly AddOnEffect[];
}

/** What edits do to one add-on on the edited cluster. */
export interface AddOnEffect {
  readonly addOn: string;
  readonly effect: 'installed' | 'uninstalled' | 'reconfigured';
}

/** The answer for one invariant. */
export type ProofVerdict =
  | { readonly invariant: Invariant; readonly answer: 'proved' }
  | { readonly invariant: Invariant; readonly answer: 'refuted'; readonly counterexample: Counterexample }
  /** `example` is a cluster for which the answer is not certain. */
  | {
      readonly invariant: Invariant;
      readonly answer: 'cannot prove';
      readonly obstacles: readonly Obstacle[];
      readonly example?: Counterexample;
    };

/**
 * Decides invariants for all clusters that may exist, or for all edits of the clusters of the fleet. Selectors read finitely many
 * values, so that clusters fall into finitely many classes; the answer covers every class.
 *
 * @param states - the apps of one hub, resolved against the same fleet
 */
export function prove(
  invariants: readonly Invariant[],
  states: readonly ProvedState[],
  hub: HubVersion,
): readonly ProofVerdict[] {
  const builder = new SelectionBuilder(states, hub.cel);
  const addOns = new Map<string, ProvedState>();
  for (const state of states)
    for (const name of state.configuration.keys()) {
      addOns.set(name, state);
      askForOverrides(name, state, builder.questions);
    }
  const placementOf = (key: string) =>
    states.map(({ inventory }) => inventory.placements.get(key)?.object).find((each) => each !== undefined);
  const asked = invariants.map((invariant) => ({
    invariant,
    before: conditionStatement(invariant.before, builder, placementOf),
    where: conditionStatement(invariant.where, builder, placementOf),
    requirement: requirementStatement(invariant, builder, placementOf),
    others: conditionStatement(invariant.others, builder, placementOf),
  }));
  let prover = new Prover(builder.build(), states, addOns, hub);
  return asked.map((each) => {
    try {
      return prover.prove(each);
    } catch (error) {
      if (!(error instanceof DiagramTooLarge)) throw error;
      // the nodes of this answer leave no room for those of the next
      prover = new Prover(builder.build(), states, addOns, hub);
      const reason = 'the selectors distinguish too many classes of clusters';
      return { invariant: each.invariant, answer: 'cannot prove' as const, obstacles: [{ reason }] };
    }
  });
}

/**
 * Returns what one edit of a label, claim or set of a single cluster uninstalls, for all clusters of the fleet: those with the most
 * uninstalls first.
 *
 * @param placement - `namespace/name` of a Placement, whose add-ons count alone. @default - all add-ons count
 */
export function effectsOfEdits(
  states: readonly ProvedState[],
  hub: HubVersion,
  placement?: string,
): readonly LabelEffect[] {
  const builder = new SelectionBuilder(states, hub.cel);
  const addOns = new Map<string, ProvedState>();
  for (const state of states)
    for (const name of state.configuration.keys()) {
      if (placement !== undefined && !placementsOf(state, name).includes(placement)) continue;
      addOns.set(name, state);
      askForOverrides(name, state, builder.questions);
    }
  return new Prover(builder.build(), states, addOns, hub).effectsOfEdits();
}

function placementsOf({ inventory }: ProvedState, addOn: string): readonly string[] {
  const { placements = [] } = inventory.clusterManagementAddOns.get(addOn)?.object.spec.installStrategy ?? {};
  return placements.map(({ namespace, name }) => `${namespace}/${name}`);
}

/** An invariant whose questions were asked. */
interface AskedInvariant {
  readonly invariant: Invariant;
  readonly before: Statement;
  readonly where: Statement;
  readonly requirement: Statement;
  readonly others: Statement;
}

/** The clusters of the fleet that no selector distinguishes. */
interface FleetClass {
  /** The first of them by name. */
  readonly name: string;
  readonly object: ManagedClusterV1;
  readonly path: Path;
  /** The names of all of them, sorted. */
  readonly names: readonly string[];
  /** The number of claims that no selector names. Each takes one edit to remove. */
  readonly unnamedClaims: number;
}

/** A counterexample that was found, before it is described. */
interface Violation {
  readonly cost: number;
  readonly path: Path;
  readonly cluster?: FleetClass;
}

class Prover {
  readonly #selection: Selection;
  readonly #states: readonly ProvedState[];
  readonly #addOns: ReadonlyMap<string, ProvedState>;
  readonly #evaluation: Evaluation;
  #fleet: readonly FleetClass[] | undefined;
  /** Where an add-on stays as it is, by its name and what it is. */
  readonly #kept = new Map<string, Bounds>();
  /** The clusters that no class contains. */
  readonly #unclassified = new Set<string>();

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
    for (const { path, names } of this.#classes())
      for (const [variable, field] of space.variables.entries()) {
        if ('taint' in field || !isEditable(field.input)) continue;
        for (const [region, to] of field.values.entries()) {
          if (region === path.get(variable)) continue;
          const isOther = to !== undefined && !field.compared.has(to);
          const effects = this.#effects(path, new Map(path).set(variable, region));
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
    for (const cluster of this.#classes()) {
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
    this.#classes();
    const [unclassified] = this.#unclassified;
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
      if (!this.#classes().some((cluster) => evaluateAt(space, canTake.possible, cluster) === 1)) continue;
      const placed = this.#selection.ofPlacement(key).obstacles;
      let open: Violation | undefined;
      for (const cluster of this.#classes()) {
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

  #classes(): readonly FleetClass[] {
    if (this.#fleet !== undefined) return this.#fleet;
    const clusters = new Map<string, ManagedClusterV1>();
    // no Placement selects clusters that are being deleted, whatever is edited
    for (const { decisions } of this.#states)
      for (const [name, object] of decisions.clusters)
        if ((object.metadata.deletionTimestamp ?? '') === '') clusters.set(name, object);
    const classes = new Map<string, { path: Path; names: string[]; unnamedClaims: number }>();
    for (const [name, object] of clusters) {
      const path = this.#selection.space.regionsOf(object);
      if (path === undefined) {
        this.#unclassified.add(name);
        continue;
      }
      const unnamedClaims = this.#unnamedClaims(object);
      const key = [...path.values(), unnamedClaims].join();
      getOrInsertComputed(classes, key, () => ({ path, names: [], unnamedClaims })).names.push(name);
    }
    const fleet = Array.from(classes.values(), ({ path, names, unnamedClaims }) => {
      const sorted = names.sort();
      const [name = ''] = sorted;
      const object = clusters.get(name);
      if (object === undefined) throw new RangeError(`there is no cluster ${name}`);
      return { name, object, path, names: sorted, unnamedClaims };
    });
    return (this.#fleet = fleet.sort((a, b) => compareText(a.name, b.name)));
  }

  /** Zero unless some selector asks whether a cluster has any claim. */
  #unnamedClaims({ status }: ManagedClusterV1): number {
    const { space } = this.#selection;
    if (space.variableOf({ kind: 'other claim' }) === undefined) return 0;
    return (status?.clusterClaims ?? []).filter(({ name = '' }) => !this.#isNamed(name)).length;
  }

  #isNamed(claim: string): boolean {
    return this.#selection.space.variableOf({ kind: 'claim', key: claim }) !== undefined;
  }

  #verdict(
    invariant: Invariant,
    certain: Violation | undefined,
    possible: () => Violation | undefined,
    obstacles: readonly Obstacle[],
  ): ProofVerdict {
    if (certain !== undefined)
      return { invariant, answer: 'refuted', counterexample: this.#counterexample(certain) };
    const open = possible();
    if (open === undefined) return { invariant, answer: 'proved' };
    return {
      invariant,
      answer: 'cannot prove',
      obstacles: this.#relevant(obstacles, open),
      example: this.#counterexample(open),
    };
  }

  /** Returns the obstacles that make a difference for the example. */
  #relevant(obstacles: readonly Obstacle[], { path, cluster }: Violation): readonly Obstacle[] {
    const { space } = this.#selection;
    const regionOf = (variable: number): number =>
      path.get(variable) ?? cluster?.path.get(variable) ?? space.plainRegion(variable);
    const relevant = obstacles.filter(
      ({ open }) => open === undefined || space.diagrams.evaluate(open, regionOf) === 1,
    );
    return distinct(
      (relevant.length === 0 ? obstacles : relevant).map(({ open: _open, ...obstacle }) => obstacle),
    );
  }

  #counterexample({ path, cluster }: Violation): Counterexample {
    const { space } = this.#selection;
    const merged = new Map(cluster?.path ?? []);
    for (const [variable, region] of path) merged.set(variable, region);
    const plain = (variable: number): number => cluster?.path.get(variable) ?? space.plainRegion(variable);
    const edits = [...path].flatMap(([variable, region]) =>
      region === plain(variable) ? [] : [this.#edit(variable, plain(variable), region)],
    );
    return {
      ...(cluster !== undefined && { cluster: cluster.name }),
      edits,
      object:
        cluster === undefined
          ? space.clusterAt(merged)
          : withEdits(cluster.object, edits, (claim) => this.#isNamed(claim)),
      effects: cluster === undefined ? [] : this.#effects(cluster.path, merged),
    };
  }

  #edit(variable: number, from: number, to: number): FieldEdit {
    const field = this.#selection.space.variables[variable];
    if (field === undefined) throw new RangeError(`there is no variable ${variable}`);
    if ('taint' in field) {
      const { key, value = '', effect } = field.taint;
      const text = `${value}:${effect}`;
      return { kind: 'taints', key, ...(to === 1 ? { to: text } : { from: text }) };
    }
    const [before, after] = [field.values[from], field.values[to]];
    return {
      ...kindOf(field.input),
      ...(before !== undefined && { from: before }),
      ...(after !== undefined && { to: after }),
    };
  }

  /** What is not certain before or after is left out. */
  #effects(before: Path, after: Path): readonly AddOnEffect[] {
    const { addOns, outcomesOf } = this.#evaluation;
    return addOns.flatMap((addOn): readonly AddOnEffect[] => {
      const [was, is] = [before, after].map((path) =>
        outcomesOf(addOn).at((variable) => path.get(variable) ?? 0),
      );
      if (was === undefined || is === undefined || was === 'unknown' || is === 'unknown') return [];
      const [[one], [other]] = [was, is];
      if (was.length > 1 || is.length > 1 || one?.identity === other?.identity) return [];
      const effect = one === undefined ? 'installed' : other === undefined ? 'uninstalled' : 'reconfigured';
      return [{ addOn, effect }];
    });
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

function distinct(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  const byText = new Map(obstacles.map((obstacle) => [JSON.stringify(obstacle), obstacle]));
  return [...byText.values()];
}

function writtenNamesIn(states: readonly ProvedState[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { inventory } of states)
    for (const { object } of inventory.objects) {
      const { namespace, name = '', annotations } = object.metadata;
      const written = annotations?.[revisionOfAnnotation];
      if (written !== undefined && isRevisionName(name, written))
        names.set(objectKey(namespace, name), objectKey(namespace, written));
    }
  return names;
}

function variablesIn(addOns: ReadonlyMap<string, ProvedState>): VariablesOf {
  const cache = new Map<string, ReadonlyMap<string, string>>();
  return (name, installed) =>
    getOrInsertComputed(cache, `${name} ${installed.identity}`, () => {
      const state = addOns.get(name);
      const addOn: ResolvedAddOn | undefined = state?.configuration.get(name);
      if (state === undefined || addOn === undefined) return new Map();
      const config = deploymentConfigOf(addOn, installed.references, state.inventory);
      const variables =
        config === undefined || 'error' in config ? [] : (config.object.spec.customizedVariables ?? []);
      return new Map(variables.map(({ name: variable, value = '' }) => [variable, value]));
    });
}
