import { Remembered } from '../../../base/collections/remembered.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { ClusterManagementAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { DiagnosticDetails } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { mandatoryGroups, reachableGroups, type TrackedGroup } from '../../rollout/decision-tracker.ts';
import { rolloutGraph, type StrategyNode } from '../../rollout/graph.ts';
import { sizeOf } from '../../rollout/strategy/strategy.ts';
import { placementReference } from '../../../ocm/install-strategy.ts';
import type { CheckInput } from '../rule.ts';

/** The rollout strategy of one placement of an add-on, and the clusters that it controls. */
export interface PacedPlacement {
  readonly addOn: ResolvedAddOn;
  readonly node: StrategyNode;
  /** The indices of the mandatory groups, which come first. */
  readonly mandatory: readonly TrackedGroup[];
  /** The indices of the other groups. */
  readonly rest: readonly TrackedGroup[];
  /** The number of clusters that the placement selects, and how many of them are not in a mandatory group. */
  readonly selected: number;
  readonly remaining: number;
  /** Returns the location of a field of the strategy, and the Placement whose findings may be the cause of those about it. */
  readonly at: (...path: FieldPath) => ReturnType<typeof pointAt> & Pick<DiagnosticDetails, 'causedBy'>;
}

/** The rules of one state have one configuration. */
const cache = new WeakMap<CheckInput['configuration'], readonly PacedPlacement[]>();

/**
 * Returns every rollout strategy of add-ons that the hub configures, sorted by the names of the add-ons. Placements that select
 * nothing are left out, because the rules cannot evaluate them.
 */
export function pacedPlacements(input: CheckInput): readonly PacedPlacement[] {
  const { configuration } = input;
  return getOrInsertComputed(cache, configuration, () =>
    [...configuration.values()].flatMap((addOn) => placementsOf(addOn, input)),
  );
}

/** Returns only the strategies of add-ons that the hub delivers. Only the hub implements deadlines, failures and soak times. */
export function pacedByHub(input: CheckInput): readonly PacedPlacement[] {
  return pacedPlacements(input).filter(({ addOn }) => addOn.delivery === 'hub');
}

const remembered = new Remembered<readonly PacedPlacement[]>();

function placementsOf(addOn: ResolvedAddOn, { inventory, decisions }: CheckInput): readonly PacedPlacement[] {
  const admitted = inventory.clusterManagementAddOns.get(addOn.name);
  if (admitted === undefined || !addOn.managed || addOn.stalled !== undefined) return [];
  return remembered.of(addOn, [admitted, decisions], () => {
    const graph = rolloutGraph(addOn, inventory, decisions);
    if ('error' in graph) return [];
    return graph.nodes
      .map((node) => pacedPlacement(addOn, node, admitted))
      .filter(({ selected }) => selected > 0);
  });
}

function pacedPlacement(
  addOn: ResolvedAddOn,
  node: StrategyNode,
  admitted: Admitted<ClusterManagementAddOnV1beta1>,
): PacedPlacement {
  const mandatory = mandatoryGroups(node.groups, node.strategy);
  const first = new Set(mandatory);
  const rest = reachableGroups(node.groups).filter((group) => !first.has(group));
  const remaining = sizeOfAll(rest);
  const placement = admitted.object.spec.installStrategy?.placements?.[node.position];
  return {
    addOn,
    node,
    mandatory,
    rest,
    selected: sizeOfAll(mandatory) + remaining,
    remaining,
    at: (...path) => ({
      ...pointAt(admitted, [
        'spec',
        'installStrategy',
        'placements',
        node.position,
        'rolloutStrategy',
        ...path,
      ]),
      ...(placement !== undefined && { causedBy: [placementReference(placement)] }),
    }),
  };
}

function sizeOfAll(groups: readonly TrackedGroup[]): number {
  return groups.reduce((sum, { clusters }) => sum + clusters.length, 0);
}

/** Whether some clusters wait until others have finished. */
export function hasSeveralWaves({ node, mandatory, rest, remaining }: PacedPlacement): boolean {
  const { type, maxConcurrency } = node.strategy;
  if (type === 'All') return false;
  if (type === 'ProgressivePerGroup' || remaining === 0) return mandatory.length + rest.length > 1;
  const places = sizeOf(maxConcurrency, remaining, remaining);
  return mandatory.length > 0 || (typeof places === 'number' && places < remaining);
}

/** Returns the name of a group in messages. */
export function groupWords({ index, name }: TrackedGroup): string {
  return name === '' ? `decision group ${index}` : `decision group ${index} ("${name}")`;
}
