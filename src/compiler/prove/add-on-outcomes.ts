import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { ManagedClusterAddOnV1beta1, ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { configure } from '../configure/configure.ts';
import type { ClusterAddOn, ConfigReference } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { installPlacements, isInstalledByPlacements } from '../../ocm/install-strategy.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decision, Decisions } from '../place/decision.ts';
import type { Bounds, Obstacle } from './bounds.ts';
import type { Node } from './diagram.ts';
import type { Questions } from './input.ts';
import type { PlacedState, Selection } from './selection.ts';

/** What one add-on is on a cluster of some class. */
export interface InstalledAddOn {
  /** The placements of its install strategy that select the cluster, in order. */
  readonly placements: readonly string[];
  /** The configurations that count, in the hub's order. */
  readonly references: readonly ConfigReference[];
  /** Equal for equal configurations. */
  readonly identity: string;
}

/** The number of placements of one cluster that may be uncertain, before nothing about the add-on is certain. */
const mostUncertain = 8;
/** The number of clusters that may have an own configuration. */
const mostNames = 2000;

/** Whether the hub selects a cluster: 0 no, 1 yes, 2 unknown. */
type Digit = 0 | 1 | 2;

/** One class of clusters: what each placement does with it, and which cluster it is, if an override names it. */
interface AddOnClass {
  readonly digits: readonly Digit[];
  readonly cluster: string | undefined;
}

/** Adds the questions that an add-on asks: which clusters have an override. */
export function askForOverrides(name: string, { inventory }: PlacedState, questions: Questions): void {
  const overrides = overridesOf(name, inventory);
  if (overrides.size === 0 || overrides.size > mostNames) return;
  const { literals } = questions.about({ kind: 'name' });
  for (const cluster of overrides.keys()) literals.add(cluster);
}

/** What an add-on is on each class of clusters that may exist, as the compiler configures them. */
export class AddOnOutcomes {
  readonly #selection: Selection;
  /** The number of a class, for each class of clusters. */
  readonly classes: Node;
  /** What the add-on may be on the clusters of each class: several results if a placement is uncertain. */
  readonly #outcomes: readonly (readonly (InstalledAddOn | undefined)[] | 'unknown')[];
  /** Why some results are not certain. */
  readonly obstacles: readonly Obstacle[];

  /** @param state - the state of the app that has the add-on. Undefined if none of the hub does: no cluster has it */
  constructor(name: string, state: PlacedState | undefined, selection: Selection, hub: HubVersion) {
    this.#selection = selection;
    const { diagrams } = selection.space;
    const addOn = state?.inventory.clusterManagementAddOns.get(name);
    const placements =
      addOn === undefined
        ? []
        : installPlacements(addOn.object).map(({ namespace, name: each }) => objectKey(namespace, each));
    const bounds = placements.map((key) => selection.ofPlacement(key));
    const overrides = state === undefined ? new Map<string, never>() : overridesOf(name, state.inventory);

    const classes: AddOnClass[] = [{ digits: [], cluster: undefined }];
    const numbers = new Map<string, number>([[keyOf(classes[0]), 0]]);
    const numberOf = (each: AddOnClass): number =>
      getOrInsertComputed(numbers, keyOf(each), () => classes.push(each) - 1);
    let node = diagrams.constant(0);
    for (const { certain, possible } of bounds) {
      const digits = diagrams.combine(certain, possible, (isCertain, isPossible) =>
        isCertain === 1 ? 1 : isPossible === 1 ? 2 : 0,
      );
      node = diagrams.combine(node, digits, (number, digit) => {
        const { digits: before = [], cluster } = classes[number] ?? {};
        return numberOf({ digits: [...before, asDigit(digit)], cluster });
      });
    }
    const named = this.#names(overrides);
    if (named !== undefined)
      node = diagrams.combine(node, named.node, (number, position) => {
        const { digits = [] } = classes[number] ?? {};
        return numberOf({ digits, cluster: named.clusters[position] });
      });
    this.classes = node;
    const isUnknown = overrides.size > mostNames;
    this.obstacles = [
      ...bounds.flatMap(({ obstacles }) => obstacles),
      ...(isUnknown ? [{ reason: `too many clusters have their own configuration of ${name}` }] : []),
    ];
    const present = diagrams.values(node);
    this.#outcomes = isUnknown
      ? classes.map(() => 'unknown')
      : state === undefined
        ? [[undefined]]
        : outcomesOf(name, classes, present, placements, overrides, state, hub);
  }

  /** Returns where a test on the add-on holds. It gets undefined where the add-on is not installed. */
  where(test: (addOn: InstalledAddOn | undefined) => boolean): Bounds {
    const { diagrams } = this.#selection.space;
    const results = this.#outcomes.map((outcomes) =>
      outcomes === 'unknown' ? [true, false] : [...new Set(outcomes.map(test))],
    );
    const certain = diagrams.map(this.classes, (number) => Number(!(results[number] ?? []).includes(false)));
    const possible = diagrams.map(this.classes, (number) => Number((results[number] ?? []).includes(true)));
    return { certain, possible, obstacles: certain === possible ? [] : this.obstacles };
  }

  /** Returns what the add-on may be in a class, by its number. */
  inClass(number: number): readonly (InstalledAddOn | undefined)[] | 'unknown' {
    return this.#outcomes[number] ?? 'unknown';
  }

  /** Returns what the add-on may be on the clusters of a class: several results if a placement is uncertain. */
  at(regionOf: (variable: number) => number): readonly (InstalledAddOn | undefined)[] | 'unknown' {
    return this.inClass(this.#selection.space.diagrams.evaluate(this.classes, regionOf));
  }

  /** The classes by the name of the cluster, for clusters with an override. */
  #names(
    overrides: ReadonlyMap<string, unknown>,
  ): { node: Node; clusters: readonly (string | undefined)[] } | undefined {
    const { space } = this.#selection;
    const variable = space.variableOf({ kind: 'name' });
    if (variable === undefined || overrides.size === 0 || overrides.size > mostNames) return undefined;
    const clusters = space
      .field(variable)
      .values.map((name) => (name !== undefined && overrides.has(name) ? name : undefined));
    const node = space.diagrams.node(
      variable,
      clusters.map((cluster, position) => space.diagrams.constant(cluster === undefined ? -1 : position)),
    );
    return { node, clusters };
  }
}

function asDigit(value: number): Digit {
  return value === 0 ? 0 : value === 1 ? 1 : 2;
}

function keyOf(each: AddOnClass | undefined): string {
  return `${each?.digits.join('') ?? ''} ${each?.cluster ?? ''}`;
}

/** The objects that configure an add-on on single clusters; those that install it, if no placement does. */
function overridesOf(
  name: string,
  { clusterManagementAddOns, managedClusterAddOns }: Inventory,
): ReadonlyMap<string, Admitted<ManagedClusterAddOnV1beta1>> {
  const addOn = clusterManagementAddOns.get(name);
  const isManual = addOn !== undefined && !isInstalledByPlacements(addOn.object);
  const overrides = new Map<string, Admitted<ManagedClusterAddOnV1beta1>>();
  for (const each of managedClusterAddOns.values()) {
    const { metadata, spec } = each.object;
    if (metadata.name === name && (isManual || (spec.configs ?? []).length > 0))
      overrides.set(metadata.namespace ?? '', each);
  }
  return overrides;
}

/** Configures one cluster of each class, with every combination of the decisions that are uncertain. */
function outcomesOf(
  name: string,
  classes: readonly AddOnClass[],
  present: ReadonlySet<number>,
  placements: readonly string[],
  overrides: ReadonlyMap<string, Admitted<ManagedClusterAddOnV1beta1>>,
  { inventory, decisions }: PlacedState,
  hub: HubVersion,
): (readonly (InstalledAddOn | undefined)[] | 'unknown')[] {
  const cases: {
    readonly name: string;
    readonly selected: readonly boolean[];
    readonly cluster: string | undefined;
  }[] = [];
  const casesOf = classes.map(({ digits, cluster }, number) => {
    if (!present.has(number)) return [];
    const combinations = combinationsOf(digits);
    return combinations?.map((selected) => {
      const example = `class-${cases.length}`;
      cases.push({ name: example, selected, cluster });
      return example;
    });
  });
  const byPlacement = new Map<string, Decision>();
  for (const [position, key] of placements.entries()) {
    const decision = decisions.byPlacement.get(key);
    if (decision === undefined) continue;
    const selected = cases.flatMap((each) => (each.selected[position] === true ? [each.name] : [])).sort();
    byPlacement.set(key, { ...decision, selected });
  }
  const clusters = new Map<string, ManagedClusterV1>(
    cases.map((each) => [each.name, exampleCluster(each.name)]),
  );
  const managedClusterAddOns = new Map(
    cases.flatMap(({ name: namespace, cluster }) => {
      const override = cluster === undefined ? undefined : overrides.get(cluster);
      return override === undefined
        ? []
        : [[objectKey(namespace, name), movedTo(override, namespace)] as const];
    }),
  );
  const addOn = inventory.clusterManagementAddOns.get(name);
  const example: Inventory = {
    ...inventory,
    clusterManagementAddOns: new Map(addOn === undefined ? [] : [[name, addOn]]),
    managedClusterAddOns,
  };
  const exampleDecisions: Decisions = { ...decisions, clusters, byPlacement };
  const resolved = configure(example, exampleDecisions, hub).value.get(name);
  return casesOf.map(
    (examples) => examples?.map((each) => installedAddOn(resolved?.clusters.get(each))) ?? 'unknown',
  );
}

function exampleCluster(name: string): ManagedClusterV1 {
  return { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster', metadata: { name } };
}

function movedTo(
  override: Admitted<ManagedClusterAddOnV1beta1>,
  namespace: string,
): Admitted<ManagedClusterAddOnV1beta1> {
  const { status: _, ...object } = override.object;
  return { ...override, object: { ...object, metadata: { ...object.metadata, namespace } } };
}

/** Returns every choice of yes and no for the uncertain digits; undefined if there are too many. */
function combinationsOf(digits: readonly Digit[]): readonly (readonly boolean[])[] | undefined {
  if (digits.filter((digit) => digit === 2).length > mostUncertain) return undefined;
  return digits.reduce<readonly (readonly boolean[])[]>(
    (all, digit) =>
      all.flatMap((before) => (digit === 2 ? [true, false] : [digit === 1]).map((each) => [...before, each])),
    [[]],
  );
}

/** Returns what a cluster has, in the form in which classes are compared. */
export function installedAddOn(addOn: ClusterAddOn | undefined): InstalledAddOn | undefined {
  if (addOn === undefined) return undefined;
  const { placements, effective } = addOn;
  const { references } = effective;
  const identity = references
    .map(({ group, resource, namespace = '', name }) => `${resource}.${group}/${namespace}/${name}`)
    .join(' ');
  return { placements, references, identity };
}
