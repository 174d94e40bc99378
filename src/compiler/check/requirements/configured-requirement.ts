import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { jointClasses } from '../../configure/joint-classes.ts';
import type { EffectiveConfiguration, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount, quote } from '../../model/words.ts';
import { deploymentConfigOf } from '../../render/inputs.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import { declaredRequirements, type DeclaredRequirement } from './declared-requirements.ts';
import { findField } from './required-fields.ts';
import { findValues, valuesResource } from './required-values.ts';
import { compareVersion, versionFinder } from './required-versions.ts';

/** Reports clusters on which the configuration or the version of a required add-on breaks a condition of the add-on that requires it. */
export const configuredRequirement: Rule = {
  codes: ['FW4017', 'FW4022'],
  *check(input) {
    for (const declared of declaredRequirements(input)) {
      const { required } = declared;
      if (required !== undefined) yield* brokenConditions({ ...declared, required }, input);
    }
  },
};

/**
 * Returns the conditions of a requirement that are broken on some clusters.
 *
 * @param input - the state that has the required add-on
 */
export function brokenConditions(
  declared: Required<DeclaredRequirement>,
  input: RuleInput,
): Iterable<Diagnostic> {
  return tally([
    ...variableViolations(declared, input.inventory),
    ...fieldViolations(declared, input.inventory),
    ...valueViolations(declared, input),
    ...versionViolations(declared, input),
  ]);
}

type Declared = Required<DeclaredRequirement>;

/** What a class of clusters has instead of what a condition wants. */
interface Violation {
  /** `CHANNEL=stable`. */
  readonly wanted: string;
  /** `AddOnDeploymentConfig "a/b" sets "fast"`. */
  readonly present: string;
  /** `set CHANNEL of "b" to "stable"`. */
  readonly remedy: string;
  readonly clusters: readonly string[];
}

function violation({ dependent, required, definition }: Declared, of: Violation): Tallied {
  const { wanted, present, remedy, clusters } = of;
  const [requiredName, by] = [quote(required.name), quote(dependent.name)];
  return {
    key: JSON.stringify([wanted, present]),
    clusters: clusters.length,
    tell: (count) =>
      diagnostic('FW4017', {
        message: `add-on ${by} requires ${requiredName} with ${wanted}, but on ${clusterCount(count)}, such as ${quote(clusters[0] ?? '')}, ${present}`,
        ...pointAt(definition, ['metadata', 'annotations', requiresAnnotation]),
        hint: `${remedy} on these clusters, or change the requirement of ${by}`,
      }),
  };
}

/** A condition that the inputs cannot answer for a class of clusters. */
interface UnknownCondition extends Pick<Violation, 'wanted' | 'clusters'> {
  readonly reason: string;
  readonly hint: string;
}

function unknownCondition({ dependent, required, definition }: Declared, of: UnknownCondition): Tallied {
  const { wanted, reason, hint, clusters } = of;
  return {
    key: JSON.stringify([wanted, reason]),
    clusters: clusters.length,
    tell: (count) =>
      diagnostic('FW4022', {
        message: `add-on ${quote(dependent.name)} requires ${quote(required.name)} with ${wanted}, which is unknown on ${clusterCount(count)}, such as ${quote(clusters[0] ?? '')}: ${reason}`,
        ...pointAt(definition, ['metadata', 'annotations', requiresAnnotation]),
        hint,
      }),
  };
}

function* variableViolations(declared: Declared, inventory: Inventory): Iterable<Tallied> {
  const { dependent, required, requirement } = declared;
  if (requirement.variables.size === 0) return;
  const valuesOf = valuesByConfiguration(required, inventory);
  for (const { before, after, clusters } of jointClasses(dependent.clusters, required.clusters)) {
    if (before === undefined || after === undefined) continue;
    const { values, object = 'no AddOnDeploymentConfig' } = valuesOf(after.effective);
    for (const [variable, wanted] of requirement.variables) {
      const value = values.get(variable);
      if (value === wanted) continue;
      yield violation(declared, {
        wanted: `${variable}=${wanted}`,
        present: `${object} ${value === undefined ? 'does not set it' : `sets ${quote(value)}`}`,
        remedy: `set ${variable} of ${quote(required.name)} to ${quote(wanted)}`,
        clusters,
      });
    }
  }
}

function* fieldViolations(declared: Declared, inventory: Inventory): Iterable<Tallied> {
  const { dependent, required, requirement } = declared;
  const fields = (requirement.fields ?? []).filter(({ resource }) => resource !== valuesResource);
  if (fields.length === 0) return;
  for (const { before, after, clusters } of jointClasses(dependent.clusters, required.clusters)) {
    if (before === undefined || after === undefined) continue;
    for (const field of fields) {
      const { value, object } = findField(field, after.effective, inventory);
      if (value === field.value) continue;
      const has = value === undefined ? 'does not have the field' : `has ${quote(value)}`;
      yield violation(declared, {
        wanted: `${field.resource}:${field.path}=${field.value}`,
        present:
          object === undefined ? `it uses none of the ${field.resource} of the inputs` : `${object} ${has}`,
        remedy: `set ${field.path} of the ${field.resource} of ${quote(required.name)} to ${quote(field.value)}`,
        clusters,
      });
    }
  }
}

function* valueViolations(declared: Declared, input: RuleInput): Iterable<Tallied> {
  const { dependent, required, requirement } = declared;
  for (const { resource, path, value: wanted } of requirement.fields ?? []) {
    if (resource !== valuesResource) continue;
    for (const found of findValues(path, required, dependent.clusters, input)) {
      const { clusters } = found;
      if ('unknown' in found) {
        yield unknownCondition(declared, {
          wanted: `${valuesResource}:${path}=${wanted}`,
          reason: found.unknown,
          hint: `use a condition on a variable, on a field of a configuration or on a version`,
          clusters,
        });
      } else if (found.value !== wanted)
        yield violation(declared, {
          wanted: `${valuesResource}:${path}=${wanted}`,
          present: `${found.object} has ${found.value === undefined ? 'no such value' : quote(found.value)}`,
          remedy: `set the value ${path} of the chart of ${quote(required.name)} to ${quote(wanted)}`,
          clusters,
        });
    }
  }
}

function* versionViolations(declared: Declared, input: RuleInput): Iterable<Tallied> {
  const { dependent, required, requirement } = declared;
  const find = versionFinder(required, input);
  for (const kind of ['version', 'chart'] as const) {
    const constraint = requirement[kind];
    // An invalid constraint is reported with the annotation.
    if (constraint === undefined || compareVersion('1.0.0', constraint) instanceof Error) continue;
    const noun = kind === 'version' ? 'version' : 'chart version';
    for (const { before, after, clusters } of jointClasses(dependent.clusters, required.clusters)) {
      if (before === undefined || after === undefined) continue;
      const answer = find(after, kind);
      const result = 'unknown' in answer ? undefined : compareVersion(answer.version, constraint);
      if (result === true) continue;
      if (result === false && !('unknown' in answer))
        yield violation(declared, {
          wanted: `${noun} ${constraint}`,
          present: `${answer.object} has ${answer.version}`,
          remedy: `deliver a version of ${quote(required.name)} that satisfies ${constraint}`,
          clusters,
        });
      else {
        const reason =
          'unknown' in answer
            ? answer.unknown
            : `${quote(answer.version)} of ${answer.object} is not a version`;
        yield unknownCondition(declared, {
          wanted: `${noun} ${constraint}`,
          reason,
          hint: `set the label ${kind === 'version' ? 'app.kubernetes.io/version' : 'helm.sh/chart'} on its AddOnTemplate`,
          clusters,
        });
      }
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
