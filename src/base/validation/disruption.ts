import { invalid, type FieldFault } from './field-fault.ts';
import { selectorFaults } from './labels.ts';
import type { Struct } from './struct.ts';
import { integerOrPercentFaults, over100PercentFaults } from './values.ts';

/** As ValidatePodDisruptionBudgetSpec. */
export function podDisruptionBudgetFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  return [
    ...(spec.has('minAvailable') && spec.has('maxUnavailable')
      ? [invalid(spec.field, spec.fields, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
      ...integerOrPercentFaults(spec.at(name), spec.value(name)),
      ...over100PercentFaults(spec.at(name), spec.value(name)),
    ]),
    ...selectorFaults(spec.struct('selector')),
  ];
}
