import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import type { ResolvedAddOn } from '../../configure/configuration.ts';
import type { FieldPath } from '../../field-path.ts';
import type { Admitted } from '../../inventory.ts';
import { pointAt } from '../../point-at.ts';
import { mandatoryGroups, reachableGroups, type TrackedGroup } from '../../rollout/decision-tracker.ts';
import { rolloutGraph, type StrategyNode } from '../../rollout/graph.ts';
import { sizeOf } from '../../rollout/strategy.ts';
import type { CheckInput } from '../rule.ts';

/** The rollout strategy of one placement of an add-on, and the clusters that it paces. */
export interface PacedPlacement {
  readonly addOn: ResolvedAddOn;
  readonly node: StrategyNode;
  /** The groups that come first, by index. */
  readonly mandatory: readonly TrackedGroup[];
  /** The others, by index. */
  readonly rest: readonly TrackedGroup[];
  /** How many clusters the placement selects, and how many of them are in no mandatory group. */
  readonly selected: number;
  readonly remaining: number;
  /** The place of a field of the strategy. */
  readonly at: (...path: FieldPath) => ReturnType<typeof pointAt>;
}

const known = new WeakMap<CheckInput, readonly PacedPlacement[]>();

/**
 * Every rollout strategy of add-ons that the hub configures, in the order of the add-ons' names. Placements that select
 * nothing are left out: nothing can be said of them.
 */
export function pacedPlacements(input: CheckInput): readonly PacedPlacement[] {
  const placements =
    known.get(input) ?? [...input.configuration.values()].flatMap((addOn) => placementsOf(addOn, input));
  known.set(input, placements);
  return placements;
}

/** Those of add-ons that the hub delivers: it alone knows deadlines, failures and soaks. */
export function pacedByHub(input: CheckInput): readonly PacedPlacement[] {
  return pacedPlacements(input).filter(({ addOn }) => addOn.delivery === 'hub');
}

function placementsOf(addOn: ResolvedAddOn, { inventory, decisions }: CheckInput): PacedPlacement[] {
  const admitted = inventory.clusterManagementAddOns.get(addOn.name);
  if (admitted === undefined || !addOn.managed || addOn.stalled !== undefined) return [];
  const graph = rolloutGraph(addOn, inventory, decisions);
  if ('error' in graph) return [];
  return graph.nodes
    .map((node) => pacedPlacement(addOn, node, admitted))
    .filter(({ selected }) => selected > 0);
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
  return {
    addOn,
    node,
    mandatory,
    rest,
    selected: sizeOfAll(mandatory) + remaining,
    remaining,
    at: (...path) =>
      pointAt(admitted, ['spec', 'installStrategy', 'placements', node.position, 'rolloutStrategy', ...path]),
  };
}

function sizeOfAll(groups: readonly TrackedGroup[]): number {
  return groups.reduce((sum, { clusters }) => sum + clusters.length, 0);
}

/** Whether some clusters have to wait until others are through. */
export function hasTurns({ node, mandatory, rest, remaining }: PacedPlacement): boolean {
  const { type, maxConcurrency } = node.strategy;
  if (type === 'All') return false;
  if (type === 'ProgressivePerGroup' || remaining === 0) return mandatory.length + rest.length > 1;
  const places = sizeOf(maxConcurrency, remaining, remaining);
  return mandatory.length > 0 || (typeof places === 'number' && places < remaining);
}

/** How messages name a group. */
export function groupWords({ index, name }: TrackedGroup): string {
  return name === '' ? `decision group ${index}` : `decision group ${index} ("${name}")`;
}
