import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { ClusterAddOn, EffectiveConfiguration } from '../configure/resolved-add-on.ts';
import type { Location } from '../model/origin.ts';
import type { Resolution } from '../resolve.ts';
import { contentOf } from '../compare/compare-configs.ts';
import { isNameOfEntry, leavesOf } from '../compare/compare-values.ts';
import { stateOf, type State } from '../compare/resolution-pair.ts';
import { SensitiveValues, type SensitiveSettings } from '../masks/sensitive-values.ts';
import { secretMask } from '../masks/secrets.ts';

/** One value on some clusters of a hub. */
export interface ProfiledValue {
  /** As it is compared: JSON. */
  readonly text: string;
  /** As it is reported, with sensitive values masked. */
  readonly shown: unknown;
  /** By the values of the labels by which clusters are compared. */
  readonly clusters: Map<string, string[]>;
  readonly locate: () => Location;
}

/** The values of one field on a hub, by JSON. */
export interface ProfiledField {
  /** `AddOnDeploymentConfig`. */
  readonly kind: string;
  readonly path: string;
  readonly values: Map<string, ProfiledValue>;
}

/** The effective configuration of one add-on on the clusters of a hub. */
export interface AddOnProfile {
  /** The clusters with the add-on, by the values of the labels. */
  readonly clusters: Map<string, string[]>;
  /** By kind and path. */
  readonly fields: Map<string, ProfiledField>;
}

/** The effective configurations of a hub, without the resolutions that they come from. */
export interface HubProfile {
  readonly addOns: ReadonlyMap<string, AddOnProfile>;
  /** The number of clusters, by the values of the labels. */
  readonly clusters: ReadonlyMap<string, number>;
}

/** The options of a profile. */
export interface ProfileOptions {
  /** The cluster labels by which clusters of two hubs correspond to each other. */
  readonly by: readonly string[];
  readonly sensitive: SensitiveSettings;
}

/** Returns the effective configuration of all add-ons of the apps of a hub. */
export function hubProfile(apps: readonly Resolution[], { by, sensitive }: ProfileOptions): HubProfile {
  const masks = new SensitiveValues(
    apps.map(({ inventory }) => inventory),
    sensitive,
  );
  const addOns = new Map<string, AddOnProfile>();
  const counted = new Map<string, number>();
  const seen = new Set<string>();
  for (const resolution of apps) {
    const { clusters } = resolution.decisions;
    const groupOf = (name: string): string =>
      JSON.stringify(by.map((label) => clusters.get(name)?.metadata.labels?.[label] ?? ''));
    for (const name of clusters.keys()) {
      if (seen.size === seen.add(name).size) continue;
      counted.set(groupOf(name), (counted.get(groupOf(name)) ?? 0) + 1);
    }
    const state = stateOf(resolution);
    for (const [addOn, { clusters: installed, isHubOwned }] of resolution.configuration) {
      if (isHubOwned === true) continue;
      const profile = getOrInsertComputed(addOns, addOn, () => ({ clusters: new Map(), fields: new Map() }));
      const byConfiguration = new Map<EffectiveConfiguration, Map<string, string[]>>();
      for (const [cluster, each] of installed) {
        const group = groupOf(cluster);
        addTo(profile.clusters, group, cluster);
        addTo(
          getOrInsertComputed(byConfiguration, each.effective, () => new Map<string, string[]>()),
          group,
          cluster,
        );
      }
      // The location of a value is that on most clusters.
      const bySize = [...byConfiguration].sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
      for (const [effective, groups] of bySize) addFields(profile, effective, groups, state, masks);
    }
  }
  return { addOns, clusters: counted };
}

function sizeOf(groups: ReadonlyMap<string, readonly string[]>): number {
  return [...groups.values()].reduce((sum, clusters) => sum + clusters.length, 0);
}

function addTo(groups: Map<string, string[]>, group: string, cluster: string): void {
  getOrInsertComputed(groups, group, () => []).push(cluster);
}

function addFields(
  { fields }: AddOnProfile,
  { kinds }: ClusterAddOn['effective'],
  groups: ReadonlyMap<string, readonly string[]>,
  { configs }: State,
  masks: SensitiveValues,
): void {
  // As addon-framework: of several references to one kind, renderers read the first.
  for (const { winners } of kinds) {
    const [winner] = winners;
    const config = winner && configs.find(winner.reference);
    if (config === undefined) continue;
    const { kind } = config.object;
    for (const { path, fieldPath, value, secret } of leavesOf(contentOf(config), kind)) {
      if (isNameOfEntry(path, value)) continue;
      const field = getOrInsertComputed(fields, `${kind} ${path}`, () => ({ kind, path, values: new Map() }));
      const text = goJson(value ?? null);
      const profiled = getOrInsertComputed(field.values, text, () => ({
        text,
        shown: secret === true ? secretMask : masks.masked(kind, path, value),
        clusters: new Map<string, string[]>(),
        locate: () => config.origin.locate(fieldPath),
      }));
      for (const [group, clusters] of groups)
        for (const cluster of clusters) addTo(profiled.clusters, group, cluster);
    }
  }
}
