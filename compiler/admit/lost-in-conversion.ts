import type { Fault } from './fault.ts';
import { isJsonMap, type JsonMap } from '../../encoding/json-map.ts';

/** What an object says in a field that the next version of its API has not, so that no controller of OCM reads it. */
export function lostInConversion(object: JsonMap): Fault[] {
  const { apiVersion, kind, spec } = object;
  if (apiVersion !== 'addon.open-cluster-management.io/v1alpha1' || kind !== 'ClusterManagementAddOn')
    return [];
  if (!isJsonMap(spec) || spec['addOnConfiguration'] === undefined) return [];
  return [
    {
      code: 'FW2027',
      field: ['spec', 'addOnConfiguration'],
      message: 'addOnConfiguration has no effect: v1beta1, which the hub reads, does not have it',
      hint: 'name the default configuration in spec.supportedConfigs[].defaultConfig',
    },
  ];
}
