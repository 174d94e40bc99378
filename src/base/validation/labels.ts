import { labelValueErrors, qualifiedNameErrors } from '../names/name-errors.ts';
import { byteLength } from '../names/name-syntax.ts';
import {
  forbidden,
  invalid,
  invalidEach,
  required,
  tooLong,
  type Field,
  type FieldFault,
} from './field-fault.ts';
import { GoStruct } from './go-struct.ts';
import type { Struct } from './struct.ts';

type Labels = ReadonlyMap<string, string>;

/** As ValidateLabels of apimachinery. The faults of all labels have the path of the map. */
export function labelFaults(labels: Labels, field: Field): readonly FieldFault[] {
  return [...labels].flatMap(([key, value]) => [
    ...labelKeyFaults(key, field),
    ...invalidEach(field, value, labelValueErrors(value)),
  ]);
}

/** As ValidateLabelName of apimachinery. */
export function labelKeyFaults(key: string, field: Field): readonly FieldFault[] {
  return invalidEach(field, key, qualifiedNameErrors(key, 'valid label key'));
}

/** As ValidateAnnotations of apimachinery. */
export function annotationFaults(annotations: Labels, field: Field): readonly FieldFault[] {
  const limit = 256 * 1024;
  const size = [...annotations].reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return [
    ...[...annotations.keys()].flatMap((key) =>
      invalidEach(field, key, qualifiedNameErrors(key.toLowerCase(), 'valid label key')),
    ),
    ...(size > limit ? [tooLong(field, limit)] : []),
  ];
}

/** As ValidateLabelSelector of apimachinery. Older releases accept any values in expressions, which are not checked. */
export function selectorFaults(selector: Struct | undefined): readonly FieldFault[] {
  if (selector === undefined) return [];
  return [
    ...labelFaults(selector.textMap('matchLabels'), selector.at('matchLabels')),
    ...selector
      .structs('matchExpressions')
      .flatMap((requirement) => [
        ...operatorFaults(requirement.text('operator'), requirement.texts('values').length, requirement),
        ...labelKeyFaults(requirement.text('key'), requirement.at('key')),
      ]),
  ];
}

/** The same, with the values in expressions. Has faults exactly if LabelSelectorAsSelector of apimachinery fails. */
export function strictSelectorFaults(selector: Struct | undefined): readonly FieldFault[] {
  if (selector === undefined) return [];
  return [
    ...selectorFaults(selector),
    ...selector.structs('matchExpressions').flatMap((requirement) => {
      const field = requirement.at('values');
      return requirement
        .texts('values')
        .flatMap((value, index) => invalidEach(field.index(index), value, labelValueErrors(value)));
    }),
  ];
}

function operatorFaults(operator: string, count: number, requirement: Struct): readonly FieldFault[] {
  const values = requirement.at('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(values, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(requirement.at('operator'), operator, 'not a valid selector operator')];
  }
}

/** Returns a selector as the API server prints it: its fields in the order of metav1.LabelSelector. */
export function printedSelector(selector: Struct): GoStruct {
  const [labels, requirements] = [selector.entries('matchLabels'), selector.structs('matchExpressions')];
  return new GoStruct({
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    ...(requirements.length > 0 && { matchExpressions: requirements.map(printedRequirement) }),
  });
}

function printedRequirement(requirement: Struct): GoStruct {
  const values = requirement.texts('values');
  return new GoStruct({
    key: requirement.text('key'),
    operator: requirement.text('operator'),
    ...(values.length > 0 && { values }),
  });
}

/** Whether a selector has no requirement. */
export function isEmptySelector(selector: Struct): boolean {
  return selector.entries('matchLabels').length + selector.structs('matchExpressions').length === 0;
}

/** Whether a valid selector selects an object with these labels. An absent selector selects nothing, an empty one everything. */
export function selects(selector: Struct | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  return (
    [...selector.textMap('matchLabels')].every(([key, value]) => labels.get(key) === value) &&
    selector.structs('matchExpressions').every((requirement) => isMet(requirement, labels))
  );
}

function isMet(requirement: Struct, labels: Labels): boolean {
  const value = labels.get(requirement.text('key'));
  switch (requirement.text('operator')) {
    case 'In':
      return value !== undefined && requirement.texts('values').includes(value);
    case 'NotIn':
      return value === undefined || !requirement.texts('values').includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
