import type { ClusterManagementAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import type { AddOnRequirement } from '../../../ocm/add-on-requirements.ts';
import { requiredAddOns } from '../../configure/required-add-ons.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { CheckInput } from '../rule.ts';

/** A requirement of an add-on that has clusters. */
export interface DeclaredRequirement {
  readonly requirement: AddOnRequirement;
  /** The add-on that declares it. */
  readonly dependent: ResolvedAddOn;
  readonly definition: Admitted<ClusterManagementAddOnV1beta1>;
  /** Undefined if the inputs do not define the required add-on. */
  readonly required?: ResolvedAddOn;
}

/** Returns all requirements of the add-ons that some cluster has. */
export function* declaredRequirements({
  inventory,
  configuration,
}: CheckInput): Iterable<DeclaredRequirement> {
  for (const [name, requirements] of requiredAddOns(inventory)) {
    const dependent = configuration.get(name);
    const definition = inventory.clusterManagementAddOns.get(name);
    if (dependent === undefined || definition === undefined || dependent.clusters.size === 0) continue;
    for (const requirement of requirements) {
      const required = configuration.get(requirement.name);
      yield { requirement, dependent, definition, ...(required && { required }) };
    }
  }
}

/** Returns why the clusters of an add-on are not all known, as the end of a sentence; undefined if they are. */
export function unknownClusters({ managed, undecided, template }: ResolvedAddOn): string | undefined {
  if (undecided !== undefined && undecided.length > 0)
    return `the inputs do not have its Placement "${undecided[0]}"`;
  return managed || template ? undefined : 'its own manager installs it';
}
