import { requiresAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { AddOnClusters } from '../configure/add-on-clusters.ts';
import { jointClasses } from '../configure/joint-classes.ts';
import { dependentsByName, reachedFrom, requiredAddOns } from '../configure/required-add-ons.ts';
import type { Side } from '../compare/change.ts';
import type { Pair } from '../compare/resolution-pair.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { Source } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';
import { clusterCount, counted, listed, quote } from '../model/words.ts';

const nowhere = new AddOnClusters({ individual: new Map() });

/**
 * Reports add-ons that a change uninstalls and that others require, also those of other apps: which of those it takes along, and which
 * remain without it. The requirements are those before the change, because a removed add-on has none any more. Clusters that leave the
 * fleet do not count.
 */
export function requiredUninstalls(pairs: readonly Pair[]): Diagnostic[] {
  const required = new Map(pairs.flatMap(({ base }) => [...requiredAddOns(base.resolution.inventory)]));
  if (required.size === 0) return [];
  const dependents = dependentsByName(required);
  const clustersOf = (addOn: string, side: Side): AddOnClusters =>
    definingPair(pairs, addOn, side)?.[side].resolution.configuration.get(addOn)?.clusters ?? nowhere;
  const lostClusters = new Map<string, ReadonlySet<string>>();
  const lostOf = (addOn: string): ReadonlySet<string> => {
    const known = lostClusters.get(addOn);
    if (known !== undefined) return known;
    const lost = new Set(
      jointClasses(clustersOf(addOn, 'base'), clustersOf(addOn, 'head'))
        .flatMap((each) => (each.after === undefined ? each.clusters : []))
        .filter((cluster) => pairs.some(({ head }) => head.resolution.decisions.clusters.has(cluster))),
    );
    lostClusters.set(addOn, lost);
    return lost;
  };
  return [...dependents.keys()].sort().flatMap((addOn): Diagnostic[] => {
    const lost = lostOf(addOn);
    if (lost.size === 0) return [];
    const chain = reachedFrom(addOn, (name) => dependents.get(name) ?? []);
    const affected = new Set<string>();
    const [along, left]: [string[], string[]] = [[], []];
    for (const dependent of chain) {
      const [had, has] = [clustersOf(dependent, 'base'), clustersOf(dependent, 'head')];
      const on = [...lost].filter((cluster) => had.has(cluster));
      for (const cluster of on) affected.add(cluster);
      if (on.some((cluster) => lostOf(dependent).has(cluster))) along.push(dependent);
      if (on.some((cluster) => has.has(cluster))) left.push(dependent);
    }
    return along.length + left.length === 0 ? [] : [chainFinding(addOn, pairs, { affected, along, left })];
  });
}

/** Returns the app that has an add-on in a state: the one that defines it, otherwise one whose fleet snapshot has it. */
function definingPair(pairs: readonly Pair[], addOn: string, side: Side): Pair | undefined {
  const sourceIn = (pair: Pair): Source | undefined =>
    pair[side].resolution.inventory.clusterManagementAddOns.get(addOn)?.source;
  return pairs.find((pair) => sourceIn(pair) === 'app') ?? pairs.find((pair) => sourceIn(pair) !== undefined);
}

interface Chain {
  readonly affected: ReadonlySet<string>;
  /** The add-ons that are uninstalled too. */
  readonly along: readonly string[];
  /** The add-ons that remain without the one that they require. */
  readonly left: readonly string[];
}

function chainFinding(addOn: string, pairs: readonly Pair[], { affected, along, left }: Chain): Diagnostic {
  const definitionIn = (side: Side) =>
    definingPair(pairs, addOn, side)?.[side].resolution.inventory.clusterManagementAddOns.get(addOn);
  const definition = definitionIn('head') ?? definitionIn('base');
  const parts = [
    ...(along.length === 0 ? [] : [`takes ${counted(along.length, 'other')} along (${listed(along)})`]),
    ...(left.length === 0 ? [] : [`leaves ${counted(left.length, 'add-on')} without it (${listed(left)})`]),
  ];
  const order =
    'uninstall the add-ons that require it with an earlier change, so that they are removed first. A promotion does so by itself, while Git has their ClusterManagementAddOns';
  return diagnostic('FW8064', {
    message: `uninstalling ${quote(addOn)} ${parts.join(' and ')} on ${clusterCount(affected.size)}`,
    ...(definition && pointAt(definition, ['metadata', 'name'])),
    hint:
      left.length === 0
        ? order
        : `keep ${quote(addOn)} on these clusters, or uninstall ${listed(left)} there too, or remove the annotation ${requiresAnnotation}`,
  });
}
