import { kindKey } from '../../base/names/resource-name.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import type { Inventory } from '../../compiler/model/inventory.ts';
import type { Expression } from '../code/expression.ts';
import { decisionGroup } from './placement.ts';

/** A decision group of a Placement, as an expression. */
interface GroupExpression {
  readonly key: string;
  readonly groupName: string;
  readonly value: Expression;
  readonly path: FieldPath;
}

/** Returns the key of a decision group among the groups of all Placements. */
export function groupKey(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  group: string,
): string {
  return `${namespace}/${name} ${group}`;
}

/** Returns the decision groups of a Placement. Groups that share a name are omitted, because the name is ambiguous. */
export function decisionGroups(object: KubernetesObject): GroupExpression[] {
  if (kindKey(object) !== ocmKinds.placement.key) return [];
  // the kind guarantees that the object has the shape of the type
  const placement = object as KubernetesObject & PlacementV1beta1;
  const { namespace = '', name = '' } = placement.metadata;
  const groups = placement.spec?.decisionStrategy?.groupStrategy?.decisionGroups ?? [];
  const counts = new Map<string, number>();
  for (const { groupName } of groups) counts.set(groupName, (counts.get(groupName) ?? 0) + 1);
  return groups.flatMap((group, index): GroupExpression[] => {
    const { groupName } = group;
    const path = ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups', index];
    const value = decisionGroup(group, path);
    if (counts.get(groupName) !== 1) return [];
    return [{ key: groupKey({ namespace, name }, groupName), groupName, value, path }];
  });
}

/** Returns the decision groups that rollouts name. */
export function mandatoryGroups({ clusterManagementAddOns }: Inventory): Set<string> {
  const groups = new Set<string>();
  for (const { object } of clusterManagementAddOns.values()) {
    for (const { namespace, name, rolloutStrategy } of object.spec.installStrategy?.placements ?? []) {
      const { progressive, progressivePerGroup } = rolloutStrategy ?? {};
      for (const options of [progressive, progressivePerGroup]) {
        for (const { groupName } of options?.mandatoryDecisionGroups ?? [])
          if (groupName !== undefined) groups.add(groupKey({ namespace, name }, groupName));
      }
    }
  }
  return groups;
}
