import type { ClusterManagementAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted, type Inventory } from '../../model/inventory.ts';
import { groupIndexLabel } from '../../place/decision-objects.ts';
import { placementLabel } from '../../../ocm/labels.ts';
import { pointAt } from '../../model/point-at.ts';
import { isGroupIndex } from '../decision-tracker.ts';
import type { UnreadableDecisions } from '../graph.ts';
import { strategyFaults, type StrategyFault } from './strategy-faults.ts';
import { messageJson } from '../../../base/json/message-json.ts';

type AddOn = Admitted<ClusterManagementAddOnV1beta1>;

/** A fault of a strategy and its location. */
export interface LocatedFault extends StrategyFault {
  readonly addOn: AddOn;
  /** From the root of the object. */
  readonly path: FieldPath;
}

/** Returns the faults of all strategies of an add-on. */
export function locatedFaults(addOn: AddOn): LocatedFault[] {
  const { placements = [] } = addOn.object.spec.installStrategy ?? {};
  return placements.flatMap(({ rolloutStrategy }, index) =>
    strategyFaults(rolloutStrategy).map((fault) => ({
      ...fault,
      addOn,
      path: ['spec', 'installStrategy', 'placements', index, 'rolloutStrategy', ...fault.path],
    })),
  );
}

/** Returns the diagnostic for a value that stops its add-on. */
export function stopping(fault: LocatedFault): Diagnostic {
  const when = fault.path.at(-1) === 'maxConcurrency' ? ', after its mandatory groups' : '';
  return diagnostic('FW5001', {
    message: `${shown(fault)} stops the hub from configuring any cluster of this add-on${when}: ${fault.error}`,
    ...pointAt(fault.addOn, fault.path),
    hint: remedy(fault),
  });
}

/** Returns the diagnostic for decisions that do not identify their group. */
export function unreadable(
  { placement, error }: UnreadableDecisions,
  addOn: AddOn,
  { placementDecisions }: Inventory,
): Diagnostic {
  const culprit = [...placementDecisions.values()].find(({ object: { metadata } }) => {
    const { [placementLabel]: owner, [groupIndexLabel]: index = '' } = metadata.labels ?? {};
    return owner !== undefined && objectKey(metadata.namespace, owner) === placement && !isGroupIndex(index);
  });
  return diagnostic('FW5002', {
    message: `a decision of placement ${JSON.stringify(placement)} does not identify its group, so the hub configures no cluster of add-on ${JSON.stringify(addOn.object.metadata.name)}: ${error}`,
    ...(culprit === undefined
      ? pointAt(addOn, ['spec', 'installStrategy'])
      : pointAt(culprit, ['metadata', 'labels', groupIndexLabel])),
    hint: `add the label ${groupIndexLabel} with a number to the PlacementDecision, or let the hub decide`,
  });
}

function shown({ path, value }: LocatedFault): string {
  return `${path.at(-1)} ${messageJson(value)}`;
}

function remedy({ path }: LocatedFault): string {
  if (path.at(-1) === 'progressDeadline') return 'write a number with h, m or s, such as 10m, or None';
  return 'write a number without quotes, or a percentage such as "25%"';
}
