import type { LabelSelector } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import { compareUtf8, goJson } from '../../base/json/go-json.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../base/names/name-errors.ts';
import { goQuote } from '../../base/go/quote.ts';

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  /** `In` with one value for an entry of `matchLabels`. */
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  /** Its path in the selector: `['matchExpressions', 0]`. */
  readonly path: FieldPath;
}

/** A validated selector: labels match if they satisfy every requirement. A selector without requirements matches everything. */
export interface CompiledSelector {
  readonly requirements: readonly LabelRequirement[];
}

/** Why the hub rejects a selector, in apimachinery's words. */
export interface SelectorFault {
  readonly error: string;
  /** The path of the faulty requirement in the selector. */
  readonly path: FieldPath;
}

/** The operators of label selectors. */
export const labelOperators: readonly string[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
] satisfies LabelOperator[];

/**
 * Validates a selector once, so that it can be matched many times. Absent and empty selectors match everything. As apimachinery's
 * LabelSelectorAsSelector, which stops at the first faulty requirement. It reads `matchLabels` in random order; here they are
 * sorted by key.
 */
export function compileLabelSelector(source: LabelSelector | undefined): CompiledSelector | SelectorFault {
  const requirements: LabelRequirement[] = [];
  const labels = Object.entries(source?.matchLabels ?? {}).sort(([a], [b]) => compareUtf8(a, b));
  for (const [key, value] of labels) {
    requirements.push({ key, operator: 'In', values: [value], path: ['matchLabels', key] });
  }
  for (const [index, { key, operator, values }] of (source?.matchExpressions ?? []).entries()) {
    const path: FieldPath = ['matchExpressions', index];
    if (!isOperator(operator)) {
      return (
        firstFault(requirements) ?? {
          error: `${goQuote(operator)} is not a valid label selector operator`,
          path,
        }
      );
    }
    requirements.push({ key, operator, values: values ?? [], path });
  }
  return firstFault(requirements) ?? { requirements };
}

/** Whether labels satisfy every requirement. As apimachinery labels.Requirement.Matches: an absent key satisfies `NotIn`. */
export function matchesLabels(selector: CompiledSelector, labels: Readonly<Record<string, string>>): boolean {
  for (const requirement of selector.requirements) if (!meetsRequirement(requirement, labels)) return false;
  return true;
}

/** Whether labels satisfy one requirement. */
export function meetsRequirement(
  requirement: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value: unknown = labels[requirement.key];
  // a key such as `constructor` must not find properties that every JavaScript object inherits
  const present = typeof value === 'string';
  if (requirement.operator === 'In') return present && requirement.values.includes(value);
  if (requirement.operator === 'NotIn') return !present || !requirement.values.includes(value);
  return present === (requirement.operator === 'Exists');
}

function firstFault(requirements: readonly LabelRequirement[]): SelectorFault | undefined {
  for (const requirement of requirements) {
    const faults = [...new Set(requirementFaults(requirement))];
    const [only] = faults;
    // as apimachinery's aggregate: one fault has no brackets, several are in brackets
    if (only !== undefined)
      return { error: faults.length === 1 ? only : `[${faults.join(', ')}]`, path: requirement.path };
  }
  return undefined;
}

/** As labels.NewRequirement: key, number of values, then each value. */
function requirementFaults({ key, operator, values }: LabelRequirement): string[] {
  const faults: string[] = [];
  const keyFaults = qualifiedNameErrors(key);
  if (keyFaults.length > 0) faults.push(`key: Invalid value: ${goQuote(key)}: ${keyFaults.join('; ')}`);
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) {
    faults.push("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
  }
  if (!takesValues && values.length > 0) {
    faults.push(
      `values: Invalid value: ${goJson(values)}: values set must be empty for exists and does not exist`,
    );
  }
  for (const [index, value] of values.entries()) {
    const valueFaults = labelValueErrors(value);
    if (valueFaults.length > 0) {
      faults.push(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${valueFaults.join('; ')}`);
    }
  }
  return faults;
}

function isOperator(operator: string): operator is LabelOperator {
  return labelOperators.includes(operator);
}
