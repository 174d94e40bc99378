import { addOnGroup } from '../../../../schemas/groups.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { jointClasses } from '../../configure/joint-classes.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { didYouMean } from '../../model/suggestion.ts';
import { clusterCount, quote } from '../../model/words.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { declaredRequirements, unknownClusters, type DeclaredRequirement } from './declared-requirements.ts';

/**
 * Reports clusters that get an add-on without an add-on that it requires. The clusters are compared by class: the work depends on the
 * number of classes, not of clusters.
 */
export const missingRequirement: Rule = {
  codes: ['FW4015', 'FW4018'],
  *check(input) {
    for (const declared of declaredRequirements(input)) {
      const finding = missingInApp(declared, input);
      if (finding !== undefined) yield finding;
    }
  },
};

/** Returns the finding for a requirement that clusters do not meet, or for which the app itself has no answer. */
export function missingInApp(declared: DeclaredRequirement, input: CheckInput): Diagnostic | undefined {
  return declared.required === undefined
    ? undefinedAddOn(declared, input)
    : missingOnClusters({ ...declared, required: declared.required });
}

/** Returns the finding for clusters that get an add-on without the one that it requires. */
export function missingOnClusters({
  dependent,
  required,
  definition,
}: Required<DeclaredRequirement>): Diagnostic | undefined {
  const classes = jointClasses(dependent.clusters, required.clusters);
  const lacking = classes.flatMap(({ before, after, clusters }) =>
    before !== undefined && after === undefined ? clusters : [],
  );
  if (lacking.length === 0) return undefined;
  const where = pointAt(definition, ['metadata', 'annotations', requiresAnnotation]);
  const [of, by] = [quote(required.name), quote(dependent.name)];
  const unknown = unknownClusters(required);
  const example = lacking.length === 1 ? quote(lacking[0] ?? '') : `such as ${quote(lacking[0] ?? '')}`;
  if (unknown !== undefined)
    return diagnostic('FW4018', {
      message: `${clusterCount(lacking.length)} with add-on ${by}, ${example}, may not get ${of}, which it requires: ${unknown}`,
      ...where,
      hint: `make sure that these clusters get ${of}`,
    });
  const cause =
    required.stalled !== undefined
      ? `the hub installs it nowhere new, because ${required.stalled}`
      : required.clusters.size === 0
        ? 'no cluster gets it'
        : dependent.clusters.size === lacking.length
          ? 'its placements select none of them'
          : `its placements select ${dependent.clusters.size - lacking.length} of ${clusterCount(dependent.clusters.size)} with ${by}`;
  return diagnostic('FW4015', {
    message: `${clusterCount(lacking.length)} ${lacking.length === 1 ? 'gets' : 'get'} add-on ${by} without ${of}, which it requires (${example}): ${cause}`,
    ...where,
    hint: `install ${of} on these clusters too, or do not install ${by} there`,
  });
}

/** Returns the finding for an add-on that the inputs do not define. */
function undefinedAddOn(
  { requirement: { name }, dependent, definition }: DeclaredRequirement,
  { inventory, configuration }: CheckInput,
): Diagnostic | undefined {
  const where = pointAt(definition, ['metadata', 'annotations', requiresAnnotation]);
  const identity = { group: addOnGroup, kind: 'ClusterManagementAddOn', name };
  const clusters = [...dependent.clusters.keys()];
  const by = quote(dependent.name);
  if (inventory.elsewhere.existence(identity) === 'missing') {
    const similar = didYouMean(name, configuration.keys(), 'the add-ons are');
    return diagnostic('FW4015', {
      message: `add-on ${by} requires ${quote(name)} on ${clusterCount(clusters.length)}, but there is no ClusterManagementAddOn ${quote(name)}`,
      ...where,
      hint: `${similar?.endsWith('?') === true ? `${similar} Otherwise add` : 'add'} the add-on, remove the requirement, ${orExternal}`,
    });
  }
  const lacking = clusters.filter((cluster) => !inventory.managedClusterAddOns.has(objectKey(cluster, name)));
  if (lacking.length === 0) return undefined;
  return diagnostic('FW4018', {
    message: `add-on ${by} requires ${quote(name)}, which is not defined here: the fleet snapshot has it on ${clusters.length - lacking.length} of ${clusterCount(clusters.length)} with ${by}`,
    ...where,
    hint: `make sure that all of these clusters get ${quote(name)}`,
  });
}
