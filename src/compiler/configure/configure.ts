import { compareText } from '../../base/collections/compare-text.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import type { Diagnostic, Outcome } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import { installPlacements, isInstalledByPlacements } from '../../ocm/install-strategy.ts';
import { isHubOwned } from '../model/hub-owned.ts';
import { objectKey, type Admitted, type ByKey, type Inventory } from '../model/inventory.ts';
import type { ManagerProfile } from '../model/manager-profile.ts';
import { hasFleet } from '../model/needs-fleet.ts';
import { isSameMap, Remembered, RememberedSame } from '../../base/collections/remembered.ts';
import { RecordedConfigs } from './recorded-configs.ts';
import type { Decisions } from '../place/decision.ts';
import { AddOnClusters } from './add-on-clusters.ts';
import { configObjects } from './config-objects.ts';
import { checkReferences, type Uses } from './reference-checks.ts';
import type { ConfigLookup } from './missing-config.ts';
import type {
  ClusterAddOn,
  ConfigReference,
  Configuration,
  EffectiveConfiguration,
  InstallProgression,
  ResolvedAddOn,
} from './resolved-add-on.ts';
import { defaultPath } from './default-path.ts';
import { deliveryOf, runsPreDeleteHooks, usesLeaseHealth } from './delivery.ts';
import { effectiveConfiguration, type ClusterLevels } from './effective.ts';
import { desiredReference } from './desired-reference.ts';
import {
  asksForDiscovery,
  discoverHosting,
  enablesDiscovery,
  managerDiscovers,
  withDiscovery,
  type DiscoveredAddOn,
  type DiscoveryFleet,
} from './hosting-discovery.ts';
import { levelCandidates, type LevelCandidates, type LevelSource } from './levels.ts';
import type { ReadPosition, Referent } from '../../ocm/referent.ts';
import { noSelections, selectionsIn, type Selections, type Selectors } from './selections.ts';
import {
  isReadForTemplates,
  isTakenByCompanion,
  lists,
  supportedConfigs,
  supportsTemplates,
} from './supported-kinds.ts';
import { clusterGroup } from '../../../schemas/groups.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { isManagedByAddonManager } from '../../ocm/lifecycle.ts';

type AddOn = Admitted<ClusterManagementAddOnV1beta1>;
type ClusterObject = DiscoveredAddOn;

const nobody: Selectors = { positions: [], placements: [] };
const nothing: EffectiveConfiguration = { kinds: [], references: [], reads: 'first' };

/**
 * Returns the configuration that every add-on uses on every cluster, once the hub is idle and all rollouts are complete. Follows
 * OCM's addonmanagement (where it is installed), cmainstallprogression (the references of the ClusterManagementAddOn) and
 * addonconfiguration (the references of the ManagedClusterAddOns) controllers.
 */
export function configure(
  inventory: Inventory,
  decisions: Decisions,
  hub: ConfiguringHub,
): Outcome<Configuration> {
  const state: ConfiguredState = {
    decisions,
    hub,
    objects: configObjects(inventory),
    elsewhere: inventory.elsewhere,
    isPlaced: hasFleet(inventory),
  };
  const clusterAddOns = byAddOn(inventory.managedClusterAddOns);
  const configuration = new Map<string, ResolvedAddOn>();
  const diagnostics: Diagnostic[] = [];
  for (const name of [...inventory.clusterManagementAddOns.keys()].sort()) {
    const addOn = inventory.clusterManagementAddOns.get(name);
    if (addOn === undefined) continue;
    const mine = clusterAddOns.get(name) ?? new Map<string, ClusterObject>();
    const profile = inventory.managerProfiles?.get(name);
    const counting = discovered(addOn, ofTheApp(addOn, mine), managerDiscovers(profile, hub), {
      clusters: decisions.clusters,
      sets: inventory.managedClusterSets,
    });
    const { resolved, findings } = configureAddOn(name, addOn, counting, profile, state);
    configuration.set(name, resolved);
    // Do not pass these as arguments: their number is limited, and some findings occur once per cluster.
    for (const found of findings) diagnostics.push(found);
  }
  return { value: configuration, diagnostics };
}

/** What the configurations of add-ons depend on, of the hub. */
type ConfiguringHub = Pick<HubVersion, 'keepsConfigOrder' | 'templatesRead' | 'discoversHostingClusters'>;

/** What the add-ons of one state have in common. */
interface ConfiguredState extends ConfigLookup {
  readonly decisions: Decisions;
  readonly hub: ConfiguringHub;
  readonly isPlaced: boolean;
}

/** The configuration of one add-on, and the lookups on which it depends. */
interface ConfiguredAddOn {
  readonly resolved: ResolvedAddOn;
  readonly findings: readonly Diagnostic[];
  readonly configs: RecordedConfigs;
}

const remembered = new Remembered<ConfiguredAddOn>();
const rememberedClusterAddOns = new RememberedSame<ReadonlyMap<string, ClusterObject>>(isSameMap);

/** Configures an add-on, or returns its configuration in an earlier state if nothing has changed on which it depends. */
function configureAddOn(
  name: string,
  addOn: AddOn,
  clusterAddOns: ReadonlyMap<string, ClusterObject>,
  profile: ManagerProfile | undefined,
  { objects, elsewhere, decisions, hub, isPlaced }: ConfiguredState,
): ConfiguredAddOn {
  const counting = rememberedClusterAddOns.of(addOn, clusterAddOns);
  const placements = installPlacements(addOn.object).map(({ namespace, name }) => objectKey(namespace, name));
  const selections = isInstalledByPlacements(addOn.object)
    ? selectionsIn(decisions)(placements)
    : noSelections;
  const decided = placements.map((placement) => decisions.byPlacement.has(placement));
  const compute = (): ConfiguredAddOn => {
    const configs = new RecordedConfigs(objects);
    const lookup = { objects: configs, elsewhere };
    const reads = profile === undefined ? hub.templatesRead : (profile.reads ?? 'first');
    const { resolved, unplaced } = resolveAddOn(name, addOn, counting, lookup, decisions, selections, reads);
    const uses = isPlaced ? resolved.clusters.byConfiguration() : unplaced();
    const rendering = { hub, ...(profile && { profile }) };
    const findings = checkReferences(addOn, resolved, counting, uses, lookup, rendering);
    configs.end();
    return { resolved, findings, configs };
  };
  const inputs = [counting, decisions.clusters, selections, hub, profile, elsewhere, isPlaced, ...decided];
  return remembered.of(addOn, inputs, compute, ({ configs }) => configs.isCurrent(objects));
}

/**
 * Returns the ManagedClusterAddOns that count. For a compiled add-on, those of a fleet snapshot come from an earlier synth: they
 * contain the configuration that clusters run, not the desired one.
 */
function ofTheApp(
  addOn: AddOn,
  mine: ReadonlyMap<string, ClusterObject>,
): ReadonlyMap<string, ClusterObject> {
  if (deliveryOf(addOn.object) === 'hub' || addOn.source === 'fleet') return mine;
  return new Map([...mine].filter(([, { source }]) => source === 'app'));
}

/** Returns the ManagedClusterAddOns of an add-on after its manager, if it has its own, has discovered their hosting clusters. */
function discovered(
  { object }: AddOn,
  mine: ReadonlyMap<string, ClusterObject>,
  isDiscovering: boolean,
  fleet: DiscoveryFleet,
): ReadonlyMap<string, ClusterObject> {
  if (!isDiscovering || !hasOwnManager(object) || !enablesDiscovery(object)) return mine;
  return new Map(
    Array.from(mine, ([cluster, each]) => [
      cluster,
      asksForDiscovery(each.object) ? withDiscovery(each, discoverHosting(cluster, fleet)) : each,
    ]),
  );
}

/** Whether an add-on has a manager: the hub's manager of templates and the compiler discover nothing. */
function hasOwnManager(addOn: ClusterManagementAddOnV1beta1): boolean {
  return deliveryOf(addOn) === 'hub' && !supportsTemplates(addOn);
}

/** An add-on with the configurations that its clusters use. */
interface ResolvedWithUses {
  readonly resolved: ResolvedAddOn;
  /** The configurations that clusters would use. For inputs without a fleet, in which no placement selects a cluster. */
  readonly unplaced: () => Uses;
}

function resolveAddOn(
  name: string,
  addOn: AddOn,
  clusterAddOns: ReadonlyMap<string, ClusterObject>,
  { objects, elsewhere }: ConfigLookup,
  decisions: Decisions,
  selections: Selections,
  reads: ReadPosition,
): ResolvedWithUses {
  const { spec } = addOn.object;
  const delivery = deliveryOf(addOn.object);
  const isCompiled = delivery === 'compiled';
  const managed = isCompiled || isManagedByAddonManager(addOn.object);
  const template = isCompiled || supportsTemplates(addOn.object);
  const hash = (referent: Referent): string =>
    isHashed(referent, addOn.object, { delivery, managed, template }) ? objects.hash(referent) : '';
  const defaults = levelCandidates(
    spec.defaultConfigs,
    { level: 'default', origin: addOn.origin, pathOf: (index) => defaultPath(addOn, index) },
    hash,
  );
  const placements = placementLevels(addOn, hash);
  const absent = [...placements.entries()].filter(([, { key }]) => !decisions.byPlacement.has(key));
  const [missing] = absent.flatMap(([, placement]) =>
    elsewhere.existence({ group: clusterGroup, kind: 'Placement', ...placement }) === 'missing'
      ? [placement]
      : [],
  );
  const stalled = managed && missing !== undefined ? `placement ${missing.key} not found` : undefined;

  const undecided = managed && stalled === undefined ? absent.map(([, { key }]) => key) : [];

  const installs = managed && isInstalledByPlacements(addOn.object);
  const levels = new AddOnLevels({
    defaults,
    placements,
    reads,
    isConfigured: managed && stalled === undefined,
    hash,
    // The result of compilation does not depend on the previous state.
    statusReferencesOf: isCompiled ? () => [] : ({ object }) => desiredReferences(object),
  });
  const selected = installs ? selections : noSelections;
  const unselected = undecidedSelectors(absent);
  const individual = individualAddOns(clusterAddOns, levels, (cluster) => {
    const selectors = selected.byCluster.get(cluster);
    if (selectors !== undefined) return selectors;
    if (!installs) return nobody;
    return undecided.length > 0 && decisions.clusters.has(cluster) ? unselected : undefined;
  });

  const resolved: ResolvedAddOn = {
    name,
    delivery,
    ...(isCompiled && usesLeaseHealth(addOn.object) ? { health: 'lease' as const } : {}),
    ...(isCompiled && runsPreDeleteHooks(addOn.object) ? { runsHooks: true as const } : {}),
    managed,
    ...(isHubOwned(addOn) ? { isHubOwned: true as const } : {}),
    supportedConfigs: supportedConfigs(addOn.object, delivery),
    template,
    reads,
    ...(stalled === undefined ? {} : { stalled }),
    ...(undecided.length === 0 ? {} : { undecided }),
    defaultReferences: inSpecOrder(defaults),
    // As OCM's cmainstallprogression: add-ons that nothing manages or installs have no progressions.
    progressions: installs ? placements.map((placement) => progression(placement, defaults)) : [],
    clusters: new AddOnClusters({
      selections: selected,
      effectiveOf: (selectors) => levels.effectiveFrom(selectors),
      individual,
    }),
  };
  return {
    resolved,
    unplaced: () => (installs ? levels.unplaced(clusterAddOns) : resolved.clusters.byConfiguration()),
  };
}

/** Returns the add-on on clusters that have a ManagedClusterAddOn, and whose selectors are known. */
function individualAddOns(
  clusterAddOns: ReadonlyMap<string, ClusterObject>,
  levels: AddOnLevels,
  selectorsOf: (cluster: string) => Selectors | undefined,
): ReadonlyMap<string, ClusterAddOn> {
  const individual = new Map<string, ClusterAddOn>();
  for (const [cluster, managedClusterAddOn] of [...clusterAddOns].sort(([a], [b]) => compareText(a, b))) {
    const selectors = selectorsOf(cluster);
    if (selectors === undefined) continue;
    const { placements } = selectors;
    const effective = levels.effectiveOn(managedClusterAddOn, selectors);
    const { awaitsHosting } = managedClusterAddOn;
    const waits = awaitsHosting === undefined ? {} : { awaitsHosting };
    individual.set(cluster, { cluster, placements, effective, managedClusterAddOn, ...waits });
  }
  return individual;
}

/** The levels that configure an add-on, apart from that of each cluster. */
interface LevelInputs {
  readonly defaults: ClusterLevels['defaults'];
  readonly placements: readonly PlacementLevel[];
  readonly reads: ReadPosition;
  /** Whether the hub configures the add-on. */
  readonly isConfigured: boolean;
  readonly hash: (referent: Referent) => string;
  /** Returns the references in the status of an add-on on a cluster, of which some may be of an earlier state. */
  readonly statusReferencesOf: (clusterAddOn: ClusterObject) => EffectiveConfiguration['references'];
}

/** Merges the levels of an add-on to effective configurations. */
class AddOnLevels {
  readonly #inputs: LevelInputs;
  readonly #shared = new Map<Selectors, EffectiveConfiguration>();

  constructor(inputs: LevelInputs) {
    this.#inputs = inputs;
  }

  effectiveOn(clusterAddOn: ClusterObject, selectors: Selectors): EffectiveConfiguration {
    const { isConfigured, reads, hash } = this.#inputs;
    const statusReferences = this.#inputs.statusReferencesOf(clusterAddOn);
    if (!isConfigured)
      return statusReferences.length === 0 ? nothing : { kinds: [], references: statusReferences, reads };
    const cluster = clusterLevel(clusterAddOn, hash);
    return cluster.size === 0 && statusReferences.length === 0
      ? this.effectiveFrom(selectors)
      : effectiveConfiguration({ ...this.#levelsOf(selectors), cluster }, statusReferences, reads);
  }

  /** Returns the configuration of clusters without an override: one object for all clusters that the same placements select. */
  effectiveFrom(selectors: Selectors): EffectiveConfiguration {
    const { isConfigured, reads } = this.#inputs;
    if (!isConfigured) return nothing;
    return getOrInsertComputed(this.#shared, selectors, () =>
      effectiveConfiguration(this.#levelsOf(selectors), [], reads),
    );
  }

  #levelsOf({ positions }: Selectors): ClusterLevels {
    const { defaults, placements } = this.#inputs;
    return {
      defaults,
      placements: positions.flatMap((position) => placements[position]?.candidates ?? []),
      cluster: new Map(),
    };
  }

  /** Returns the configurations that clusters would use if placements selected them. */
  unplaced(clusterAddOns: ReadonlyMap<string, ClusterObject>): Uses {
    const { defaults, placements, reads, isConfigured } = this.#inputs;
    const uses = new Map<EffectiveConfiguration, string[]>();
    if (!isConfigured) return uses;
    for (const { candidates } of placements)
      uses.set(
        effectiveConfiguration({ defaults, placements: [candidates], cluster: new Map() }, [], reads),
        [],
      );
    for (const [cluster, clusterAddOn] of clusterAddOns) {
      // No cluster has it yet, so nothing reads the hashes.
      const levels = { defaults: new Map(), placements: [], cluster: clusterLevel(clusterAddOn, () => '') };
      uses.set(effectiveConfiguration(levels, [], reads), [cluster]);
    }
    return uses;
  }
}

/**
 * Returns the selectors of clusters that have the add-on although no decided Placement selects them. If exactly one Placement is
 * undecided, its configurations count there. It leads no rollout.
 */
function undecidedSelectors(absent: readonly (readonly [number, PlacementLevel])[]): Selectors {
  const [only, ...others] = absent;
  return only === undefined || others.length > 0 ? nobody : { positions: [only[0]], placements: [] };
}

interface PlacementLevel {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly candidates: LevelCandidates;
}

function placementLevels(addOn: AddOn, hash: (referent: Referent) => string): readonly PlacementLevel[] {
  return installPlacements(addOn.object).map(({ namespace, name, configs }, index) => {
    const key = objectKey(namespace, name);
    const pathOf = (config: number): FieldPath => [
      'spec',
      'installStrategy',
      'placements',
      index,
      'configs',
      config,
    ];
    const source: LevelSource = { level: 'placement', placement: key, origin: addOn.origin, pathOf };
    return { key, namespace, name, candidates: levelCandidates(configs, source, hash) };
  });
}

function clusterLevel(clusterAddOn: ClusterObject, hash: (referent: Referent) => string): LevelCandidates {
  return levelCandidates(
    clusterAddOn.object.spec.configs,
    { level: 'cluster', origin: clusterAddOn.origin, pathOf: (index) => ['spec', 'configs', index] },
    hash,
  );
}

function progression(
  { namespace, name, candidates }: PlacementLevel,
  defaults: LevelCandidates,
): InstallProgression {
  const levels = { defaults, placements: [candidates], cluster: new Map() };
  return { namespace, name, references: effectiveConfiguration(levels, [], 'first').references };
}

/** Returns the defaults in the order in which the ClusterManagementAddOn lists them. */
function inSpecOrder(defaults: LevelCandidates): readonly ConfigReference[] {
  return [...defaults.values()].flat().map((candidate) => candidate.reference);
}

function desiredReferences(clusterAddOn: ManagedClusterAddOnV1beta1 | undefined): readonly ConfigReference[] {
  return (clusterAddOn?.status?.configReferences ?? []).flatMap((entry) => desiredReference(entry) ?? []);
}

/** One result for all states with the same ManagedClusterAddOns. */
const groupedByAddOn = new WeakMap<
  ByKey<ManagedClusterAddOnV1beta1>,
  ReadonlyMap<string, ReadonlyMap<string, ClusterObject>>
>();

function byAddOn(
  all: ByKey<ManagedClusterAddOnV1beta1>,
): ReadonlyMap<string, ReadonlyMap<string, ClusterObject>> {
  return getOrInsertComputed(groupedByAddOn, all, groupByAddOn);
}

function groupByAddOn(
  all: ByKey<ManagedClusterAddOnV1beta1>,
): ReadonlyMap<string, ReadonlyMap<string, ClusterObject>> {
  const names = new Map<string, Map<string, ClusterObject>>();
  for (const admitted of all.values()) {
    const { name = '', namespace = '' } = admitted.object.metadata;
    const clusters = getOrInsertComputed(names, name, () => new Map<string, ClusterObject>());
    clusters.set(namespace, admitted);
  }
  return names;
}

/**
 * Returns whether a component hashes this kind for the add-on: the companion, the hub's template manager, or the add-on's own
 * manager.
 */
function isHashed(
  kind: Referent,
  addOn: ClusterManagementAddOnV1beta1,
  { delivery, managed, template }: Pick<ResolvedAddOn, 'delivery' | 'managed' | 'template'>,
): boolean {
  if (delivery === 'compiled') return isTakenByCompanion(kind, addOn);
  return template ? isReadForTemplates(kind) : managed && lists(addOn, kind);
}
