import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { effects, type Effect } from '../compare/change.ts';
import type { LabelledClusters, LabelValues } from '../compare/cluster-labels.ts';
import { placedBefore } from './placed-counts.ts';
import type { FleetChange, Plan, PlanSummary } from './plan.ts';
import { effectsHash, type PlanEffects } from './effects/plan-effects.ts';
import { byClusterSet, noEffects, type Reach } from './reach.ts';

/** The plan for one hub of a workspace. */
export interface HubPlan {
  /** The name of the hub. */
  readonly hub: string;
  readonly plan: Plan;
}

/** The value of `Reach.by` for hubs. No label has this key. */
export const byHub = 'OCM hub';

/** Returns the name of a cluster, or of a set, among those of several hubs, of which two can have the same name. */
export function clusterOnHub(hub: string | undefined, cluster: string): string {
  return hub === undefined ? cluster : `${hub}/${cluster}`;
}

/**
 * Combines the plans for several hubs into one: with one hash, and with counts over all hubs. Clusters of two hubs are different
 * clusters, whatever their names.
 */
export function combinedPlan(hubs: readonly HubPlan[]): Plan {
  const requirements = hubs.flatMap(({ hub, plan }) =>
    (plan.requirements ?? []).map((each) => ({ ...each, hub })),
  );
  const all = <T extends object>(partOf: (plan: Plan) => readonly T[]): (T & { readonly hub: string })[] =>
    hubs.flatMap(({ hub, plan }) => partOf(plan).map((part) => ({ ...part, hub })));
  // The sort is stable, and the effects of one hub are sorted already.
  const ofHubs = <T extends object>(partOf: (effects: PlanEffects) => readonly T[]) =>
    all(({ effects: ofHub }) => partOf(ofHub)).sort((a, b) => compareUtf8(a.hub, b.hub));
  const combined: PlanEffects = {
    addOns: ofHubs(({ addOns }) => addOns),
    placements: ofHubs(({ placements }) => placements),
    objects: ofHubs(({ objects }) => objects),
    promotions: ofHubs(({ promotions }) => promotions),
    exceeded: [],
  };
  return {
    hash: effectsHash(combined),
    effects: combined,
    fleet: fleetOf(hubs),
    summary: summaryOf(hubs),
    addOns: all(({ addOns }) => addOns).sort(
      (a, b) => Number(b.effects.uninstalled > 0) - Number(a.effects.uninstalled > 0),
    ),
    placements: all(({ placements }) => placements),
    reach: [...hubs.map(reachOfHub), ...sharedReach(hubs)],
    labels: labelsOf(hubs),
    objects: all(({ objects }) => objects),
    ...(requirements.length > 0 && { requirements }),
  };
}

function fleetOf(hubs: readonly HubPlan[]): FleetChange {
  const names = (side: 'added' | 'removed'): string[] =>
    hubs.flatMap(({ hub, plan }) => plan.fleet[side].map((cluster) => clusterOnHub(hub, cluster)));
  return {
    before: sum(hubs, ({ fleet }) => fleet.before),
    after: sum(hubs, ({ fleet }) => fleet.after),
    added: names('added'),
    removed: names('removed'),
  };
}

function summaryOf(hubs: readonly HubPlan[]): PlanSummary {
  return {
    effects: effectsOf(hubs.map(({ plan }) => plan.summary)),
    unchanged: sum(hubs, ({ summary }) => summary.unchanged),
    clusters: sum(hubs, ({ summary }) => summary.clusters),
    waves: Math.max(0, ...hubs.map(({ plan }) => plan.summary.waves)),
    objects: {
      added: sum(hubs, ({ summary }) => summary.objects.added),
      removed: sum(hubs, ({ summary }) => summary.objects.removed),
      edited: sum(hubs, ({ summary }) => summary.objects.edited),
    },
    emptiedApps: hubs.flatMap(({ hub, plan }) => plan.summary.emptiedApps.map((app) => `${hub}/${app}`)),
    ...placedBefore(hubs.flatMap(({ plan }) => plan.summary.placedBefore ?? [])),
  };
}

function sum(hubs: readonly HubPlan[], countOf: (plan: Plan) => number): number {
  return hubs.reduce((total, { plan }) => total + countOf(plan), 0);
}

function effectsOf(
  counted: readonly { readonly effects: Readonly<Record<Effect, number>> }[],
): Record<Effect, number> {
  const total = noEffects();
  for (const { effects: counts } of counted) for (const effect of effects) total[effect] += counts[effect];
  return total;
}

function reachOfHub({ hub, plan }: HubPlan): Reach {
  const { fleet, summary } = plan;
  return {
    by: byHub,
    value: hub,
    clusters: Math.max(fleet.before, fleet.after),
    reached: summary.clusters,
    effects: summary.effects,
  };
}

/** Adds up the rows of the hubs, in the order of the first hub that has a label. */
function sharedReach(hubs: readonly HubPlan[]): Reach[] {
  const byLabel = new Map<string, Map<string, Reach[]>>();
  for (const { hub, plan } of hubs) {
    for (const row of plan.reach) {
      const byValue = getOrInsertComputed(byLabel, row.by, () => new Map<string, Reach[]>());
      // Sets of two hubs are different sets, whatever their names.
      const value = row.by === byClusterSet && row.value !== '' ? clusterOnHub(hub, row.value) : row.value;
      getOrInsertComputed(byValue, value, () => []).push(row);
    }
  }
  return Array.from(byLabel, ([by, byValue]) =>
    Array.from(byValue, ([value, rows]) => ({
      by,
      value,
      clusters: rows.reduce((total, row) => total + row.clusters, 0),
      reached: rows.reduce((total, row) => total + row.reached, 0),
      effects: effectsOf(rows),
    })).sort((a, b) => compareUtf8(a.value, b.value)),
  ).flat();
}

function labelsOf(hubs: readonly HubPlan[]): LabelValues[] {
  const byLabel = new Map<string, Map<string, LabelledClusters & { readonly clusters: string[] }>>();
  for (const { hub, plan } of hubs) {
    for (const { by, values } of plan.labels) {
      const byValue = getOrInsertComputed(byLabel, by, () => new Map());
      for (const { clusters, ...value } of values) {
        const key = JSON.stringify([value.value, value.was]);
        const all = getOrInsertComputed(byValue, key, () => ({ ...value, clusters: [] }));
        for (const cluster of clusters) all.clusters.push(clusterOnHub(hub, cluster));
      }
    }
  }
  return Array.from(byLabel, ([by, byValue]) => ({
    by,
    values: [...byValue.values()].sort((a, b) => compareUtf8(a.value, b.value)),
  }));
}
