import { requiresAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { AddOnClusters } from '../configure/add-on-clusters.ts';
import { jointClasses } from '../configure/joint-classes.ts';
import { dependentsByName, reachedFrom, requiredAddOns } from '../configure/required-add-ons.ts';
import type { Pair } from '../compare/resolution-pair.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { pointAt } from '../model/point-at.ts';
import { clusterCount, counted, listed, quote } from '../model/words.ts';

const nowhere = new AddOnClusters({ individual: new Map() });

/**
 * Reports add-ons that a change uninstalls and that others require: which of those it takes along, and which remain without it. The
 * requirements are those before the change, because a removed add-on has none any more. Clusters that leave the fleet do not count.
 */
export function requiredUninstalls(pair: Pair): Diagnostic[] {
  const { base, head } = pair;
  const required = requiredAddOns(base.resolution.inventory);
  if (required.size === 0) return [];
  const dependents = dependentsByName(required);
  const lostClusters = new Map<string, ReadonlySet<string>>();
  const lostOf = (addOn: string): ReadonlySet<string> => {
    const known = lostClusters.get(addOn);
    if (known !== undefined) return known;
    const before = base.resolution.configuration.get(addOn)?.clusters ?? nowhere;
    const after = head.resolution.configuration.get(addOn)?.clusters ?? nowhere;
    const lost = new Set(
      jointClasses(before, after)
        .flatMap((each) => (each.after === undefined ? each.clusters : []))
        .filter((cluster) => head.resolution.decisions.clusters.has(cluster)),
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
      const had = base.resolution.configuration.get(dependent)?.clusters ?? nowhere;
      const has = head.resolution.configuration.get(dependent)?.clusters ?? nowhere;
      const on = [...lost].filter((cluster) => had.has(cluster));
      for (const cluster of on) affected.add(cluster);
      if (on.some((cluster) => lostOf(dependent).has(cluster))) along.push(dependent);
      if (on.some((cluster) => has.has(cluster))) left.push(dependent);
    }
    return along.length + left.length === 0 ? [] : [chainFinding(addOn, pair, { affected, along, left })];
  });
}

interface Chain {
  readonly affected: ReadonlySet<string>;
  /** The add-ons that are uninstalled too. */
  readonly along: readonly string[];
  /** The add-ons that remain without the one that they require. */
  readonly left: readonly string[];
}

function chainFinding(addOn: string, { base, head }: Pair, { affected, along, left }: Chain): Diagnostic {
  const definition =
    head.resolution.inventory.clusterManagementAddOns.get(addOn) ??
    base.resolution.inventory.clusterManagementAddOns.get(addOn);
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
