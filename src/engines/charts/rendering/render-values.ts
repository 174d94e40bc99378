import type { Value, ValueMap } from '../../gotemplate/index.ts';
import { ChartError, type ChartFault } from '../chart-fault.ts';
import type { ChartNode } from '../chart.ts';
import { valuesMap } from '../values/values-map.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { ObservedMap } from '../values/observed-map.ts';
import { schemaFaults, validatedNames } from '../values/schema.ts';
import { capabilitiesValue, releaseValue, type Capabilities, type Release } from './built-in-objects.ts';

/**
 * `.Release`, `.Capabilities` and `.Values` of the root chart. As chartutil.ToRenderValues.
 *
 * @param onTopValue - see `RenderInput`
 */
export function renderValues(
  chart: ChartNode,
  values: ValueMap,
  release: Release,
  capabilities: Capabilities,
  addedValues?: ReadonlySet<string>,
  onTopValue?: (name: string) => void,
): { readonly top: ValueMap; readonly warnings: readonly ChartFault[] } {
  const warnings = new Set<string>();
  const merged = coalesceValues(chart, values, (message) => warnings.add(message));
  const faults = schemaFaults(chart, merged, addedValues);
  if (onTopValue !== undefined)
    for (const name of validatedNames(chart, merged, addedValues)) onTopValue(name);
  if (faults.length > 0) throw new ChartError(...faults);
  const top: ValueMap = new Map<string, Value>([
    ['Release', releaseValue(release)],
    ['Capabilities', capabilitiesValue(capabilities)],
    ['Values', valuesMap(onTopValue === undefined ? merged : new ObservedMap(merged, onTopValue))],
  ]);
  return { top, warnings: [...warnings].map((message) => ({ code: 'FW6034', message })) };
}
