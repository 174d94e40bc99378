import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { jointClasses } from '../../configure/joint-classes.ts';
import type { EffectiveConfiguration, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount, quote } from '../../model/words.ts';
import { deploymentConfigOf } from '../../render/inputs.ts';
import type { Rule } from '../rule.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import { declaredRequirements, type DeclaredRequirement } from './declared-requirements.ts';

/** Reports clusters on which a required add-on has a value that differs from the condition of the add-on that requires it. */
export const configuredRequirement: Rule = {
  codes: ['FW4017'],
  *check(input) {
    for (const declared of declaredRequirements(input)) {
      const { required, requirement } = declared;
      if (required === undefined || requirement.variables.size === 0) continue;
      yield* tally(violations({ ...declared, required }, input.inventory));
    }
  },
};

function* violations(
  { dependent, required, requirement, definition }: Required<DeclaredRequirement>,
  inventory: Inventory,
): Iterable<Tallied> {
  const [of, by] = [quote(required.name), quote(dependent.name)];
  const valuesOf = valuesByConfiguration(required, inventory);
  for (const { before, after, clusters } of jointClasses(dependent.clusters, required.clusters)) {
    if (before === undefined || after === undefined) continue;
    const { values, object } = valuesOf(after.effective);
    for (const [variable, wanted] of requirement.variables) {
      const value = values.get(variable);
      if (value === wanted) continue;
      const found = value === undefined ? 'does not set it' : `sets ${quote(value)}`;
      yield {
        key: JSON.stringify([variable, value, object]),
        clusters: clusters.length,
        tell: (count) =>
          diagnostic('FW4017', {
            message: `add-on ${by} requires ${of} with ${variable}=${wanted}, but on ${clusterCount(count)}, such as ${quote(clusters[0] ?? '')}, ${object ?? 'no AddOnDeploymentConfig'} ${found}`,
            ...pointAt(definition, ['metadata', 'annotations', requiresAnnotation]),
            hint: `set ${variable} of ${of} to ${quote(wanted)} on these clusters, or change the requirement of ${by}`,
          }),
      };
    }
  }
}

interface ConfiguredValues {
  readonly values: ReadonlyMap<string, string>;
  /** The object that sets them. Undefined if the add-on uses none. */
  readonly object?: string;
}

/** Returns the customized variables of a configuration, which are read once for all of its clusters. */
function valuesByConfiguration(
  required: ResolvedAddOn,
  inventory: Inventory,
): (effective: EffectiveConfiguration) => ConfiguredValues {
  const cache = new Map<EffectiveConfiguration, ConfiguredValues>();
  return (effective) => {
    const known = cache.get(effective);
    if (known !== undefined) return known;
    const config = deploymentConfigOf(required, effective.references, inventory);
    const values: ConfiguredValues =
      config === undefined || 'error' in config
        ? { values: new Map() }
        : {
            values: new Map(
              (config.object.spec.customizedVariables ?? []).map(({ name, value = '' }) => [name, value]),
            ),
            object: `AddOnDeploymentConfig ${quote(`${config.object.metadata.namespace ?? ''}/${config.object.metadata.name ?? ''}`)}`,
          };
    cache.set(effective, values);
    return values;
  };
}
