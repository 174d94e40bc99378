import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { AddOnClusters } from '../configure/add-on-clusters.ts';
import { jointClasses } from '../configure/joint-classes.ts';
import { goJson } from '../../base/json/go-json.ts';
import { referenceTo } from '../model/inventory.ts';
import { clusterCount, listed } from '../model/words.ts';
import { listedPlacements } from '../compare/causes/strategy-causes.ts';
import type { Pair } from '../compare/resolution-pair.ts';

/** Returns the problems of the step from one state to the other. Each state alone can be correct. */
export function checkPlacementChanges(pair: Pair): Diagnostic[] {
  const findings: Diagnostic[] = [];
  const renamed = renamedPlacements(pair);
  for (const [addOn, { clusters, managed, isHubOwned }] of pair.head.resolution.configuration) {
    if (!managed || isHubOwned === true) continue;
    const before = pair.base.resolution.configuration.get(addOn)?.clusters;
    const lost = before === undefined || before === clusters ? 0 : countLost(before, clusters);
    findings.push(...lostPlacements(addOn, { lost, renamed }, pair), ...replacedPlacements(addOn, pair));
  }
  return findings;
}

/** Returns the number of clusters that lose an add-on. */
function countLost(before: AddOnClusters, after: AddOnClusters): number {
  return jointClasses(before, after).reduce(
    (sum, { after: later, clusters }) => (later === undefined ? sum + clusters.length : sum),
    0,
  );
}

/** Returns findings for placements that an install strategy names and that the change removes or renames. */
function lostPlacements(
  addOn: string,
  { lost, renamed }: { lost: number; renamed: ReadonlyMap<string, string> },
  pair: Pair,
): Diagnostic[] {
  const { base, head } = pair;
  const strategy = [...listedPlacements(addOn, head.resolution)];
  return strategy.flatMap((placement, index): Diagnostic[] => {
    const earlier = base.resolution.decisions.byPlacement.get(placement);
    if (earlier === undefined || head.resolution.decisions.byPlacement.has(placement)) return [];
    const newName = renamed.get(placement);
    return [
      diagnostic('FW8001', {
        message: `Placement "${placement}" is removed while the install strategy of "${addOn}" still refers to it: the hub ${lost === 0 ? '' : `uninstalls the add-on from ${clusterCount(lost)} and `}configures it on no cluster`,
        ...strategyPlace(addOn, pair, index),
        hint:
          newName === undefined
            ? 'keep the Placement, or remove it from the install strategy first'
            : `it seems to be renamed to "${newName}": keep both until the install strategy refers to the new one`,
      }),
    ];
  });
}

/**
 * Returns findings for clusters that keep an add-on only through new placements. As OCM's addonmanagement: a placement without
 * decisions selects nothing, so the hub removes the add-on from these clusters until it has made the decisions.
 */
function replacedPlacements(addOn: string, pair: Pair): Diagnostic[] {
  const { base, head } = pair;
  const before = base.resolution.configuration.get(addOn)?.clusters;
  const baseDecisions = base.resolution.decisions.byPlacement;
  const fresh = new Set<string>();
  let affected = 0;
  const after = head.resolution.configuration.get(addOn)?.clusters;
  if (before === undefined || after === undefined) return [];
  for (const { before: earlier, after: later, clusters } of jointClasses(before, after)) {
    const placements = later?.placements ?? [];
    if (placements.length === 0 || earlier === undefined) continue;
    if (placements.some((placement) => baseDecisions.has(placement))) continue;
    for (const placement of placements) fresh.add(placement);
    affected += clusters.length;
  }
  if (affected === 0) return [];
  return [
    diagnostic('FW8002', {
      message: `${clusterCount(affected)} would keep "${addOn}" only through ${listed([...fresh].sort())}, which the hub has not decided yet: until then it uninstalls the add-on there`,
      ...strategyPlace(addOn, pair),
      hint: 'change it in two steps: first list the new placement beside the old one, and remove the old one when the new one is decided',
    }),
  ];
}

/** Returns the names of new placements by the name of the removed placement with equal content. */
function renamedPlacements({ base, head }: Pair): ReadonlyMap<string, string> {
  const before = base.resolution.decisions.byPlacement;
  const after = head.resolution.decisions.byPlacement;
  const added = new Map<string, string>();
  for (const [key, { placement }] of after) {
    if (before.has(key)) continue;
    const spec = goJson(placement.object.spec);
    if (!added.has(spec)) added.set(spec, key);
  }
  const renamed = new Map<string, string>();
  for (const [key, { placement }] of before) {
    const newName = after.has(key) ? undefined : added.get(goJson(placement.object.spec));
    if (newName !== undefined) renamed.set(key, newName);
  }
  return renamed;
}

function strategyPlace(
  addOn: string,
  { head }: Pair,
  index?: number,
): Pick<Diagnostic, 'object' | 'path' | 'location'> {
  const admitted = head.resolution.inventory.clusterManagementAddOns.get(addOn);
  if (admitted === undefined) return {};
  const list = ['spec', 'installStrategy', 'placements'];
  return {
    object: referenceTo(admitted.object),
    path: index === undefined ? list.join('.') : `${list.join('.')}[${index}]`,
    location: admitted.origin.locate(index === undefined ? list : [...list, index]),
  };
}
