import type { GitOpsEngine } from '../check/overrides/pruned-overrides.ts';
import { inPlaceEdits } from '../check/rollouts/in-place-edit.ts';
import type { Diagnostic, Outcome } from '../model/diagnostic.ts';
import { compareUtf8, goJson } from '../../base/json/go-json.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Resolution } from '../resolve.ts';
import { releaseEffects } from '../compare/causes/release-effects.ts';
import type { AddOnChange, AddOnPlan } from '../compare/add-on-plan.ts';
import type { ChangeGroup, Effect } from '../compare/change.ts';
import { ClusterAnswers } from '../compare/cluster/cluster-answers.ts';
import { AddOnComparison } from '../compare/compare-add-on.ts';
import { unorderedGroups } from './group-order.ts';
import { checkPlacementChanges } from './placement-checks.ts';
import { ClusterLabels, type LabelValues } from '../compare/cluster-labels.ts';
import { compareObjects, type ObjectChange } from '../compare/object-changes.ts';
import { comparePermissions, compareRegistrations } from '../compare/permissions.ts';
import {
  isHubsOwnAddOn,
  lastingHubAddOns,
  placementChanges,
  type Comparison,
} from '../compare/placements/hub-owned-changes.ts';
import type { PlacementChange } from '../compare/placements/placements.ts';
import { promotedSummary, withPromotion } from './held-changes.ts';
import { placedBefore, placedIn, type PlacedCounts } from './placed-counts.ts';
import { answerFindings, deletionsOf } from './answer-findings.ts';
import { hookWaits } from './hook-waits.ts';
import { EffectsOfPair, placementEffect, promotionEffects } from './effects/add-on-effects.ts';
import { objectEffects } from './effects/object-effects.ts';
import {
  byOwner,
  effectsHash,
  objectEffectKey,
  type AddOnEffects,
  type ObjectEffect,
  type PlanEffects,
} from './effects/plan-effects.ts';
import type { PromotedChange } from './promoted-change.ts';
import { withoutLocations } from '../compare/without-locations.ts';
import {
  countedClusters,
  isReached,
  markOf,
  noEffects,
  reachOf,
  type CountedCluster,
  type Reach,
} from './reach.ts';
import { ReportedValues } from './reported-plan.ts';
import { pairOf, type Pair } from '../compare/resolution-pair.ts';
import { nothingSensitive, SensitiveValues, type SensitiveSettings } from '../masks/sensitive-values.ts';
import { SelectionCauses } from '../compare/causes/selection-causes.ts';
import { additionOrRemoval, unchangedIn } from '../compare/change-groups.ts';
import { planFollowers } from '../compare/placements/plan-followers.ts';
import { planWorks, type WorkKind } from '../compare/works/plan-works.ts';
import type { GroupedChange } from '../compare/change-groups.ts';
import type { FollowerKind } from '../api/placement-followers.ts';
import { plannedRequirements, type PlannedRequirements } from './planned-requirements.ts';
import { requiredUninstalls } from './required-uninstalls.ts';
import { staleWorks } from './stale-works.ts';
import { surplusWorks } from './surplus-works.ts';
import { compareStrategies } from '../compare/placements/strategy-changes.ts';
import { planRollouts } from '../compare/placements/waves.ts';

/** An app in two states. If only one state has it, the other is the resolution of nothing. */
export interface AppStates {
  readonly app: string;
  readonly base: Resolution;
  readonly head: Resolution;
  /**
   * The base with the fleet snapshot of the head. Objects that are on the hub and not from Git are compared on the same snapshot,
   * because a snapshot reports what has already happened. If only the snapshot changes, this is the head itself.
   *
   * @default - `base`
   */
  readonly baseOnSameFleet?: Resolution;
}

/** The options of `plan`. */
export interface PlanOptions {
  readonly hub: HubVersion;
  /**
   * The release of the hub in the earlier state.
   *
   * @default - `hub`
   */
  readonly baseHub?: HubVersion;
  /** The cluster labels by whose values the reach is counted. */
  readonly by: readonly string[];
  /**
   * Whether both states have every object that is written. From a hub, only the objects that decide something are read.
   *
   * @default true
   */
  readonly allObjects?: boolean;
  /**
   * The GitOps engine that applies the files.
   *
   * @default 'none'
   */
  readonly engine?: GitOpsEngine;
  /**
   * Whether the plan contains values of Secrets, and other sensitive values.
   *
   * @default false
   */
  readonly showSecrets?: boolean;
  /**
   * The values that are masked besides those of Secrets.
   *
   * @default - none
   */
  readonly sensitive?: SensitiveSettings;
  /**
   * What promotions make of the change.
   *
   * @default - no app has a promotion
   */
  readonly promotions?: readonly PromotedChange[];
}

/** The fleets of both states. */
export interface FleetChange {
  readonly before: number;
  readonly after: number;
  /** Sorted by name. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The effect of a change on a fleet. Plain data: the same states produce the same bytes. */
export interface Plan {
  /** SHA-256 of `effects`. An approval names this hash. */
  readonly hash: string;
  /** What the change does, without its texts and locations. */
  readonly effects: PlanEffects;
  readonly fleet: FleetChange;
  readonly summary: PlanSummary;
  /** The add-ons that change. Those with uninstalls or deletions come first, then by app and name. */
  readonly addOns: readonly AddOnPlan[];
  /** Sorted by app and name. */
  readonly placements: readonly AppPlacementChange[];
  readonly reach: readonly Reach[];
  /** The values of the labels by which the plan counts, for the clusters on which anything happens. */
  readonly labels: readonly LabelValues[];
  /**
   * All objects that differ between the two states, by app. For each app, the objects that it writes come first, then by name.
   */
  readonly objects: readonly AppObjectChange[];
  /** The add-ons that requirements connect with those that change. @default - none */
  readonly requirements?: readonly PlannedRequirements[];
}

/** A changed object with its app. Objects of a fleet snapshot that several apps share belong to the first of these apps. */
export type AppObjectChange = ObjectChange & {
  readonly app: string;
  /** The hub, if the plan is about several. */
  readonly hub?: string;
};

/** A changed Placement with its app. */
export type AppPlacementChange = PlacementChange & {
  readonly app: string;
  /** The hub, if the plan is about several. */
  readonly hub?: string;
};

/** The numbers of a plan. */
export interface PlanSummary {
  /** The number of add-ons on clusters, per effect: one add-on uninstalled from three clusters counts as three. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** The number of unchanged add-ons on clusters. */
  readonly unchanged: number;
  /**
   * The number of clusters on which an add-on, a work or a follower of a Placement is uninstalled, installed, changed or rolled
   * out again.
   */
  readonly clusters: number;
  readonly waves: number;
  /** The number of objects that differ between the two states. */
  readonly objects: Readonly<Record<ObjectChange['change'], number>>;
  /** The apps that had objects and have none now, because they were removed or emptied. */
  readonly emptiedApps: readonly string[];
  /** What Placements bring to clusters in the earlier state. Absent if they bring nothing. */
  readonly placedBefore?: PlacedCounts;
  /** What promotions hold back and start. Absent if they do neither. */
  readonly promotions?: PromotedSummary;
}

/** The part of a change that does not happen with the merge, and the part of earlier changes that does. */
export interface PromotedSummary {
  /** The number of add-ons on clusters that change when a promotion releases them, per effect. They are among all effects. */
  readonly waiting: Readonly<Record<Effect, number>>;
  /** The number of those that do not change, because a promotion rolled the content back. They are among all effects. */
  readonly rolledBack: Readonly<Record<Effect, number>>;
  /** The number of add-ons on clusters that get earlier content of Git, because the merge starts their wave. */
  readonly started: number;
}

/** Compares two states of some apps. The findings describe the step from one state to the other, not the states. */
export function plan(
  apps: readonly AppStates[],
  {
    hub,
    baseHub = hub,
    by,
    allObjects = true,
    engine = 'none',
    showSecrets = false,
    sensitive = nothingSensitive,
    promotions = [],
  }: PlanOptions,
): Outcome<Plan> {
  const compared = apps.map((each) =>
    compareApp(
      each,
      { hub, baseHub, engine, allObjects },
      promotions.find(({ app }) => app === each.app),
    ),
  );
  const addOns = compared.flatMap((app) => app.addOns);
  const placements = compared.flatMap((app) => app.placements);
  const unchanged = compared.reduce((sum, app) => sum + app.unchanged, 0);
  addOns.sort((a, b) => Number(hasLosses(b)) - Number(hasLosses(a)));
  const { marks, clusters } = clustersOf(apps, addOns);
  const fleet = fleetChange(apps);
  const changedObjects = withoutSharedFleets(compared.flatMap(({ objects }) => objects));
  const effects: PlanEffects = {
    addOns: byOwner(
      compared.flatMap((app) => app.effects),
      ({ kind = '', addOn }) => `${kind}\n${addOn}`,
    ),
    placements: byOwner(placements.map(placementEffect), ({ placement }) => placement),
    objects: byOwner(
      compared.flatMap(({ objectEffects }) => objectEffects),
      objectEffectKey,
    ),
    promotions: promotionEffects(promotions),
    exceeded: [],
  };
  const labels = new ClusterLabels(apps, by);
  const inventories = apps.flatMap(({ base, head }) => [base.inventory, head.inventory]);
  const reported = new ReportedValues(showSecrets ? undefined : new SensitiveValues(inventories, sensitive));
  const promoted = promotedSummary(addOns, promotions);
  const requirements = plannedRequirements(
    apps.map(({ head }) => head),
    new Set(addOns.map(({ addOn }) => addOn)),
  );
  const value = {
    hash: effectsHash(effects),
    effects,
    fleet,
    summary: {
      ...summaryOf(addOns, unchanged, [...marks.values()].filter(isReached).length),
      objects: countObjects(changedObjects),
      // A hub and a folder are not two states of an app.
      emptiedApps: allObjects ? emptiedApps(apps) : [],
      ...placedBefore(compared.map((app) => app.placed)),
      ...(promoted && { promotions: promoted }),
    },
    addOns: addOns.map((addOn) => withLabels(reported.addOn(addOn), labels)),
    placements,
    reach: reachOf(clusters, marks, by),
    labels: labels.values([...marks.keys()].sort(compareUtf8)),
    objects: changedObjects.map((change) => reported.object(change)),
    ...(requirements.length > 0 && { requirements }),
  };
  const diagnostics = [
    ...answerFindings(addOns),
    ...compared.flatMap(({ diagnostics }) => diagnostics),
    ...requiredUninstalls(compared.map(({ pair }) => pair)),
  ];
  return { value, diagnostics };
}

/** Whether clusters lose the add-on, or objects with their content. */
function hasLosses(addOn: AddOnPlan): boolean {
  return addOn.effects.uninstalled > 0 || deletionsOf([addOn]) > 0;
}

/** The changes of one app. */
interface ComparedApp {
  readonly pair: Pair;
  readonly addOns: readonly AddOnPlan[];
  readonly placements: readonly (PlacementChange & { readonly app: string })[];
  readonly objects: readonly AppObjectChange[];
  readonly effects: readonly AddOnEffects[];
  readonly objectEffects: readonly ObjectEffect[];
  /** The number of unchanged add-ons on clusters. */
  readonly unchanged: number;
  /** In the earlier state. */
  readonly placed: PlacedCounts;
  readonly diagnostics: readonly Diagnostic[];
}

function compareApp(
  { app, base, head, baseOnSameFleet = base }: AppStates,
  {
    hub,
    baseHub,
    engine,
    allObjects,
  }: Required<Pick<PlanOptions, 'hub' | 'baseHub' | 'engine' | 'allObjects'>>,
  promotion: PromotedChange | undefined,
): ComparedApp {
  let unchanged = 0;
  const pair = pairOf(base, head, { hub, baseHub, engine });
  const causes = new SelectionCauses(base, head, { base: baseHub, head: hub });
  const onSameFleet = onFleetOf(head, { pair, causes }, baseOnSameFleet);
  const answers = new ClusterAnswers(pair);
  const changes = namesOf(pair)
    .filter((addOn) => !isHubsOwnAddOn(addOn, pair))
    .map((addOn) => compareAddOn(app, addOn, pair, causes))
    .map((change) => answers.addTo(change));
  const ofHub =
    onSameFleet === undefined
      ? []
      : lastingHubAddOns(onSameFleet)
          .map((addOn) => compareAddOn(app, addOn, onSameFleet.pair, onSameFleet.causes))
          .filter(isChanged);
  const workChanges = planWorks(pair, causes);
  const followers = planFollowers(pair, causes);
  const works = [...workChanges, ...followers]
    .map((change) => answers.addTo(workPlan(app, change)))
    .filter(isChanged);
  const changedPlacements = placementChanges({ pair, causes }, onSameFleet);
  for (const each of [...workChanges, ...followers]) unchanged += each.unchanged;
  for (const { addOn, groups } of changes) {
    const after = pair.head.resolution.configuration.get(addOn)?.clusters;
    unchanged += unchangedIn(groups, after);
  }
  const reported = changes.filter((change) => isChanged(change) || isReportedAnyway(change, pair));
  const rollouts = planRollouts(pair, hub, reported);
  const planned = withPromotion(
    reported.map((change) => ({ ...change, rollout: rollouts(change.addOn) })),
    promotion,
  );
  const plannedOfHub = onSameFleet === undefined ? [] : withRollouts(ofHub, onSameFleet.pair, hub);
  const explained = {
    addOns: [...reported, ...ofHub, ...works],
    placements: changedPlacements,
    followed: new Set(followers.flatMap(({ explains }) => explains)),
  };
  const compared = compareObjects(base, head, explained, allObjects);
  return {
    pair,
    addOns: [...planned, ...plannedOfHub, ...works],
    placements: changedPlacements.map((change) => ({ app, ...change })),
    objects: compared.changes.map((change) => ({ app, ...change })),
    effects: [
      ...effectsIn(pair, [...planned, ...works]),
      ...(onSameFleet === undefined ? [] : effectsIn(onSameFleet.pair, plannedOfHub)),
    ],
    objectEffects: objectEffects(app, compared),
    unchanged,
    placed: placedIn(followers),
    diagnostics: [
      ...checkPlacementChanges(pair),
      ...unorderedGroups(pair, hub),
      ...hookWaits(pair),
      ...staleWorks(pair),
      ...surplusWorks(pair),
      ...inPlaceEdits(base, head),
      ...releaseEffects({ resolution: base, hub: baseHub }, { resolution: head, hub }),
    ],
  };
}

function withRollouts(changes: readonly AddOnChange[], pair: Pair, hub: HubVersion): AddOnPlan[] {
  if (changes.length === 0) return [];
  const rollouts = planRollouts(pair, hub, changes);
  return changes.map((change) => ({ ...change, rollout: rollouts(change.addOn) }));
}

function effectsIn(pair: Pair, changes: readonly AddOnPlan[]): AddOnEffects[] {
  const effects = new EffectsOfPair(pair);
  return changes.flatMap((change) => effects.of(change) ?? []);
}

/** Removes duplicate changes. Apps can share a fleet snapshot, or each have a copy of it. */
function withoutSharedFleets(objects: readonly AppObjectChange[]): readonly AppObjectChange[] {
  const seen = new Set<string>();
  return objects.filter(({ app: _app, location: _location, ...change }) => {
    if (change.source === 'app') return true;
    const key = goJson(withoutLocations(change));
    return seen.size !== seen.add(key).size;
  });
}

function countObjects(objects: readonly ObjectChange[]): PlanSummary['objects'] {
  const counts = { added: 0, removed: 0, edited: 0 };
  for (const { change } of objects) counts[change]++;
  return counts;
}

function withLabels(addOn: AddOnPlan, labels: ClusterLabels): AddOnPlan {
  if (labels.isEmpty) return addOn;
  const { groups, rollout } = addOn;
  return {
    ...addOn,
    groups: groups.map((group) => ({ ...group, labels: labels.counts(group.clusters) })),
    rollout: {
      ...rollout,
      waves: rollout.waves.map((wave) => ({ ...wave, labels: labels.counts(wave.clusters) })),
    },
  };
}

function isChanged({ groups }: Pick<AddOnPlan, 'groups'>): boolean {
  return groups.length > 0;
}

/** Returns whether a plan reports an add-on even if it changes on no cluster. */
function isReportedAnyway(
  { addOn, change, permissions, registrations, strategies, stalled }: AddOnChange,
  { base }: Pair,
): boolean {
  if (change !== undefined) return true;
  if (permissions.length > 0 || registrations.length > 0 || strategies.length > 0) return true;
  return stalled !== undefined && base.resolution.configuration.get(addOn)?.stalled === undefined;
}

/** Returns the comparison on one fleet, or undefined if nothing of the hub can change. */
function onFleetOf(head: Resolution, comparison: Comparison, base: Resolution): Comparison | undefined {
  if (base === head) return undefined;
  if (base === comparison.pair.base.resolution) return comparison;
  const { hub, baseHub } = comparison.pair;
  const causes = new SelectionCauses(base, head, { base: baseHub, head: hub });
  return { pair: pairOf(base, head, comparison.pair), causes };
}

function namesOf({ base, head }: Pair): readonly string[] {
  const names = new Set([...base.resolution.configuration.keys(), ...head.resolution.configuration.keys()]);
  return [...names].sort(compareUtf8);
}

function compareAddOn(app: string, addOn: string, pair: Pair, causes: SelectionCauses): AddOnChange {
  const base = pair.base.resolution;
  const head = pair.head.resolution;
  const before = base.configuration.get(addOn);
  const after = head.configuration.get(addOn);
  const groups = new AddOnComparison(addOn, pair, causes).groups();
  return {
    app,
    addOn,
    ...additionOrRemoval(before, after),
    before: before?.clusters.size ?? 0,
    after: after?.clusters.size ?? 0,
    effects: effectsOf(groups),
    groups,
    permissions: comparePermissions(addOn, pair),
    registrations: compareRegistrations(addOn, pair),
    strategies: compareStrategies(addOn, pair),
    ...(after?.stalled === undefined ? {} : { stalled: after.stalled }),
  };
}

function workPlan(
  app: string,
  { kind, name, change, before, after, groups }: GroupedChange<WorkKind | FollowerKind>,
): AddOnPlan {
  // The plan does not predict the order.
  const rollout = { waves: [], stops: [], finishedAfter: 0, finishedEarliest: 0 };
  return {
    app,
    kind,
    addOn: name,
    ...(change && { change }),
    before,
    after,
    effects: effectsOf(groups),
    groups,
    permissions: [],
    registrations: [],
    strategies: [],
    rollout,
  };
}

function effectsOf(groups: readonly ChangeGroup[]): Record<Effect, number> {
  const effects = noEffects();
  for (const { effect, clusters } of groups) effects[effect] += clusters.length;
  return effects;
}

/** Returns all clusters, and what happens on each. */
function clustersOf(
  apps: readonly AppStates[],
  addOns: readonly AddOnPlan[],
): { marks: ReadonlyMap<string, number>; clusters: readonly CountedCluster[] } {
  const marks = new Map<string, number>();
  for (const { groups } of addOns) {
    for (const { effect, clusters } of groups) {
      const mark = markOf(effect);
      for (const cluster of clusters) marks.set(cluster, (marks.get(cluster) ?? 0) | mark);
    }
  }
  return { marks, clusters: countedClusters(apps) };
}

function fleetChange(apps: readonly AppStates[]): FleetChange {
  const fleets = apps.flatMap(({ base, head }) => [base.decisions.clusters, head.decisions.clusters]);
  const [only, ...others] = new Set(fleets);
  if (only !== undefined && others.length === 0)
    return { before: only.size, after: only.size, added: [], removed: [] };
  const before = new Set<string>();
  const after = new Set<string>();
  for (const { base, head } of apps) {
    for (const name of base.decisions.clusters.keys()) before.add(name);
    for (const name of head.decisions.clusters.keys()) after.add(name);
  }
  return {
    before: before.size,
    after: after.size,
    added: [...after].filter((cluster) => !before.has(cluster)).sort(compareUtf8),
    removed: [...before].filter((cluster) => !after.has(cluster)).sort(compareUtf8),
  };
}

function emptiedApps(apps: readonly AppStates[]): string[] {
  const hasObjects = ({ inventory }: Resolution): boolean =>
    inventory.objects.some(({ source }) => source === 'app');
  return apps.flatMap(({ app, base, head }) =>
    app !== '' && hasObjects(base) && !hasObjects(head) ? [app] : [],
  );
}

function summaryOf(
  addOns: readonly AddOnPlan[],
  unchanged: number,
  clusters: number,
): Omit<PlanSummary, 'emptiedApps' | 'objects' | 'promotions'> {
  return {
    effects: effectsOf(addOns.flatMap(({ groups }) => groups)),
    unchanged,
    clusters,
    waves: addOns.reduce((most, { rollout }) => Math.max(most, rollout.waves.length), 0),
  };
}
