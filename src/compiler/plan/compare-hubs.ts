import { compareUtf8 } from '../../base/json/go-json.ts';
import type { Location } from '../model/origin.ts';
import type { LabelCount } from '../compare/cluster-labels.ts';
import type { AddOnProfile, HubProfile, ProfiledField } from './hub-profile.ts';

/** The differences between the effective configurations of two hubs. */
export interface HubComparison {
  /** The names of the hubs. */
  readonly hubs: readonly [string, string];
  readonly equal: boolean;
  /** The add-ons that differ, by name. */
  readonly addOns: readonly DifferentAddOn[];
}

/** An add-on that differs between two hubs. */
export interface DifferentAddOn {
  readonly addOn: string;
  /** The only hub that has the add-on on a cluster. Absent if both have it. */
  readonly onlyOn?: string;
  /** Sorted by kind and path. */
  readonly values: readonly DifferentValue[];
}

/** A field that has different values on two hubs. */
export interface DifferentValue {
  /** `AddOnDeploymentConfig`. Empty for the add-on itself. */
  readonly kind: string;
  readonly path: string;
  /** The values on each hub, in the order of the hubs: those on most clusters first. */
  readonly on: readonly [readonly ValueOnClusters[], readonly ValueOnClusters[]];
}

/** A value on some clusters. */
export interface ValueOnClusters {
  /** Absent if the clusters have no value. */
  readonly value?: unknown;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** The clusters counted by label. */
  readonly labels: readonly LabelCount[];
  readonly location?: Location;
}

/** The profile of a hub with its name. */
export interface NamedProfile {
  readonly hub: string;
  readonly profile: HubProfile;
}

/** The text of a missing value, which is no JSON. */
const missing = '';
/** The path of the difference between the clusters that have an add-on. */
export const installedPath = 'installed';

/**
 * Compares the effective configurations of two hubs, per add-on. Clusters with the same labels correspond to each other: they must
 * have the same values. Values of clusters whose labels no cluster of the other hub has must be among those of the other hub.
 *
 * @param by - the labels of the profiles
 */
export function compareHubs(a: NamedProfile, b: NamedProfile, by: readonly string[]): HubComparison {
  const names = new Set([...a.profile.addOns.keys(), ...b.profile.addOns.keys()]);
  const addOns = [...names].sort(compareUtf8).flatMap((addOn): DifferentAddOn[] => {
    const [ofA, ofB] = [a, b].map(({ profile }) => profile.addOns.get(addOn) ?? nothing);
    if (ofA === undefined || ofB === undefined) throw new Error('two hubs have two profiles');
    if (ofA.clusters.size === 0 && ofB.clusters.size === 0) return [];
    if (ofA.clusters.size === 0) return [{ addOn, onlyOn: b.hub, values: [] }];
    if (ofB.clusters.size === 0) return [{ addOn, onlyOn: a.hub, values: [] }];
    const keys = new Set([...ofA.fields.keys(), ...ofB.fields.keys()]);
    const values = [...keys].sort(compareUtf8).flatMap((key) => {
      const field = ofA.fields.get(key) ?? ofB.fields.get(key);
      if (field === undefined || !isDifferent(ofA, ofB, key)) return [];
      const { kind, path } = field;
      const on = [ofA, ofB].map((side) => valuesOn(side, key, by));
      return [{ kind, path, on: [on[0] ?? [], on[1] ?? []] as const }];
    });
    const all = [...installation(a.profile, b.profile, addOn, by), ...values];
    return all.length === 0 ? [] : [{ addOn, values: all }];
  });
  return { hubs: [a.hub, b.hub], equal: addOns.length === 0, addOns };
}

const nothing: AddOnProfile = { clusters: new Map(), fields: new Map() };

function isDifferent(a: AddOnProfile, b: AddOnProfile, key: string): boolean {
  const groups = new Set([...a.clusters.keys(), ...b.clusters.keys()]);
  const allOf = (side: AddOnProfile): ReadonlySet<string> =>
    new Set([...side.clusters.keys()].flatMap((group) => [...textsIn(side, key, group)]));
  const isCovered = (texts: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
    [...texts].every((text) => others.has(text));
  for (const group of groups) {
    const [inA, inB] = [textsIn(a, key, group), textsIn(b, key, group)];
    if (a.clusters.has(group) && b.clusters.has(group)) {
      if (!isCovered(inA, inB) || !isCovered(inB, inA)) return true;
    } else if (a.clusters.has(group) ? !isCovered(inA, allOf(b)) : !isCovered(inB, allOf(a))) return true;
  }
  return false;
}

/** Returns the values of a field on the clusters of a group, as JSON. */
function textsIn(side: AddOnProfile, key: string, group: string): ReadonlySet<string> {
  const texts = new Set<string>();
  let clusters = 0;
  for (const { text, clusters: byGroup } of side.fields.get(key)?.values.values() ?? []) {
    const having = byGroup.get(group)?.length ?? 0;
    if (having > 0) texts.add(text);
    clusters += having;
  }
  if (clusters < (side.clusters.get(group)?.length ?? 0)) texts.add(missing);
  return texts;
}

function valuesOn(side: AddOnProfile, key: string, by: readonly string[]): ValueOnClusters[] {
  const field: ProfiledField | undefined = side.fields.get(key);
  const values = Array.from(field?.values.values() ?? [], ({ shown, clusters, locate }) => ({
    value: shown,
    ...onClusters(clusters, by),
    location: locate(),
  }));
  const having = new Set(values.flatMap(({ clusters }) => clusters));
  const lacking = new Map(
    Array.from(side.clusters, ([group, clusters]) => [group, clusters.filter((name) => !having.has(name))]),
  );
  const absent = onClusters(lacking, by);
  return [...values, ...(absent.clusters.length === 0 ? [] : [absent])].sort(
    (x, y) => y.clusters.length - x.clusters.length || compareUtf8(x.clusters[0] ?? '', y.clusters[0] ?? ''),
  );
}

function onClusters(
  groups: ReadonlyMap<string, readonly string[]>,
  by: readonly string[],
): Pick<ValueOnClusters, 'clusters' | 'labels'> {
  const labels = by.flatMap((label, index) => {
    const counts = new Map<string, number>();
    for (const [group, clusters] of groups) {
      const value = (JSON.parse(group) as readonly string[])[index] ?? '';
      if (clusters.length > 0) counts.set(value, (counts.get(value) ?? 0) + clusters.length);
    }
    return Array.from(counts, ([value, clusters]) => ({ by: label, value, clusters })).sort(
      (x, y) => y.clusters - x.clusters || compareUtf8(x.value, y.value),
    );
  });
  return { clusters: [...groups.values()].flat().sort(compareUtf8), labels };
}

/** Returns the difference if corresponding clusters have the add-on on one hub, and none of them has it on the other. */
function installation(
  a: HubProfile,
  b: HubProfile,
  addOn: string,
  by: readonly string[],
): readonly DifferentValue[] {
  const coverage = (profile: HubProfile, group: string): 'all' | 'some' | 'none' => {
    const having = profile.addOns.get(addOn)?.clusters.get(group)?.length ?? 0;
    if (having === 0) return 'none';
    return having === profile.clusters.get(group) ? 'all' : 'some';
  };
  const differs = [...a.clusters.keys()].some(
    (group) => b.clusters.has(group) && coverage(a, group) !== coverage(b, group),
  );
  if (!differs) return [];
  const on = [a, b].map((profile) => [
    { value: true, ...onClusters(profile.addOns.get(addOn)?.clusters ?? new Map(), by) },
  ]);
  return [{ kind: '', path: installedPath, on: [on[0] ?? [], on[1] ?? []] }];
}
