import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { qualifiedNameErrors } from '../../../base/names/name-errors.ts';
import { meetsRequirement, type LabelRequirement } from '../../place/label-selector.ts';
import { fieldAt } from '../../api/placement-references.ts';
import { GenerationError } from '../generation-error.ts';

/**
 * Whether the `selector` of a generator matches parameters. As apimachinery, but values can be any text, such as the URL of a
 * cluster.
 *
 * @throws {GenerationError} for an invalid selector
 */
export function matchesParameters(selector: JsonMap, parameters: Readonly<Record<string, string>>): boolean {
  return requirementsOf(selector).every((requirement) => meetsRequirement(requirement, parameters));
}

function requirementsOf(selector: JsonMap): readonly LabelRequirement[] {
  const labels = fieldAt(selector, ['matchLabels']);
  const expressions = fieldAt(selector, ['matchExpressions']);
  const requirements: LabelRequirement[] = Object.entries(isJsonMap(labels) ? labels : {}).map(
    ([key, value]) => ({ key, operator: 'In', values: [String(value)], path: [] }),
  );
  for (const { key, operator, values } of (Array.isArray(expressions) ? expressions : []).filter(isJsonMap)) {
    if (operator !== 'In' && operator !== 'NotIn' && operator !== 'Exists' && operator !== 'DoesNotExist')
      throw new GenerationError(`"${String(operator)}" is not a valid pod selector operator`);
    const texts = (Array.isArray(values) ? values : []).map(String);
    const hasValues = operator === 'In' || operator === 'NotIn';
    if (hasValues !== texts.length > 0)
      throw new GenerationError(`error parsing label selector: the operator ${operator} has wrong values`);
    requirements.push({ key: String(key), operator, values: texts, path: [] });
  }
  for (const { key } of requirements) {
    const [error] = qualifiedNameErrors(key);
    if (error !== undefined) throw new GenerationError(`error parsing label selector: ${key}: ${error}`);
  }
  return requirements;
}
