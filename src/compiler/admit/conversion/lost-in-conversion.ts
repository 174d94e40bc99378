import type { Fault } from '../fault.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';

/** Reports fields of an object that the next version of its API does not have, so that no controller of OCM reads them. */
export function lostInConversion(object: JsonMap): Fault[] {
  const { apiVersion, kind, spec } = object;
  if (apiVersion !== 'addon.open-cluster-management.io/v1alpha1' || kind !== 'ClusterManagementAddOn')
    return [];
  if (!isJsonMap(spec) || spec['addOnConfiguration'] === undefined) return [];
  return [
    {
      code: 'FW2027',
      field: ['spec', 'addOnConfiguration'],
      message: 'addOnConfiguration has no effect: the hub reads v1beta1, which does not have this field',
      hint: isEmpty(spec['addOnConfiguration'])
        ? 'remove it'
        : 'set the default configuration in spec.supportedConfigs[].defaultConfig',
    },
  ];
}

function isEmpty(value: unknown): boolean {
  return isJsonMap(value) && Object.values(value).every((field) => field === '');
}
