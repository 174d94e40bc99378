import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { ApplicationFate } from '../compare/application-change.ts';

/** Returns the number of Applications of ApplicationSets to which something happens, on all clusters. */
export function applicationsWith(
  addOns: readonly Pick<AddOnPlan, 'groups'>[],
  fate: ApplicationFate,
): number {
  return addOns
    .flatMap(({ groups }) => groups)
    .flatMap(({ clusters, applications = [] }) =>
      applications.filter((each) => each.fate === fate).map(({ count }) => count * clusters.length),
    )
    .reduce((sum, count) => sum + count, 0);
}
