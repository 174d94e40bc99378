import type { ManifestWorkV1ManifestConfigOption } from '../../schemas/types.gen.ts';
import { guessResource } from '../base/names/resource-name.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../base/objects/object-identity.ts';
import type { GoJsonObject } from '../base/json/go-json.ts';

/** The objects of a work, and what its agent reports about them. */
interface WorkContent {
  readonly workload?: { readonly manifests?: readonly unknown[] };
  readonly manifestConfigs?: readonly ManifestWorkV1ManifestConfigOption[];
}

/**
 * Returns whether the agent of a cluster ever reports the condition Progressing of a work. As ConditionReader and
 * AggregateManifestConditions of OCM's work agent: only a condition rule for an object of the work sets it. There is no
 * well-known one, so the rule has CEL expressions.
 */
export function reportsProgressing({ workload, manifestConfigs = [] }: WorkContent): boolean {
  const objects = (workload?.manifests ?? []) as readonly GoJsonObject[];
  return objects.some((object) =>
    conditionRulesOf(object, manifestConfigs).some(
      ({ type, condition }) => type === 'CEL' && condition === 'Progressing',
    ),
  );
}

/** Returns the condition rules of an object. As FindManifestConfiguration: the first matching entry with rules counts. */
export function conditionRulesOf(
  object: GoJsonObject,
  manifestConfigs: readonly ManifestWorkV1ManifestConfigOption[],
): NonNullable<ManifestWorkV1ManifestConfigOption['conditionRules']> {
  const { group, kind } = groupVersionKind(object);
  const matching = manifestConfigs.find(
    ({
      resourceIdentifier: { group: ruleGroup = '', resource, name, namespace = '' },
      conditionRules = [],
    }) =>
      conditionRules.length > 0 &&
      ruleGroup === group &&
      resource === guessResource(kind) &&
      matches(nameOf(object), name) &&
      matches(namespaceOf(object), namespace),
  );
  return matching?.conditionRules ?? [];
}

/** As wildcardMatch of OCM's work helpers: `*` matches any text. */
function matches(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  const end = text.length - last.length;
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found === -1 || found + part.length > end) return false;
    position = found + part.length;
  }
  return true;
}
