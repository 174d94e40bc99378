import { invalid, type FieldFault } from './field-fault.ts';
import { GoStruct } from './go-struct.ts';
import { printedSelector, selectorFaults } from './labels.ts';
import type { Struct } from './struct.ts';
import { integerOrPercentFaults, over100PercentFaults } from './values.ts';

/** As ValidatePodDisruptionBudgetSpec. */
export function podDisruptionBudgetFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  return [
    ...(spec.has('minAvailable') && spec.has('maxUnavailable')
      ? [invalid(spec.field, printedSpec(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
      ...integerOrPercentFaults(spec.at(name), spec.value(name)),
      ...over100PercentFaults(spec.at(name), spec.value(name)),
    ]),
    ...selectorFaults(spec.struct('selector')),
  ];
}

/** As policy.PodDisruptionBudgetSpec. */
function printedSpec(spec: Struct): GoStruct {
  const selector = spec.struct('selector');
  return new GoStruct({
    MinAvailable: spec.value('minAvailable'),
    Selector: selector && printedSelector(selector),
    MaxUnavailable: spec.value('maxUnavailable'),
    UnhealthyPodEvictionPolicy: spec.value('unhealthyPodEvictionPolicy'),
  });
}
